// The analysis tab: engine on and off, its best lines, the course of the game, and the review.
import { h, s, button } from './dom.js';
import { view, change, path, lookedAt, total, redraw } from './view.js';
import { analyse, askReview } from './advice.js';
import { jumpGame } from './look.js';
import { chance, short, colour, course, distinct, worst } from './scores.js';
import { STONES, turnOf } from './game.js';
import { t } from './words.js';

/** @import { Reviewed, State } from './types.js' */

export function analysisTab() {
  const { state } = view;
  if (!state) return [];
  const usable = !view.draft || view.state?.you.length;
  return [
    h(
      'div',
      { class: 'row' },
      button(view.analysing ? t('analysisOff') : t('analysisOn'), () => analyse(!view.analysing), {
        disabled: !usable,
        'aria-pressed': String(view.analysing),
        'data-key': 'engine',
      }),
      button(
        t('threats'),
        () => {
          view.threats = !view.threats;
          redraw();
        },
        { 'aria-pressed': String(view.threats), disabled: !view.analysing, 'data-key': 'threats' },
      ),
      button(t('review'), askReview, { disabled: !total(), 'data-key': 'review' }),
    ),
    view.analysing ? bestLines() : view.review ? null : h('p', { class: 'soft' }, t('analysisIdle')),
    view.analysing && view.threats ? threatWords() : null,
    graph(state),
    reviewList(state),
  ];
}

function bestLines() {
  const info = view.analysis?.info;
  const lines = info?.lines ?? [];
  const best = lines.length ? chance(lines[0]) : 0;
  const show = (/** @type {string[]} */ cells) => {
    view.preview = cells;
    redraw();
  };
  return [
    h(
      'p',
      { class: 'soft small num' },
      info ? `${t('depth', { n: info.depth })} · ${t('nodes', { n: info.nodes.toLocaleString() })}` : '…',
    ),
    h(
      'ol',
      { class: 'lines', onmouseleave: () => show([]) },
      lines.map((line, n) =>
        h(
          'li',
          {
            tabindex: 0,
            'data-key': `line-${n}`,
            onmouseenter: () => view.preview !== line.cells && show(line.cells),
            onfocus: () => show(line.cells),
            onblur: () => show([]),
          },
          h('b', { class: `chip ${colour(n, best - chance(line))}` }, short(line)),
          h('span', {}, line.cells.join(' ')),
        ),
      ),
    ),
  ];
}

function threatWords() {
  if (!view.analysis) return null;
  const { threats, must_hit } = view.analysis;
  const words = STONES.flatMap(stone => {
    const kinds = distinct(threats[stone]).map(one => t(view.state?.line === 5 ? one.kind : `${one.kind}Any`));
    const counted = [...new Set(kinds)].map(kind => `${kinds.filter(one => one === kind).length} × ${kind}`);
    return counted.length ? [`${t(stone)}: ${counted.join(', ')}`] : [];
  });
  const must = must_hit.length ? [`${t('mustHit')}: ${must_hit.join(' ')}`] : [];
  return words.concat(must).map(text => h('p', { class: 'small soft' }, text));
}

/** @param {State} state */
function graph(state) {
  const points = course(state, view.review);
  const now = view.analysis?.info.lines[0];
  if (now && !view.explore) {
    const own = chance(now);
    points[lookedAt()] = turnOf(state, path().length).stone === 'black' ? own : 1 - own;
  }
  const known = points.flatMap((value, n) => (value == null ? [] : [{ n, value }]));
  if (known.length < 2) return null;
  const [w, tall, last] = [320, 96, Math.max(1, points.length - 1)];
  const x = (/** @type {number} */ n) => (n / last) * w;
  const y = (/** @type {number} */ value) => tall - value * tall;
  const d = known.map(({ n, value }, i) => `${i ? 'L' : 'M'}${x(n).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  const end = known[known.length - 1].n;
  const dots = (view.review?.mistakes ?? [])
    .filter(n => points[n] != null)
    .map(n => s('path', { class: 'slip', d: `M${x(n)} ${y(points[n] ?? 0.5)}h0` }));
  const pick = (/** @type {MouseEvent} */ event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    jumpGame(Math.round(((event.clientX - box.left) / box.width) * last));
  };
  return s(
    'svg',
    {
      class: 'graph',
      viewBox: `0 -4 ${w} ${tall + 8}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': t('graph'),
      onclick: pick,
    },
    s('title', {}, t('graph')),
    s('rect', { class: 'above', x: 0, y: 0, width: w, height: tall }),
    s('path', { class: 'area', d: `${d}L${x(end)} ${tall}L${x(known[0].n)} ${tall}Z` }),
    s('path', { class: 'curve', d }),
    s('line', { class: 'even', x1: 0, x2: w, y1: tall / 2, y2: tall / 2 }),
    s('line', { class: 'now', x1: x(Math.min(lookedAt(), last)), x2: x(Math.min(lookedAt(), last)), y1: 0, y2: tall }),
    dots,
  );
}

/** @param {State} state */
function reviewList(state) {
  const { review } = view;
  if (!review) return null;
  const found = worst(review);
  return h(
    'div',
    { class: 'review' },
    review.done
      ? null
      : h('p', { class: 'soft small', role: 'status' }, t('reviewing', { n: review.plies.length, of: total() })),
    found.length ? h('h3', {}, t('mistakes')) : review.done ? h('p', {}, t('noMistakes')) : null,
    h(
      'ol',
      { class: 'slips' },
      found.map(one => slip(state, one)),
    ),
  );
}

/** @param {State} state @param {Reviewed} one */
function slip(state, one) {
  const { turn, stone } = turnOf(state, one.ply);
  const cell = state.moves.filter((_, n) => n >= one.ply && turnOf(state, n).turn === turn).join(' ');
  const words = t('mistake', {
    n: one.ply + 1,
    side: t(stone),
    cell,
    best: one.best.join(' '),
    loss: Math.round(100 * one.loss),
  });
  const show = () => {
    jumpGame(one.ply);
    change({ hint: one.best, preview: one.line });
    redraw();
    // On a phone the list stands below the board, which may be out of sight.
    const board = document.querySelector('.board.main');
    if (board && board.getBoundingClientRect().top < 0) board.scrollIntoView();
  };
  return h(
    'li',
    {},
    h('button', { type: 'button', class: 'link', 'data-key': `slip-${one.ply}`, onclick: show }, words),
  );
}
