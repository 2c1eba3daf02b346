// The arena: starting a match or tournament, and watching its table grow.
import { h, put, button, dot, keepFocus } from './dom.js';
import { api } from './api.js';
import { gamePicker, gameName } from './gamepick.js';
import { sidePicker, engineSide, spec, valid } from './sides.js';
import { defaultEngine, secondEngine, info } from './info.js';
import { recall, remember } from './prefs.js';
import { resultWords } from './library.js';
import { go } from './router.js';
import { toast, toastError } from './toast.js';
import { t, playerWords, contestWords } from './words.js';

/** @type {HTMLElement} */
let root;
/** @type {any} */
let choice = null;
/** @type {any[] | null} */
let contests = null;
/** @type {any} */
let contest = null;
let shownGames = 50;

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
  now.players = now.players.map((/** @type {any} */ side) => valid(side, now.game.kind));
  return now;
}

/** @param {Element} place @param {string} id */
export function mountArena(place, id) {
  root = h('div', { class: 'page' });
  put(place, root);
  contest = null;
  shownGames = 50;
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
    if (JSON.stringify(contests) !== before) draw('');
  } catch (error) {
    if (!contests) toastError(error);
  }
}

/** Over, or stopped by its owner. */
const ended = () => contest.finished || contest.running === false;

/** @param {string} id */
async function refresh(id) {
  if (contest && ended()) return;
  try {
    const before = JSON.stringify(contest);
    contest = await api.contest(id);
    if (JSON.stringify(contest) !== before) draw(id);
  } catch (error) {
    if (!contest) toastError(error);
  }
}

/** @param {string} id */
function draw(id) {
  if (!root.isConnected) return;
  keepFocus(root, () => put(root, id ? one(id) : [h('h1', {}, t('arena')), starting(), listed()]));
}

/** @param {Record<string, any>} change */
function set(change) {
  choice = { ...current(), ...change };
  draw('');
}

/**
 * The nearest step between the bounds: games come in pairs.
 * @param {number} value
 * @param {number} min
 * @param {number} max
 * @param {number} step
 */
const bounded = (value, min, max, step) =>
  Math.min(max, Math.max(min, step < 1 ? value : step * Math.round(value / step)));

function starting() {
  const now = current();
  const player = (/** @type {any} */ side, /** @type {number} */ n) =>
    h(
      'div',
      { class: 'row' },
      sidePicker(
        side,
        next =>
          set({
            players: now.players.map((/** @type {any} */ one, /** @type {number} */ i) => (i === n ? next : one)),
          }),
        { key: `p${n}`, kind: now.game.kind, label: String(n + 1), people: false },
      ),
      now.players.length > 2
        ? button(
            '×',
            () => set({ players: now.players.filter((/** @type {any} */ _, /** @type {number} */ i) => i !== n) }),
            { class: 'plain', 'aria-label': t('remove') },
          )
        : null,
    );
  const number = (
    /** @type {string} */ name,
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
      h('input', {
        type: 'number',
        class: 'short',
        min,
        max,
        step,
        value: now[name],
        'data-key': name,
        onchange: (/** @type {any} */ event) =>
          set({ [name]: bounded(Number(event.target.value) || min, min, max, step) }),
      }),
    );
  return h(
    'section',
    { class: 'sheet' },
    h('h2', {}, t('newContest')),
    gamePicker(now.game, game => set({ game })),
    h(
      'fieldset',
      {},
      h('legend', {}, t('players')),
      now.players.map(player),
      now.players.length < 16
        ? button(t('addPlayer'), () => set({ players: [...now.players, engineSide(defaultEngine())] }), {
            'data-key': 'add',
          })
        : null,
    ),
    h(
      'div',
      { class: 'filters' },
      h(
        'label',
        {},
        t('formatWord'),
        ' ',
        h(
          'select',
          { 'data-key': 'contest-format', onchange: (/** @type {any} */ event) => set({ format: event.target.value }) },
          ['match', 'round-robin', 'gauntlet', 'swiss', 'knockout', 'best-of-5'].map(name =>
            h('option', { value: name, selected: name === now.format }, t(name)),
          ),
        ),
      ),
      number('games', 'gamesCount', 2, 10000, 2),
      number('seconds', 'msPerMove', 0.1, 3600, 0.1),
      h(
        'label',
        { class: 'check' },
        h('input', {
          type: 'checkbox',
          checked: now.sprt,
          'data-key': 'sprt',
          onchange: (/** @type {any} */ event) => set({ sprt: event.target.checked }),
        }),
        t('stopEarly'),
      ),
      button(t('start'), start, { class: 'primary', 'data-key': 'start-contest' }),
    ),
  );
}

