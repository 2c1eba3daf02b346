// The opening explorer: what was played from the position on the screen, in the games of the library.
import { h, button } from './dom.js';
import { view, path } from './view.js';
import { api } from './api.js';
import { toastError } from './toast.js';
import { say, t } from './words.js';

/** @import { Explored } from './types.js' */

/** What was found, and for which position. @type {{ key: string, found: Explored } | null} */
let known = null;

const here = () => `${view.state?.game} ${path().join(' ')}`;

/** A button that asks, and what it found. @param {() => void} redraw */
export function explorer(redraw) {
  if (!view.state || view.state.setup) return null;
  const found = known?.key === here() ? known.found : null;
  return h(
    'div',
    { class: 'explorer' },
    button(t('explore'), () => look(redraw), { 'data-key': 'explore' }),
    found ? [h('p', { 'data-key': 'explored' }, summary(found)), table(found)] : null,
  );
}

/** @param {() => void} redraw */
async function look(redraw) {
  const key = here();
  try {
    const found = await api.explore(view.state?.game ?? '', path().join(' '));
    known = { key, found };
    redraw();
  } catch (error) {
    toastError(error);
  }
}

/** @param {Explored} found */
function summary({ named, looked, total }) {
  const name = named ? `${say(named)}. ` : '';
  return name + t('explored', { n: total.games, of: looked, b: total.black, d: total.draws, w: total.white });
}

/** @param {Explored} found */
function table({ moves }) {
  const row = (/** @type {Explored['moves'][number]} */ one) =>
    h('li', {}, `${one.cell}: ${t('exploredMove', { n: one.games, b: one.black, d: one.draws, w: one.white })}`);
  return h('ul', {}, ...moves.slice(0, 12).map(row));
}
