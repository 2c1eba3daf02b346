// The service worker of a page without a server: all its files are kept when it is first opened, and come from there.
// `lianzi site` writes files.js beside it: what there is, and the hash of each, under which it is kept. So what is the
// same in the next site need not be fetched again, and what a browser or a host mixed up is never kept.

/** @typedef {Record<string, string>} Hashes by the names of files */
/** @typedef {{ files: Hashes, later: Hashes }} Site */
/** @typedef {{ waitUntil(work: Promise<unknown>): void }} Lasting */
/** @typedef {Lasting & { request: Request, respondWith(answer: Promise<Response>): void }} Asking */
/** @typedef {typeof globalThis & { site: Site, skipWaiting(): void, clients: { claim(): Promise<void> } }} Scope */

const scope = /** @type {Scope} */ (/** @type {unknown} */ (self));
/** @type {(file: string) => void} */
const load = Reflect.get(self, 'importScripts');
load('files.js');
const { files, later } = scope.site;

/** What we keep is in one cache, whichever site it came with. */
const CACHE = 'lianzi';
/** @param {string} name */
const place = name => new URL(name, location.href).href;
/** Under what a file is kept, by its place. */
const keys = new Map(
  Object.entries({ ...files, ...later }).map(([name, hash]) => [place(name), `${place(name)}?${hash}`]),
);

/** @param {string} name @param {(event: Asking) => void} act */
const on = (name, act) => addEventListener(name, event => act(/** @type {Asking} */ (/** @type {unknown} */ (event))));

/** @param {Hashes} wanted */
async function keep(wanted) {
  const kept = await caches.open(CACHE);
  const add = async (/** @type {[string, string]} */ [name, integrity]) => {
    const key = keys.get(place(name)) ?? name;
    if (await kept.match(key)) return;
    // What the page has just loaded is at hand, however old the browser takes it for: the hash says whether it is right.
    const answer = fetch(name, { cache: 'force-cache', integrity }).catch(() =>
      fetch(name, { cache: 'reload', integrity }),
    );
    await kept.put(key, await answer);
  };
  await Promise.all(Object.entries(wanted).map(add));
}

/** Forgets what is not of this site. */
async function clear() {
  for (const name of await caches.keys()) if (name.startsWith(`${CACHE} `)) await caches.delete(name);
  const [kept, own] = [await caches.open(CACHE), new Set(keys.values())];
  for (const request of await kept.keys()) if (!own.has(request.url)) await kept.delete(request);
}

on('install', event => {
  scope.skipWaiting();
  event.waitUntil(keep(files));
});

on('activate', event => event.waitUntil(clear().then(() => scope.clients.claim())));

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
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  const kept = async () => {
    const key = keys.get(origin + pathname);
    const answer = (key && (await (await caches.open(CACHE)).match(key))) || (await fetch(request));
    const whole = answer.ok && !answer.redirected;
    return whole && ['document', 'iframe', 'worker'].includes(request.destination) ? apart(answer) : answer;
  };
  event.respondWith(kept());
});
