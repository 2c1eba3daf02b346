// Whether there is no server behind the page: it was written by `lianzi site`.

export const alone = () => globalThis.document?.querySelector('meta[name="lianzi-server"][content="none"]') != null;
