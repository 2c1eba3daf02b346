// The place where one learns: puzzles and lessons on the board, and beside it what there is to learn.
import { h, put, attr, bringIntoSight, button, keepFocus } from '../dom.js';
import { BoardView } from '../boardview.js';
import { cellLabels } from '../play.js';
import { kindOf, knownBoard, turnOf, winningLine, stonesAfter } from '../game.js';
import { icon } from '../icons.js';
import { learner } from '../learner.js';
import { active, againInLesson, hintInLesson, laid, learnerStone, learning, openLesson } from './learning.js';
import { isSolved, placeInLesson, stepNow } from './learning.js';
import { lessonActions, lessonBody, lessonHead } from './lessoncard.js';
import { puzzleActions, puzzleBody, puzzleHead } from './puzzlecard.js';
import { treeCard } from './treecard.js';
import { bar, listsCard, showTab } from './lists.js';
import {
  again,
  hint,
  mover,
  next,
  numbered,
  open,
  place,
  refresh,
  retry,
  showTree,
  since,
  solving,
} from './training.js';
import { route } from '../router.js';
import { onChange, redraw } from '../view.js';
import { recall, remember, settings } from '../prefs.js';
import { gameWords, t } from '../words.js';

/** @import { Placed, Puzzle, Start } from '../types.js' */
/** @import { Shown } from '../boardview.js' */
/** @import { Source } from './training.js' */

/** @type {HTMLElement} */
let root;
/** @type {BoardView} */
let board;
const heading = h('h1', { class: 'unseen' });
const parts = {
  head: h('div', { class: 'task-head' }),
  body: h('div', { class: 'task-body', 'aria-live': 'off' }),
  actions: h('div', { class: 'task-actions' }),
  stats: h('div', { class: 'stats' }),
  lists: h('div', { class: 'card lists' }),
  foot: h('div', { class: 'train-foot' }),
};

/** Cells smaller than this on the screen are easily missed by a finger. */
const FINGER = 32;
const inLesson = () => route().id === 'lesson';
const ghost = () => (inLesson() ? learnerStone() : mover());

/** Whether a finger aims first. */
function aims() {
  const { aim } = settings();
  const start = inLesson() ? stepNow()?.start : solving.puzzle?.start;
  if (aim === 'never' || !ghost() || start?.drop) return false;
  return aim === 'always' || board.cellSize() < FINGER;
}

/** @param {string | null} cell */
function aim(cell) {
  (inLesson() ? learning : solving).aimed = cell;
  drawBoard();
  redraw();
}

/** @param {Element} main */
export function mountTrain(main) {
  if (!root) {
    const pick = (/** @type {string} */ cell) => (inLesson() ? placeInLesson(cell) : place(cell));
    board = new BoardView({ pick, hover: () => {}, aim }, aims);
    const card = h('div', { class: 'card task' }, parts.head, parts.body, parts.actions);
    const panel = h('div', { class: 'panel' }, card, parts.stats, parts.lists, parts.foot);
    root = h(
      'div',
      { class: 'play train' },
      heading,
      h('div', { class: 'no-gauge' }),
      h('div', { class: 'stage' }, board.element),
      panel,
    );
  }
  if (root.parentElement !== main) put(main, root);
  onChange(() => root.isConnected && draw());
  goTo();
  refresh();
  draw();
}

/** The puzzles that an address names. @returns {Source | null} */
function asked() {
  const { id, more, query } = route();
  if (id === 'daily' || id === 'due') return { kind: id };
  if (id === 'puzzle') return { kind: 'one', id: more };
  if (id === 'all') return { kind: 'next', game: null, theme: null, level: null };
  if (!id || id === 'lessons') return null;
  const level = query.get('level');
  const known = /** @type {const} */ (['easy', 'medium', 'hard']).find(one => one === level) ?? null;
  return { kind: 'next', game: id, theme: more || null, level: known };
}

