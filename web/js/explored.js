// What was played from a position, as lists: two of them as one, and with what an engine thinks.

/** @import { Advice, Continuation, Explored, Results } from './types.js' */

/** @param {Results} one @param {Results} two @returns {Results} */
const sum = (one, two) => ({
  games: one.games + two.games,
  black: one.black + two.black,
  draws: one.draws + two.draws,
  white: one.white + two.white,
});

/** Both as if all games had stood in one place. @param {Explored} one @param {Explored} two @returns {Explored} */
export function addExplored(one, two) {
  const same = (/** @type {Continuation} */ a) => (/** @type {Continuation} */ b) => a.alike.includes(b.cell);
  const both = one.moves.map(move => ({ ...move, ...sum(move, two.moves.find(same(move)) ?? NONE) }));
  const rest = two.moves.filter(move => !one.moves.some(same(move)));
  return {
    named: one.named,
    looked: one.looked + two.looked,
    total: sum(one.total, two.total),
    moves: [...both, ...rest].sort((a, b) => b.games - a.games),
  };
}

/** @type {Results} */
const NONE = { games: 0, black: 0, draws: 0, white: 0 };

/**
 * The moves that were played, most often first, then those that the engine likes, each with what it is worth to whoever
 * plays it.
 * @param {Explored} found
 * @param {Advice[]} lines
 * @returns {(Results & { cell: string, line: Advice | null })[]}
 */
export function exploredRows({ moves }, lines) {
  const rows = moves.map(move => ({ ...move, line: lines.find(line => move.alike.includes(line.cells[0])) ?? null }));
  const fresh = lines.filter(line => line.cells.length && !moves.some(move => move.alike.includes(line.cells[0])));
  return [...rows, ...fresh.map(line => ({ ...NONE, cell: line.cells[0], line }))];
}

/** Black's score in the games that have an end, in percent. @param {Results} results */
export function blackScore({ black, draws, white }) {
  const over = black + draws + white;
  return over ? Math.round((100 * (black + draws / 2)) / over) : null;
}
