// The list of moves: turns as rows, and below them the lines that leave the game there.
import { h, button } from './dom.js';
import { view, fullLine, mayKeep, variations, lookedAt, path } from './view.js';
import { jumpGame, openLine, forgetLine } from './look.js';
import { leaving, rowOf, turnLabel, turnRows } from './rows.js';
import { shared } from './lines.js';
import { t } from './words.js';

/** @import { State } from './types.js' */

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

/** Turns as rows, and below them the lines that leave the game there. @param {State} state */
export function moveRows(state) {
  const turn = (/** @type {ReturnType<typeof turnRows>[0][0]} */ stones) =>
    h(
      'span',
      { class: 'turn' },
      stones.map(({ cell, ply, ms }) => stone(cell, 0, ply, ms == null ? null : `${(ms / 1000).toFixed(1)} s`)),
    );
  const rows = turnRows(state).map(([black, white], n) =>
    h('li', {}, h('i', {}, String(n + 1)), turn(black), turn(white)),
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
      {},
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
