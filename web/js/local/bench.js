// `lianzi bench page`: asks what to measure, measures it, and tells what was found.
import { loadCode } from './code.js';
import { Thinkers } from './thinkers.js';

/** @import { Found, Requests } from './requests.js' */
/** @typedef {{ do: 'search', threads?: number } & Requests['search'][0]} Search */
/** @typedef {Search | { do: 'first' } | { do: 'tasks' }} Job */

/** The module, by whether it has threads. @type {Map<boolean, Promise<WebAssembly.Module>>} */
const loaded = new Map();
const code = (/** @type {boolean} */ threads) => {
  if (!loaded.has(threads)) loaded.set(threads, loadCode(threads));
  return /** @type {Promise<WebAssembly.Module>} */ (loaded.get(threads));
};

/** @param {number} ms */
const wait = ms => new Promise(over => setTimeout(over, ms));

/** @param {Search} search @returns {Promise<{ ms: number, nodes: number }>} */
async function search(search) {
  // The one that is ready, without one to take its place.
  const thinker = new Thinkers(await code((search.threads ?? 1) > 1)).spare;
  // It should be up before it is measured, with its network and its helpers.
  await new Promise(found => thinker.think({ do: 'rules', game: search.game, threads: search.threads }, found));
  const start = performance.now();
  const said = await new Promise((found, failed) =>
    thinker.think(search, said => ('answer' in said ? found(said.answer) : failed(new Error(JSON.stringify(said))))),
  );
  const ms = performance.now() - start;
  thinker.worker.terminate();
  return { ms, nodes: /** @type {Found} */ (said).info.nodes };
}

/**
 * Opens the page as a visitor does who was never here.
 * @returns {Promise<{ frame: HTMLIFrameElement, start: number }>}
 */
async function open() {
  const start = performance.now();
  const frame = document.createElement('iframe');
  Object.assign(frame, { src: 'index.html', width: 1200, height: 800 });
  document.body.append(frame);
  return { frame, start };
}

/** @param {HTMLIFrameElement} frame @param {string} what */
const all = (frame, what) => frame.contentDocument?.querySelectorAll(what) ?? [];

/** How long anything may take, in milliseconds. */
const PATIENCE = 60_000;

/** Waits until there are so many of something. @param {HTMLIFrameElement} frame @param {string} what */
async function until(frame, what, count = 1) {
  const start = performance.now();
  while (all(frame, what).length < count) {
    if (performance.now() - start > PATIENCE) throw new Error(`${all(frame, what).length} of ${count} ${what}`);
    await wait(5);
  }
}

/** Clicks on a cell as soon as it is there. @param {HTMLIFrameElement} frame @param {string} name */
async function click(frame, name) {
  const cell = `.board.main [data-cell="${name}"]`;
  await until(frame, cell);
  all(frame, cell)[0].dispatchEvent(new MouseEvent('click', { bubbles: true }));
}

/** Cells far from each other: an engine seldom takes one of them. */
const FAR = ['h8', 'j12', 'd4', 'm3', 'c13', 'o15'];

/** The first of them that has no stone; the bench's browser speaks English. @param {HTMLIFrameElement} frame */
const free = frame =>
  FAR.find(name => all(frame, `.board.main [data-cell="${name}"][aria-label$="empty"]`).length) ?? FAR[0];

/** @param {HTMLIFrameElement} frame @param {string} key */
const press = (frame, key) =>
  frame.contentDocument?.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

const STONES = '.layer-stones .stone';

/** Clicks on the first cell as soon as there is one, and waits for the answer. */
async function first() {
  const { frame, start } = await open();
  await until(frame, '.board.main [data-cell="h8"]');
  const shown = performance.now() - start;
  await click(frame, 'h8');
  await until(frame, STONES, 2);
  const answered = performance.now() - start;
  frame.remove();
  return { bench: 'page', measured: 'first', shown_ms: Math.round(shown), answered_ms: Math.round(answered) };
}

/** The longest that the page was busy while its engines thought: a few stones, a hint, an analysis of some seconds. */
async function tasks() {
  const { frame } = await open();
  await until(frame, '.board.main [data-cell="h8"]');
  // Opening the page is not thinking.
  await wait(1000);
  let [longest, count] = [0, 0];
  const look = new PerformanceObserver(list => {
    for (const task of list.getEntries()) [longest, count] = [Math.max(longest, task.duration), count + 1];
  });
  look.observe({ entryTypes: ['longtask'] });
  // The game that was begun before may be on the board.
  for (let count = all(frame, STONES).length; count < 6; count += 2) {
    await click(frame, free(frame));
    await until(frame, STONES, count + 2);
  }
  press(frame, 'h');
  await until(frame, '.board.main .hint');
  press(frame, 'a');
  await until(frame, '.board.main .candidate');
  await wait(4000);
  look.disconnect();
  frame.remove();
  return { bench: 'page', measured: 'tasks', above_50_ms: count, longest_ms: Math.round(longest) };
}

/** @param {Job} job */
const work = job => (job.do === 'first' ? first() : job.do === 'tasks' ? tasks() : search(job));

for (;;) {
  /** @type {Job} */
  const job = await (await fetch('job')).json();
  const found = await work(job).catch(error => ({ error: String(error) }));
  await fetch('found', { method: 'POST', body: JSON.stringify(found) });
}
