// What a new state means to eyes and ears: words, announcements and the sound of stones.
import { STONES, turnOf } from './game.js';
import { hasWithdrawn } from './friends.js';
import { play } from './sound.js';
import { view } from './view.js';
import { announce, hush, toast } from './toast.js';
import { sayOf, shortName, sideName, sideWords, stoneName, t } from './words.js';

/** @import { State } from './types.js' */

/** @param {State} state */
const ended = state => state.verdict.ending !== 'unfinished';

/** Says what happened between two states of one game. @param {State} before @param {State} state */
export function tell(before, state) {
  if (state.moves.length > before.moves.length) tellStones(before.moves.length, state);
  if (state.moves.length < before.moves.length) tellTaken(before, state);
  tellFriend(before, state);
  if (ended(state) && !ended(before)) {
    announce(sayOf(state, state.words));
    play('end');
  }
  if (before.opening && !state.opening && !ended(state)) tellSides(state);
}

/** @param {number} from @param {State} state */
function tellStones(from, state) {
  const words = state.moves.slice(from).map((cell, n) => stoneWords(state, from + n, cell));
  announce(words.join(', '));
  // Old words go with a new stone; who only watches reads them to the end.
  if (state.you.length) hush();
  // One's own stones were heard when they were placed.
  const own = (/** @type {string} */ cell, /** @type {number} */ n) =>
    view.sent.some(one => one.cell === cell && one.ply === from + n);
  if (!state.moves.slice(from).every(own)) play('stone');
}

/** Who placed the n-th stone where. @param {State} state @param {number} n @param {string} cell */
export const stoneWords = (state, n, cell) => t('placed', { side: stoneName(state, turnOf(state, n).stone), cell });

/** Stones were taken back, or the board was cleared. @param {State} before @param {State} state */
function tellTaken(before, state) {
  const cells = before.moves.slice(state.moves.length).join(' ');
  announce(state.moves.length || before.moves.length === 1 ? t('takenBack', { cells }) : t('cleared'));
}

/** What the other one of two people does besides playing. @param {State} before @param {State} state */
function tellFriend(before, state) {
  for (const n of [0, 1]) {
    const [was, is] = [before.sides[n].here, state.sides[n].here];
    const mine = state.you.includes(n ? 'white' : 'black');
    if (!state.between || mine || was === undefined || was === is) continue;
    toast(t(is ? 'friendHere' : 'friendAway', { name: sideName(state, n ? 'white' : 'black') }));
  }
  const mine = before.offer && state.you.includes(before.offer.by);
  if (mine && !state.offer && !ended(state) && !hasWithdrawn() && state.moves.length === before.moves.length) {
    if (before.advice === state.advice) toast(t('declined'));
  }
}

/** The sides are settled. @param {State} state */
function tellSides(state) {
  const { you, sides } = state;
  const [black, white] = sides.map(side => sideWords(side));
  const [first, second] = STONES.map(stone => shortName(state, stone));
  toast(
    you.length === 1 ? t('youAre', { side: stoneName(state, you[0]) }) : t('sidesAre', { black, white, first, second }),
  );
}
