// Where engines think: on this device or on the server, and who therefore answers what.
import { recall, remember } from '../prefs.js';
import { addExplored } from '../explored.js';
import { alone } from './alone.js';
import { call, ownInfo } from './page.js';

/** @import { Filter, Found, Info, NewGame, Train } from '../types.js' */
/** @import { Study } from './requests.js' */
/** @typedef {typeof import('../api.js').server} Server */

/** Whether the page can think by itself, as the server says. */
let able = false;
/** Until the server has said it, nobody knows who plays a game. @type {Promise<unknown>} */
let said = Promise.resolve();

/** Whether engines think on this device. */
export const thinksHere = () => alone() || (able && recall('thinks', 'here') === 'here');

/** Whether there is a choice. */
export const canChoose = () => able && !alone();

/** @param {boolean} here */
export const thinkHere = here => remember('thinks', here ? 'here' : 'server');

/** Games of this browser have names that no game of a server has. @param {string} id */
export const isOwn = id => id.startsWith('my');

const PAGE = 50;
/** @param {string} player */
const base = player => player.split('@')[0];

/** Whom the module knows; those that the server's keeper named it does not. @type {Set<string>} */
let known = new Set();

/** @param {Info & { module?: boolean }} info */
function heard(info) {
  able = info.module ?? true;
  known = new Set([...info.engines, 'human']);
  return info;
}

/**
 * A game against an engine is played here, if engines think here; people who play each other may be in two places.
 * @param {NewGame} wanted
 */
const plays = ({ sides }) =>
  alone() ||
  (thinksHere() &&
    sides.every(({ player }) => known.has(base(player))) &&
    sides.some(({ player }) => base(player) !== 'human'));

/**
 * The games of this browser, then those of the server, as one list.
 * @template {Filter} F
 * @param {(filter: F) => Promise<Found>} search
 * @param {F} filter
 */
async function games(search, filter) {
  if (alone()) return call('games', filter);
  if (!able) return search(filter);
  const own = await call('games', filter);
  /** @type {Found} */
  const first = await search({ ...filter, page: 0 });
  const from = Math.max(0, filter.page * PAGE - own.total);
  const wanted = PAGE - own.games.length;
  const page = Math.floor(from / PAGE);
  const pages = [page, page + 1].map(n => (n === 0 ? first : search({ ...filter, page: n })));
  const theirs = (await Promise.all(wanted > 0 ? pages : [])).flatMap(found => found.games);
  const rest = theirs.slice(from - page * PAGE, from - page * PAGE + wanted);
  return { total: own.total + first.total, page: filter.page, games: [...own.games, ...rest] };
}

/**
 * What was played from a position, in the games of this browser and in those of the server.
 * @param {Server} server
 * @param {string} game
 * @param {string} moves
 */
async function explored(server, game, moves) {
  if (alone()) return call('explore', game, moves);
  if (!able) return server.explore(game, moves);
  const [own, theirs] = await Promise.all([call('explore', game, moves), server.explore(game, moves)]);
  return addExplored(theirs, own);
}

/** The bytes of a file as characters, for the module. @param {Blob} file */
async function characters(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

/** @param {string} id @param {string} format */
async function file(id, format) {
  const { file, ending } = await call('file', id, format);
  const bytes = Uint8Array.from(file, byte => byte.charCodeAt(0));
  return new Response(bytes, { headers: { 'content-disposition': `attachment; filename="lianzi-${id}.${ending}"` } });
}

/**
 * What this browser answers if engines think here, as soon as that is known.
 * @template T
 * @param {() => boolean} here
 * @param {() => Promise<T>} own
 * @param {() => Promise<T>} theirs
 */
async function either(here, own, theirs) {
  // Where there is no server, everybody is here.
  if (!alone()) await said.catch(() => null);
  return here() ? own() : theirs();
}

/** @param {Server} server */
function ask(server) {
  const asked = alone() ? ownInfo() : server.info();
  const answer = asked.then(heard);
  said = answer;
  return answer;
}

/** What this browser's module knows of training. @type {(name: string, more: object) => Promise<object>} */
const study = (name, more) => call('train', /** @type {Study} */ ({ do: name, ...more }));

/** The server's answers, and this browser's where it answers itself. @param {Server} server @returns {Server} */
export const answering = server => ({
  ...server,
  info: () => ask(server),
  rules: game => (alone() ? call('rules', game) : server.rules(game)),
  train: alone() ? /** @type {Train} */ (study) : server.train,
  newGame: wanted =>
    either(
      () => plays(wanted),
      () => call('newGame', JSON.stringify(wanted)),
      () => server.newGame(wanted),
    ),
  games: filter => games(server.games, filter),
  myGames: filter => games(server.myGames, filter),
  explore: (game, moves) => explored(server, game, moves),
  game: id => (alone() || isOwn(id) ? call('game', id) : server.game(id)),
  deleteGame: (id, owner) => (alone() || isOwn(id) ? call('remove', id) : server.deleteGame(id, owner)),
  keep: record =>
    either(
      thinksHere,
      () => call('keep', JSON.stringify(record)),
      () => server.keep(record),
    ),
  read: (blob, about) =>
    either(
      thinksHere,
      async () => call('read', await characters(blob), about),
      () => server.read(blob, about),
    ),
  file: (id, format) => (alone() || isOwn(id) ? file(id, format) : server.file(id, format)),
});
