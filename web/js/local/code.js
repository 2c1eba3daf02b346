// Which module the workers of the page have: the one whose workers share memory where they may, else the one that is
// alone; and what comes beside it, each file when it is first needed: the networks and books of
// games and the puzzles.

/** @typedef {{ do: string }} Request */

/** What the engine of a game knows beside its code. */
const GAMES = new Map([
  ['gomoku', 'gomoku.network'],
  ['standard', 'standard.network'],
  ['renju', 'renju.network'],
  ['connect6', 'connect6.network'],
  ['connect4', 'connect4.book'],
]);
/** What comes beside a module. */
export const BESIDE = [...GAMES.values(), 'all.puzzles'];

/** What the page calls its host where there is a module with threads. */
export const THREADS = 'threads';

/** @param {string} name */
async function file(name) {
  const url = new URL(`../../${name}`, import.meta.url);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} ${answer.status}`);
  return answer;
}

/** @param {string} name */
async function compile(name) {
  const answer = await file(name);
  // Not every host knows what kind of file a module is, and then the browser does not compile it while it comes.
  if (answer.headers.get('content-type')?.startsWith('application/wasm')) return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** @param {boolean} offered whether there is a module with threads */
export async function loadCode(offered) {
  if (offered && globalThis.crossOriginIsolated && navigator.hardwareConcurrency > 1) {
    // It may not have come before the network was cut.
    const threads = await compile('lianzi-threads.wasm').catch(() => null);
    if (threads) return threads;
  }
  return compile('lianzi.wasm');
}

/**
 * The files that a request is thought about with. A game is known by its name, wherever in the request that is: one
 * file too many does no harm.
 * @param {Request} request
 */
export function needed(request) {
  if (request.do.startsWith('train')) return BESIDE;
  const text = JSON.stringify(request);
  return [...GAMES].filter(([game]) => text.includes(game)).map(([, file]) => file);
}

/** Files by their names. */
export class Beside {
  constructor() {
    /** @type {Map<string, Promise<Uint8Array>>} */
    this.files = new Map();
  }

  /** @param {string} name */
  load(name) {
    const loading =
      this.files.get(name) ??
      file(name)
        .then(answer => answer.arrayBuffer())
        .then(bytes => new Uint8Array(bytes));
    this.files.set(name, loading);
    // Who needs it next tries again.
    loading.catch(() => this.files.delete(name));
    return loading;
  }
}
