// Before the first stone: engines get ready, and a page without a server is kept, so that it opens without a network too.
import { alone, offersThreads } from './alone.js';
import { thinksHere } from './where.js';
import { warmUp } from './page.js';

/** How long the first stone goes before everything else, in milliseconds. */
const FIRST = 1000;

/** Keeps a page without a server, once its engines have started: what is kept is not needed before. */
export function settle() {
  if (!alone()) return;
  const started = () => setTimeout(() => keep().catch(console.warn), FIRST);
  warmUp().catch(console.error).then(started);
}

/** A page that was opened as a file, or by a strange browser, works without being kept. */
async function keep() {
  // Its list of files is looked at anew, too.
  await navigator.serviceWorker?.register('sw.js', { updateViaCache: 'none' });
  if (!offersThreads() || navigator.hardwareConcurrency < 2) return;
  const kept = await navigator.serviceWorker?.ready;
  kept?.active?.postMessage('later');
}

/** Where there is a server, engines that think here start when somebody is about to play. */
export function getReady() {
  // Who plays is told why it does not work.
  if (!alone() && thinksHere()) warmUp().catch(console.warn);
}
