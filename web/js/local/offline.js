// A page without a server: it is kept in the browser, so that it opens without a network too.
import { alone } from './where.js';
import { warmUp } from './page.js';

/** Keeps the page, and starts the engines before they are needed. */
export function settle() {
  if (!alone()) return;
  document.documentElement.dataset.alone = '';
  // A page that was opened as a file, or by a strange browser, works without.
  navigator.serviceWorker?.register('sw.js').catch(console.warn);
  warmUp().catch(console.error);
}
