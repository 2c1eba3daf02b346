// From an engine's score to something a person can read.
import { turnOf } from './game.js';

/** @typedef {import('./view.js').State} State */

/** The chance to win, 0 to 1, of the side the score is for. @param {{ score: number, win_in?: number | null }} line */
export function chance({ score, win_in }) {
  if (win_in != null && win_in !== 0) return win_in > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score / 1000));
}

/** A short number: a chance in percent, or #7 for a proven win in seven stones. @param {{ score: number, win_in?: number | null }} line */
export function short(line) {
  if (line.win_in != null && line.win_in !== 0) return `${line.win_in < 0 ? '−' : ''}#${Math.abs(line.win_in)}`;
  return String(Math.round(100 * chance(line)));
}

/** Best in blue, then green to red by what is lost against it. @param {number} n @param {number} loss */
export const colour = (n, loss) => (n === 0 ? 'best' : loss < 0.04 ? 'good' : loss < 0.12 ? 'fair' : loss < 0.25 ? 'weak' : 'bad');

/** Black's chance at each position of the game, null where nobody thought. @param {State} state @param {any} review @returns {(number | null)[]} */
export function course(state, review) {
  /** @type {(number | null)[]} */
  const points = new Array(state.moves.length + 1).fill(null);
  const black = (/** @type {number} */ n, /** @type {number} */ own) => (turnOf(state, n).stone === 'black' ? own : 1 - own);
  (state.evals ?? []).forEach((/** @type {any} */ opinion, /** @type {number} */ n) => {
    if (opinion) points[n + 1] = black(n, chance(opinion));
  });
  for (const one of review?.plies ?? []) if (one.ply < points.length) points[one.ply] = black(one.ply, chance(one));
  return points;
}