async function start() {
  const now = current();
  remember('contest', now);
  const format = now.players.length > 2 && now.format === 'match' ? 'round-robin' : now.format;
  const wanted = {
    game: gameName(now.game),
    players: distinct(now.players.map(spec)),
    games: now.games,
    format,
    control: { per_move_ms: Math.round(now.seconds * 1000) },
    ...(now.sprt && { sprt: [0, 20] }),
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

/** @param {string} id */
function one(id) {
  if (!contest) return h('p', { class: 'soft' }, '…');
  const owner = recall(`contest.${id}`, '');
  const phase = contest.finished ? 'finished' : ended() ? 'halted' : 'running';
  const stop = () =>
    api
      .stopContest(id, owner)
      .then(() => {
        toast(t('stopped'));
        refresh(id);
      })
      .catch(toastError);
  return [
    h('p', {}, h('a', { href: '#/arena' }, `‹ ${t('arena')}`)),
    h('h1', { class: 'name' }, contestWords(contest.title ?? id)),
    h(
      'div',
      { class: 'row' },
      h('progress', { max: contest.planned || 1, value: contest.games, 'aria-label': t('gamesCount') }),
      h('span', { role: 'status' }, `${t('ofPlanned', { n: contest.games, of: contest.planned })} · ${t(phase)}`),
      !ended() && owner ? button(t('stop'), stop, { 'data-key': 'stop' }) : null,
      h('a', { href: api.reportPath(id), target: '_blank', rel: 'noopener' }, t('report')),
    ),
    difference(),
    standings(),
    crossTable(),
    gameList(id),
  ];
}

const signed = (/** @type {number} */ n) => `${n > 0 ? '+' : n < 0 ? '−' : ''}${Math.abs(n).toFixed(0)}`;
const estimate = (/** @type {any} */ value, /** @type {any} */ error) =>
  value == null ? '–' : `${signed(value)}${error == null ? '' : ` ± ${error.toFixed(0)}`}`;

function difference() {
  if (contest.elo == null && contest.los == null) return null;
  return h(
    'dl',
    { class: 'facts' },
    h('dt', {}, t('difference')),
    h('dd', {}, `${estimate(contest.elo, contest.elo_error)} Elo`),
    contest.los == null ? null : [h('dt', {}, t('los')), h('dd', {}, `${(100 * contest.los).toFixed(1)} %`)],
  );
}

/** @param {string[]} heads @param {any[][]} rows @param {string} title */
const table = (heads, rows, title) =>
  h(
    'section',
    { class: 'sheet' },
    h('h2', {}, title),
    h(
      'div',
      { class: 'box', tabindex: 0, role: 'group', 'aria-label': title },
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            heads.map((head, n) => h('th', { scope: 'col', class: n > 1 ? 'end' : '' }, head)),
          ),
        ),
        h(
          'tbody',
          {},
          rows.map(row =>
            h(
              'tr',
              {},
              row.map((cell, n) => h('td', { class: n > 1 ? 'end' : 'name' }, cell)),
            ),
          ),
        ),
      ),
    ),
  );

function standings() {
  const rows = (contest.standings ?? []).map((/** @type {any} */ one) => [
    String(one.rank),
    playerWords(one.name),
    String(one.points),
    estimate(one.elo, one.elo_error),
    `${one.wins} / ${one.draws} / ${one.losses}`,
    String(one.faults ?? 0),
  ]);
  return rows.length
    ? table([t('rank'), t('player'), t('points'), t('elo'), t('wdl'), t('faults')], rows, t('standings'))
    : null;
}

function crossTable() {
  if ((contest.players?.length ?? 0) < 3 || !contest.cross) return null;
  const score = (/** @type {any} */ tally) =>
    tally.wins + tally.draws + tally.losses
      ? `${tally.wins + tally.draws / 2} : ${tally.losses + tally.draws / 2}`
      : '';
  const rows = contest.players.map((/** @type {any} */ player, /** @type {number} */ n) => [
    String(n + 1),
    playerWords(player.name),
    ...contest.cross[n].map(score),
  ]);
  return table(
    ['', t('player'), ...contest.players.map((/** @type {any} */ _, /** @type {number} */ n) => String(n + 1))],
    rows,
    t('crossTable'),
  );
}

/** @param {string} id */
function gameList(id) {
  const all = contest.list ?? [];
  if (!all.length) return null;
  const rows = all
    .slice()
    .reverse()
    .slice(0, shownGames)
    .map((/** @type {any} */ game) =>
      h(
        'li',
        {},
        h(
          'a',
          { class: 'open', href: `#/c/${encodeURIComponent(id)}/${encodeURIComponent(game.id)}` },
          h(
            'span',
            { class: 'pair' },
            h('span', { class: 'name' }, dot('black'), playerWords(game.black)),
            h('span', { class: 'name' }, dot('white'), playerWords(game.white)),
          ),
          h('span', { class: 'facts-line' }, `${game.id} · ${resultWords(game)} · ${t('stones', { n: game.plies })}`),
        ),
      ),
    );
  return h(
    'section',
    { class: 'sheet' },
    h('h2', {}, t('games', { n: all.length })),
    h('ul', { class: 'games' }, rows),
    all.length > shownGames
      ? button(
          t('more'),
          () => {
            shownGames += 100;
            draw(id);
          },
          { 'data-key': 'more-games' },
        )
      : null,
  );
}
