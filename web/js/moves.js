// The list of moves: turns as rows with their grade and value, and below them the lines that leave the game there.
import { h, button, dot } from './dom.js';
import { view, fullLine, mayKeep, variations, lookedAt, path } from './view.js';
import { jumpGame, openLine, forgetLine } from './look.js';
import { leaving, rowOf, turnLabel, turnRows } from './rows.js';
import { gradeBadge, isSlip } from './grades.js';
import { blacks, course, percent } from './scores.js';
import { shared } from './lines.js';
import { t } from './words.js';

/** @import { State } from './types.js' */
/** @typedef {ReturnType<typeof turnRows>[0][0]} Stones */

/** A stone to click. @param {string} cell @param {number} line @param {number} ply @param {string | null} title */
const stone = (cell, line, ply, title = null) =>
  h(
    'button',
    {
      type: 'button',
      'data-line': line,
      'data-ply': ply,
      'data-key': `ply-${line}-${ply}`,
      title,
      onclick: () => (line ? openLine(line, ply) : jumpGame(ply)),
    },
    cell,
  );

/** A chance in percent; what is certain is a word. @param {number} value */
const valueText = value => (value === 1 ? t('certainWin') : value === 0 ? t('certainLoss') : String(percent(value)));

/**
 * A turn: its stones, its grade if it was reviewed, and the mover's chance after it.
 * @param {State} state
 * @param {Stones} stones
 * @param {import('./types.js').Stone} side
 * @param {import('./types.js').Chance[]} points Black's chances
 */
function turn(state, stones, side, points) {
  if (!stones.length) return h('span', { class: 'turn' });
  const end = stones[stones.length - 1].ply;
  const seen = view.review?.plies.find(one => one.ply + one.turn.length === end);
  const black = points[end];
  const value = black == null ? null : blacks(side, black);
  const time = (/** @type {number | null} */ ms) => (ms == null ? null : `${(ms / 1000).toFixed(1)} ${t('seconds')}`);
  return h(
    'span',
    { class: 'turn' },
    dot(state.drop ? `${side} disc` : side),
    h(
      'span',
      { class: 'cells' },
      stones.map(({ cell, ply, ms }) => stone(cell, 0, ply, time(ms))),
    ),
    seen && isSlip(seen.grade) ? gradeBadge(seen.grade) : h('span', { class: 'no-grade' }),
    value == null
      ? null
      : [
          h('progress', { class: 'share', max: 1, value: value.toFixed(3), 'aria-hidden': 'true' }),
          h('span', { class: 'share-number num' }, valueText(value)),
        ],
  );
}

/** Turns as rows, and below them the lines that leave the game there. @param {State} state */
export function moveRows(state) {
  const points = course(state, view.review, view.seen);
  const rows = turnRows(state).map(([black, white], n) =>
    h('li', {}, h('i', {}, String(n + 1)), turn(state, black, 'black', points), turn(state, white, 'white', points)),
  );
  const lines = leaving(variations());
  return (rows.length ? rows : [null]).flatMap((row, n) => [
    row,
    ...lines.filter(({ ply }) => rowOf(state, ply) === n).map(one => variation(state, one)),
  ]);
}

/** @param {State} state @param {import('./rows.js').Leaving} leaving */
function variation(state, { line, number, depth }) {
  const forget = mayKeep()
    ? button('×', () => forgetLine(number), {
        class: 'plain',
        'aria-label': t('forgetLine'),
        title: t('forgetLine'),
        'data-key': `forget-${number}`,
      })
    : null;
  return h(
    'li',
    { class: 'variation', 'data-depth': Math.min(depth, 4) },
    h('i', {}, turnLabel(state, line.ply)),
    h(
      'span',
      { class: 'cells' },
      line.moves.map((cell, n) => stone(cell, number, line.ply + n + 1)),
    ),
    forget,
  );
}

/** Where in the list one looks, as a selector. */
export function spot() {
  const at = lookedAt();
  const here = (/** @type {number} */ number) => shared(fullLine(number), path()) === at;
  const number = view.explore
    ? variations().findIndex((line, n) => at > line.ply && at <= line.ply + line.moves.length && here(n + 1)) + 1
    : 0;
  return `[data-line="${number}"][data-ply="${at}"]`;
}
