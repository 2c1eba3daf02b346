// How this reader wants the board: its wood, numbers on stones, aiming, sound.
import { h, button, ticked } from './dom.js';
import { openDialog } from './dialog.js';
import { view, redraw } from './view.js';
import { send } from './ask.js';
import { isMuted, toggleSound } from './sound.js';
import { setSettings, settings } from './prefs.js';
import { canChoose, thinkHere, thinksHere } from './local/where.js';
import { toast } from './toast.js';
import { t } from './words.js';

/** @typedef {import('./prefs.js').Settings} Settings */

const THEMES = ['wood', 'bamboo', 'cherry', 'paper'];

/** The board's wood, for the style sheet. */
export function showTheme() {
  document.documentElement.dataset.board = settings().board;
}

/** @param {Partial<Settings>} change */
function set(change) {
  setSettings(change);
  showTheme();
  redraw();
  openSettings();
}

/** The next game is played where engines think now; those that are open stay where they are. */
function where() {
  const choice = (/** @type {string} */ word, /** @type {boolean} */ here) =>
    button(
      t(word),
      () => {
        thinkHere(here);
        toast(t(here ? 'thinksHereNow' : 'thinksThereNow'));
        openSettings();
      },
      { 'aria-pressed': String(thinksHere() === here), 'data-key': word },
    );
  return h(
    'div',
    { class: 'setting', role: 'group', 'aria-label': t('thinksWhere') },
    h('span', {}, t('thinksWhere')),
    h('div', { class: 'segments' }, choice('thinksHere', true), choice('thinksThere', false)),
  );
}

export function openSettings() {
  const now = settings();
  const choose = (
    /** @type {'board' | 'aim'} */ name,
    /** @type {string[]} */ all,
    /** @type {string} */ title,
    /** @type {string} */ prefix,
  ) =>
    h(
      'div',
      { class: 'setting', role: 'group', 'aria-label': t(title) },
      h('span', {}, t(title)),
      h(
        'div',
        { class: 'segments' },
        all.map(value =>
          button(t(`${prefix}-${value}`), () => set({ [name]: value }), {
            'aria-pressed': String(now[name] === value),
            'data-key': `${name}-${value}`,
          }),
        ),
      ),
    );
  const tick = (
    /** @type {string} */ key,
    /** @type {string} */ word,
    /** @type {boolean} */ on,
    /** @type {(on: boolean) => void} */ act,
  ) =>
    h(
      'label',
      { class: 'setting' },
      h('span', {}, t(word)),
      h('input', { type: 'checkbox', checked: on, 'data-key': key, onchange: event => act(ticked(event)) }),
    );
  openDialog('settings', t('settings'), [
    canChoose() ? where() : null,
    choose('board', THEMES, 'boardTheme', 'theme'),
    tick('numbers', 'showNumbers', now.numbers, numbers => set({ numbers })),
    choose('aim', ['auto', 'always', 'never'], 'aimSetting', 'aim'),
    tick('instant', 'instantAnswers', now.instant, on => {
      set({ instant: on });
      if (view.state?.you.length && view.socket) send({ type: 'instant', on });
    }),
    tick('sound', 'soundSetting', !isMuted(), () => {
      toggleSound();
      dispatchEvent(new Event('lianzi-bar'));
      openSettings();
    }),
  ]);
}
