// The course of a game: Black's chance (or Red's) after every stone, filled from the even line.
import { h, s } from './dom.js';
import { view, lookedAt, mayAsk, path, total } from './view.js';
import { jumpGame } from './look.js';
import { blacks, chance, course } from './scores.js';
import { isSlip } from './grades.js';
import { turnOf } from './game.js';
import { shortName, t } from './words.js';

/** @import { State } from './types.js' */

const [WIDE, TALL] = [400, 80];
/** Room for the marks at the edges. */
const [SIDE, EDGE] = [8, 7];

/** Black's chance at each position, with what the engine says of the one on the screen. @param {State} state */
function points(state) {
  const all = course(state, view.review, view.seen);
  const best = view.analysing ? view.analysis?.info.lines[0] : null;
  if (best && !view.explore) all[lookedAt()] = blacks(turnOf(state, path().length).stone, chance(best));
  return all;
}

/** Black's chance where one looks, or where somebody last knew it before. @param {State} state */
export const chanceHere = state =>
  points(state)
    .slice(0, lookedAt() + 1)
    .findLast(value => value != null) ?? null;

/** How far along the course the mouse is. @param {MouseEvent} event @param {DOMRect} box */
const along = (event, box) => ((event.clientX - box.left) / box.width) * (WIDE + 2 * SIDE) - SIDE;

/**
 * @param {State} state
 * @param {{ marks?: boolean, axis?: boolean }} [how]
 */
export function graph(state, { marks = false, axis = false } = {}) {
  const values = points(state);
  const plies = () => Math.max(axis || total() > 20 ? total() : 20, 1);
  const last = plies();
  const x = (/** @type {number} */ n) => Number(((n / last) * WIDE).toFixed(1));
  const y = (/** @type {number} */ value) => Number((TALL - value * TALL).toFixed(1));
  const known = values.flatMap((value, n) => (value == null ? [] : [{ n, value }]));
  // What is known from the first turn on begins where everything is even.
  const begins = known[0]?.n > 0 && known[0].n <= 3 ? [{ n: 0, value: 0.5 }] : [];
  const now = x(Math.min(lookedAt(), last));
  const here = values[Math.min(lookedAt(), values.length - 1)];
  const pick = (/** @type {MouseEvent} */ event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    jumpGame(Math.max(0, Math.min(total(), Math.round((along(event, box) / WIDE) * plies()))));
  };
  const spots = marks ? (view.review?.plies ?? []).filter(one => isSlip(one.grade)) : [];
  const spot = (/** @type {number} */ n, /** @type {number} */ value, /** @type {string} */ kind) =>
    s('path', { class: `mark ${kind}`, d: `M${x(n)} ${y(value)}h.01` });
  const drawing = s(
    'svg',
    {
      viewBox: `${-SIDE} ${-EDGE} ${WIDE + 2 * SIDE} ${TALL + 2 * EDGE}`,
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
    },
    s('line', { class: 'even', x1: -SIDE, x2: WIDE + SIDE, y1: TALL / 2, y2: TALL / 2 }),
    known.length + begins.length > 1 ? areas([...begins, ...known], x, y, isSolved(state)) : null,
    s('line', { class: 'cursor-line', x1: now, x2: now, y1: -EDGE, y2: TALL + EDGE }),
    spots.map(one => spot(one.ply + one.turn.length, one.after, one.grade)),
    here == null ? null : [spot(lookedAt(), here, 'here-rim'), spot(lookedAt(), here, 'here')],
  );
  return h(
    'div',
    {
      // The names stand where the curve is not.
      class: `graph${state.drop ? ' drop' : ''}${now < WIDE / 2 ? ' early' : ''}`,
      role: 'img',
      'aria-label': t('graph'),
      title: t('graph'),
      onclick: pick,
    },
    drawing,
    h('span', { class: 'graph-top' }, shortName(state, 'black')),
    h('span', { class: 'graph-bottom' }, shortName(state, 'white')),
    known.length || marks
      ? null
      : h(
          'span',
          { class: 'graph-none' },
          t(!mayAsk() ? 'graphLater' : view.analysing ? 'thinkingNow' : 'noEvaluation'),
        ),
  );
}

/**
 * What every turn gave away of its side's chance: Black's above the line, White's below it.
 * @param {State} state
 */
export function losses(state) {
  const last = Math.max(total(), 1);
  const [middle, width] = [50, Math.max(1.5, Math.min(10, (0.6 * WIDE) / last))];
  const bar = (/** @type {import('./types.js').Reviewed} */ { ply, turn, stone, loss, grade }) => {
    const tall = Math.min(1, loss) * (middle - 3);
    if (tall < 0.5) return null;
    const end = Number((((ply + turn.length) / last) * WIDE).toFixed(1));
    const x = Math.min(WIDE - width, Math.max(0, end - width / 2));
    return s('rect', { class: `loss ${grade}`, x, y: stone === 'black' ? middle - tall : middle, width, height: tall });
  };
  return h(
    'div',
    { class: 'graph losses', role: 'img', 'aria-label': t('lossGraph'), title: t('lossGraph') },
    s(
      'svg',
      { viewBox: `${-SIDE} 0 ${WIDE + 2 * SIDE} ${2 * middle}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      s('line', { class: 'even', x1: -SIDE, x2: WIDE + SIDE, y1: middle, y2: middle }),
      (view.review?.plies ?? []).map(bar),
    ),
    h('span', { class: 'graph-top' }, t('lossOf', { side: shortName(state, 'black') })),
    h('span', { class: 'graph-bottom' }, t('lossOf', { side: shortName(state, 'white') })),
  );
}

/** Games whose every position is proven are told in steps. @param {State} state */
const isSolved = state => state.drop && Boolean(view.review?.plies.every(one => one.after_in != null));

/** @typedef {(n: number) => number} Scale */
/** @param {{n: number, value: number}[]} known @param {Scale} x @param {Scale} y @param {boolean} steps */
function areas(known, x, y, steps) {
  const line = known
    .map(({ n, value }, i) =>
      i === 0 ? `M${x(n)} ${y(value)}` : steps ? `H${x(n)}V${y(value)}` : `L${x(n)} ${y(value)}`,
    )
    .join('');
  const [from, to] = [x(known[0].n), x(known[known.length - 1].n)];
  const closed = `${line}L${to} ${TALL / 2}L${from} ${TALL / 2}Z`;
  const half = (/** @type {string} */ id, /** @type {number} */ top) =>
    s('clipPath', { id }, s('rect', { x: 0, y: top, width: WIDE, height: TALL / 2 }));
  return [
    half('graph-upper', 0),
    half('graph-lower', TALL / 2),
    s('path', { class: 'area black', d: closed, 'clip-path': 'url(#graph-upper)' }),
    s('path', { class: 'area white', d: closed, 'clip-path': 'url(#graph-lower)' }),
    s('path', { class: 'curve', d: line }),
  ];
}
