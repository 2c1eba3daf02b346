// The server's HTTP side. A refusal becomes an error that carries its words in both languages.

/** A refusal in words. */
export class Refused extends Error {
  /** @param {any} words @param {number} status */
  constructor(words, status) {
    super(words?.en ?? String(status));
    this.words = words;
    this.status = status;
  }
}

const SILENT = { en: 'The server does not answer. Is it still running?', zh: '服务器没有响应，它还在运行吗？' };

/** @param {string} method @param {string} path @param {any} [body] @param {string} [token] */
async function call(method, path, body, token) {
  const raw = body instanceof Blob || body instanceof ArrayBuffer;
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers['content-type'] = raw ? 'application/octet-stream' : 'application/json';
  if (token) headers.authorization = `Bearer ${token}`;
  const sent = { method, headers, body: body === undefined ? undefined : raw ? body : JSON.stringify(body) };
  const answer = await fetch(path, sent).catch(() => {
    throw new Refused(SILENT, 0);
  });
  if (answer.ok) return answer.status === 204 ? null : answer.json();
  const words = await answer
    .json()
    .catch(() => ({ en: `The server answered ${answer.status}.`, zh: `服务器回答 ${answer.status}。` }));
  throw new Refused(words, answer.status);
}

/** @param {Record<string, any>} values */
const query = values => {
  const given = Object.entries(values).filter(([, value]) => value != null && value !== '');
  return given.length ? `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}` : '';
};
const segment = encodeURIComponent;

export const api = {
  info: () => call('GET', '/api/info'),
  /** @param {any} game */
  newGame: game => call('POST', '/api/games', game),
  /** @param {Record<string, any>} filter */
  games: filter => call('GET', `/api/games${query(filter)}`),
  /** @param {string} id */
  game: id => call('GET', `/api/games/${segment(id)}`),
  /** @param {string} id @param {string} format */
  exportPath: (id, format) => `/api/games/${segment(id)}/export/${segment(format)}`,
  /** @param {string} id @param {string} owner */
  deleteGame: (id, owner) => call('DELETE', `/api/games/${segment(id)}`, undefined, owner),
  /** @param {Blob} file @param {{ name?: string, from?: string, game?: string }} about */
  read: (file, about) => call('POST', `/api/read${query(about)}`, file),
  /** @param {any} record */
  keep: record => call('POST', '/api/library', { record }),
  /** @param {string} game */
  rules: game => call('GET', `/api/rules${query({ game })}`),
  /** @param {any} contest */
  newContest: contest => call('POST', '/api/contests', contest),
  contests: () => call('GET', '/api/contests'),
  /** @param {string} id */
  contest: id => call('GET', `/api/contests/${segment(id)}`),
  /** @param {string} id @param {string} game */
  contestGame: (id, game) => call('GET', `/api/contests/${segment(id)}/games/${segment(game)}`),
  /** @param {string} id */
  reportPath: id => `/api/contests/${segment(id)}/report.html`,
  /** @param {string} id @param {string} owner */
  stopContest: (id, owner) => call('DELETE', `/api/contests/${segment(id)}`, undefined, owner),
};
