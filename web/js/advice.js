// Asking the engine: for a move, for its thoughts on the position, for the threats, for a review of the game.
import { view, change, isOver, isStill, mayAsk, redraw } from './view.js';
import { onServer } from './open.js';
import { askAnalysis, send } from './ask.js';
import { keepMistakes } from './mistakes.js';
import { lookAtFirst } from './reviewing.js';
import { toast } from './toast.js';
import { t } from './words.js';

/** Whether the engine may be asked; in a game between two people it may not. */
function allowed() {
  if (!mayAsk()) toast(t('advanceOff'));
  return mayAsk();
}

/** Asks for the engine's move; it takes a moment, and the button says so. */
export const askHint = () =>
  allowed() &&
  onServer(() => {
    view.hinting = !isOver();
    send({ type: 'hint' });
    redraw();
  });

/** Opens the review, and has the game gone through if that was not done. */
export const openReview = () =>
  onServer(() => {
    view.reviewing = { ply: null, both: view.state?.you.length !== 1, trying: null };
    change({ analysing: false, analysis: null, preview: [], explore: null });
    if (view.review?.done) {
      keepMistakes();
      lookAtFirst();
    } else send({ type: 'review' });
    redraw();
  });

/** Turns the engine on or off for the position on the screen. @param {boolean} on */
export function analyse(on) {
  if (on && !allowed()) return;
  if (on && (isStill() || view.draft)) return onServer(() => analyse(true));
  change({ analysing: on, preview: [] });
  follow();
}

/** Outlines threats, or not any more. */
export function toggleThreats() {
  if (!view.threats && !allowed()) return;
  if (!view.threats && (isStill() || view.draft)) return onServer(toggleThreats);
  change({ threats: !view.threats });
  follow();
}

/** The engine looks at the position as long as somebody wants to see something of it. */
function follow() {
  if (view.analysing || view.threats) askAnalysis(!view.analysis);
  else {
    view.analysis = null;
    send({ type: 'analyse', moves: null });
  }
  redraw();
}
