// What a new state means to eyes and ears: words, announcements and the sound of stones.
import { turnOf } from './game.js';
import { play } from './sound.js';
import { announce, hush, toast } from './toast.js';
import { t, say, sideWords } from './words.js';

/** @import { State } from './types.js' */

/** @param {State} state */
const ended = state => state.verdict.ending !== 'unfinished';

/** Says what happened between two states of one game. @param {State} before @param {State} state */
export function tell(before, state) {
  if (state.moves.length > before.moves.length) tellStones(before.moves.length, state);
  if (ended(state) && !ended(before)) {
    announce(say(state.words));
    play('end');
  }
  if (before.opening && !state.opening && !ended(state)) tellSides(state);
}

/** @param {number} from @param {State} state */
function tellStones(from, state) {
  const words = state.moves.slice(from).map((cell, n) => stoneWords(state, from + n, cell));
  announce(words.join(', '));
  hush();
  play('stone');
}

/** Who placed the n-th stone where. @param {State} state @param {number} n @param {string} cell */
export const stoneWords = (state, n, cell) => t('placed', { side: t(turnOf(state, n).stone), cell });

/** The sides are settled. @param {State} state */
function tellSides({ you, sides }) {
  const [black, white] = sides.map(sideWords);
  toast(you.length === 1 ? t('youAre', { side: t(you[0]) }) : t('sidesAre', { black, white }));
}
