// The place where games are played and looked at: the board, the bar beside it, and the panel.
import { h, put, attr } from './dom.js';
import { BoardView } from './boardview.js';
import { STONES, stonesAfter, turnOf, winningLine, kindOf } from './game.js';
import { pick } from './pick.js';
import { view, path, actor, clickable, atEnd, isOver, onChange, lookedAt } from './view.js';
import { chance, short, colour, distinct } from './scores.js';
import { Panel } from './panel.js';
import { offeredMarks } from './opening.js';
import { t, gameWords } from './words.js';

/** @import { Advice, Placed, State } from './types.js' */

/** @type {BoardView} */
let board;
/** @type {Panel} */
let panel;
/** @type {HTMLElement} */
let root;
const gauge = h(
  'div',
  { class: 'gauge', role: 'meter', 'aria-valuemin': 0, 'aria-valuemax': 100 },
  h('div', { class: 'gauge-black' }),
  h('span'),
);

/**
 * Builds the place once; afterwards it is only put back.
 * @param {Element} place
 * @param {{ newGame: () => void }} actions
 */
export function mountPlay(place, actions) {
  if (!root) {
    board = new BoardView({ pick: (cell, touch) => pick(cell, touch, board.cellSize()), hover: hovered });
    panel = new Panel(actions);
    root = h('div', { class: 'play' }, h('div', { class: 'stage' }, gauge, board.element), panel.element);
  }
  if (root.parentElement !== place) put(place, root);
  onChange(() => root.isConnected && draw());
  draw();
}

export const focusBoard = () => board?.focus();
/** @param {boolean} [languageChanged] */
export const drawPlay = (languageChanged = false) => {
  if (!root?.isConnected) return;
  if (languageChanged) panel.rebuild();
  draw();
};
export const openTab = (/** @type {string} */ name) => panel.open(name);

/** @param {string | null} cell */
function hovered(cell) {
  const line = cell && lines().find(one => one.cells[0] === cell);
  const next = line ? line.cells : [];
  if (String(next) === String(view.preview)) return;
  view.preview = next;
  draw();
}

/** @returns {Advice[]} */
const lines = () => (view.analysing && view.analysis ? view.analysis.info.lines : []);

/** @returns {import('./boardview.js').Candidate[]} */
function candidates() {
  const all = lines().filter(line => line.cells.length);
  if (!all.length || !view.state) return [];
  const best = chance(all[0]);
  const pair = turnOf(view.state, path().length).left === 2;
  const seen = new Set();
  return all
    .slice(0, view.state.drop ? 31 : 9)
    .filter(line => !seen.has(line.cells[0]) && seen.add(line.cells[0]))
    .map((line, n) => ({
      cell: line.cells[0],
      also: pair ? line.cells[1] : undefined,
      label: short(line),
      line: line.cells,
      colour: colour(n, best - chance(line)),
    }));
}

/** @param {State} state @param {Placed[]} stones */
function labels(state, stones) {
  const on = new Map(stones.map(stone => [stone.cell, stone.stone]));
  const blocked = new Set(state.blocked);
  const forbidden = new Set(state.forbidden);
  return (/** @type {string} */ cell) => {
    const what = on.get(cell) ?? (blocked.has(cell) ? 'blocked' : forbidden.has(cell) ? 'forbidden' : 'empty');
    return t('cellIs', { cell, what: t(what) });
  };
}

/** @param {State} state */
function previewStones(state) {
  const start = path().length;
  return view.preview.map((cell, n) => ({
    ...stonesAfter({ ...state, setup: null }, [cell])[0],
    ...turnOf(state, start + n),
    n: n + 1,
  }));
}

function threatLayer() {
  const found = view.analysing && view.threats ? view.analysis?.threats : null;
  if (!found) return [];
  return STONES.flatMap(stone =>
    distinct(found[stone])
      .slice(0, 40)
      .map(({ kind, cells }) => ({ kind, cells, stone })),
  );
}

/** @param {State} state */
function winning(state) {
  const stones = stonesAfter(state, path());
  if (atEnd()) return state.winning_line ?? [];
  return winningLine(state, stones) ?? [];
}

function draw() {
  const { state } = view;
  attr(root, { 'data-empty': state ? null : '', 'data-making': view.making || Boolean(view.pending) });
  if (state) drawBoard(state);
  drawGauge();
  panel.draw();
  document.title = title();
}

/** @param {State} state */
function drawBoard(state) {
  const stones = stonesAfter(state, path());
  const last = stones.at(-1);
  board.set({
    board: state,
    stones,
    lastTurn: last && last.turn >= 0 ? last.turn : -2,
    line: winning(state),
    forbidden: atEnd() ? state.forbidden : [],
    ghost: clickable(),
    hint: view.hint.concat(view.tapped ?? []),
    candidates: candidates().concat(offeredMarks()),
    preview: previewStones(state),
    threats: threatLayer(),
    mustHit: (view.analysing && view.threats && view.analysis?.must_hit) || [],
    label: labels(state, stones),
    title: t('boardOf', { game: gameWords(kindOf(state.game)), w: state.width, h: state.height }),
  });
  attr(board.element, { 'data-turn': clickable(), 'data-over': atEnd() && isOver() });
}

/** Black's chance at the position on the screen, if anybody knows. */
function blackChance() {
  const best = lines()[0];
  const { state } = view;
  if (!best || !state) return null;
  const own = chance(best);
  return turnOf(state, path().length).stone === 'black' ? own : 1 - own;
}

function drawGauge() {
  const black = blackChance();
  gauge.hidden = !view.analysing;
  const percent = Math.round(100 * (black ?? 0.5));
  /** @type {HTMLElement} */ (gauge.firstElementChild).style.setProperty('--black', `${percent}%`);
  put(/** @type {Element} */ (gauge.lastElementChild), black == null ? '' : String(percent));
  attr(gauge, { 'aria-valuenow': percent, 'aria-label': t('evaluation'), title: t('evaluation') });
}

function title() {
  const { state } = view;
  if (!state) return 'Lianzi 连子';
  const mine = atEnd() && !isOver() && !view.draft && state.you.includes(actor(state));
  return `${mine ? '● ' : ''}${gameWords(kindOf(state.game))}${lookedAt() ? ` · ${lookedAt()}` : ''} – Lianzi 连子`;
}
