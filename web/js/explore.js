// The opening explorer: what was played from the position on the screen, in the games of this browser, of the library
// and of contests, and what the engine thinks of it.
import { h, button } from './dom.js';
import { view, isStill, mayAsk, path } from './view.js';
import { api } from './api.js';
import { analyse } from './advice.js';
import { bestLines, valueHelp, valueWords } from './analysis.js';
import { isOpen, openDialog } from './dialog.js';
import { blackScore, exploredRows } from './explored.js';
import { toastError } from './toast.js';
import { say, sayOf, t } from './words.js';

/** @import { Explored } from './types.js' */

/** How many moves are shown. */
const MOST = 12;

/** What is shown, and from which position. @type {{ found: Explored, moves: string } | null} */
let shown = null;

/** Asks, and shows what was found; the engine looks at the position as long as the window is open. */
export async function openExplorer() {
  try {
    const moves = path().join(' ');
    shown = { found: await api.explore(view.state?.game ?? '', moves), moves };
    const before = view.analysing;
    // A game that is only shown would have to be kept first; that is for the one who looks to decide.
    if (!before && mayAsk() && !isStill() && !view.draft) analyse(true);
    draw().onclose = () => before || !view.analysing || analyse(false);
  } catch (error) {
    toastError(error);
  }
}

/** The engine has said more of the position. */
export const drawExplorer = () => isOpen('explorer') && shown?.moves === path().join(' ') && draw();

function draw() {
  const ask = button(t('exploredAsk'), () => analyse(true), { 'data-key': 'explored-ask' });
  const inside = shown ? [h('p', { 'data-key': 'explored' }, summary(shown.found)), table(shown.found)] : [];
  return openDialog('explorer', t('explore'), inside, mayAsk() && !view.analysing ? ask : null);
}

/** Words with the colours of this game's stones. @param {string} key @param {Record<string, number>} [values] */
const told = (key, values) => sayOf(view.state ?? { drop: false }, t(key, values));

/** @param {Explored} found */
function summary({ named, looked, total }) {
  const name = named ? `${say(named)}. ` : '';
  return name + told('explored', { n: total.games, of: looked, b: total.black, d: total.draws, w: total.white });
}

/** @param {Explored} found */
function table(found) {
  const rows = exploredRows(found, mayAsk() ? bestLines() : []).slice(0, MOST);
  if (!rows.length) return null;
  const heads = ['exploredCell', 'exploredGames', 'exploredScore', 'exploredEngine'];
  const row = (/** @type {typeof rows[number]} */ { line, ...one }) => {
    const score = blackScore(one);
    return h(
      'tr',
      { 'data-key': `explored-${one.cell}` },
      h('th', { scope: 'row' }, one.cell),
      h('td', {}, String(one.games)),
      h('td', {}, score == null ? '–' : t('exploredMove', { s: score, b: one.black, d: one.draws, w: one.white })),
      h('td', { title: line ? valueHelp(line) : null }, line ? valueWords(line) : '–'),
    );
  };
  return h(
    'table',
    { class: 'explored' },
    h('thead', {}, h('tr', {}, ...heads.map(key => h('th', { scope: 'col' }, told(key))))),
    h('tbody', {}, ...rows.map(row)),
  );
}
