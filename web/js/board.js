// A board drawn in SVG: the ground, stones and marks on it. The page and the report of a contest draw with this hand,
// so nothing here knows of servers, clicks or the page.
import { s } from './dom.js';
import { at, column } from './game.js';

/** @import { Board } from './types.js' */
/** @typedef {Pick<Board, 'width' | 'height' | 'blocked' | 'drop'>} Ground */

export const UNIT = 20;
const R = 8.7;

/** The middle of a cell. @param {{height: number}} board @param {{x: number, y: number}} place */
export const middle = (board, { x, y }) => ({ cx: (x + 0.5) * UNIT, cy: (board.height - y - 0.5) * UNIT });

/** @param {{width: number, height: number}} board */
function starPoints({ width, height }) {
  const along = (/** @type {number} */ n) => (n < 9 ? [] : n < 13 ? [2, n - 3] : [3, n - 4]);
  const centre = (/** @type {number} */ n) => (n % 2 && n >= 9 ? [(n - 1) / 2] : []);
  const pairs = (/** @type {number[]} */ xs, /** @type {number[]} */ ys) => xs.flatMap(x => ys.map(y => ({ x, y })));
  const sides =
    width >= 19 && height >= 19 ? [...pairs(along(width), centre(height)), ...pairs(centre(width), along(height))] : [];
  return [...pairs(along(width), along(height)), ...pairs(centre(width), centre(height)), ...sides];
}

/** @param {Ground} board */
function gridLines(board) {
  const { width, height } = board;
  const across = Array.from({ length: height }, (_, y) => `M10 ${(y + 0.5) * UNIT}H${(width - 0.5) * UNIT}`);
  const down = Array.from({ length: width }, (_, x) => `M${(x + 0.5) * UNIT} 10V${(height - 0.5) * UNIT}`);
  return [
    s('path', { class: 'grid', d: across.concat(down).join('') }),
    starPoints(board).map(place => s('circle', { class: 'star', ...middle(board, place), r: 2 })),
  ];
}

/** @param {Ground} board */
export const allCells = ({ width, height }) =>
  Array.from({ length: width * height }, (_, n) => ({ x: n % width, y: height - 1 - Math.floor(n / width) }));

/** @param {Ground} board */
function coordinates({ width, height }) {
  const text = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ name) =>
    s('text', { class: 'coord', x, y }, name);
  return [
    Array.from({ length: width }, (_, x) => text((x + 0.5) * UNIT, height * UNIT + 7, column(x))),
    Array.from({ length: height }, (_, y) => text(-8, (height - y - 0.5) * UNIT, String(y + 1))),
  ];
}

/** @param {Ground} board @param {string} cell @param {string} kind @param {number} r */
export function cross(board, cell, kind, r) {
  const { cx, cy } = middle(board, at(cell));
  return s('path', {
    class: kind,
    d: `M${cx - r} ${cy - r}L${cx + r} ${cy + r}M${cx + r} ${cy - r}L${cx - r} ${cy + r}`,
  });
}

/** The empty board. @param {Ground} board @param {boolean} names */
export function ground(board, names) {
  const [edge, rim] = names ? [15, 4] : [2, 2];
  const box = [-edge, -rim, board.width * UNIT + edge + rim, board.height * UNIT + edge + rim];
  const [x, y, width, height] = box;
  return {
    viewBox: box.join(' '),
    parts: [
      s('rect', { class: 'wood', x, y, width, height, rx: 5 }),
      board.drop
        ? allCells(board).map(place => s('circle', { class: 'hole', ...middle(board, place), r: R }))
        : gridLines(board),
      names ? coordinates(board) : [],
      board.blocked.map(cell => cross(board, cell, 'cross', 5.5)),
    ].flat(2),
  };
}

/** @param {Ground} board @param {{cell: string, stone: string}} stone @param {string} [more] */
export const drawStone = (board, { cell, stone }, more = '') =>
  s('circle', { class: `stone ${stone} ${more}`, ...middle(board, at(cell)), r: R, fill: `url(#${stone}-stone)` });

/** @param {Ground} board @param {string[]} line */
export function bar(board, line) {
  if (line.length === 0) return null;
  const [from, to] = [middle(board, at(line[0])), middle(board, at(line[line.length - 1]))];
  return s('line', { class: 'win', x1: from.cx, y1: from.cy, x2: to.cx, y2: to.cy });
}

/** A ring on a stone of the last turn. @param {Ground} board @param {string} cell */
export const ring = (board, cell) => s('circle', { class: 'ring', ...middle(board, at(cell)), r: 4 });

/**
 * A board that only shows.
 * @param {Ground} board
 * @param {{ cell: string, stone: string }[]} stones
 * @param {string} label
 * @param {import('./types.js').Child[]} [more]
 * @param {boolean} [names]
 */
export function picture(board, stones, label, more = [], names = false) {
  const { viewBox, parts } = ground(board, names);
  const attributes = { class: 'board small', viewBox, role: 'img', 'aria-label': label };
  return s(
    'svg',
    attributes,
    parts,
    stones.map(stone => drawStone(board, stone)),
    more,
  );
}

/** Shared colours of stones, once a page. */
export function defs() {
  const shade = (/** @type {string} */ id, /** @type {[number, string][]} */ stops) =>
    s(
      'radialGradient',
      { id, cx: '0.36', cy: '0.3', r: '0.75' },
      stops.map(([offset, colour]) => s('stop', { offset, 'stop-color': colour })),
    );
  return s(
    'svg',
    { class: 'defs', width: 0, height: 0, 'aria-hidden': 'true' },
    s(
      'defs',
      {},
      shade('black-stone', [
        [0, '#5c5c5c'],
        [0.45, '#2a2a2a'],
        [1, '#0d0d0d'],
      ]),
      shade('white-stone', [
        [0, '#ffffff'],
        [0.6, '#f6f3ec'],
        [1, '#d3cdc0'],
      ]),
    ),
  );
}
