// What can be done with a game: the frequent things as buttons, the rare ones in a menu.
import { h, button } from './dom.js';
import { icon } from './icons.js';
import { view, atEnd, isBetween, isOver, isStill, lookedAt, mayAsk, redraw, total, withSent } from './view.js';
import { askHint, openReview, toggleThreats } from './advice.js';
import { keepRecord, playOn, startAnew } from './open.js';
import { jump } from './look.js';
import { send } from './ask.js';
import { pick } from './pick.js';
import { openMenu } from './dialog.js';
import { openExplorer } from './explore.js';
import { openPhrases, playsFriend, requestOr } from './friends.js';
import { openLoading } from './loading.js';
import { openSaving, openSharing, openAbout } from './sharing.js';
import { openSettings } from './settings.js';
import { transport } from './transport.js';
import { turnOf } from './game.js';
import { settings } from './prefs.js';
import { maySolve, solve } from './solving.js';
import { t } from './words.js';

/** @import { State } from './types.js' */

/** A second press within this time means it, in milliseconds. */
const SURE = 4000;
/** What waits for a second press. */
let asked = '';
let timer = 0;

/**
 * Things that cannot be undone ask once more, without a window in the way.
 * @param {string} what
 * @param {() => void} act
 */
function surely(what, act) {
  clearTimeout(timer);
  if (asked === what) {
    asked = '';
    act();
  } else {
    asked = what;
    timer = window.setTimeout(() => {
      asked = '';
      redraw();
    }, SURE);
  }
  redraw();
}

/**
 * @param {string} name
 * @param {string} words
 * @param {() => void} act
 * @param {import('./types.js').Attributes} [more]
 */
const action = (name, words, act, more = {}) =>
  button([icon(name), h('span', {}, words)], act, { 'data-key': name, ...more });

/** @param {State} state */
export function actionRow(state) {
  if (view.reviewing)
    return [transport('wide'), action('board', t('playFromHere'), playOn, { 'data-key': 'goon' }), menuButton(state)];
  if (isOver() && atEnd() && !isStill() && !state.kept)
    return [h('div', { class: 'joined' }, shareButton(), saveButton()), transport(), menuButton(state)];
  const live = !isStill() && !view.draft;
  const seated = live && Boolean(state.you.length || state.owner);
  if (isStill() || state.kept)
    return [
      action('review', t('review'), openReview, { class: 'primary', disabled: !total() }),
      action('board', t('playFromHere'), playOn, { 'data-key': 'go-on' }),
      threats(),
      menuButton(state),
    ];
  return [
    h(
      'div',
      { class: 'joined' },
      action('undo', t('undo'), () => requestOr('undo'), { disabled: !seated || !total() }),
      action('hint', t('hint'), askHint, {
        disabled: !state.you.length || isOver() || Boolean(state.opening) || !mayAsk(),
        'aria-busy': view.hinting ? 'true' : null,
      }),
    ),
    state.drop ? null : threats(),
    placeButton(state),
    h('span', { class: 'gap' }),
    action(
      'resign',
      t(asked === 'resign' ? 'reallyResign' : 'resign'),
      () => surely('resign', () => send({ type: 'resign' })),
      {
        class: 'quiet wide-only',
        disabled: !seated || !state.you.length || !total() || isOver(),
      },
    ),
    action('back', t('previousMove'), () => jump(lookedAt() - 1), {
      class: 'quiet phone-only',
      'data-key': 'phone-back',
      disabled: lookedAt() === 0,
    }),
    menuButton(state),
  ];
}

const threats = () =>
  action('threats', t('threats'), toggleThreats, {
    class: 'wide-only',
    'aria-pressed': String(view.threats),
    disabled: !mayAsk(),
  });

const shareButton = () => action('share', t('share'), openSharing);
const saveButton = () => action('save', t('saveFile'), openSaving, { 'data-key': 'open-save' });

/** Places the stone that is aimed at; a phone keeps its place also while nothing is. @param {State} state */
function placeButton(state) {
  const { aimed } = view;
  // Discs are dropped by one touch, and so is every stone where the reader said so.
  if (state.drop || settings().aim === 'never') return null;
  const second = state.per_turn > 1 && turnOf(state, withSent().length).left === 1 && total() > 0;
  const idle = state.per_turn > 1 && total() > 0 ? t(second ? 'secondStone' : 'firstStone') : t('place');
  return button(
    [h('span', {}, aimed ? t('place') : idle), aimed ? h('small', {}, aimed) : null],
    () => aimed && pick(aimed),
    {
      class: `primary place${aimed ? '' : ' phone-only'}`,
      'data-key': 'place',
      disabled: !aimed,
    },
  );
}

