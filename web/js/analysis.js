// The engine's word on the position: a switch, who is ahead, and the best lines.
import { h } from './dom.js';
import { view, path, lineOver, mayAsk, redraw } from './view.js';
import { analyse } from './advice.js';
import { blacks, chance, colour, distinct, leader, likely, short } from './scores.js';
import { STONES, turnOf } from './game.js';
import { shortName, stoneName, t } from './words.js';

/** @import { Advice, State } from './types.js' */

/** The lines the engine tells of, while it is on. @returns {Advice[]} */
export const bestLines = () =>
  view.analysing && view.analysis ? view.analysis.info.lines.filter(one => one.cells.length) : [];

/** A value in words: 71%, Win 7, Draw, Loss 9. @param {Advice} line */
export function valueWords(line) {
  if (line.win_in === 0) return t('drawn');
  if (line.win_in) return t(line.win_in > 0 ? 'winIn' : 'lossIn', { n: Math.abs(line.win_in) });
  return line.chance == null ? '·' : `${short(line)}%`;
}

/** What a value on the board means. @param {Advice} line */
export function valueHelp(line) {
  if (line.win_in === 0) return t('chipDraw');
  if (line.win_in) return t(line.win_in > 0 ? 'chipWin' : 'chipLoss', { n: Math.abs(line.win_in) });
  return line.chance == null ? '' : t('chipChance', { n: likely(line.chance) });
}

/** Black's chance at the position on the screen, if anybody knows; 1 and 0 are proven. @param {State} state */
export function blackChance(state) {
  const best = bestLines()[0];
  return best ? blacks(turnOf(state, path().length).stone, chance(best)) : null;
}

/** Who is ahead at the position on the screen. @param {State} state */
function leadWords(state) {
  const best = bestLines()[0];
  if (!best) return view.analysing && !lineOver() ? '…' : '';
  const mover = turnOf(state, path().length).stone;
  if (best.win_in === 0) return t('provenDraw');
  if (best.win_in) {
    const side = best.win_in > 0 ? mover : mover === 'black' ? 'white' : 'black';
    return t('provenWin', { side: stoneName(state, side), n: Math.abs(best.win_in) });
  }
  if (best.chance == null) return '';
  const { stone, value } = leader(blacks(mover, best.chance));
  return t('lead', { side: shortName(state, stone), n: likely(value) });
}

/** @param {State} state */
export function analysisHead(state) {
  const info = view.analysing ? view.analysis?.info : null;
  const solved = info?.lines.length && info.lines.every(line => line.win_in != null);
  const allowed = mayAsk();
  return h(
    'div',
    { class: 'card-head' },
    h(
      'button',
      {
        type: 'button',
        class: 'switch',
        role: 'switch',
        'aria-checked': String(view.analysing),
        'data-key': 'analyse',
        disabled: !allowed,
        title: allowed ? null : t('advanceOff'),
        onclick: () => analyse(!view.analysing),
      },
      h('i', { class: 'knob' }),
      h('b', {}, t('analysisSwitch')),
    ),
    solved
      ? h('span', { class: 'tag jade' }, t('solved'))
      : h(
          'span',
          { class: 'soft small num facts' },
          allowed
            ? info
              ? [info.depth ? t('depth', { n: info.depth }) : '', t('nodes', { n: count(info.nodes) })]
                  .filter(Boolean)
                  .join(' · ')
              : ''
            : t('adviceOff'),
        ),
    h('strong', { class: 'lead' }, leadWords(state)),
  );
}

/** @param {number} n */
function count(n) {
  if (document.documentElement.lang.startsWith('zh')) return n < 10_000 ? `${n} ` : `${(n / 10_000).toFixed(1)} 万`;
  return n < 1000 ? String(n) : n < 1e6 ? `${Math.round(n / 1000)} k` : `${(n / 1e6).toFixed(1)} M`;
}

/** @param {State} state */
export function analysisLines(state) {
  if (!view.analysing) return null;
  const lines = bestLines();
  const show = (/** @type {string[]} */ cells) => {
    if (String(view.preview) === String(cells)) return;
    view.preview = cells;
    redraw();
  };
  const pair = turnOf(state, path().length).left === 2;
  return h(
    'ol',
    { class: 'lines', 'aria-label': t('bestMoves'), onmouseleave: () => show([]) },
    lines.map((line, n) => {
      const head = line.cells.slice(0, pair ? 2 : 1).join(' ');
      return h(
        'li',
        {
          tabindex: '0',
          'data-key': `line-${n}`,
          onmouseenter: () => show(line.cells),
          onfocus: () => show(line.cells),
          onblur: () => show([]),
        },
        h('b', { class: `value ${colour(line, lines[0])}`, title: valueHelp(line) }, valueWords(line)),
        h('span', {}, h('b', {}, head), ' ', line.cells.slice(pair ? 2 : 1).join(' ')),
      );
    }),
  );
}

/** The threats on the board in words. */
export function threatWords() {
  if (!view.analysis || !view.threats || !view.state) return '';
  const { threats, must_hit } = view.analysis;
  const state = view.state;
  const kind = (/** @type {import('./types.js').Threat} */ one) =>
    state.line !== 5 ? `${one.kind}Any` : one.kind === 'four' && (one.at?.length ?? 0) > 1 ? 'openFour' : one.kind;
  const words = STONES.flatMap(stone => {
    const kinds = distinct(threats[stone]).map(one => t(kind(one)));
    const counted = [...new Set(kinds)].map(one => `${kinds.filter(other => other === one).length} × ${one}`);
    return counted.length ? [`${stoneName(state, stone)}: ${counted.join(', ')}`] : [];
  });
  const must = must_hit.length ? [`${t('mustHit')}: ${must_hit.join(' ')}`] : [];
  return words.concat(must).join(' · ');
}
