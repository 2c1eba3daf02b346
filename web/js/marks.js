// Marks on the board: the last move, candidates, threats, grades, the winning line.
import { s } from './dom.js';
import { at } from './game.js';
import { UNIT, cross, dotOn, drawStone, middle, rings } from './board.js';
import { gradeGlyph } from './grades.js';

/** @import { Badge, Candidate, Shown } from './boardview.js' */
/** @import { Board } from './types.js' */

/** @param {Board} board @param {string} cell @param {string} words @param {string} kind */
function text(board, cell, words, kind) {
  const { cx, cy } = middle(board, at(cell));
  return s('text', { class: `${kind} size-${words.length}`, x: cx, y: cy }, words);
}

/** @param {Shown} shown */
export function drawMarks(shown) {
  const { board } = shown;
  const place = (/** @type {string} */ cell) => middle(board, at(cell));
  const last = shown.stones.filter(stone => stone.turn === shown.lastTurn && !shown.pending.has(stone.cell));
  const wanted = shown.preview.length ? [] : shown.candidates;
  return [
    shown.numbers ? null : last.map(stone => dotOn(board, stone.cell)),
    shown.numbers ? last.map(stone => s('circle', { class: 'last-ring', ...place(stone.cell), r: 8.6 })) : null,
    shown.forbidden.map(cell => cross(board, cell, 'forbidden', 3.4)),
    shown.stones
      .filter(stone => shown.pending.has(stone.cell))
      .map(stone => s('circle', { class: 'waits', ...place(stone.cell), r: 11 })),
    shown.hint.map(cell => s('circle', { class: 'hint', ...place(cell), r: 8.4 })),
    board.drop ? wanted.map(one => pill(board, one)) : chips(board, wanted),
    shown.mustHit.map(cell => {
      const { cx, cy } = place(cell);
      return s('rect', { class: 'must', x: cx - 8, y: cy - 8, width: 16, height: 16, rx: 3 });
    }),
    shown.badges.map(one => badge(board, one)),
  ];
}

/**
 * Values on their cells. Turns of two stones are pairs: a line joins them, and a stone that several turns share
 * carries the value of the best; the others have theirs on their other stone.
 * @param {Board} board
 * @param {Candidate[]} wanted
 */
function chips(board, wanted) {
  const labelled = new Set();
  const drawn = wanted.flatMap(one => {
    const cell = labelled.has(one.cell) ? one.also : one.cell;
    if (!cell || labelled.has(cell)) return [];
    labelled.add(cell);
    return [{ ...one, cell, also: cell === one.cell ? one.also : one.cell }];
  });
  const joined = drawn.filter(one => one.also);
  return [
    joined.map(({ cell, also, colour }) => {
      const [a, b] = [cell, also ?? cell].map(name => middle(board, at(name)));
      return s('line', { class: `pair-line ${colour}`, x1: a.cx, y1: a.cy, x2: b.cx, y2: b.cy });
    }),
    joined
      .filter(({ also }) => also && !labelled.has(also))
      .map(({ also, colour }) => s('circle', { class: `mate ${colour}`, ...middle(board, at(also ?? '')), r: 4.4 })),
    drawn.map(one =>
      s(
        'g',
        { class: `candidate ${one.colour}${one.best ? ' first' : ''}` },
        s('title', {}, one.words),
        s('circle', { ...middle(board, at(one.cell)), r: one.best ? 8.6 : 7.4 }),
        text(board, one.cell, one.label, 'score'),
      ),
    ),
  ];
}

/** The value of a column, on the rim above it. @param {Board} board @param {Candidate} one */
function pill(board, one) {
  const x = (at(one.cell).x + 0.5) * UNIT;
  return s(
    'g',
    { class: `candidate pill ${one.colour}${one.best ? ' first' : ''}` },
    s('title', {}, one.words),
    s('rect', { x: x - 7.4, y: -6.5, width: 14.8, height: 5.2, rx: 2.6 }),
    s('text', { class: `score${one.label.length < 5 ? ' brief' : ''}`, x, y: -3.8 }, one.label),
  );
}

/** A grade at the shoulder of a stone, or of the stone that would have been better. */
function badge(/** @type {Board} */ board, /** @type {Badge} */ { cell, kind, ghost }) {
  const { cx, cy } = middle(board, at(cell));
  return s(
    'g',
    { class: `badge ${kind}` },
    ghost ? drawStone(board, { cell, stone: ghost }, 'ghost') : null,
    s('circle', { class: 'badge-ring', cx, cy, r: 9.6 }),
    s(
      'g',
      { transform: `translate(${cx + 7} ${cy - 7})` },
      s('circle', { class: 'badge-disc', r: 4.9 }),
      s('g', { transform: 'translate(-3.6 -3.6) scale(.45)' }, gradeGlyph(kind)),
    ),
  );
}

/** @param {Shown} shown */
export const drawPreview = ({ board, preview }) =>
  preview.map(stone => [
    drawStone(board, stone, 'preview'),
    text(board, stone.cell, String(stone.n), `number ${stone.stone}`),
  ]);

/** @param {Shown} shown */
export const drawThreats = ({ board, threats }) =>
  threats.map(({ kind, cells, stone }) => {
    const [a, b] = [middle(board, at(cells[0])), middle(board, at(cells[cells.length - 1]))];
    const [dx, dy] = [b.cx - a.cx, b.cy - a.cy];
    return s('rect', {
      class: `threat ${kind} ${stone}`,
      x: a.cx - 9.5,
      y: a.cy - 9.5,
      width: Math.hypot(dx, dy) + 19,
      height: 19,
      rx: 9.5,
      transform: `rotate(${(Math.atan2(dy, dx) * 180) / Math.PI} ${a.cx} ${a.cy})`,
    });
  });

/** The winning stones stand out, the others step back. @param {Shown} shown */
export function drawWin({ board, line, stones }) {
  if (!line.length) return null;
  const winners = stones.filter(stone => line.includes(stone.cell));
  const [w, h] = [board.width * UNIT, board.height * UNIT];
  return [
    board.drop ? null : s('rect', { class: 'veil', x: -9, y: -9, width: w + 18, height: h + 18 }),
    board.drop ? null : winners.map(stone => drawStone(board, stone)),
    rings(board, line),
  ];
}