/** @param {State} state */
function menuButton(state) {
  return button(
    [icon('more'), h('span', { class: 'phone-only' }, t('more'))],
    event => view.state && openMenu(target(event), items(view.state)),
    {
      class: 'more',
      'aria-label': t('more'),
      'aria-haspopup': 'menu',
      title: t('more'),
      'data-key': 'menu',
    },
  );
}

const target = (/** @type {Event} */ event) => /** @type {HTMLElement} */ (event.currentTarget);

/** Whether what is "wide-only" has no room. */
const onPhone = () => matchMedia('(max-width: 599px)').matches;

/** The menu: what there is not is an empty list, null is a line between two groups. @param {State} state */
function items(state) {
  const all = [
    playing(state),
    onPhone() && !state.drop
      ? {
          key: 'threats-menu',
          icon: 'threats',
          words: t('threats'),
          act: toggleThreats,
          on: view.threats,
          off: !mayAsk(),
        }
      : [],
    withFriend(),
    total() ? { key: 'go-on', icon: 'board', words: t('goOn'), act: playOn } : [],
    null,
    { key: 'share', icon: 'share', words: t('share'), act: openSharing },
    { key: 'open-save', icon: 'save', words: t('save'), act: openSaving, off: !view.id && !isStill() },
    isStill() ? { key: 'keep', icon: 'load', words: t('keep'), act: () => void keepRecord() } : [],
    { key: 'open-load', icon: 'load', words: t('loadGame'), act: openLoading },
    state.setup ? [] : { key: 'explore', icon: 'board', words: t('explore'), act: openExplorer },
    maySolve(state) ? { key: 'solve', icon: 'chip', words: t('solve'), act: () => void solve() } : [],
    null,
    { key: 'about', icon: 'info', words: t('gameInfo'), act: openAbout },
    { key: 'settings', icon: 'gear', words: t('settings'), act: openSettings },
  ];
  return all.flat().filter((item, n, kept) => item || (n > 0 && kept[n - 1]));
}

/** What somebody who plays may do with the game. @param {State} state */
function playing(state) {
  const live = !isStill() && !view.draft && !state.kept;
  if (!live || (!state.you.length && !state.owner)) return [];
  const under = !isOver() && total() > 0;
  const restart = () => {
    if (isBetween() || state.series) return requestOr('restart');
    startAnew();
  };
  return [
    { key: 'redo', icon: 'redo', words: t('redo'), act: () => send({ type: 'redo' }), off: !state.undone },
    isOver() ? { key: 'undo', icon: 'undo', words: t('undo'), act: () => requestOr('undo') } : [],
    under
      ? {
          key: 'resign-menu',
          icon: 'resign',
          words: t('resign'),
          act: () => send({ type: 'resign' }),
          sure: t('reallyResign'),
        }
      : [],
    {
      key: 'restart',
      icon: 'restart',
      words: t('restart'),
      act: restart,
      off: !total(),
      // A friend is asked anyway.
      sure: under && !isBetween() ? t('reallyRestart') : null,
    },
    state.owner || playsFriend()
      ? {
          key: 'swap',
          icon: 'swap',
          words: t('swap'),
          act: () => requestOr('swap'),
          off: Boolean(state.opening && total()),
        }
      : [],
  ].flat();
}

/** What two people may ask of each other. */
function withFriend() {
  if (!playsFriend()) return [];
  return [
    isOver() ? [] : { key: 'draw', icon: 'draw', words: t('offerDraw'), act: () => requestOr('draw') },
    mayAsk() ? [] : { key: 'ask-advice', icon: 'chip', words: t('askAdvice'), act: () => requestOr('analysis') },
    { key: 'phrases', icon: 'chat', words: t('phrases'), act: phrases },
  ].flat();
}

/** The phrases stand where the menu stood. */
function phrases() {
  const at = /** @type {HTMLElement | null} */ (document.querySelector('[data-key="menu"]'));
  if (at) openPhrases(at);
}
