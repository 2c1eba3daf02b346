// What the page says over the line to its game.
import { view, isStill, lineOver, path, redraw } from './view.js';
import { toast } from './toast.js';
import { t } from './words.js';

/** Sends, or says that the line is down. @param {import('./types.js').ClientMessage} message */
export function send(message) {
  if (isStill() || !view.socket) return toast(t(view.draft ? 'noGameYet' : 'onlyShown'));
  if (!view.socket.send(message)) toast(t('offline'));
}

/** Places a stone. It is on the board at once, as one that waits, and goes out again when a lost line returns. */
export function sendStone(/** @type {string} */ cell) {
  const ply = (view.state?.moves.length ?? 0) + view.sent.length;
  const { opening } = view.state ?? {};
  // A fifth move that is offered or chosen is no stone yet.
  if (opening && opening.want !== 'stone') return send({ type: 'place', cell, ply });
  view.sent.push({ cell, ply, at: performance.now() });
  redraw();
  // A game that is being made has no line yet, or one that has not told the game.
  if (view.again && !view.up) toast(t('stoneWaits'));
  if (!view.socket || view.again) return;
  if (!view.socket.send({ type: 'place', cell, ply })) toast(t('stoneWaits'));
}

/** The line is back: what was not confirmed goes out once more; the server knows by the ply what it has already. */
export function sendAgain() {
  for (const { cell, ply, at } of view.sent)
    view.socket?.send({ type: 'place', cell, ply, waited_ms: Math.round(performance.now() - at) });
}

let asked = '';

/** Asks about the position on the screen, once. @param {boolean} [again] */
export function askAnalysis(again = false) {
  const { state } = view;
  if (!(view.analysing || view.threats) || !state || view.reviewing) return;
  const moves = path();
  const key = `${view.id} ${moves}`;
  if (key === asked && !again && view.analysis) return;
  asked = key;
  view.analysis = null;
  if (lineOver()) return;
  send({ type: 'analyse', moves, lines: state.drop ? state.width : 5 });
}
