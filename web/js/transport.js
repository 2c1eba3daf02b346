// Steps through a game: first, back, forward, last.
import { h } from './dom.js';
import { icon } from './icons.js';
import { view, lookedAt, total } from './view.js';
import { jump } from './look.js';
import { t } from './words.js';

/** @type {[string, () => number, () => boolean][]} word, where to, and whether there is anything */
const STEPS = [
  ['first', () => 0, () => lookedAt() > 0],
  ['back', () => lookedAt() - 1, () => lookedAt() > 0],
  ['forward', () => lookedAt() + 1, () => lookedAt() < end()],
  ['last', () => Infinity, () => lookedAt() < end() || view.explore != null],
];
const end = () => view.explore?.path.length ?? total();

/** @param {string} [more] */
export const transport = (more = '') =>
  h(
    'div',
    { class: `transport ${more}`, role: 'group', 'aria-label': t('move') },
    STEPS.map(([word, to, can]) =>
      h(
        'button',
        {
          type: 'button',
          'aria-label': t(word),
          title: t(word),
          'data-key': `step-${word}`,
          // A button that loses its use under the finger keeps the keyboard's place.
          'aria-disabled': can() ? null : 'true',
          onclick: () => can() && jump(to()),
        },
        icon(word),
      ),
    ),
  );
