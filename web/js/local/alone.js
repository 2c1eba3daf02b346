// What whoever sent the page says of it.

/** Whether there is no server behind the page: it was written by `lianzi site`. */
export const alone = () => globalThis.document?.querySelector('meta[name="lianzi-server"][content="none"]') != null;

/** Whether there is a module with threads. */
export const offersThreads = () => globalThis.document?.querySelector('meta[name="lianzi-threads"]') != null;
