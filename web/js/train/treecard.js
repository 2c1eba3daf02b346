// The whole solution of a puzzle, walked step by step: the turn that was found, every defence, and what follows.
import { h, button } from '../dom.js';
import { icon } from '../icons.js';
import { backTo, branchWords, branches, solving, step, stride, walked } from './training.js';
import { stoneName, t } from '../words.js';

/** @import { Branch } from '../types.js' */

/** How one came here, each turn a way back. */
function trail() {
  const crumb = (/** @type {string} */ words, /** @type {number} */ n) =>
    h(
      'li',
      {},
      button(words, () => backTo(n), { class: 'link', 'data-key': `crumb-${n}` }),
    );
  return h(
    'ol',
    { class: 'trail' },
    crumb(t('treeStart'), 0),
    walked().map((branch, n) => crumb(branchWords(branch), n + 1)),
  );
}

/** @param {Branch} branch @param {number} n */
const way = (branch, n) =>
  h(
    'li',
    {},
    button(
      [
        h('b', {}, branchWords(branch)),
        branch.best && branches().length > 1 ? h('span', { class: 'tag jade' }, t('longest')) : null,
        h('span', { class: 'soft' }, branch.end ? t(`end-${branch.end}`) : ''),
        icon('forward'),
      ],
      () => step(n),
      { class: 'way', 'data-key': `way-${n}` },
    ),
  );

/** What can follow where one looks. */
function ways() {
  const found = branches();
  const last = walked().at(-1);
  if (!found.length) return h('p', { class: 'soft way-end' }, last?.end ? t(`end-${last.end}`) : '');
  const side = solving.puzzle ? stoneName(solving.puzzle.start, found[0].by) : '';
  const mine = found[0].by === solving.puzzle?.to_move;
  return [
    h('p', { class: 'soft' }, t(mine ? 'findsTurn' : 'answersTurn', { side })),
    h('ul', { class: 'ways' }, found.map(way)),
  ];
}

const strides = /** @type {const} */ (['first', 'back', 'forward', 'last']);

export const treeCard = () => [
  h('div', { class: 'card-head' }, h('b', {}, t('tree'))),
  h(
    'div',
    { class: 'tree', tabindex: '0', 'aria-label': t('tree') },
    trail(),
    ways(),
    solving.cut ? h('p', { class: 'soft small' }, t('treeCut')) : null,
  ),
  h(
    'div',
    { class: 'strides' },
    strides.map(where =>
      button(icon(where), () => stride(where), {
        class: 'plain',
        'aria-label': t(where),
        disabled: where === 'first' || where === 'back' ? !solving.walk.length : !branches().length,
        'data-key': `stride-${where}`,
      }),
    ),
  ),
];
