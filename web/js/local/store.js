// The library of this browser in IndexedDB: games, the newest first, and what was learnt.

/** @import { Entry, Filter, Found, Progress } from '../types.js' */
/** @import { KeptGame } from './requests.js' */

const PAGE = 50;
/** @type {Promise<IDBDatabase> | null} */
let opened = null;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = request =>
  new Promise((found, failed) => {
    request.onsuccess = () => found(request.result);
    request.onerror = () => failed(request.error);
  });

function database() {
  opened ??= new Promise((found, failed) => {
    const request = indexedDB.open('lianzi', 2);
    request.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion < 1) {
        const games = request.result.createObjectStore('games', { keyPath: 'entry.id' });
        games.createIndex('created', 'entry.created');
      }
      request.result.createObjectStore('learner');
    };
    request.onsuccess = () => {
      // A newer page in another window wants other tables: it must not wait for us.
      request.result.onversionchange = () => {
        request.result.close();
        opened = null;
      };
      found(request.result);
    };
    request.onerror = () => {
      opened = null;
      failed(request.error);
    };
  });
  return opened;
}

/** @param {IDBTransactionMode} mode */
const games = async mode => (await database()).transaction('games', mode).objectStore('games');

/** When this is over, everything is on the disk. @param {IDBObjectStore} store */
const written = ({ transaction }) =>
  new Promise((found, failed) => {
    transaction.oncomplete = found;
    transaction.onabort = transaction.onerror = () => failed(transaction.error);
  });

/** @param {IDBTransactionMode} mode */
const learner = async mode => (await database()).transaction('learner', mode).objectStore('learner');

/** What was learnt in this browser. @returns {Promise<Progress | null>} */
export const progress = async () => (await done((await learner('readonly')).get('progress'))) ?? null;

/** @param {Progress} progress */
export async function keepProgress(progress) {
  const store = await learner('readwrite');
  store.put(progress, 'progress');
  await written(store);
}

/** Keeps games; when this is over they are on the disk. @param {KeptGame[]} kept */
export async function put(...kept) {
  const store = await games('readwrite');
  for (const game of kept) store.put(game);
  await written(store);
}

/** @param {string} id @returns {Promise<KeptGame | undefined>} */
export const get = async id => done((await games('readonly')).get(id));

/** @param {string} id */
export const remove = async id => done((await games('readwrite')).delete(id));

/** @param {Entry} entry @param {Filter} filter */
const fits = ({ black, white, game, outcome }, { q, game: kind, result }) =>
  (!q || `${black}\n${white}`.toLowerCase().includes(q.toLowerCase())) &&
  game.startsWith(kind) &&
  (!result || outcome === result);

/** Shows all games, the newest first. @param {(game: KeptGame) => void} show */
async function each(show) {
  const newest = (await games('readonly')).index('created').openCursor(null, 'prev');
  await new Promise((over, failed) => {
    newest.onerror = () => failed(newest.error);
    newest.onsuccess = () => {
      const cursor = newest.result;
      if (!cursor) return over(null);
      show(cursor.value);
      cursor.continue();
    };
  });
}

/** Looks for games, as a server does. @param {Filter} filter @returns {Promise<Found>} */
export async function search(filter) {
  /** @type {Entry[]} */
  const found = [];
  await each(({ entry }) => fits(entry, filter) && found.push(entry));
  const { page } = filter;
  return { total: found.length, page, games: found.slice(page * PAGE, (page + 1) * PAGE) };
}

/** What was played in all games whose names begin so. @param {string} game */
export async function records(game) {
  /** @type {string[]} */
  const found = [];
  await each(({ entry, record }) => entry.game.startsWith(game) && found.push(record));
  return found;
}
