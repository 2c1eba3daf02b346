// The page: a thin bar, one place at a time, and the address that says which.
import { h, put, byId, button, keepFocus, s } from './dom.js';
import { defs } from './board.js';
import { icon } from './icons.js';
import { mountPlay, drawPlay } from './play.js';
import { view, clicked, redraw, press } from './view.js';
import { showDraft, openGame, showRecord } from './open.js';
import { analyse } from './advice.js';
import { readyDraft } from './choice.js';
import { drawNewGame, openNewGame } from './newgame.js';
import { openMoves } from './sharing.js';
import { openSettings, showTheme } from './settings.js';
import { openMenu } from './dialog.js';
import { drawLibrary, mountLibrary } from './library.js';
import { mountArena } from './arena.js';
import { mountRules } from './rules.js';
import { loadInfo } from './info.js';
import { listenKeys, showKeys } from './keys.js';
import { recall, remember, keysOf, keepKeys } from './prefs.js';
import { route, mark, onRoute } from './router.js';
import { isMuted, toggleSound } from './sound.js';
import { cells, kindOf } from './game.js';
import { api } from './api.js';
import { hush, toastError } from './toast.js';
import { t, gameWords, language, switchLanguage } from './words.js';
import { alone } from './local/alone.js';
import { getReady, settle } from './local/offline.js';

const place = byId('place');
const dark = matchMedia('(prefers-color-scheme: dark)');
const PLAY = ['', 'g', 'm', 'c', 'look'];
/** @type {() => void} */
let leave = () => {};

function theme() {
  const chosen = recall('theme', null) ?? (dark.matches ? 'dark' : 'light');
  document.documentElement.dataset.theme = chosen;
  return chosen;
}

/** The sign of the page: three stones in a row. */
const logo = () =>
  s(
    'svg',
    { class: 'logo', viewBox: '0 0 28 28', 'aria-hidden': 'true' },
    s('rect', { class: 'logo-ground', width: 28, height: 28, rx: 8 }),
    s('circle', { cx: 8, cy: 20, r: 3.6, fill: '#fff' }),
    s('circle', { cx: 14, cy: 14, r: 3.6, fill: '#1b1712' }),
    s('circle', { cx: 20, cy: 8, r: 3.6, fill: '#fff' }),
  );

const places = () => {
  const playing = view.id ? `#/g/${view.id}` : '#/';
  return [
    [playing, 'play', 'play'],
    ['#/train', 'train', 'book'],
    ['#/library', 'library', 'load'],
    ...(alone() ? [] : [['#/arena', 'arena', 'trophy']]),
    ['#/rules', 'rules', 'info'],
  ];
};

const isHere = (/** @type {string} */ word) =>
  word === 'play' ? PLAY.includes(route().place) : route().place === word;

function switchTheme() {
  remember('theme', theme() === 'dark' ? 'light' : 'dark');
  theme();
}

/** On a phone everything but the game is in one menu. */
function openPlaces(/** @type {Event} */ event) {
  openMenu(/** @type {HTMLElement} */ (event.currentTarget), [
    { key: 'new-menu', icon: 'plus', words: t('newGame'), act: openNewGame },
    null,
    ...places().map(([href, word, sign]) => ({
      key: `to-${word}`,
      icon: sign,
      words: t(word),
      href,
      on: isHere(word),
    })),
    null,
    {
      key: 'sound-menu',
      icon: isMuted() ? 'quiet' : 'loud',
      words: t(isMuted() ? 'soundOff' : 'soundOn'),
      act: () => (toggleSound(), drawBar()),
    },
    { key: 'theme-menu', icon: 'theme', words: t('theme'), act: switchTheme },
    { key: 'settings-menu', icon: 'gear', words: t('settings'), act: openSettings },
    { key: 'language-menu', icon: 'chat', words: t('language'), act: changeLanguage },
  ]);
}

/** @param {string} word @param {import('./types.js').Child} inside @param {() => void} act */
const tool = (word, inside, act) =>
  button(
    inside,
    () => {
      act();
      drawBar();
    },
    { class: `plain wide-only tool-${word}`, 'aria-label': t(word), title: t(word), 'data-key': `tool-${word}` },
  );

