// One match or tournament: how far it is, the game under way, its table and how it came about, its games.
import { h, s, button, dot, stoneDot, written } from './dom.js';
import { dotOn, picture } from './board.js';
import { kindOf, stonesAfter } from './game.js';
import { api } from './api.js';
import { recall } from './prefs.js';
import { toast, toastError } from './toast.js';
import { t, contestWords, playerWords, resultWords, stoneName } from './words.js';

/** @import { Contest, Listed, LiveBoard, Tally } from './types.js' */
/** @typedef {number | null | undefined} Figure */

/** Over, or stopped by its owner. @param {Contest} contest */
export const ended = contest => contest.finished || !contest.running;

/**
 * @typedef {object} Shown
 * @property {string} id
 * @property {Contest | null} contest null until the server has answered
 * @property {number} games how many are listed
 * @property {{ player: string, result: string }} filter
 * @property {() => void} more lists more of them
 * @property {() => void} stopped
 * @property {(change: Partial<{ player: string, result: string }>) => void} choose
 */

/** @param {Shown} shown */
export function contestParts(shown) {
  const { id, contest, stopped } = shown;
  if (!contest) return h('p', { class: 'soft' }, '…');
  const owner = recall(`contest.${id}`, '');
  const phase = contest.finished ? 'finished' : ended(contest) ? 'halted' : 'running';
  const stop = () =>
    api
      .stopContest(id, owner)
      .then(() => {
        toast(t('stopped'));
        stopped();
      })
      .catch(toastError);
  return [
    h('p', {}, h('a', { href: '#/arena' }, `‹ ${t('arena')}`)),
    h('h1', { class: 'name' }, contestWords(contest.title)),
    h(
      'div',
      { class: 'row' },
      h('progress', { max: contest.planned || 1, value: contest.games, 'aria-label': t('gamesCount') }),
      h('span', { role: 'status' }, `${t('ofPlanned', { n: contest.games, of: contest.planned })} · ${t(phase)}`),
      !ended(contest) && owner ? button(t('stop'), stop, { 'data-key': 'stop' }) : null,
      h('a', { href: api.reportPath(id), target: '_blank', rel: 'noopener' }, t('report')),
    ),
    difference(contest),
    contest.now
      ? h(
          'section',
          { class: 'sheet' },
          h('h2', {}, t('liveBoards')),
          h('div', { class: 'live-boards' }, liveBoard(contest.now)),
        )
      : null,
    standings(contest),
    race(contest),
    crossTable(contest),
    gameList(shown, contest),
  ];
}

/**
 * The board of a game that is played just now.
 * @param {LiveBoard} now
 * @param {string} [href]
 * @param {string} [title]
 */
export function liveBoard(now, href, title) {
  const stones = stonesAfter(now, now.moves);
  const last = stones.at(-1);
  const label = `${now.black ?? '?'} – ${now.white ?? '?'}`;
  const marks = last ? [dotOn(now, last.cell)] : [];
  const player = (/** @type {string} */ stone, /** @type {string | null} */ name) =>
    h('span', { class: 'name' }, dot(now.drop ? `${stone} disc` : stone), playerWords(name ?? '?'));
  const inside = [
    title ? h('b', { class: 'facts-line' }, title) : null,
    picture(now, stones, label, marks),
    player('black', now.black),
    player('white', now.white),
  ];
  return href ? h('a', { class: 'live-board', href }, inside) : h('div', { class: 'live-board' }, inside);
}

const signed = (/** @type {number} */ n) => `${n > 0 ? '+' : n < 0 ? '−' : ''}${Math.abs(n).toFixed(0)}`;
const estimate = (/** @type {Figure} */ value, /** @type {Figure} */ error) =>
  value == null ? '–' : `${signed(value)}${error == null ? '' : ` ± ${error.toFixed(0)}`}`;

