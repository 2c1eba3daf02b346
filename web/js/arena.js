// The arena: starting a match or tournament, and watching its table grow.
import { h, put, button, keepFocus, numberField, written, ticked } from './dom.js';
import { api } from './api.js';
import { boardChoice, gameCards, gameName, ruleOf } from './gamepick.js';
import { sidePicker, engineSide, spec, valid } from './sides.js';
import { defaultEngine, secondEngine, info } from './info.js';
import { recall, remember } from './prefs.js';
import { contestParts, ended, liveBoard } from './contest.js';
import { go } from './router.js';
import { unpressed } from './view.js';
import { toastError } from './toast.js';
import { t, contestWords } from './words.js';

/** @import { Contest, ContestEntry, NewContest } from './types.js' */
/** @import { GameChoice } from './gamepick.js' */
/** @import { Side } from './sides.js' */
/**
 * @typedef {object} Choice
 * @property {GameChoice} game
 * @property {Side[]} players
 * @property {number} games
 * @property {string} format
 * @property {number} seconds
 * @property {boolean} sprt
 */

/** @type {HTMLElement} */
let root;
/** @type {Choice | null} */
let choice = null;
/** @type {ContestEntry[] | null} */
let contests = null;
/** @type {Contest | null} */
let contest = null;
let shownGames = 50;
let filter = { player: '', result: '' };

/** @returns {Choice} */
const usual = () => ({
  game: { kind: 'connect4', rule: 'gomoku', size: 15, width: 7, height: 6, random: false, blocked: [] },
  players: [engineSide(defaultEngine()), engineSide(secondEngine())],
  games: 20,
  format: 'match',
  seconds: 1,
  sprt: false,
});

function current() {
  choice ??= recall('contest', null) ?? (info() ? usual() : null);
  const now = choice ?? usual();
  now.players = now.players.map(side => valid(side, ruleOf(now.game)));
  return now;
}

/** @param {Element} place @param {string} id */
export function mountArena(place, id) {
  root = h('div', { class: 'page' });
  put(place, root);
  contest = null;
  shownGames = 50;
  filter = { player: '', result: '' };
  const poll = () => (id ? refresh(id) : list());
  poll();
  draw(id);
  const timer = setInterval(poll, id ? 1000 : 3000);
  return () => clearInterval(timer);
}

async function list() {
  try {
    const before = JSON.stringify(contests);
    ({ contests } = await api.contests());
    if (JSON.stringify(contests) !== before) drawSoon('');
  } catch (error) {
    if (!contests) toastError(error);
  }
}

/** @param {string} id */
async function refresh(id) {
  if (contest && ended(contest)) return;
  try {
    const before = JSON.stringify(contest);
    contest = await api.contest(id);
    if (JSON.stringify(contest) !== before) drawSoon(id);
  } catch (error) {
    if (!contest) toastError(error);
  }
}

/** @param {string} id */
function draw(id) {
  if (!root.isConnected) return;
  const more = () => {
    shownGames += 100;
    draw(id);
  };
  const choose = (/** @type {Partial<typeof filter>} */ change) => {
    filter = { ...filter, ...change };
    draw(id);
  };
  const shown = { id, contest, games: shownGames, filter, more, choose, stopped: () => refresh(id) };
  keepFocus(root, () =>
    put(root, id ? contestParts(shown) : [h('h1', {}, t('arena')), boards(), starting(), listed()]),
  );
}

/** Draws unless another page has come meanwhile. @param {string} id */
function drawSoon(id) {
  const at = root;
  unpressed(() => at === root && draw(id));
}

/** @param {Partial<Choice>} change */
function set(change) {
  choice = { ...current(), ...change };
  // A number that was typed is told by the press on the next button.
  drawSoon('');
}

/** How a contest is played. @param {string} chosen */
const formats = chosen =>
  h(
    'label',
    {},
    t('formatWord'),
    ' ',
    h(
      'select',
      { 'data-key': 'contest-format', onchange: event => set({ format: written(event) }) },
      ['match', 'round-robin', 'gauntlet', 'swiss', 'knockout', 'best-of-5'].map(name =>
        h('option', { value: name, selected: name === chosen }, t(name)),
      ),
    ),
  );

