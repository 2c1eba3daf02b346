// The page: a thin bar, one place at a time, and the address that says which.
import { h, put, byId, button, s } from './dom.js';
import { defs } from './board.js';
import { mountPlay, drawPlay, openTab } from './play.js';
import { view, redraw, press } from './view.js';
import { showDraft, openGame, showRecord } from './open.js';
import { analyse } from './advice.js';
import { drawNewGame, readyDraft, openNewGame } from './newgame.js';
import { openMoves } from './gametab.js';
import { drawLibrary, mountLibrary } from './library.js';
import { mountArena } from './arena.js';
import { mountRules } from './rules.js';
import { loadInfo } from './info.js';
import { listenKeys, showKeys } from './keys.js';
import { recall, remember, keysOf, keepKeys } from './prefs.js';
import { route, mark, onRoute } from './router.js';
import { isMuted, toggleSound } from './sound.js';
import { cells } from './game.js';
import { api } from './api.js';
import { hush, toast, toastError } from './toast.js';
import { t, language, switchLanguage } from './words.js';
import { alone, canChoose, thinkHere, thinksHere } from './local/where.js';
import { settle } from './local/offline.js';

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

const drawn = (/** @type {string} */ d) =>
  s('svg', { class: 'sign stroke', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d }));
const LOUD = 'M2 6v4h3l4 3V3L5 6zM11.500 5.500a3.500 3.500 0 0 1 0 5M13 3.500a6 6 0 0 1 0 9';
const QUIET = 'M2 6v4h3l4 3V3L5 6zM11.500 6l3.500 4M15 6l-3.500 4';
const DEVICE = 'M3 3.500h10v7H3zM1.500 13h13';
const SERVER = 'M3 2.500h10v4H3zM3 9.500h10v4H3zM5 4.500h1M5 11.500h1';
const HALF = 'M8 2a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM8 2v12M8 5l3.500-1.500M8 8h6M8 11l3.500 1.500';

function drawBar() {
  const { place: at } = route();
  const link = (/** @type {string} */ hash, /** @type {string} */ word, /** @type {boolean} */ here) =>
    h('a', { href: hash, 'aria-current': here ? 'page' : null }, t(word));
  const playing = view.id ? `#/g/${view.id}` : '#/';
  const tool = (
    /** @type {string} */ word,
    /** @type {import('./types.js').Child} */ inside,
    /** @type {() => void} */ act,
  ) =>
    button(
      inside,
      () => {
        act();
        drawBar();
      },
      { class: `plain tool-${word}`, 'aria-label': t(word), title: t(word) },
    );
  put(
    byId('bar'),
    h(
      'a',
      { class: 'brand', href: '#/', onclick: () => at === '' && showDraft(readyDraft()) },
      h('span', { lang: 'en' }, 'Lianzi '),
      h('span', { lang: 'zh' }, '连子'),
    ),
    h(
      'nav',
      {},
      link(playing, 'play', PLAY.includes(at)),
      link('#/library', 'library', at === 'library'),
      alone() ? null : link('#/arena', 'arena', at === 'arena'),
      link('#/rules', 'rules', at === 'rules'),
    ),
    canChoose()
      ? tool(thinksHere() ? 'thinksHere' : 'thinksThere', drawn(thinksHere() ? DEVICE : SERVER), changeWhere)
      : null,
    tool(isMuted() ? 'soundOff' : 'soundOn', drawn(isMuted() ? QUIET : LOUD), toggleSound),
    tool('keys', '?', showKeys),
    tool('theme', drawn(HALF), () => {
      remember('theme', theme() === 'dark' ? 'light' : 'dark');
      theme();
    }),
    button(t('language'), changeLanguage, { class: 'plain', lang: language() === 'en' ? 'zh' : 'en' }),
  );
  document.documentElement.lang = language() === 'zh' ? 'zh-CN' : 'en';
  byId('keys-hint').textContent = t('keysHint');
}

/** The next game is played where engines think now; those that are open stay where they are. */
function changeWhere() {
  thinkHere(!thinksHere());
  toast(t(thinksHere() ? 'thinksHereNow' : 'thinksThereNow'));
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
  mountPlay(place, { newGame: openNewGame });
  if (at === 'g') {
    const seat = query.get('seat');
    if (seat) takeSeat(id, seat);
    if (view.id !== id || seat) openGame(id);
  } else if (at === 'm') openMoves(id, cells(more));
  else if (at === 'c') openContestGame(id, more);
  else if (at === 'look' && view.record) return;
  else if (!view.draft) showDraft(readyDraft());
}

function show() {
  const { place: at, id } = route();
  leave();
  leave = () => {};
  if (at === 'library') leave = mountLibrary(place) ?? leave;
  else if (at === 'arena') leave = mountArena(place, id) ?? leave;
  else if (at === 'rules') mountRules(place);
  else showPlay();
  document.body.dataset.place = PLAY.includes(at) ? 'play' : at;
  if (!PLAY.includes(at)) document.title = `${t(at)} – Lianzi 连子`;
  drawBar();
}

settle();
theme();
dark.addEventListener('change', theme);
addEventListener('pointerdown', () => press(true), true);
// The click itself comes after the release.
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => setTimeout(press, 0, false), true);
document.body.append(defs());
listenKeys({
  isPlay: () => PLAY.includes(route().place),
  newGame: openNewGame,
  analyse: () => {
    const on = !view.analysing;
    analyse(on);
    if (on) openTab('analysis');
  },
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
    if (view.draft && !view.making && route().place === '') showDraft(readyDraft());
    else if (route().place === 'arena') show();
    else if (route().place === 'library') drawLibrary();
  })
  .catch(toastError);
