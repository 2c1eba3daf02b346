// Engines get ready while the page still loads: the first stone need not wait for them. This comes before everything
// else of the page, so it begins with little.
import { recall } from '../prefs.js';
import { alone, offersThreads } from './alone.js';
import { ownCode } from './code.js';

/** Somebody opens the front page or a game, and not a place where nobody plays. */
const plays = ['', '#', '#/'].includes(location.hash) || location.hash.startsWith('#/g/my');

async function begin() {
  const { warmUp } = await import('./page.js');
  await warmUp();
}

if (plays && (alone() || (offersThreads() && recall('thinks', 'here') === 'here'))) {
  ownCode(offersThreads()).catch(() => {});
  // Who plays is told if they cannot be loaded.
  begin().catch(console.warn);
}
