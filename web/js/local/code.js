// Which module a worker of the page has: the one whose workers share memory where they may, else the one that is alone;
// and the networks of games, the book of Connect Four and the puzzles, which come beside it.

/** @import { Parts } from './module.js' */

/** What comes beside a module. */
export const BESIDE = ['gomoku.network', 'connect6.network', 'connect4.book', 'all.puzzles'];

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
async function compileBest(offered) {
  if (offered && globalThis.crossOriginIsolated && navigator.hardwareConcurrency > 1) {
    // It may not have come before the network was cut.
    const threads = await compile('lianzi-threads.wasm').catch(() => null);
    if (threads) return threads;
  }
  return compile('lianzi.wasm');
}

/** @param {boolean} offered whether there is a module with threads @returns {Promise<Parts>} */
export async function loadParts(offered) {
  const files = BESIDE.map(name => file(name).then(answer => answer.arrayBuffer()));
  const [code, ...beside] = await Promise.all([compileBest(offered), ...files]);
  return { code, beside: beside.map(one => new Uint8Array(one)) };
}
