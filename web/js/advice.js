// Asking the engine: for a move, for its thoughts on the position, for a review of the game.
import { view, change, isOver, isStill, redraw } from './view.js';
import { onServer } from './open.js';
import { askAnalysis, send } from './ask.js';

/** Asks for the engine's move; it takes a moment, and the button says so. */
export const askHint = () =>
  onServer(() => {
    view.hinting = !isOver();
    send({ type: 'hint' });
    redraw();
  });

export const askReview = () => onServer(() => send({ type: 'review' }));

/** Turns the engine on or off for the position on the screen. @param {boolean} on */
export function analyse(on) {
  if (on && (isStill() || view.draft)) return onServer(() => analyse(true));
  change({ analysing: on, analysis: null, preview: [] });
  if (on) askAnalysis(true);
  else send({ type: 'analyse', moves: null });
  redraw();
}
