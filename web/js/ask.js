// What the page says over the line to its game.
import { view, isStill, lineOver, path } from './view.js';
import { toast } from './toast.js';
import { t } from './words.js';

/** Sends, or says that the line is down. @param {import('./types.js').ClientMessage} message */
export function send(message) {
  if (isStill() || !view.socket) return toast(t(view.draft ? 'noGameYet' : 'onlyShown'));
  if (!view.socket.send(message)) toast(t('offline'));
}

let asked = '';

/** Asks about the position on the screen, once. @param {boolean} [again] */
export function askAnalysis(again = false) {
  const { state } = view;
  if (!view.analysing || !state) return;
  const moves = path();
  const key = `${view.id} ${moves}`;
  if (key === asked && !again && view.analysis) return;
  asked = key;
  view.analysis = null;
  if (lineOver()) return;
  send({ type: 'analyse', moves, lines: state.drop ? state.width : 5 });
}
