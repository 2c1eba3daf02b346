// The place where games are played and looked at: the board, the bar beside it, and the panel.
import { h, put, renew, attr } from './dom.js';
import { BoardView } from './boardview.js';
import { STONES, index, kindOf, stonesAfter, turnOf, winningLine } from './game.js';
import { pick } from './pick.js';
import { jump } from './look.js';
import { view, path, actor, clickable, atEnd, isOver, lookedAt, onChange, redraw, tryPath, withSent } from './view.js';
import { colour, distinct, percent, short } from './scores.js';
import { bestLines, blackChance, valueHelp, valueWords } from './analysis.js';
import { chanceHere } from './graph.js';
import { looked } from './reviewing.js';
import { Panel } from './panel.js';
import { offeredMarks } from './opening.js';
import { recall, remember, settings } from './prefs.js';
import { readDropped } from './loading.js';
import { toast } from './toast.js';
import { gameWords, stoneName, t } from './words.js';

/** @import { Board, Placed, State } from './types.js' */
/** @import { Badge, Candidate } from './boardview.js' */

/** @type {BoardView} */
let board;
/** @type {Panel} */
let panel;
/** @type {HTMLElement} */
let root;
const heading = h('h1', { class: 'unseen' });
const gauge = h(
  'div',
  { class: 'gauge', role: 'meter', 'aria-valuemin': 0, 'aria-valuemax': 100 },
  h('div', { class: 'gauge-fill' }),
  h('i', { class: 'gauge-even' }),
  h('span', { class: 'gauge-number' }),
);

/** Cells smaller than this on the screen are easily missed by a finger. */
const FINGER = 32;

/** Whether a finger aims first: where cells are small, or where the reader said so. */
function aims() {
  const { aim } = settings();
  if (aim === 'never' || !clickable() || view.state?.drop) return false;
  return aim === 'always' || board.cellSize() < FINGER;
}

/** @type {() => void} */
let renamed = () => {};
let named = '';

/**
 * Builds the place once; afterwards it is only put back.
 * @param {Element} place
 * @param {() => void} other another game
 */