/** @param {Contest} contest */
function difference(contest) {
  if ((contest.elo == null && contest.los == null) || !contest.games) return null;
  return h(
    'dl',
    { class: 'facts' },
    h('dt', {}, t('difference')),
    h('dd', {}, `${estimate(contest.elo, contest.elo_error)} Elo`),
    contest.los == null ? null : [h('dt', {}, t('los')), h('dd', {}, `${(100 * contest.los).toFixed(1)}%`)],
  );
}

/** @typedef {string | [string, string]} Entry A text, or a text and how it looks. */

/** @param {string[]} heads @param {Entry[][]} rows @param {string} title */
function table(heads, rows, title) {
  const entry = (/** @type {Entry} */ one, /** @type {number} */ n) => {
    const [text, look] = typeof one === 'string' ? [one, ''] : one;
    return h('td', { class: `${n > 1 ? 'end' : 'name'} ${look}` }, text);
  };
  return h(
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
          rows.map(row => h('tr', {}, row.map(entry))),
        ),
      ),
    ),
  );
}

/** @param {Contest} contest */
function standings(contest) {
  const rows = contest.standings.map(one => [
    String(one.rank),
    playerWords(one.name),
    String(one.points),
    contest.games ? estimate(one.elo, one.elo_error) : '–',
    `${one.wins} / ${one.draws} / ${one.losses}`,
    String(one.faults),
  ]);
  return rows.length
    ? table([t('rank'), t('player'), t('points'), t('elo'), t('wdl'), t('faults')], rows, t('standings'))
    : null;
}

/** How the points of each player grew, game by game. @param {Contest} contest */
function race({ list, players }) {
  if (list.length < 2 || players.length > 6) return null;
  const [wide, tall] = [800, 160];
  const curves = players.map(({ name }) => {
    let points = 0;
    return [0].concat(
      list.map(game => {
        const won =
          (game.outcome === 'black' && game.black === name) || (game.outcome === 'white' && game.white === name);
        const plays = game.black === name || game.white === name;
        points += won ? 1 : plays && game.outcome === 'draw' ? 0.5 : 0;
        return points;
      }),
    );
  });
  const most = Math.max(1, ...curves.map(curve => curve[curve.length - 1]));
  const path = (/** @type {number[]} */ curve) =>
    curve
      .map(
        (value, n) =>
          `${n ? 'L' : 'M'}${((n / list.length) * wide).toFixed(1)} ${(tall - (value / most) * tall).toFixed(1)}`,
      )
      .join('');
  return h(
    'section',
    { class: 'sheet' },
    h('h2', {}, t('eloOverTime')),
    s(
      'svg',
      {
        class: 'race',
        viewBox: `0 -4 ${wide} ${tall + 8}`,
        preserveAspectRatio: 'none',
        role: 'img',
        'aria-label': t('eloOverTime'),
      },
      s('path', { class: 'base', d: `M0 ${tall}H${wide}` }),
      curves.map((curve, n) => s('path', { class: `race-${n}`, d: path(curve) })),
    ),
    h(
      'div',
      { class: 'legend' },
      players.map(({ name }, n) =>
        h(
          'span',
          {},
          s('svg', { viewBox: '0 0 20 10', 'aria-hidden': 'true' }, s('path', { class: `race-${n}`, d: 'M0 5H20' })),
          playerWords(name),
        ),
      ),
    ),
  );
}

/** @param {Contest} contest */
function crossTable(contest) {
  if (contest.players.length < 3) return null;
  const score = (/** @type {Tally} */ tally) => {
    const [own, other] = [tally.wins + tally.draws / 2, tally.losses + tally.draws / 2];
    const look = own > other ? 'good' : own < other ? 'bad' : 'even';
    return /** @type {Entry} */ (own + other ? [`${own} : ${other}`, look] : '');
  };
  const rows = contest.players.map((player, n) => [
    String(n + 1),
    playerWords(player.name),
    ...contest.cross[n].map(score),
  ]);
  return table(['', t('player'), ...contest.players.map((_, n) => String(n + 1))], rows, t('crossTable'));
}