/** Who takes part. @param {Choice} now */
function participants(now) {
  const player = (/** @type {Side} */ side, /** @type {number} */ n) =>
    h(
      'div',
      { class: 'row' },
      sidePicker(
        side,
        next =>
          set({
            players: now.players.map((one, i) => (i === n ? next : one)),
          }),
        { key: `p${n}`, game: ruleOf(now.game), label: String(n + 1), people: false },
      ),
      now.players.length > 2
        ? button('×', () => set({ players: now.players.filter((_, i) => i !== n) }), {
            class: 'plain',
            'aria-label': t('remove'),
          })
        : null,
    );
  return h(
    'fieldset',
    {},
    h('legend', {}, t('players')),
    now.players.map(player),
    now.players.length < 16
      ? button(t('addPlayer'), () => set({ players: [...now.players, engineSide(defaultEngine())] }), {
          'data-key': 'add',
        })
      : null,
  );
}

function starting() {
  const now = current();
  const number = (
    /** @type {'games' | 'seconds'} */ name,
    /** @type {string} */ word,
    /** @type {number} */ min,
    /** @type {number} */ max,
    /** @type {number} */ step,
  ) =>
    h(
      'label',
      {},
      t(word),
      ' ',
      numberField(now[name], { min, max, step, key: name }, value => set({ [name]: value })),
    );
  return h(
    'section',
    { class: 'sheet' },
    h('h2', {}, t('newContest')),
    gameCards(now.game, game => set({ game })),
    h(
      'div',
      { class: 'row' },
      boardChoice(now.game, game => set({ game })),
    ),
    participants(now),
    h(
      'div',
      { class: 'filters' },
      formats(now.format),
      number('games', 'gamesCount', 2, 10000, 2),
      number('seconds', 'msPerMove', 0.1, 3600, 0.1),
      h(
        'label',
        { class: 'check' },
        h('input', {
          type: 'checkbox',
          checked: now.sprt,
          'data-key': 'sprt',
          onchange: event => set({ sprt: ticked(event) }),
        }),
        t('stopEarly'),
      ),
      button(t('startContest'), start, { class: 'primary', 'data-key': 'start-contest' }),
    ),
  );
}

async function start() {
  const now = current();
  remember('contest', now);
  const format = now.players.length > 2 && now.format === 'match' ? 'round-robin' : now.format;
  /** @type {NewContest} */
  const wanted = {
    game: gameName(now.game),
    players: distinct(now.players.map(spec)),
    games: now.games,
    format,
    control: { per_move_ms: Math.round(now.seconds * 1000) },
    ...(now.sprt && { sprt: /** @type {[number, number]} */ ([0, 20]) }),
  };
  try {
    const made = await api.newContest(wanted);
    remember(`contest.${made.id}`, made.owner);
    go(`#/arena/${made.id}`);
  } catch (error) {
    toastError(error);
  }
}

/** Two players of one kind need names of their own. @param {string[]} players */
function distinct(players) {
  return players.map((player, n) => {
    const before = players.slice(0, n).filter(one => one === player).length;
    return before ? `${player}${player.includes('@') ? ',' : '@'}name=${player.split('@')[0]}-${before + 1}` : player;
  });
}

/** The games that are played just now. */
function boards() {
  const running = (contests ?? []).filter(one => one.now);
  if (!running.length) return null;
  return h(
    'section',
    { class: 'sheet' },
    h('h2', {}, t('liveBoards')),
    h(
      'div',
      { class: 'live-boards' },
      running.map(one => one.now && liveBoard(one.now, `#/arena/${one.id}`, contestWords(one.title))),
    ),
  );
}

function listed() {
  if (!contests) return null;
  return h(
    'section',
    { class: 'sheet' },
    h('h2', {}, t('contests')),
    contests.length
      ? h(
          'ul',
          { class: 'games' },
          contests.map(one =>
            h(
              'li',
              {},
              h(
                'a',
                { class: 'open', href: `#/arena/${one.id}` },
                h('span', { class: 'name' }, contestWords(one.title)),
                h(
                  'span',
                  { class: 'facts-line' },
                  `${t('ofPlanned', { n: one.games, of: one.planned })} · ${t(one.finished ? 'finished' : 'running')}`,
                ),
              ),
            ),
          ),
        )
      : h('p', { class: 'soft' }, t('noContests')),
  );
}
