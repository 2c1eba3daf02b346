// The mistakes of a reviewed game become puzzles of one's own: by themselves, and for whoever wants to begin at once.
import { view, mySide } from './view.js';
import { ask } from './learner.js';
import { recordText } from './states.js';
import { remember } from './prefs.js';
import { go } from './router.js';
import { toast, toastError } from './toast.js';
import { t } from './words.js';

/** Adds the mistakes of a side, or of both. @param {import('./types.js').Stone | null} stone */
async function add(stone) {
  const { state, review } = view;
  if (!state || !review?.done || !review.mistakes.length) return 0;
  const { added } = await ask('train_mistakes', { record: recordText(state), review, stone });
  return added;
}

/** One's own mistakes are kept without being asked for. */
export const keepMistakes = () => {
  if (mySide()) add(mySide()).catch(error => console.warn(error));
};

/** To the puzzles that these mistakes have become. */
export async function trainMistakes() {
  try {
    const stone = view.reviewing?.both ? null : mySide();
    const n = await add(stone);
    // Old words go when one moves; these come after.
    addEventListener('hashchange', () => toast(t(n ? 'mistakesAdded' : 'noMistakesAdded', { n })), { once: true });
    remember('train.tab', 'repeat');
    go('#/train/due');
  } catch (error) {
    toastError(error);
  }
}
