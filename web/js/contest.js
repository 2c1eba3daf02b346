// One match or tournament: how far it is, its table, its games.
import { h, button, dot } from './dom.js';
import { api } from './api.js';
import { recall } from './prefs.js';
import { toast, toastError } from './toast.js';
import { t, contestWords, playerWords, resultWords } from './words.js';

/** @import { Contest, Tally } from './types.js' */
/** @typedef {number | null | undefined} Figure */

/** Over, or stopped by its owner. @param {Contest} contest */
export const ended = contest => contest.finished || !contest.running;

/**
 * @typedef {object} Shown
 * @property {string} id
 * @property {Contest | null} contest null until the server has answered
 * @property {number} games how many are listed
 * @property {() => void} more lists more of them
 * @property {() => void} stopped
 */

/** @param {Shown} shown */
export function contestParts({ id, contest, games, more, stopped }) {
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
    standings(contest),
    crossTable(contest),
    gameList(id, contest, games, more),
  ];
}

const signed = (/** @type {number} */ n) => `${n > 0 ? '+' : n < 0 ? '−' : ''}${Math.abs(n).toFixed(0)}`;
const estimate = (/** @type {Figure} */ value, /** @type {Figure} */ error) =>
  value == null ? '–' : `${signed(value)}${error == null ? '' : ` ± ${error.toFixed(0)}`}`;

/** @param {Contest} contest */
function difference(contest) {
  if (contest.elo == null && contest.los == null) return null;
  return h(
    'dl',
    { class: 'facts' },
    h('dt', {}, t('difference')),
    h('dd', {}, `${estimate(contest.elo, contest.elo_error)} Elo`),
    contest.los == null ? null : [h('dt', {}, t('los')), h('dd', {}, `${(100 * contest.los).toFixed(1)} %`)],
  );
}

/** @param {string[]} heads @param {string[][]} rows @param {string} title */
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

/** @param {Contest} contest */
function standings(contest) {
  const rows = contest.standings.map(one => [
    String(one.rank),
    playerWords(one.name),
    String(one.points),
    estimate(one.elo, one.elo_error),
    `${one.wins} / ${one.draws} / ${one.losses}`,
    String(one.faults),
  ]);
  return rows.length
    ? table([t('rank'), t('player'), t('points'), t('elo'), t('wdl'), t('faults')], rows, t('standings'))
    : null;
}

/** @param {Contest} contest */
function crossTable(contest) {
  if (contest.players.length < 3) return null;
  const score = (/** @type {Tally} */ tally) =>
    tally.wins + tally.draws + tally.losses
      ? `${tally.wins + tally.draws / 2} : ${tally.losses + tally.draws / 2}`
      : '';
  const rows = contest.players.map((player, n) => [
    String(n + 1),
    playerWords(player.name),
    ...contest.cross[n].map(score),
  ]);
  return table(['', t('player'), ...contest.players.map((_, n) => String(n + 1))], rows, t('crossTable'));
}

/** @param {string} id @param {Contest} contest @param {number} games to show @param {() => void} more */
function gameList(id, { list: all }, games, more) {
  if (!all.length) return null;
  const rows = all
    .slice()
    .reverse()
    .slice(0, games)
    .map(game =>
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
    all.length > games ? button(t('more'), more, { 'data-key': 'more-games' }) : null,
  );
}
