// What the page itself must know of the games: cells, whose stone is the n-th, where a stone falls, and what a line is.
// The server's referee decides; this is for drawing, replaying and trying things out.

/** @import { Board, Placed, Start, Stone } from './types.js' */

/** @param {number} n */
export const column = n => (n < 26 ? String.fromCharCode(97 + n) : 'a' + String.fromCharCode(97 + n - 26));
/** @param {number} x @param {number} y */
export const cellAt = (x, y) => column(x) + (y + 1);

/** @param {string} cell */
export function at(cell) {
  const [, letters = 'a', row = '1'] = /^([a-z]+)(\d+)$/.exec(cell) ?? [];
  const digits = Array.from(letters, letter => letter.charCodeAt(0) - 97);
  return { x: digits.length === 1 ? digits[0] : 26 * (digits[0] + 1) + digits[1], y: Number(row) - 1 };
}

/** The cells of a text such as `h8i10`. @param {string} text */
export const cells = text => text.toLowerCase().match(/[a-z]{1,2}\d{1,2}/g) ?? [];

/** Black first, as everywhere. @type {Stone[]} */
export const STONES = ['black', 'white'];
/** @param {Stone} stone @returns {Stone} */
export const other = stone => (stone === 'black' ? 'white' : 'black');
/** @param {Stone} stone */
export const index = stone => (stone === 'black' ? 0 : 1);

/** The kind a game's name belongs to. @param {string} game */
export const kindOf = game => /^[a-z0-9]+/.exec(game)?.[0] ?? 'gomoku';

/**
 * Who places stone `n`, in which turn, and how many stones of that turn are then left.
 * @param {Pick<Start, 'per_turn' | 'first_turn' | 'setup'>} start
 * @param {number} n
 */
export function turnOf({ per_turn: per, first_turn, setup }, n) {
  const begins = setup?.to_move ?? 'black';
  const first = setup?.stones_left ?? first_turn;
  const turn = n < first ? 0 : 1 + Math.floor((n - first) / per);
  const left = n < first ? first - n : per - ((n - first) % per);
  return { turn, left, stone: turn % 2 === 0 ? begins : other(begins) };
}

/** All stones on the board after these moves. @param {Start} start @param {string[]} moves @returns {Placed[]} */
export function stonesAfter(start, moves) {
  const given = (start.setup?.stones ?? []).map(({ cell, stone }) => ({ cell, ...at(cell), stone, turn: -1, n: -1 }));
  return given.concat(moves.map((cell, n) => ({ cell, ...at(cell), ...turnOf(start, n), n })));
}

/**
 * Where a stone comes to rest that is aimed at this cell; null when there is no room.
 * @param {Board} board
 * @param {Set<string>} taken
 * @param {string} cell
 */
export function landing(board, taken, cell) {
  if (!board.drop) return taken.has(cell) || board.blocked.includes(cell) ? null : cell;
  const { x } = at(cell);
  for (let y = 0; y < board.height; y++) {
    const here = cellAt(x, y);
    if (!taken.has(here) && !board.blocked.includes(here)) return here;
  }
  return null;
}

/**
 * The winning line the last stone makes, or null.
 * @param {Board} board
 * @param {Placed[]} stones
 * @returns {string[] | null}
 */
export function winningLine(board, stones) {
  const last = stones.at(-1);
  if (!last) return null;
  const own = new Set(stones.filter(stone => stone.stone === last.stone).map(stone => stone.cell));
  const exact = board.exact || (board.renju && last.stone === 'black');
  for (const [dx, dy] of [
    [1, 0],
    [0, 1],
    [1, 1],
    [1, -1],
  ]) {
    const line = [last.cell];
    for (const way of [1, -1]) {
      for (let step = way; own.has(cellAt(last.x + step * dx, last.y + step * dy)); step += way) {
        const cell = cellAt(last.x + step * dx, last.y + step * dy);
        way > 0 ? line.push(cell) : line.unshift(cell);
      }
    }
    if (exact ? line.length === board.line : line.length >= board.line) return line;
  }
  return null;
}

/**
 * The usual boards, known without asking, so that the first paint has one.
 * @param {string} game
 * @returns {Board | null}
 */
export function knownBoard(game) {
  const [, kind = '', size, blocked] =
    /^(gomoku|standard|renju|connect6|connect4)(?::(\d+(?:x\d+)?))?(?:\/([a-z0-9,]+))?(?:\+\w+)?$/.exec(game) ?? [];
  if (!kind) return null;
  const [w, hgt] = (size ?? '').split('x').map(Number);
  const drop = kind === 'connect4';
  const width = w || (drop ? 7 : kind === 'connect6' ? 19 : 15);
  const height = hgt || (drop ? (w ? w : 6) : width);
  const line = drop ? 4 : kind === 'connect6' ? 6 : 5;
  const [exact, renju, per_turn] = [kind === 'standard', kind === 'renju', kind === 'connect6' ? 2 : 1];
  return { game, width, height, blocked: blocked?.split(',') ?? [], drop, line, exact, renju, per_turn, first_turn: 1 };
}
