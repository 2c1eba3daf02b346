// From an engine's score to something a person can read.
import { turnOf } from './game.js';

/** @import { Advice, Chance, Review, Reviewed, State, Threat } from './types.js' */

/**
 * The chance to win, 0 to 1, of the side the line is for, as the server has it; even where nobody knows.
 * @param {{ chance?: number | null }} line
 */
export const chance = line => line.chance ?? 0.5;

/**
 * A short number: a chance in percent, #7 for a proven win in seven stones, = for a proven draw.
 * @param {Advice} line
 */
export function short(line) {
  if (line.win_in === 0) return '=';
  if (line.win_in) return `${line.win_in < 0 ? '−' : ''}#${Math.abs(line.win_in)}`;
  return line.chance == null ? '·' : String(Math.round(100 * line.chance));
}

/** Best in blue, then green to red by what is lost against it. @param {number} n @param {number} loss */
export const colour = (n, loss) =>
  n === 0 ? 'best' : loss < 0.04 ? 'good' : loss < 0.12 ? 'fair' : loss < 0.25 ? 'weak' : 'bad';

/**
 * Black's chance at each position of the game, null where nobody thought.
 * @param {State} state
 * @param {Review | null} review
 * @returns {Chance[]}
 */
export function course(state, review) {
  /** @type {Chance[]} */
  const points = new Array(state.moves.length + 1).fill(null);
  const black = (/** @type {number} */ n, /** @type {number} */ own) =>
    turnOf(state, n).stone === 'black' ? own : 1 - own;
  state.chances.forEach((own, n) => {
    if (own != null) points[n + 1] = black(n, own);
  });
  const { outcome } = state.verdict;
  if (outcome) points[state.moves.length] = outcome === 'draw' ? 0.5 : Number(outcome === 'black');
  for (const one of review?.plies ?? []) if (one.ply < points.length) points[one.ply] = black(one.ply, chance(one));
  return points;
}

/** How many mistakes are listed. */
const LISTED = 8;

/** The worst mistakes of a game, in the order in which they were made. @param {Review} review @returns {Reviewed[]} */
export const worst = ({ plies, mistakes }) =>
  plies
    .filter(one => mistakes.includes(one.ply))
    .sort((a, b) => b.loss - a.loss)
    .slice(0, LISTED)
    .sort((a, b) => a.ply - b.ply);

/** Threats that are not the same stones once more. @param {Threat[]} threats */
export const distinct = threats => [
  ...new Map(threats.filter(one => one.cells.length).map(one => [`${one.kind} ${one.cells}`, one])).values(),
];