/** Opens what the address names; without a name one goes on where one was. */
function goTo() {
  const { id, more, query } = route();
  if (id === 'lesson') return void openLesson(more, Number(query.get('step') ?? 1) - 1);
  if (id === 'lessons') showTab('lessons');
  const wanted = asked();
  const kept = recall('train.source', /** @type {Source} */ ({ kind: 'next', game: null, theme: null, level: null }));
  const source = wanted ?? (solving.puzzle ? solving.source : kept);
  if (source.kind === 'next') remember('train.source', source);
  const same = solving.puzzle && JSON.stringify(source) === JSON.stringify(solving.source);
  // A puzzle that was solved makes room; one that is being solved stays.
  if (!same || (wanted && solving.over)) open(source);
}

/** What is on the board: a puzzle's position or a lesson's. @returns {{ start: Start, stones: Placed[] } | null} */
function position() {
  if (inLesson()) {
    const step = stepNow();
    return step && { start: step.start, stones: numbered(step.start, step.moves, laid()) };
  }
  const { puzzle } = solving;
  return puzzle && { start: puzzle.start, stones: numbered(puzzle.start, puzzle.moves, since()) };
}

/**
 * How the other side goes on after a wrong turn, as ghosts with numbers.
 * @param {Puzzle} puzzle
 * @param {string[]} line
 */
const ghosts = (puzzle, line) => {
  const before = puzzle.moves.length + since().length;
  return line.slice(0, 12).map((cell, n) => ({
    ...stonesAfter({ ...puzzle.start, setup: null }, [cell])[0],
    ...turnOf(puzzle.start, before + n),
    n: since().length + n + 1,
  }));
};

/** What the board shows besides its stones in a puzzle. @returns {Partial<Shown>} */
function puzzleMarks() {
  const { puzzle, played, wrong, tree, hint: told, moves } = solving;
  if (!puzzle || tree) return {};
  const good = played && played.verdict !== 'wrong' && moves.length ? played.turn : [];
  return {
    hint: told?.cells ?? [],
    forbidden: solving.turn.length ? [] : (played?.forbidden ?? []),
    badges: [...good.map(cell => ({ cell, kind: 'right' })), ...wrong.map(cell => ({ cell, kind: 'wrong' }))],
    preview: wrong.length ? ghosts(puzzle, played?.refutation ?? []) : [],
  };
}

/** The same in a lesson: what the text speaks of, and what the learner marked. @returns {Partial<Shown>} */
function lessonMarks() {
  const step = stepNow();
  const { played, wrong, marked, moves } = learning;
  if (!step) return {};
  const good = played && played.verdict !== 'wrong' && moves.length ? played.turn : [];
  const kind = isSolved() ? 'right' : 'marked';
  return {
    hint: step.marks,
    forbidden: step.task?.mark || laid().length ? [] : step.forbidden,
    badges: [
      ...good.map(cell => ({ cell, kind: 'right' })),
      ...wrong.map(cell => ({ cell, kind: 'wrong' })),
      ...marked.map(cell => ({ cell, kind })),
    ],
  };
}

function drawBoard() {
  const found = position();
  const start = found?.start ?? knownBoard('gomoku');
  if (!start) return;
  const stones = found?.stones ?? [];
  const marks = inLesson() ? lessonMarks() : puzzleMarks();
  // A stone that was judged has a ring already.
  const judged = new Set(marks.badges?.map(badge => badge.cell));
  const last = stones.findLast(stone => !judged.has(stone.cell)) === stones.at(-1) ? stones.at(-1) : undefined;
  const label = cellLabels({ ...start, forbidden: marks.forbidden ?? [] }, stones);
  const chosen = new Set(inLesson() ? learning.marked : []);
  board.set({
    board: start,
    stones,
    pending: new Set(inLesson() ? learning.turn : solving.turn),
    lastTurn: last && last.turn >= 0 ? last.turn : -2,
    line: winningLine(start, stones) ?? [],
    forbidden: [],
    ghost: ghost(),
    hint: [],
    candidates: [],
    preview: [],
    threats: [],
    mustHit: [],
    badges: [],
    numbers: true,
    aimed: inLesson() ? learning.aimed : solving.aimed,
    label: cell => (chosen.has(cell) ? `${label(cell)}${t('comma')}${t('marked')}` : label(cell)),
    title: t('boardOf', { game: gameWords(kindOf(start.game)), w: start.width, h: start.height }),
    ...marks,
  });
  attr(board.element, { 'data-turn': inLesson() ? active() : ghost(), 'data-aims': aims() });
  attr(root, { 'data-game': kindOf(start.game) });
}

