// A page without a server: it is kept in the browser, so that it opens without a network too.
import { alone } from './where.js';
import { offersThreads, warmUp } from './page.js';

/** Keeps the page, and starts the engines before they are needed. */
export function settle() {
  if (!alone()) return;
  document.documentElement.dataset.alone = '';
  // A page that was opened as a file, or by a strange browser, works without.
  const kept = navigator.serviceWorker?.register('sw.js');
  kept?.catch(console.warn);
  warmUp()
    .then(async () => {
      if (!kept || !offersThreads() || navigator.hardwareConcurrency < 2) return;
      const { active } = await navigator.serviceWorker.ready;
      active?.postMessage('later');
    })
    .catch(console.error);
}
