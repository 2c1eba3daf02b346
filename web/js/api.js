// The server's HTTP side, and who answers in its place. A refusal is an error that carries its words in both languages.
import { answering } from './local/where.js';
import { Refused } from './refused.js';

export { Refused };

/** @import { Board, Contest, ContestList, Explored, Filter, Found, GameRecord, Info, Kept, Made } from './types.js' */
/** @import { HandedIn, Learners, MadeGame, NewContest, NewGame, Reading, Shown, Train } from './types.js' */

const SILENT = { en: 'The server does not answer. Is it still running?', zh: '服务器没有响应，它还在运行吗？' };

/**
 * @template T
 * @param {string} method
 * @param {string} path
 * @param {object} [body] a file, or what becomes JSON
 * @param {string} [token]
 * @returns {Promise<T>}
 */
async function call(method, path, body, token) {
  /** @type {Record<string, string>} */
  const headers = {};
  const file = body instanceof Blob ? body : null;
  if (body) headers['content-type'] = file ? 'application/octet-stream' : 'application/json';
  if (token) headers.authorization = `Bearer ${token}`;
  const sent = { method, headers, body: file ?? (body && JSON.stringify(body)) };
  const answer = await fetch(path, sent).catch(() => {
    throw new Refused(SILENT, 0);
  });
  // Where nothing is answered, nothing is awaited either.
  if (answer.ok) return answer.status === 204 ? /** @type {T} */ (undefined) : answer.json();
  const words = await answer
    .json()
    .catch(() => ({ en: `The server answered ${answer.status}.`, zh: `服务器回答 ${answer.status}。` }));
  throw new Refused(words, answer.status);
}

/** @param {Record<string, string | number | undefined>} values */
const query = values => {
  const given = Object.entries(values).filter(([, value]) => value != null && value !== '');
  return given.length ? `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}` : '';
};
const segment = encodeURIComponent;

/** What the server answers. */
export const server = {
  /** @param {string} game @param {string} moves @returns {Promise<Explored>} */
  explore: (game, moves) => call('GET', `/api/explore${query({ game, moves })}`),
  /** @returns {Promise<Info>} */
  info: () => call('GET', '/api/info'),
  /** @param {NewGame} game @returns {Promise<MadeGame>} */
  newGame: game => call('POST', '/api/games', game),
  /** @param {Filter} filter @returns {Promise<Found>} */
  games: filter => call('GET', `/api/games${query({ ...filter })}`),
  /** The games that this browser knows. @param {Filter & { ids: string[] }} filter @returns {Promise<Found>} */
  myGames: filter => call('POST', '/api/games/mine', filter),
  /** @param {string} id @returns {Promise<Kept>} */
  game: id => call('GET', `/api/games/${segment(id)}`),
  /** @param {string} id @param {string} format */
  file: (id, format) => fetch(`/api/games/${segment(id)}/export/${segment(format)}`),
  /** @param {string} id @param {string} owner @returns {Promise<void>} */
  deleteGame: (id, owner) => call('DELETE', `/api/games/${segment(id)}`, undefined, owner),
  /**
   * @param {Blob} file
   * @param {{ name?: string, from?: string, game?: string }} about
   * @returns {Promise<Reading>}
   */
  read: (file, about) => call('POST', `/api/read${query(about)}`, file),
  /** @param {GameRecord} record @returns {Promise<Made>} */
  keep: record => call('POST', '/api/library', { record }),
  /** @param {string} game @returns {Promise<Board>} */
  rules: game => call('GET', `/api/rules${query({ game })}`),
  /** @type {Train} */
  train: (name, more) => call('POST', '/api/train', { do: name, ...more }),
  /** @param {string} name @returns {Promise<{ id: string, secret: string }>} */
  joinClass: name => call('POST', '/api/class', { name }),
  /** @param {string} id @param {string} secret @param {HandedIn} progress @returns {Promise<void>} */
  handIn: (id, secret, progress) => call('PUT', `/api/class/${segment(id)}`, progress, secret),
  /** @param {string} secret @returns {Promise<Learners>} */
  learners: secret => call('GET', '/api/class', undefined, secret),
  /** @param {NewContest} contest @returns {Promise<Made>} */
  newContest: contest => call('POST', '/api/contests', contest),
  /** @returns {Promise<ContestList>} */
  contests: () => call('GET', '/api/contests'),
  /** @param {string} id @returns {Promise<Contest>} */
  contest: id => call('GET', `/api/contests/${segment(id)}`),
  /** @param {string} id @param {string} game @returns {Promise<Shown>} */
  contestGame: (id, game) => call('GET', `/api/contests/${segment(id)}/games/${segment(game)}`),
  /** @param {string} id */
  reportPath: id => `/api/contests/${segment(id)}/report.html`,
  /** @param {string} id @param {string} owner @returns {Promise<void>} */
  stopContest: (id, owner) => call('DELETE', `/api/contests/${segment(id)}`, undefined, owner),
};

export const api = answering(server);