/** The learner's standing in three boxes. */
function stats() {
  const now = learner.summary;
  const change = now ? Math.round(now.today.change) : 0;
  const how = !now?.sure ? 'provisional' : change > 0 ? 'upToday' : change < 0 ? 'downToday' : 'steady';
  const stat = (
    /** @type {string} */ name,
    /** @type {string} */ value,
    /** @type {import('../types.js').Child} */ below,
  ) =>
    h(
      'div',
      { class: 'card stat', 'data-stat': name },
      h('small', {}, t(name)),
      h('b', { class: 'num' }, value),
      below,
    );
  const { solved = 0, goal = 10 } = now?.today ?? {};
  return [
    stat(
      'rating',
      now ? String(Math.round(now.rating)) : '–',
      h('small', { class: now ? how : '' }, now ? t(how, { n: Math.abs(change) }) : '\u00a0'),
    ),
    stat('inARow', now ? String(now.row.now) : '–', h('small', {}, now ? t('bestRow', { n: now.row.best }) : '\u00a0')),
    stat('today', now ? t('ofGoal', { n: solved, of: goal }) : '–', bar(Math.min(solved, goal), goal, t('today'))),
  ];
}

function foot() {
  const days = learner.summary?.days.now ?? 0;
  return [
    h('span', { class: 'days' }, icon('flame'), h('b', {}, days ? t('daysRunning', { n: days }) : t('noDays'))),
    inLesson()
      ? h(
          'a',
          { class: 'as-button', href: '#/train/lessons', 'data-key': 'all-lessons' },
          icon('book'),
          t('allLessons'),
        )
      : button([t('nextPuzzle'), icon('forward')], next, {
          class: 'primary',
          disabled: !solving.over && !solving.empty,
          'data-key': 'train-next',
        }),
  ];
}

function draw() {
  const lesson = inLesson();
  const { puzzle, tree } = solving;
  attr(root, { 'data-mode': lesson ? 'lesson' : tree ? 'tree' : 'puzzle' });
  const put2 = (/** @type {HTMLElement} */ element, /** @type {import('../types.js').Child} */ inside) =>
    keepFocus(element, () => put(element, inside));
  put2(parts.head, lesson ? lessonHead() : puzzleHead(puzzle));
  put2(parts.body, lesson ? lessonBody() : puzzleBody(puzzle));
  put2(parts.actions, lesson ? lessonActions() : puzzleActions());
  put2(parts.stats, stats());
  drawLists(!lesson && tree ? treeCard() : listsCard());
  put2(parts.foot, foot());
  put(heading, t('train'));
  drawBoard();
}

let current = '';

/** The list keeps its place while it is drawn anew; another set that is chosen comes into sight. */
function drawLists(/** @type {import('../types.js').Child} */ inside) {
  const top = parts.lists.querySelector('.sets')?.scrollTop ?? 0;
  keepFocus(parts.lists, () => put(parts.lists, inside));
  const list = parts.lists.querySelector('.sets');
  if (!list) return;
  list.scrollTop = top;
  const here = list.querySelector('.set[aria-current]');
  const key = here?.getAttribute('data-key') ?? '';
  if (key === current || !here) return;
  current = key;
  bringIntoSight(list, here, 56);
}

/** What keys do here. @returns {Record<string, () => void>} */
export const trainKeys = () => ({
  b: () => board?.focus(),
  h: inLesson() ? hintInLesson : hint,
  s: () => !inLesson() && showTree(),
  n: () => !inLesson() && next(),
  r: () => (inLesson() ? againInLesson() : solving.wrong.length ? retry() : again()),
});
