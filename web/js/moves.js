// The list of moves: turns as rows, and below them the lines that leave the game there.
import { h, button } from './dom.js';
import { view, jumpGame, fullLine, openLine, forgetLine, mayKeep, variations, lookedAt, path } from './view.js';
import { shared, turnOf } from './game.js';
import { t } from './words.js';

/** @typedef {import('./view.js').State} State */

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

/** Turns as rows: one stone or two for each side. @param {State} state */
export function moveRows(state) {
  /** @type {Map<number, HTMLElement[]>} */
  const turns = new Map();
  const shift = state.setup?.to_move === 'white' ? 1 : 0;
  state.moves.forEach((cell, n) => {
    const { turn } = turnOf(state, n);
    const spent = state.times?.[n] != null ? `${(state.times[n] / 1000).toFixed(1)} s` : null;
    turns.set(turn, [...(turns.get(turn) ?? []), stone(cell, 0, n + 1, spent)]);
  });
  const pair = (/** @type {number} */ turn) => h('span', { class: 'turn' }, turns.get(turn) ?? []);
  const count = Math.ceil((turns.size + shift) / 2);
  const rowOf = (/** @type {number} */ ply) =>
    Math.max(0, Math.min(count - 1, Math.floor((turnOf(state, ply).turn + shift) / 2)));
  const rows = Array.from({ length: count }, (_, n) =>
    h('li', {}, h('i', {}, String(n + 1)), pair(2 * n - shift), pair(2 * n + 1 - shift)),
  );
  return (rows.length ? rows : [null]).flatMap((row, n) => [
    row,
    ...leaving(0, 1)
      .filter(([ply]) => rowOf(ply) === n)
      .map(([, line]) => line),
  ]);
}

/**
 * The lines that leave a line, each followed by those that leave it, with the ply at which the game is left.
 * @param {number} from
 * @param {number} depth
 * @returns {[number, HTMLElement][]}
 */
function leaving(from, depth) {
  return variations().flatMap((line, n) => {
    if (line.from !== from) return [];
    /** @type {[number, HTMLElement]} */
    const own = [line.ply, variation(line, n + 1, depth)];
    return [
      own,
      ...leaving(n + 1, depth + 1).map(([, below]) => /** @type {[number, HTMLElement]} */ ([line.ply, below])),
    ];
  });
}

/** The number of a turn, with dots where White takes it. @param {number} ply */
function label(ply) {
  const state = /** @type {State} */ (view.state);
  const { turn, stone: side } = turnOf(state, ply);
  return `${Math.floor((turn + (state.setup?.to_move === 'white' ? 1 : 0)) / 2) + 1}${side === 'white' ? '…' : '.'}`;
}

/** @param {import('./game.js').Variation} line @param {number} number @param {number} depth */
function variation(line, number, depth) {
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
    h('i', {}, label(line.ply)),
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