/** The games, the last first, as many as are asked for. @param {Shown} shown @param {Contest} contest */
function gameList({ id, games, filter, more, choose }, { list: all, players, title }) {
  const kind = kindOf(title);
  const won = (/** @type {string} */ stone) => t('won', { side: stoneName({ drop: kind === 'connect4' }, stone) });
  if (!all.length) return null;
  const wanted = all.filter(
    game =>
      (!filter.player || game.black === filter.player || game.white === filter.player) &&
      (!filter.result || game.outcome === filter.result),
  );
  const select = (
    /** @type {'player' | 'result'} */ name,
    /** @type {string} */ word,
    /** @type {[string, string][]} */ options,
  ) =>
    h(
      'label',
      {},
      t(word),
      h(
        'select',
        { 'data-key': `contest-${name}`, onchange: event => choose({ [name]: written(event) }) },
        options.map(([value, words]) => h('option', { value, selected: value === filter[name] }, words)),
      ),
    );
  const rows = wanted.slice(-games).reverse();
  return h(
    'section',
    { class: 'sheet' },
    h('h2', {}, t('games', { n: all.length })),
    h(
      'div',
      { class: 'filters' },
      select('player', 'perPlayer', [
        ['', t('allPlayers')],
        ...players.map(({ name }) => /** @type {[string, string]} */ ([name, playerWords(name)])),
      ]),
      select('result', 'result', [
        ['', t('allResults')],
        ['black', won('black')],
        ['white', won('white')],
        ['draw', t('draw')],
      ]),
      h('span', { class: 'soft small' }, t('shown', { n: wanted.length })),
    ),
    h('ul', { class: 'games' }, grouped(rows, all, { id, kind, of: filter.player })),
    wanted.length > games ? button(t('more'), more, { 'data-key': 'more-games' }) : null,
  );
}

/** How many games stand under one heading. */
const GROUP = 10;

/** @typedef {{ id: string, kind: string, of: string }} Of The contest's name, its game, whose games they are. */

/** Rows with a heading before every ten games. @param {Listed[]} rows @param {Listed[]} all @param {Of} of */
function grouped(rows, all, of) {
  const number = new Map(all.map((game, n) => [game, n]));
  let group = -1;
  return rows.flatMap(game => {
    const at = Math.floor((number.get(game) ?? 0) / GROUP);
    const title = t('groupRound', { a: at * GROUP + 1, b: Math.min(all.length, (at + 1) * GROUP) });
    const head = at === group ? [] : [h('li', { class: 'group soft small' }, title)];
    group = at;
    return [...head, gameRow(game, of)];
  });
}

/** Who looks at one player's games sees what that one won and lost. @param {Listed} game @param {string} of */
const resultOf = (game, of) =>
  of && (game.outcome === 'black' || game.outcome === 'white')
    ? game[game.outcome] === of
      ? 'won'
      : 'lost'
    : game.outcome;

/** @param {Listed} game @param {Of} of */
const gameRow = (game, { id, kind, of }) =>
  h(
    'li',
    {},
    h(
      'a',
      { class: 'open', href: `#/c/${encodeURIComponent(id)}/${encodeURIComponent(game.id)}` },
      h(
        'span',
        { class: 'pair' },
        h('span', { class: 'name' }, stoneDot(kind, 'black'), playerWords(game.black)),
        h('span', { class: 'name' }, stoneDot(kind, 'white'), playerWords(game.white)),
      ),
      h(
        'span',
        { class: 'facts-line' },
        `${game.id} · `,
        h('span', { class: `outcome ${resultOf(game, of)}` }, resultWords({ ...game, game: kind })),
        ` · ${t('stones', { n: game.plies })}`,
      ),
    ),
  );
