// What the server says over the line, taken into the view.
import { view, actor, change, path, redraw } from './view.js';
import { askAnalysis, send } from './ask.js';
import { tell } from './news.js';
import { keysOf, keepKeys } from './prefs.js';
import { announce, toast } from './toast.js';
import { t } from './words.js';

/** @import { Hint, Review, ServerMessage, State } from './types.js' */

/** @param {ServerMessage} message */
export function receive(message) {
  if (message.type === 'state') takeState(message);
  else if (message.type === 'thinking') view.thinking = message.info;
  else if (message.type === 'review') takeReview(message);
  else if (message.type === 'hint') takeHint(message);
  else if (message.type === 'analysis') {
    if (view.analysing && String(message.moves) === String(path())) view.analysis = message;
  } else if (message.type === 'error') {
    view.hinting = false;
    toast(message);
  }
  redraw();
}

/** @param {Review} review */
function takeReview(review) {
  view.review = review;
  // The server thinks of one thing at a time for a page; the position comes again when the review is over.
  if (review.done) askAnalysis(true);
}

/** @param {Hint} hint */
function takeHint({ turn }) {
  change({ hint: turn, hinting: false });
  announce(`${t('hint')}: ${turn.join(' ')}`);
  askAnalysis(true);
}

/** @param {State} state */
function takeState(state) {
  const before = view.state?.id === state.id ? view.state : null;
  change({ state, since: performance.now(), thinking: null, up: true });
  if (String(before?.moves) !== String(state.moves)) settle(before, state);
  if (before) tell(before, state);
  keepOwner(state);
  if (view.ply != null && view.ply >= state.moves.length) view.ply = null;
  if (view.explore && view.explore.from > state.moves.length) view.explore = null;
  const { pending } = view;
  view.pending = null;
  if (pending && state.you.includes(actor(state))) send({ type: 'place', cell: pending, ply: state.moves.length });
  askAnalysis();
}

/**
 * Other stones lie on the board: what was shown of the old ones goes.
 * @param {State | null} before
 * @param {State} state
 */
function settle(before, state) {
  change({ hint: [], hinting: !before && view.hinting, tapped: null });
  if (!before) view.review = null;
  else if (state.moves.length <= before.moves.length) change({ review: null, explore: null, tried: [] });
}

/** The game before this one stays in the library, and its owner the same. @param {State} state */
function keepOwner(state) {
  const { owner } = keysOf(state.id);
  if (state.before && owner && !keysOf(state.before).owner) keepKeys(state.before, { owner, tokens: [] });
}
