// What the server says over the line, taken into the view.
import { view, atEnd, change, isBetween, isOver, mayAsk, path, redraw } from './view.js';
import { thinksHere } from './local/where.js';
import { askAnalysis, send, sendAgain } from './ask.js';
import { tell } from './news.js';
import { blacks } from './scores.js';
import { keysOf, keepKeys, recall, remember } from './prefs.js';
import { announce, toast } from './toast.js';
import { takeTried } from './retry.js';
import { keepMistakes } from './mistakes.js';
import { lookAtFirst } from './reviewing.js';
import { drawExplorer } from './explore.js';
import { drawSharing } from './sharing.js';
import { countResult } from './tallies.js';
import { sideName, t } from './words.js';

/** @import { Analysis, Hint, Review, ServerMessage, State, Stone } from './types.js' */

/** @param {ServerMessage} message */
export function receive(message) {
  if (message.type === 'state') takeState(message);
  // What a player thinks is not shown: nothing is to be drawn.
  else if (message.type === 'thinking') return;
  else if (message.type === 'review') takeReview(message);
  else if (message.type === 'hint') takeHint(message);
  else if (message.type === 'analysis') {
    const wanted = view.analysing || view.threats;
    if (wanted && String(message.moves) === String(path())) takeAnalysis(message);
  } else if (message.type === 'tried') takeTried(message);
  else if (message.type === 'said') hearPhrase(message);
  else if (message.type === 'error') {
    // A stone that was refused, and all that were to follow it, are not on the board.
    change({ hinting: false, sent: [] });
    if (view.reviewing?.trying?.asked) view.reviewing.trying.asked = false;
    toast(message);
  }
  redraw();
}

/** @param {{ by: Stone, phrase: string }} said */
function hearPhrase({ by, phrase }) {
  if (view.state?.you.includes(by)) return;
  toast(`${view.state ? sideName(view.state, by) : t(by)}: ${t(`say-${phrase}`)}`);
}

/** @param {Analysis} analysis */
function takeAnalysis(analysis) {
  view.analysis = analysis;
  const best = analysis.info.lines[0];
  if (best?.chance != null && !view.explore)
    view.seen.set(analysis.moves.length, blacks(analysis.to_move, best.chance));
  drawExplorer();
}

/** @param {Review} review */
function takeReview(review) {
  view.review = review;
  // The server thinks of one thing at a time for a page; the position comes again when the review is over.
  if (!review.done) return;
  if (view.reviewing) keepMistakes();
  // Who waited for the review sees what it found first.
  if (view.reviewing?.ply === null && atEnd()) lookAtFirst();
  askAnalysis(true);
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
  change({ state, since: performance.now(), up: true });
  if (view.making) view.making = false;
  if (String(before?.moves) !== String(state.moves)) settle(before, state);
  if (before) tell(before, state);
  const ends = Boolean(before && isOver() && before.verdict.ending === 'unfinished');
  if (ends) countResult(state);
  drawSharing();
  keepOwner(state);
  if (view.ply != null && view.ply >= state.moves.length) view.ply = null;
  if (view.explore && view.explore.from > state.moves.length) view.explore = null;
  takeSent(state);
  remembered(state);
  if (!mayAsk()) change({ analysing: false, threats: false, analysis: null });
  if (ends && atEnd()) stopStudying();
  askAnalysis();
  // Who has just played sees how well, without asking; whoever studies something else is left alone, and two people do
  // not ask a server twice.
  const asks = state.you.length > 0 && (!isBetween() || thinksHere());
  if (ends && asks && atEnd() && !view.analysing && !view.threats) send({ type: 'review' });
}

/** The game is over: there is nothing left to look into, and the result has its place on the screen. */
function stopStudying() {
  if (!view.analysing && !view.threats) return;
  change({ analysing: false, threats: false, analysis: null, preview: [] });
  send({ type: 'analyse', moves: null });
}

/** Stones on their way have arrived, or go out now that there is a line. @param {State} state */
function takeSent(state) {
  const arrived = view.sent.filter(one => state.moves[one.ply] === one.cell).length;
  const odd = view.sent.some(one => one.ply < state.moves.length && state.moves[one.ply] !== one.cell);
  view.sent = odd || isOver() ? [] : view.sent.slice(arrived);
  if (view.again) sendAgain();
  view.again = false;
}

/** The game one plays is found again on the front page until it is over. @param {State} state */
function remembered(state) {
  if (isOver() || state.kept) {
    if (recall('unfinished', '') === state.id) remember('unfinished', null);
  } else if (state.you.length && state.moves.length) remember('unfinished', state.id);
}

/**
 * Other stones lie on the board: what was shown of the old ones goes.
 * @param {State | null} before
 * @param {State} state
 */
function settle(before, state) {
  change({ hint: [], hinting: !before && view.hinting, preview: [], aimed: null });
  if (!before) change({ review: null, seen: new Map() });
  else if (state.moves.length <= before.moves.length) forgetOld(state);
}

/** @param {State} state */
function forgetOld(state) {
  for (const ply of [...view.seen.keys()]) if (ply > state.moves.length || !state.moves.length) view.seen.delete(ply);
  change({ review: null, reviewing: null, explore: null, tried: [] });
}

/** The game before this one stays in the library, and its owner the same. @param {State} state */
function keepOwner(state) {
  const { owner } = keysOf(state.id);
  if (state.before && owner && !keysOf(state.before).owner) keepKeys(state.before, { owner, tokens: [] });
}
