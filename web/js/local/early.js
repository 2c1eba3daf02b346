// Engines get ready while the page still loads: the first stone need not wait for them. This comes before everything
// else of the page, so it needs little of it.
import { recall } from '../prefs.js';
import { alone, offersThreads } from './alone.js';
import { warmUp } from './page.js';

/** Somebody opens the front page or a game, and not a place where nobody plays. */
const plays = ['', '#', '#/'].includes(location.hash) || location.hash.startsWith('#/g/my');

// Who plays is told if they cannot be loaded.
if (plays && (alone() || (offersThreads() && recall('thinks', 'here') === 'here'))) warmUp().catch(console.warn);
