// From an engine's score to something a person can read. A move's value is the chance of whoever makes it; the value of
// a position always names its side, and gauge and graph have Black (or Red) at the bottom.
import { index, other, turnOf } from './game.js';

/** @import { Advice, Chance, Review, Reviewed, State, Stone, Threat } from './types.js' */

/**
 * The chance to win, 0 to 1, of the side the line is for, as the server has it; even where nobody knows.
 * @param {{ chance?: number | null }} line
 */
export const chance = line => line.chance ?? 0.5;

/** @param {number} value 0 to 1 */
export const percent = value => Math.round(100 * value);

/** A chance in percent that is not proven: nothing is certain before that. @param {number} value 0 to 1 */
export const likely = value => Math.min(99, Math.max(1, percent(value)));

/**
 * A short value that fits on a stone: a chance in percent, W7 for a proven win in seven stones, L9, = for a draw.
 * @param {Advice} line
 */
export function short(line) {
  if (line.win_in === 0) return '=';
  if (line.win_in) return `${line.win_in < 0 ? 'L' : 'W'}${Math.abs(line.win_in)}`;
  return line.chance == null ? '·' : String(likely(line.chance));
}

/** Points of a hundred that a move may lose against the best and still be so. @type {[number, string][]} */
const STEPS = [
  [1, 'best'],
  [3.5, 'good'],
  [8, 'inaccuracy'],
  [20, 'mistake'],
];

/**
 * How a move compares with the best one, as a class of colour; a move that loses is never green.
 * @param {Advice} line
 * @param {Advice} best
 */
export function colour(line, best) {
  if (line.win_in === 0) return 'even';
  if ((line.win_in ?? 0) < 0) return 'blunder';
  const lost = Math.round(1000 * (chance(best) - chance(line))) / 10;
  const found = STEPS.find(([most]) => lost <= most)?.[1] ?? 'blunder';
  return chance(line) < 0.45 && (found === 'best' || found === 'good') ? 'neutral' : found;
}

/** A chance as Black's. @param {Stone} stone whose it is @param {number} own */
export const blacks = (stone, own) => (stone === 'black' ? own : 1 - own);

/**
 * Black's chance at each position of the game, null where nobody thought: what its players thought, unless an analysis
 * has seen more, or a review still more. All that is shown of it comes from here, and says the same.
 * @param {State} state
 * @param {Review | null} review
 * @param {Map<number, number>} [seen] by an analysis
 * @returns {Chance[]}
 */
export function course(state, review, seen = new Map()) {
  /** @type {Chance[]} */
  const points = new Array(state.moves.length + 1).fill(null);
  state.chances.forEach((own, n) => {
    if (own != null) points[n + 1] = blacks(turnOf(state, n).stone, own);
  });
  seen.forEach((black, n) => {
    if (n < points.length) points[n] = black;
  });
  for (const one of review?.plies ?? []) {
    const end = one.ply + one.turn.length;
    if (end < points.length) points[end] = one.after;
    if (one.ply === 0) points[0] = one.before;
  }
  const { outcome } = state.verdict;
  if (outcome) points[state.moves.length] = outcome === 'draw' ? 0.5 : Number(outcome === 'black');
  return points;
}

/** The mover's chance before and after a turn that was reviewed. @param {Reviewed} one @returns {[number, number]} */
export const beforeAfter = one => [blacks(one.stone, one.before), blacks(one.stone, one.after)];

/** Who is ahead and by how much. @param {number} black Black's chance @returns {{ stone: Stone, value: number }} */
export const leader = black =>
  black >= 0.5 ? { stone: 'black', value: black } : { stone: other('black'), value: 1 - black };

/** A side's figures in a review. @param {Review | null} review @param {Stone} stone */
export const sideOf = (review, stone) => review?.sides?.[index(stone)] ?? null;

/** Threats by their stones: those of the same stones are one, with all its cells. @param {Threat[]} all */
export function distinct(all) {
  /** @type {Map<string, Threat>} */
  const found = new Map();
  for (const one of all.filter(({ cells }) => cells.length)) {
    const key = `${one.kind} ${one.cells}`;
    const at = [...(found.get(key)?.at ?? []), ...(one.at ?? [])];
    found.set(key, { ...one, at: [...new Set(at)] });
  }
  return [...found.values()];
}
