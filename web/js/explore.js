// The opening explorer: what was played from the position on the screen, in the games of the library.
import { h } from './dom.js';
import { view, path } from './view.js';
import { api } from './api.js';
import { openDialog } from './dialog.js';
import { toastError } from './toast.js';
import { say, t } from './words.js';

/** @import { Explored } from './types.js' */

/** Asks, and shows what was found. */
export async function openExplorer() {
  try {
    const found = await api.explore(view.state?.game ?? '', path().join(' '));
    openDialog('explorer', t('explore'), [h('p', { 'data-key': 'explored' }, summary(found)), table(found)]);
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
