// The list of moves before it is drawn: turns as rows, and the lines that leave the game between them.
import { index, turnOf } from './game.js';

/** @import { Start, State, Variation } from './types.js' */
/** @typedef {{ cell: string, ply: number, ms: number | null }} Stone A stone, how many lie then, how long it took. */
/** @typedef {{ line: Variation, number: number, depth: number, ply: number }} Leaving `ply`: where the game is left. */

/** The row a turn stands in: where White begins, Black's place in the first one stays empty. */
const rowAt = (/** @type {Start} */ start, /** @type {number} */ ply) =>
  (turnOf(start, ply).turn + (start.setup?.to_move === 'white' ? 1 : 0)) / 2;

/** A row for each pair of turns: Black's stones, and White's. @param {State} state @returns {[Stone[], Stone[]][]} */
export function turnRows(state) {
  /** @type {[Stone[], Stone[]][]} */
  const rows = [];
  state.moves.forEach((cell, n) => {
    const row = Math.floor(rowAt(state, n));
    rows[row] ??= [[], []];
    rows[row][index(turnOf(state, n).stone)].push({ cell, ply: n + 1, ms: state.times[n] ?? null });
  });
  return rows;
}

/** The row below which a line stands that leaves the game there. @param {State} state @param {number} ply */
export const rowOf = (state, ply) => Math.max(0, Math.min(turnRows(state).length - 1, Math.floor(rowAt(state, ply))));

/** The number of a turn, with dots where White takes it. @param {State} state @param {number} ply */
export const turnLabel = (state, ply) =>
  `${Math.floor(rowAt(state, ply)) + 1}${turnOf(state, ply).stone === 'white' ? '…' : '.'}`;

/**
 * The lines that leave a line, each followed by those that leave it.
 * @param {Variation[]} lines
 * @param {number} [from]
 * @param {number} [depth]
 * @returns {Leaving[]}
 */
export function leaving(lines, from = 0, depth = 1) {
  return lines.flatMap((line, n) => {
    if (line.from !== from) return [];
    const below = leaving(lines, n + 1, depth + 1).map(one => ({ ...one, ply: line.ply }));
    return [{ line, number: n + 1, depth, ply: line.ply }, ...below];
  });
}