export function mountPlay(place, other) {
  renamed = other;
  if (!root) {
    board = new BoardView({ pick, hover: hovered, aim }, aims);
    panel = new Panel();
    const stage = h('div', { class: 'stage', onwheel: wheel }, board.element);
    root = h('div', { class: 'play' }, heading, gauge, stage, panel.element);
    readDropped(root);
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

let turned = 0;
/** The wheel over the board steps through the game. @param {WheelEvent} event */
function wheel(event) {
  if (event.ctrlKey || !view.state?.moves.length) return;
  event.preventDefault();
  const now = performance.now();
  if (now - turned < 60) return;
  turned = now;
  jump(lookedAt() + Math.sign(event.deltaY));
}

/** The crosshair follows the finger at once; the rest is drawn when it lets go. @param {string | null} cell */
function aim(cell) {
  view.aimed = cell;
  // Who aims for the first time is told how to go on.
  if (cell && !recall('aimed', false)) {
    remember('aimed', true);
    toast(t('aimHelp'));
  }
  if (view.state) drawBoard(view.state);
  redraw();
}

/** @param {string | null} cell */
function hovered(cell) {
  const line = cell && bestLines().find(one => one.cells[0] === cell);
  const next = line ? line.cells : [];
  if (!bestLines().length || String(next) === String(view.preview)) return;
  view.preview = next;
  draw();
}

/** Whether a value above a column can be read as words. */
const hasRoom = () => board.cellSize() >= 64;

/** @param {State} state @returns {Candidate[]} */
function candidates(state) {
  const all = bestLines();
  if (!all.length) return [];
  const pair = turnOf(state, path().length).left === 2;
  const seen = new Set();
  return all
    .slice(0, state.drop ? 31 : 9)
    .filter(line => {
      const key = pair ? line.cells.slice(0, 2).sort().join() : line.cells[0];
      return !seen.has(key) && seen.add(key);
    })
    .map((line, n) => ({
      cell: line.cells[0],
      also: pair ? line.cells[1] : undefined,
      label: state.drop && (line.win_in == null || hasRoom()) ? valueWords(line) : short(line),
      colour: colour(line, all[0]),
      best: n === 0,
      words: valueHelp(line),
    }));
}

/**
 * What a screen reader says of each cell.
 * @param {Board & { forbidden: string[], fouls?: string[] }} state
 * @param {Placed[]} stones
 */
export function cellLabels(state, stones) {
  const on = new Map(stones.map(stone => [stone.cell, stone.stone]));
  const blocked = new Set(state.blocked);
  const forbidden = new Map(state.forbidden.map((cell, n) => [cell, state.fouls?.[n]]));
  return (/** @type {string} */ cell) => {
    const stone = on.get(cell);
    const foul = forbidden.get(cell);
    const what = stone
      ? stoneName(state, stone)
      : blocked.has(cell)
        ? t('blocked')
        : forbidden.has(cell)
          ? [t('forbidden'), foul ? t(`foul-${foul}`) : ''].filter(Boolean).join(t('comma'))
          : t('empty');
    return t('cellIs', { cell, what });
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
  const one = looked();
  if (view.reviewing && one?.threat && !view.preview.length)
    return [{ kind: one.threat.kind, cells: one.threat.cells, stone: one.stone === 'black' ? 'white' : 'black' }];
  const found = view.threats ? view.analysis?.threats : null;
  if (!found) return [];
  return STONES.flatMap(stone =>
    distinct(found[stone])
      .slice(0, 40)
      .map(({ kind, cells }) => ({ kind, cells, stone })),
  );
}

/** The mistake that is looked at, and what would have been better. @returns {Badge[]} */
function badges() {
  const one = looked();
  if (!view.reviewing || !one || view.preview.length) return [];
  const { trying } = view.reviewing;
  if (trying) return trying.answer ? trying.turn.map(cell => ({ cell, kind: trying.answer?.grade ?? 'good' })) : [];
  if (lookedAt() !== one.ply + one.turn.length) return [];
  return [
    ...one.turn.map(cell => ({ cell, kind: one.grade })),
    ...one.best.filter(cell => !one.turn.includes(cell)).map(cell => ({ cell, kind: 'best', ghost: one.stone })),
  ];
}

/** @param {State} state @param {Placed[]} stones */
function winning(state, stones) {
  if (atEnd() && !view.reviewing?.trying) return state.winning_line ?? [];
  return winningLine(state, stones) ?? [];
}

function draw() {
  const { state } = view;
  attr(root, {
    'data-empty': state ? null : '',
    'data-making': view.making,
    'data-game': state ? kindOf(state.game) : null,
    'data-analysing': view.analysing,
  });
  panel.draw();
  if (state) drawBoard(state);
  drawGauge();
  const words = state ? `${gameWords(state.game)} · ${state.width}×${state.height}` : 'Lianzi';
  renew(heading, words);
  if (named !== `${words} ${view.id} ${view.analysing}`) {
    named = `${words} ${view.id} ${view.analysing}`;
    renamed();
  }
  document.title = title();
}

/** @param {State} state */
function drawBoard(state) {
  const shown = view.reviewing?.trying ? tryPath() : withSent();
  const stones = stonesAfter(state, shown);
  const last = stones.at(-1);
  const one = looked();
  board.set({
    board: state,
    stones,
    pending: new Set(atEnd() ? view.sent.map(sent => sent.cell) : []),
    lastTurn: last && last.turn >= 0 ? last.turn : -2,
    line: winning(state, stones),
    forbidden: atEnd() && !view.sent.length ? state.forbidden : [],
    ghost: clickable(),
    hint: view.hint,
    candidates: view.reviewing ? [] : candidates(state).concat(offeredMarks()),
    preview: previewStones(state),
    threats: threatLayer(),
    mustHit: view.reviewing
      ? (one && !view.preview.length && !view.reviewing.trying && one.stops) || []
      : (view.threats && view.analysis?.must_hit) || [],
    badges: badges(),
    numbers: settings().numbers,
    aimed: view.aimed,
    label: cellLabels(state, stones),
    title: t('boardOf', { game: gameWords(kindOf(state.game)), w: state.width, h: state.height }),
  });
  attr(board.element, { 'data-turn': clickable(), 'data-over': atEnd() && isOver(), 'data-aims': aims() });
}

function drawGauge() {
  const { state } = view;
  // What is tried out has no course: only the engine knows something of it.
  const black = state ? (blackChance(state) ?? (view.explore ? null : chanceHere(state))) : null;
  const value = percent(black ?? 0.5);
  gauge.style.setProperty('--black', `${value}%`);
  const best = bestLines()[0];
  const ahead = value >= 50 ? 'black' : 'white';
  const number = black == null ? '' : best?.win_in ? 'W' : String(Math.max(value, 100 - value));
  renew(/** @type {Element} */ (gauge.lastElementChild), number);
  const words = state ? t('evaluation', { side: stoneName(state, 'black') }) : '';
  attr(gauge, {
    class: `gauge ${ahead}${state?.drop ? ' drop' : ''}${black == null ? ' unknown' : ''}`,
    'aria-valuenow': value,
    'aria-valuetext': black == null ? '–' : `${value}%`,
    'aria-label': words,
    title: words,
  });
}

function title() {
  const { state } = view;
  if (!state) return 'Lianzi 连子';
  const mine =
    atEnd() && !isOver() && !view.draft && state.you.includes(actor(state)) && state.sides[1 - index(actor(state))];
  return `${mine ? '● ' : ''}${gameWords(kindOf(state.game))}${lookedAt() ? ` · ${lookedAt()}` : ''} – Lianzi 连子`;
}
