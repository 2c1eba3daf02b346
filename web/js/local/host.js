// The worker that answers a page instead of a server: live games, the library of this browser, files. Thinking is done
// in workers of its own, so that an answer never waits for a search.
import { loadCode, THREADS } from './code.js';
import { Module, Refusing } from './module.js';
import { Thinkers } from './thinkers.js';
import { LiveGame } from './live.js';
import * as store from './store.js';

/** @import { Calls, FromHost, KeptGame, Refusal, Requests, Study, ToHost } from './requests.js' */

/** @param {FromHost} message */
const post = message => postMessage(message);

/** @type {Refusal} */
const NO_GAME = { status: 404, en: 'there is no such game in this browser', zh: '此浏览器中没有这局棋' };

// Nobody else loads it: what a page says to its host waits while the page is busy.
const begun = loadCode(Reflect.get(self, 'name') === THREADS).then(code => ({
  module: new Module(code, () => {}),
  thinkers: new Thinkers(code),
}));

/** @param {string} id */
async function kept(id) {
  const game = await store.get(id);
  if (!game) throw new Refusing(NO_GAME);
  return game;
}

/** @param {KeptGame} game */
async function keep(game) {
  await store.put(game);
  return { id: game.entry.id, owner: 'me' };
}

/** @type {import('./thinkers.js').Thinker | null} */
let scholar = null;
/** @type {Promise<unknown>} */
let learnt = Promise.resolve();

/**
 * Puzzles and positions are solved by a worker of their own, one question after another.
 * @param {Study | { do: 'solve' } & Requests['solve'][0]} study
 * @returns {Promise<object>}
 */
function learn(study) {
  const think = async () => {
    const { thinkers } = await begun;
    scholar = thinkers.free(scholar);
    return new Promise((found, failed) =>
      scholar?.think(study, said => {
        if ('answer' in said) found(said.answer);
        else if ('refused' in said) failed(new Refusing(said.refused));
        else if ('failed' in said) failed(new Error(said.failed));
      }),
    );
  };
  const answer = learnt.then(think);
  learnt = answer.catch(() => {});
  return answer;
}

/** @type {{ [K in keyof Calls]: (module: Module, ...given: Calls[K][0]) => Promise<Calls[K][1]> }} */
const calls = {
  ready: async () => null,
  info: async module => module.ask('info', {}),
  rules: async (module, game) => module.ask('rules', { game }),
  newGame: async (module, wanted) => {
    const game = module.ask('new', { new: wanted });
    // Nobody else comes to a game of this browser: its seats need no secrets.
    return { ...(await keep(game)), tokens: [null, null] };
  },
  games: async (_, filter) => store.search(filter),
  explore: async (module, game, moves) =>
    module.ask('explore', { game, moves, records: await store.records(game.split('+')[0]) }),
  game: async (module, id) => {
    const { record, entry } = await kept(id);
    return { ...module.ask('show', { record }), live: entry.live ?? false };
  },
  remove: async (_, id) => {
    await kept(id);
    for (const line of lines.values()) if (line.id === id) await line.leave();
    await store.remove(id);
  },
  keep: async (module, record) => keep(module.ask('keep', { record })),
  read: async (module, file, about) => module.ask('read', { about, file }),
  train: async (_, study) => learn(study),
  solve: async (_, game, moves, nodes) =>
    /** @type {Requests['solve'][1]} */ (await learn({ do: 'solve', game, moves, nodes })),
  file: async (module, id, format) => module.ask('export', { record: (await kept(id)).record, format }),
};

/** @param {unknown} error @returns {Refusal} */
function refusal(error) {
  if (error instanceof Refusing) return error.refusal;
  console.error(error);
  const what = error instanceof Error ? error.message : String(error);
  return { status: 500, en: `this browser could not do it: ${what}`, zh: `浏览器未能完成：${what}` };
}

/** @type {Map<number, LiveGame>} */
const lines = new Map();
/** What is said over a line before its game is open waits for that. @type {Map<number, Promise<void>>} */
const opening = new Map();

/** @param {number} number @param {string} id */
async function open(number, id) {
  const { module, thinkers } = await begun;
  const tell = (/** @type {FromHost} */ message) => lines.has(number) && post(message);
  const game = new LiveGame(module, thinkers, id, {
    message: message => tell({ line: number, message }),
    status: up => tell({ line: number, up }),
  });
  lines.set(number, game);
  if (id) await game.open(await kept(id));
}

/** @param {number} number @param {string} id */
function begin(number, id) {
  const opened = open(number, id);
  // Whoever waits for it need not know that it failed: the line has said so.
  const over = opened
    .then(
      () => {},
      () => {},
    )
    .finally(() => opening.delete(number));
  opening.set(number, over);
  return opened;
}

addEventListener('message', async (/** @type {MessageEvent<ToHost>} */ { data }) => {
  try {
    if ('call' in data) {
      const { module } = await begun;
      const call = /** @type {(module: Module, ...given: unknown[]) => Promise<unknown>} */ (calls[data.name]);
      return post({ call: data.call, answer: await call(module, ...data.with) });
    }
    if ('open' in data) return await begin(data.line, data.open);
    await opening.get(data.line);
    const game = lines.get(data.line);
    if ('say' in data) game?.say(data.say);
    else if ('think' in data) game?.think(data.think);
    else {
      lines.delete(data.line);
      game?.leave();
    }
  } catch (error) {
    const refused = refusal(error);
    if ('call' in data) post({ call: data.call, refused });
    else if ('open' in data) post({ line: data.line, up: false });
    else post({ line: data.line, message: { type: 'error', en: refused.en, zh: refused.zh } });
  }
});
