// Keys for the whole page, and the list of them.
import { h } from './dom.js';
import { view, lookedAt, atEnd, isOver, isStill } from './view.js';
import { jump, leaveLine } from './look.js';
import { askHint, toggleThreats } from './advice.js';
import { openDialog } from './dialog.js';
import { requestOr } from './friends.js';
import { send } from './ask.js';
import { focusBoard } from './play.js';
import { t } from './words.js';

/** @type {Record<string, () => void>} */
let actions = {};

/** Whether arrows belong to the board: while it is one's turn to play. */
const playing = () => Boolean(view.state && atEnd() && !isOver() && !isStill());

/** @returns {Record<string, () => void>} */
const moves = () => ({
  u: () => requestOr('undo'),
  r: () => send({ type: 'redo' }),
  h: askHint,
  b: focusBoard,
  x: leaveLine,
  t: toggleThreats,
  '[': () => jump(lookedAt() - 1),
  ']': () => jump(lookedAt() + 1),
  Home: () => jump(0),
  End: () => jump(Infinity),
  ArrowLeft: () => (playing() ? focusBoard() : jump(lookedAt() - 1)),
  ArrowRight: () => (playing() ? focusBoard() : jump(lookedAt() + 1)),
  ArrowUp: focusBoard,
  ArrowDown: focusBoard,
});

/**
 * @typedef {object} Given
 * @property {() => void} analyse
 * @property {() => void} newGame
 * @property {() => boolean} isPlay
 * @property {() => Record<string, () => void>} others what keys do in other places
 */
/** @param {Given} given */
export function listenKeys(given) {
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const target = /** @type {Element} */ (event.target);
    const writes = target.closest('input:not([type=range]), textarea, select, dialog');
    if (writes) return;
    if (event.key === '?') return showKeys();
    if (target.closest('input') && event.key.length > 1) return;
    actions = given.isPlay() ? { ...moves(), a: given.analyse, n: given.newGame } : given.others();
    const act = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

export function showKeys() {
  const list = [
    [t('keyArrows'), t('keyArrowsDo')],
    [t('keyEnter'), t('keyEnterDo')],
    ['B', t('keyBDo')],
    ['[ ]', t('keyStepDo')],
    ['Home End', t('keyEndsDo')],
    ['U', t('undo')],
    ['R', t('redo')],
    ['H', t('hint')],
    ['A', t('analyse')],
    ['T', t('keyTDo')],
    ['X', t('keyXDo')],
    ['N', t('keyNDo')],
    ['?', t('keyHelpDo')],
  ];
  openDialog('keys', t('keys'), [
    h(
      'dl',
      { class: 'keylist' },
      list.map(([key, words]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, words)]),
    ),
    h('p', { class: 'soft' }, t('keysTrain')),
  ]);
}
