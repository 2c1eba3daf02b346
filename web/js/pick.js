// What a click or Enter on a cell does: a stone of the game, one that is tried out, or words that say why not.
import { view, actor, isOver, lineOver, path, redraw, triesOut } from './view.js';
import { landing, stonesAfter } from './game.js';
import { makeGame } from './open.js';
import { tryOut } from './look.js';
import { send } from './ask.js';
import { toast } from './toast.js';
import { t } from './words.js';

/** @import { State } from './types.js' */

/** Cells smaller than this on the screen are easily missed by a finger. */
const FINGER = 23;

/** @param {string} aimed @param {boolean} touch @param {number} size of a cell on the screen */
export function pick(aimed, touch, size) {
  const { state } = view;
  if (!state) return;
  const taken = new Set(stonesAfter(state, path()).map(stone => stone.cell));
  const free = triesOut(state);
  if (free && lineOver()) return toast(t('lineOver'));
  if (!free && isOver()) return toast(t('gameOver'));
  const cell = landing(state, taken, aimed);
  if (!cell) return toast(refusal(state, aimed, taken));
  if (free) return tryOut(cell);
  const { you } = state;
  if (!you.includes(actor(state)))
    return toast(you.length ? t('notYours', { side: t(actor(state)) }) : t('watchingOnly'));
  if (state.forbidden.includes(cell)) return toast(t('forbiddenCell', { cell }));
  if (touch && size < FINGER && !state.drop && view.tapped !== cell) {
    view.tapped = cell;
    toast(t('tapAgain', { cell }));
    return redraw();
  }
  view.tapped = null;
  place(state, cell);
}

/** @param {State} state @param {string} cell */
function place(state, cell) {
  if (view.making) view.wish = cell;
  else if (view.draft) makeGame(view.draft, cell);
  else if (!view.pending) send({ type: 'place', cell, ply: state.moves.length });
}

/** @param {State} state @param {string} cell @param {Set<string>} taken */
function refusal(state, cell, taken) {
  if (state.drop) return t('columnFull', { c: cell.replace(/\d+/, '') });
  return taken.has(cell) ? t('taken', { cell }) : t('blockedCell', { cell });
}
