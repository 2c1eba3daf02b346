// The service worker of a page without a server: all its files are kept when it is first opened, and come from there.
// `lianzi site` writes files.js beside it: what there is, and a name that changes whenever any of it does.

/** @typedef {{ version: string, files: string[] }} Site */
/** @typedef {{ waitUntil(work: Promise<unknown>): void }} Lasting */
/** @typedef {Lasting & { request: Request, respondWith(answer: Promise<Response>): void }} Asking */
/** @typedef {typeof globalThis & { site: Site, skipWaiting(): void, clients: { claim(): Promise<void> } }} Scope */

const scope = /** @type {Scope} */ (/** @type {unknown} */ (self));
/** @type {(file: string) => void} */
const load = Reflect.get(self, 'importScripts');
load('files.js');
const { version, files } = scope.site;

/** @param {string} name @param {(event: Asking) => void} act */
const on = (name, act) => addEventListener(name, event => act(/** @type {Asking} */ (/** @type {unknown} */ (event))));

on('install', event => {
  scope.skipWaiting();
  event.waitUntil(
    caches.open(version).then(kept => kept.addAll(files.map(file => new Request(file, { cache: 'reload' })))),
  );
});

on('activate', event => {
  const old = async () => {
    for (const name of await caches.keys())
      if (name !== version && name.startsWith('lianzi ')) await caches.delete(name);
    await scope.clients.claim();
  };
  event.waitUntil(old());
});

on('fetch', event => {
  if (event.request.method !== 'GET' || new URL(event.request.url).origin !== location.origin) return;
  const kept = async () =>
    (await caches.match(event.request, { cacheName: version, ignoreSearch: true })) ?? fetch(event.request);
  event.respondWith(kept());
});
