// What a click or Enter on a cell does: a stone of the game, one that is tried out, or words that say why not.
import { view, actor, clickable, isOver, lineOver, path, triesOut, withSent } from './view.js';
import { landing, stonesAfter } from './game.js';
import { makeGame } from './open.js';
import { tryOut } from './look.js';
import { tryStone } from './retry.js';
import { sendStone } from './ask.js';
import { toast } from './toast.js';
import { play } from './sound.js';
import { stoneName, t } from './words.js';

/** @import { State } from './types.js' */

/** @param {string} aimed */
export function pick(aimed) {
  const { state } = view;
  if (!state) return;
  if (view.reviewing?.trying) return tryStone(aimed);
  const free = triesOut(state);
  const taken = new Set(stonesAfter(state, free ? path() : withSent()).map(stone => stone.cell));
  if (free && lineOver()) return toast(t('lineOver'));
  if (!free && isOver()) return toast(t('gameOver'));
  const cell = landing(state, taken, aimed);
  if (!cell) return toast(refusal(state, aimed, taken));
  if (free) return tryOut(cell);
  if (!clickable()) return toast(notNow(state));
  const foul = view.sent.length ? -1 : state.forbidden.indexOf(cell);
  if (foul >= 0) return toast(foulWords(state, cell, foul));
  view.aimed = null;
  place(cell);
}

/** @param {State} state */
const notNow = state =>
  state.you.length ? t('notYours', { side: stoneName(state, actor(state)) }) : t('watchingOnly');

/** Which foul a forbidden cell is. @param {State} state @param {string} cell @param {number} n */
const foulWords = (state, cell, n) =>
  t('forbiddenCell', { cell, foul: t(state.fouls?.[n] ? `foul-${state.fouls[n]}` : 'foul') });

/** @param {string} cell */
function place(cell) {
  play('stone');
  if (view.draft && !view.making) makeGame(view.draft, cell);
  else sendStone(cell);
}

/** @param {State} state @param {string} cell @param {Set<string>} taken */
function refusal(state, cell, taken) {
  if (state.drop) return t('columnFull', { c: cell.replace(/\d+/, '') });
  return taken.has(cell) ? t('taken', { cell }) : t('blockedCell', { cell });
}