function drawBar() {
  const { place: at } = route();
  const { state } = view;
  const playing = PLAY.includes(at);
  keepFocus(byId('bar'), () =>
    put(
      byId('bar'),
      h(
        'a',
        { class: 'brand', href: '#/', 'aria-label': 'Lianzi 连子' },
        logo(),
        h('span', { class: 'wide-only', lang: 'en' }, 'Lianzi'),
        h('span', { class: 'wide-only second', lang: 'zh' }, '连子'),
      ),
      h(
        'span',
        { class: 'bar-title phone-only' },
        h('b', {}, playing && state ? gameWords(kindOf(state.game)) : t(playing ? 'play' : at)),
        playing && state ? h('span', { class: 'tag' }, `${state.width}×${state.height}`) : null,
      ),
      h(
        'nav',
        { class: 'wide-only', 'aria-label': t('places') },
        places().map(([href, word]) => h('a', { href, 'aria-current': isHere(word) ? 'page' : null }, t(word))),
      ),
      tool(isMuted() ? 'soundOff' : 'soundOn', icon(isMuted() ? 'quiet' : 'loud'), toggleSound),
      tool('theme', icon('theme'), switchTheme),
      tool('keys', h('b', {}, '?'), showKeys),
      button(t('language'), changeLanguage, {
        class: 'plain wide-only',
        lang: language() === 'en' ? 'zh' : 'en',
        'data-key': 'language',
      }),
      button([icon('plus'), h('span', {}, t('newGame'))], openNewGame, {
        class: 'primary new-button wide-only',
        'data-key': 'new',
      }),
      playing
        ? button(icon('review'), () => analyse(!view.analysing), {
            class: 'plain phone-only',
            'aria-label': t('analyse'),
            'aria-pressed': String(view.analysing),
            'data-key': 'phone-analyse',
          })
        : null,
      button(icon('menu'), openPlaces, {
        class: 'plain phone-only',
        'aria-label': t('menu'),
        'aria-haspopup': 'menu',
        'data-key': 'places',
      }),
    ),
  );
  document.documentElement.lang = language() === 'zh' ? 'zh-CN' : 'en';
  byId('keys-hint').textContent = t('keysHint');
}

function changeLanguage() {
  switchLanguage();
  drawBar();
  if (PLAY.includes(route().place)) drawPlay(true);
  else show();
}

/**
 * An invitation gives this browser one seat; the address then forgets the secret.
 * @param {string} id
 * @param {string} seat
 */
function takeSeat(id, seat) {
  const keys = keysOf(id);
  if (!keys.tokens?.includes(seat)) keepKeys(id, { ...keys, tokens: [...(keys.tokens ?? []).filter(Boolean), seat] });
  mark(`#/g/${id}`);
}

/** @param {string} contest @param {string} game */
async function openContestGame(contest, game) {
  try {
    const { record, chances } = await api.contestGame(contest, game);
    await showRecord(record, chances);
    view.from = `#/arena/${contest}`;
    redraw();
  } catch (error) {
    toastError(error);
  }
}

function showPlay() {
  const { place: at, id, more, query } = route();
  mountPlay(place, drawBar);
  if (at === 'g') {
    const seat = query.get('seat');
    if (seat) takeSeat(id, seat);
    if (view.id !== id || seat) openGame(id);
  } else if (at === 'm') openMoves(id, cells(more));
  else if (at === 'c') openContestGame(id, more);
  else if (at === 'look') lookAgain();
  else if (!view.draft) goOnOrBegin();
}

/** A record that was looked at is there again after a reload. */
function lookAgain() {
  const kept = recall('look', /** @type {import('./types.js').Shown & { from: string } | null} */ (null));
  if (view.record || !kept) return;
  showRecord(kept.record, kept.chances)
    .then(() => {
      view.from = kept.from;
    })
    .catch(toastError);
}

/** The front page goes on with the game that was not finished. */
function goOnOrBegin() {
  const old = recall('unfinished', '');
  if (!old || view.draft) return showDraft(readyDraft());
  mark(`#/g/${old}`);
  openGame(old);
}

/** The place where one learns is loaded when somebody goes there. @type {typeof import('./train/place.js') | null} */
let train = null;

async function showTrain() {
  train ??= await import('./train/place.js');
  if (route().place === 'train') train.mountTrain(place);
}

function show() {
  const { place: asked, id } = route();
  // An address from elsewhere: there is no arena without a server.
  const at = asked === 'arena' && alone() ? '' : asked;
  leave();
  leave = () => {};
  if (at === 'library') leave = mountLibrary(place) ?? leave;
  else if (at === 'arena') leave = mountArena(place, id) ?? leave;
  else if (at === 'train') showTrain();
  else if (at === 'rules') mountRules(place);
  else showPlay();
  document.body.dataset.place = PLAY.includes(at) ? 'play' : at;
  if (!PLAY.includes(at)) document.title = `${t(at)} – Lianzi 连子`;
  drawBar();
}

settle();
theme();
showTheme();
addEventListener('lianzi-bar', drawBar);
dark.addEventListener('change', theme);
addEventListener('pointerdown', () => press(true), true);
addEventListener('click', clicked, true);
// The click itself comes after the release.
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => setTimeout(press, 0, false), true);
document.body.append(defs());
listenKeys({
  isPlay: () => PLAY.includes(route().place),
  newGame: openNewGame,
  analyse: () => analyse(!view.analysing),
  others: () => (route().place === 'train' ? (train?.trainKeys() ?? {}) : {}),
});
onRoute(() => {
  hush();
  show();
  scrollTo(0, 0);
});
show();
loadInfo()
  .then(() => {
    // Now the engines and formats are known; a board that waits for its first stone takes the right one.
    drawNewGame();
    drawBar();
    if (view.draft) getReady();
    if (view.draft && !view.making && route().place === '') showDraft(readyDraft());
    else if (route().place === 'arena') show();
    else if (route().place === 'library') drawLibrary();
  })
  .catch(toastError);
