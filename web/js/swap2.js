// The swap2 opening: what is to be done, and the choices that are no stones.
import { h, button } from './dom.js';
import { view } from './view.js';
import { send } from './ask.js';
import { index } from './game.js';
import { t } from './words.js';

/** @import { Opening, State } from './types.js' */

/** What the panel says of it. @param {State} state @param {Opening} opening */
export function openingWords(state, { phase, by, left }) {
  const mine = state.you.includes(by);
  if (state.sides[index(by)].thinking) return t('thinking', { side: t(by) });
  if (phase === 'open' || phase === 'two') return t(mine ? 'layStones' : 'laysStones', { n: left, side: t(by) });
  // Who plays both sides is told whose choice it is.
  return mine && state.you.length === 1 ? t('yourChoice') : t('choiceOf', { side: t(by) });
}

/** What can be done, and buttons for it. @param {State} state @param {Opening} opening */
export function openingNotice(state, { phase, by }) {
  const mine = state.you.includes(by) && !view.draft;
  const choice = (/** @type {string} */ word, /** @type {'take' | 'two'} */ type) =>
    button(t(word), () => send({ type }), { 'data-key': type });
  const words = {
    open: 'openHelp',
    choose: mine ? 'chooseHelp' : 'waitChoice',
    two: 'twoHelp',
    decide: mine ? 'decideHelp' : 'waitChoice',
  };
  return [
    h('span', {}, t(words[phase])),
    mine && (phase === 'choose' || phase === 'decide')
      ? h('div', { class: 'row' }, choice('takeBlack', 'take'), phase === 'choose' ? choice('layTwo', 'two') : null)
      : null,
  ];
}

/** Who opens and who chooses, while the sides are open. @param {State | null} state @param {string} stone */
export const roleWords = (state, stone) => (state?.swap2 ? t(stone === 'black' ? 'opens' : 'chooses') : '');
