// "Try again": the position before a mistake, to be played until the answer is good.
import { view, redraw, tryPath } from './view.js';
import { landing, stonesAfter, turnOf } from './game.js';
import { send } from './ask.js';
import { jumpGame } from './look.js';
import { play } from './sound.js';
import { announce, toast } from './toast.js';
import { sayOf, stoneName, t } from './words.js';

/** @import { Tried } from './types.js' */

/** @param {number} ply */
export function startTrying(ply) {
  jumpGame(ply);
  if (view.reviewing) view.reviewing.trying = { ply, turn: [], answer: null, asked: false };
  if (view.state) announce(t('tryNow', { side: stoneName(view.state, turnOf(view.state, ply).stone) }));
  redraw();
}

export function stopTrying() {
  if (view.reviewing) view.reviewing.trying = null;
  redraw();
}

/** A stone of the attempt; a whole turn is sent to be graded. @param {string} aimed */
export function tryStone(aimed) {
  const { state } = view;
  const trying = view.reviewing?.trying;
  if (!state || !trying || trying.asked) return;
  if (trying.answer) [trying.turn, trying.answer] = [[], null];
  const taken = new Set(stonesAfter(state, tryPath()).map(stone => stone.cell));
  const cell = landing(state, taken, aimed);
  if (!cell) return toast(t('taken', { cell: aimed }));
  play('stone');
  trying.turn.push(cell);
  const game = state.moves.slice(0, trying.ply);
  const turn = turnOf(state, trying.ply).turn;
  if (turnOf(state, trying.ply + trying.turn.length).turn !== turn) {
    trying.asked = true;
    send({ type: 'try', moves: game, turn: trying.turn });
  }
  redraw();
}

/** @param {Tried} message */
export function takeTried({ tried }) {
  const trying = view.reviewing?.trying;
  if (!trying || !tried || String(trying.turn) !== String(tried.turn)) return;
  Object.assign(trying, { answer: tried, asked: false });
  if (view.state) announce(`${t(`grade-${tried.grade}`)}. ${sayOf(view.state, tried.words)}`);
}
