// Whether the position on the screen is won by force: what the solver of its game finds, and why it does not know.
import { view, change, lineOver, mayAsk, path, redraw } from './view.js';
import { call } from './local/page.js';
import { thinksHere } from './local/where.js';
import { turnOf } from './game.js';
import { announce, toast, toastError } from './toast.js';
import { stoneName, t } from './words.js';

/** @import { Solution } from './local/requests.js' */
/** @import { State } from './types.js' */

/** How many nodes it gets at first, and how many times as many whoever asks again: some seconds, then a minute. */
const [NODES, MORE] = [500_000, 8];
/** How much of a line is told; the board shows all of it. */
const TOLD = 6;

/** Whether it can be asked: a position that was set up is no line of moves. @param {State} state */
export const maySolve = state => thinksHere() && mayAsk() && !state.setup && !state.opening && !lineOver();

/** Solves the position on the screen and says what was found. */
export async function solve(nodes = NODES) {
  const { state } = view;
  if (!state || !maySolve(state)) return;
  const moves = path();
  tell(t('solving'));
  try {
    const found = await call('solve', state.game.split('+')[0], moves, nodes);
    // Whoever has gone on does not want to know it any more.
    if (String(moves) === String(path())) answer(state, found, nodes);
  } catch (error) {
    toastError(error);
  }
}

/** @param {State} state @param {Solution} found @param {number} nodes */
function answer(state, { result, line, why }, nodes) {
  const side = stoneName(state, turnOf(state, path().length).stone);
  if (result === 'unknown') {
    const again = { words: t('solveOn'), act: () => void solve(nodes * MORE) };
    return tell(t(`solve-${why ?? 'budget'}`, { side }), why === 'exhausted' ? undefined : again);
  }
  const cells = line.slice(0, TOLD).join(' ') + (line.length > TOLD ? ' …' : '');
  const show = () => {
    change({ preview: line });
    redraw();
  };
  tell(t(`solve-${result}`, { side, line: cells }), line.length ? { words: t('showLine'), act: show } : undefined);
}

/** @param {string} words @param {import('./toast.js').Way} [way] */
function tell(words, way) {
  toast(words, way);
  announce(words);
}
