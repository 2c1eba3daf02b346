// Lines that leave the game: each says which line it leaves and where, 0 being the game itself.

/** @import { Variation } from './types.js' */

/**
 * All stones of a line from the start of the game.
 * @param {string[]} game
 * @param {Variation[]} lines
 * @param {number} number
 * @returns {string[]}
 */
export function lineOf(game, lines, number) {
  const own = lines[number - 1];
  return own ? lineOf(game, lines, own.from).slice(0, own.ply).concat(own.moves) : game;
}

/** @param {string[]} one @param {string[]} two */
export function shared(one, two) {
  const n = two.findIndex((cell, i) => cell !== one[i]);
  return n < 0 ? two.length : n;
}

/**
 * The lines with one more, given from the start of the game; the server keeps them in the same way.
 * @param {string[]} game
 * @param {Variation[]} lines
 * @param {string[]} path
 */
export function withLine(game, lines, path) {
  let [from, ply] = [0, shared(game, path)];
  lines.forEach((line, n) => {
    const along = shared(lineOf(game, lines, n + 1), path);
    if (along > ply && along > line.ply) [from, ply] = [n + 1, along];
  });
  const moves = path.slice(ply);
  if (!moves.length) return lines;
  const parent = lines[from - 1];
  if (!parent || parent.ply + parent.moves.length !== ply) return [...lines, { from, ply, moves }];
  return lines.map((line, n) => (n === from - 1 ? { ...line, moves: line.moves.concat(moves) } : line));
}
