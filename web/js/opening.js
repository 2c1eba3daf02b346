// Openings in which the players find fair sides: what is to be done, and the choices that are no stones.
import { h, button } from './dom.js';
import { view, atEnd, isOver } from './view.js';
import { send } from './ask.js';
import { index } from './game.js';
import { ruleOfName } from './rulename.js';
import { sayOf, shortName, stoneName, t } from './words.js';

/** @import { Opening, State } from './types.js' */

/** The rules by which each kind of game can begin; those behind the first four need a board with a centre. */
const RULES = 'none pie swap swap2 rif yamaguchi soosyrv8 taraguchi10 sakata supersakata'.split(' ');

/** @param {{ kind: string, size: number, blocked: string[] }} game */
export function openingRules({ kind, size, blocked }) {
  if (kind === 'connect4') return RULES.slice(0, 2);
  if (kind === 'connect6') return RULES.slice(0, 3);
  return size % 2 && size >= 9 && !blocked.length ? RULES : RULES.slice(0, 4);
}

/** What the panel says of it. @param {State} state @param {Opening} opening */
export function openingWords(state, { by, want, swap, left, words }) {
  const mine = state.you.includes(by);
  const side = stoneName(state, by);
  if (state.sides[index(by)].thinking) return t('thinking', { side });
  if (!words) return t('opensWith', { rule: t(`rule-${ruleOfName(state.game)}`) });
  if (want === 'fifths' && !swap) return t(mine ? 'offerMoves' : 'offersMoves', { n: left, side });
  if (want === 'stone' && !swap) return t(mine ? 'layStones' : 'laysStones', { n: left, side });
  // Who plays both sides is told whose choice it is.
  return mine && state.you.length === 1 ? t('yourChoice') : t('choiceOf', { side });
}

/** What can be done, in a sentence, and buttons for it. @param {State} state @param {Opening} opening */
export function openingNotice(state, { by, want, most, swap, more, words }) {
  const mine = state.you.includes(by) && !view.draft;
  const choices = [
    swap &&
      button(t('takeSide', { side: shortName(state, swap) }), () => send({ type: 'take' }), { 'data-key': 'take' }),
    more && button(t(more === 'ten' ? 'offerTen' : 'layTwo'), () => send({ type: 'more' }), { 'data-key': 'more' }),
    ...(want === 'count' ? Array.from({ length: most ?? 0 }, (_, n) => count(n + 1)) : []),
  ].filter(choice => choice != null);
  return [
    h(
      'span',
      {},
      words ? `${sayOf(state, words)}${t('fullStop')}` : t('opensWith', { rule: t(`rule-${ruleOfName(state.game)}`) }),
    ),
    mine && choices.length ? h('div', { class: 'row' }, ...choices) : null,
  ];
}

/** @param {number} n */
const count = n => button(String(n), () => send({ type: 'declare', count: n }), { 'data-key': `count-${n}` });

/** Who opens and who chooses, while the sides are open. @param {State | null} state @param {string} stone */
export const roleWords = (state, stone) => {
  const opening = state?.opening;
  if (!opening) return '';
  if (opening.begun) return opening.by === stone ? t('chooses') : '';
  return t(stone === 'black' ? 'opens' : 'chooses');
};

/** The fifth moves that are offered, with their numbers, as marks on the board. */
export function offeredMarks() {
  const offered = (atEnd() && !isOver() && view.state?.opening?.offered) || [];
  const mark = (/** @type {string} */ cell, /** @type {number} */ n) => ({ cell, label: String(n + 1), words: cell });
  return offered.map((cell, n) => ({ ...mark(cell, n), colour: 'neutral', best: false }));
}
