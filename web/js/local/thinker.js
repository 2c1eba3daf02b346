// A worker that thinks about one thing at a time, for as long as it takes. Who wants it to stop ends it, and with it
// the workers that help it.
import { Module, Refusing, shares } from './module.js';

/** How many MiB an engine's table takes: on a device with little memory little. */
const table = Math.min(128, 16 * (Reflect.get(navigator, 'deviceMemory') ?? 4));
const SMALL = Math.min(16, table);
/** How many threads search where they can: where there are more than two processors, one is left to the others. */
const most = Math.min(8, Math.max(navigator.hardwareConcurrency - 1, Math.min(2, navigator.hardwareConcurrency)));
/** Requests that search, and may take as long as they like. */
const SEARCHES = ['errand', 'hint', 'analyse', 'review', 'try'];
/** Players whom their nodes hold back: they were measured with one thread, and need no large table. */
const HELD = /level=[1-9](,|$)|nodes=/;
/** @type {Module} */
let module;
/** @type {Worker[]} */
const helpers = [];

/** Until there are so many helpers. @param {number} count */
async function gather(count) {
  const begin = () =>
    new Promise((there, failed) => {
      const helper = new Worker(new URL('./helper.js', import.meta.url), { type: 'module' });
      helpers.push(helper);
      helper.onmessage = there;
      helper.onerror = failed;
      helper.postMessage(module.help());
    });
  await Promise.all(Array.from({ length: Math.max(0, count - helpers.length) }, begin));
}

addEventListener('message', async ({ data }) => {
  if ('code' in data) {
    module = new Module(data.code, told => postMessage({ told }));
    return postMessage({ ready: true });
  }
  if ('beside' in data) return module.handIn(data.beside);
  const { do: name, ...more } = data;
  try {
    const held = HELD.test(data.errand?.player);
    const usual = SEARCHES.includes(name) && !held ? most : 1;
    const threads = shares(module.code) ? (data.threads ?? usual) : 1;
    await gather(threads - 1);
    postMessage({ answer: module.ask(name, { table: held ? SMALL : table, ...more, threads }) });
  } catch (error) {
    if (error instanceof Refusing) postMessage({ refused: error.refusal });
    else postMessage({ failed: String(error) });
  }
});
