// The service worker of a page without a server: all its files are kept when it is first opened, and come from there.
// `lianzi site` writes files.js beside it: what there is, and a name that changes whenever any of it does.

/** @typedef {{ version: string, files: string[], later: string[] }} Site */
/** @typedef {{ waitUntil(work: Promise<unknown>): void }} Lasting */
/** @typedef {Lasting & { request: Request, respondWith(answer: Promise<Response>): void }} Asking */
/** @typedef {typeof globalThis & { site: Site, skipWaiting(): void, clients: { claim(): Promise<void> } }} Scope */

const scope = /** @type {Scope} */ (/** @type {unknown} */ (self));
/** @type {(file: string) => void} */
const load = Reflect.get(self, 'importScripts');
load('files.js');
const { version, files, later } = scope.site;

/** @param {string} name @param {(event: Asking) => void} act */
const on = (name, act) => addEventListener(name, event => act(/** @type {Asking} */ (/** @type {unknown} */ (event))));

/** @param {string[]} names */
const keep = async names => {
  const kept = await caches.open(version);
  const known = await Promise.all(names.map(name => kept.match(name)));
  const missing = names.filter((_, n) => !known[n]);
  await kept.addAll(missing.map(name => new Request(name, { cache: 'reload' })));
};

on('install', event => {
  scope.skipWaiting();
  event.waitUntil(keep(files));
});

on('activate', event => {
  const old = async () => {
    for (const name of await caches.keys())
      if (name !== version && name.startsWith('lianzi ')) await caches.delete(name);
    await scope.clients.claim();
  };
  event.waitUntil(old());
});

// The page says when it has time for what only the next visit needs.
on('message', event => event.waitUntil(keep(later)));

/**
 * A page that shares nothing with others may have workers that share memory; few hosts say so themselves.
 * @param {Response} answer
 */
function apart(answer) {
  const headers = new Headers(answer.headers);
  headers.set('cross-origin-opener-policy', 'same-origin');
  headers.set('cross-origin-embedder-policy', 'require-corp');
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}

on('fetch', event => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  const kept = async () => {
    const answer = (await caches.match(request, { cacheName: version, ignoreSearch: true })) ?? (await fetch(request));
    const whole = answer.ok && !answer.redirected;
    return whole && ['document', 'iframe', 'worker'].includes(request.destination) ? apart(answer) : answer;
  };
  event.respondWith(kept());
});
