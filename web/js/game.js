// What the page itself must know of the games: cells, whose stone is the n-th, where a stone falls, and what a line is.
// The server's referee decides; this is for drawing, replaying and trying things out.

/** @typedef {'black' | 'white'} Stone */
/** @typedef {{ cell: string, x: number, y: number, stone: Stone, turn: number, n: number }} Placed */
/**
 * @typedef {object} Board What the empty board of a game is.
 * @property {string} game
 * @property {number} width
 * @property {number} height
 * @property {string[]} blocked
 * @property {boolean} drop
 * @property {number} line
 * @property {boolean} [renju]
 * @property {any} [setup]
 */

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

/** @param {Stone} stone @returns {Stone} */
export const other = stone => (stone === 'black' ? 'white' : 'black');
/** @param {Stone} stone */
export const index = stone => (stone === 'black' ? 0 : 1);

/** The kind a game's name belongs to. @param {string} game */
export const kindOf = game => /^[a-z0-9]+/.exec(game)?.[0] ?? 'gomoku';

/** How many stones a turn has, and Black's first one: a part of the game's name. @param {string} game */
export function turnSizes(game) {
  const free = /^connect:\d+,\d+,\d+,(\d+),(\d+)/.exec(game);
  if (free) return { per: Number(free[1]), first: Number(free[2]) };
  return kindOf(game) === 'connect6' ? { per: 2, first: 1 } : { per: 1, first: 1 };
}

/**
 * Who places stone `n`, in which turn, and how many stones of that turn are then left.
 * @param {Board} board
 * @param {number} n
 */
export function turnOf(board, n) {
  const sizes = turnSizes(board.game);
  const begins = board.setup?.to_move ?? 'black';
  const first = board.setup?.stones_left ?? sizes.first;
  const turn = n < first ? 0 : 1 + Math.floor((n - first) / sizes.per);
  const left = n < first ? first - n : sizes.per - ((n - first) % sizes.per);
  return { turn, left, stone: /** @type {Stone} */ (turn % 2 === 0 ? begins : other(begins)) };
}

/** All stones on the board after these moves. @param {Board} board @param {string[]} moves @returns {Placed[]} */
export function stonesAfter(board, moves) {
  const given = (board.setup?.stones ?? []).map((/** @type {any} */ ply) => ({
    cell: ply.cell,
    ...at(ply.cell),
    stone: ply.stone,
    turn: -1,
    n: -1,
  }));
  return given.concat(moves.map((cell, n) => ({ cell, ...at(cell), ...turnOf(board, n), n })));
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
  const exact = /^standard|,exact/.test(board.game) || (board.renju && last.stone === 'black');
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
 * @typedef {{ from: number, ply: number, moves: string[] }} Variation A line that leaves another one; 0 is the game.
 */

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

/**
 * The usual boards, known without asking, so that the first paint has one.
 * @param {string} game
 * @returns {Board | null}
 */
export function knownBoard(game) {
  const [, kind = '', size, blocked] =
    /^(gomoku|standard|renju|connect6|connect4)(?::(\d+(?:x\d+)?))?(?:\/([a-z0-9,]+))?$/.exec(game) ?? [];
  if (!kind) return null;
  const [w, hgt] = (size ?? '').split('x').map(Number);
  const drop = kind === 'connect4';
  const width = w || (drop ? 7 : kind === 'connect6' ? 19 : 15);
  const height = hgt || (drop ? (w ? w : 6) : width);
  const line = drop ? 4 : kind === 'connect6' ? 6 : 5;
  return { game, width, height, blocked: blocked ? blocked.split(',') : [], drop, line, renju: kind === 'renju' };
}
