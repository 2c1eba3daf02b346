// A puzzle on the screen: which one, what was tried, what was said about it. Plain state and what changes it; the
// engine judges every turn and plays the defence.
import { landing, stonesAfter, turnOf, winningLine } from '../game.js';
import { ask, inquire } from '../learner.js';
import { canMove, recall } from '../prefs.js';
import { play } from '../sound.js';
import { announce, toast, toastError } from '../toast.js';
import { redraw } from '../view.js';
import { say, t } from '../words.js';

/** @import { Branch, Difficulty, LessonEntry, Placed, Played, Puzzle, Start } from '../types.js' */
/** @import { TrainHint, TrainSet } from '../types.js' */
/**
 * @typedef {{ kind: 'next', game: string | null, theme: string | null, level: Difficulty | null }} Series
 * @typedef {{ kind: 'daily' } | { kind: 'due' } | { kind: 'one', id: string }} Single
 * @typedef {Series | Single} Source Where the puzzle came from, and where the next one comes from.
 */
/**
 * @typedef {object} Solving
 * @property {Source} source
 * @property {Puzzle | null} puzzle
 * @property {boolean} empty there is no puzzle of this kind left
 * @property {string[]} moves the stones since the puzzle's position
 * @property {string[]} turn the stones of this turn that lie already
 * @property {boolean} asked the engine judges, or its answer is on its way
 * @property {Played | null} played what was said of the last turn
 * @property {number} found how many turns were found
 * @property {number} turns how many it takes, as far as that is known
 * @property {string[]} wrong a turn that was wrong and still lies there
 * @property {TrainHint | null} hint
 * @property {boolean} helped
 * @property {boolean} over nothing is left to be found: it is solved or was shown
 * @property {{ change: number | null, again: string | null } | null} counted what the result did, once that is known
 * @property {Branch[] | null} tree
 * @property {boolean} cut whether the tree is larger than what is shown
 * @property {number[]} walk where in the tree one looks: which branch at each step
 * @property {string | null} aimed
 */

/** @returns {Solving} */
const nothing = () => ({
  source: { kind: 'next', game: null, theme: null, level: null },
  puzzle: null,
  empty: false,
  moves: [],
  turn: [],
  asked: false,
  played: null,
  found: 0,
  turns: 0,
  wrong: [],
  hint: null,
  helped: false,
  over: false,
  counted: null,
  tree: null,
  cut: false,
  walk: [],
  aimed: null,
});

export const solving = nothing();

/**
 * @typedef {{ sets: TrainSet[], lessons: LessonEntry[], due: Puzzle[], dueNext: string | null }} Lists
 */
/** What is listed beside the board. @type {Lists} */
export const lists = { sets: [], lessons: [], due: [], dueNext: null };

/** The lists and the learner's standing, anew. */
export async function refresh() {
  try {
    const [{ sets }, { lessons }, due] = await Promise.all([
      ask('train_sets', {}),
      ask('train_lessons', {}),
      ask('train_due', {}),
    ]);
    Object.assign(lists, { sets, lessons, due: due.puzzles, dueNext: due.next });
  } catch (error) {
    toastError(error);
  }
  redraw();
}

/** From when on a question has waited so long that one wants to see it wait, in milliseconds. */
const LONG = 700;
let asked = 0;

/** The engine is asked; if that takes long, it is shown. @param {{ asked: boolean }} who */
export function wait(who) {
  who.asked = true;
  asked = performance.now();
  setTimeout(redraw, LONG + 20);
}

/** Whether one waits for the engine, and has for some time. @param {{ asked: boolean }} who */
export const waits = who => who.asked && performance.now() - asked > LONG;

/** Grows with every puzzle that is opened: what is answered to an older one is dropped. */
let era = 0;

/** What is to be repeated: the first that suits. @param {(puzzle: Puzzle) => boolean} suits */
async function fetchDue(suits) {
  const { puzzles } = await ask('train_due', {});
  return { puzzle: puzzles.find(suits) ?? null };
}

/** Which game is trained; nothing is every game. Who comes for the first time begins with Gomoku. */
export function trained() {
  const chosen = recall('train.game', 'gomoku');
  const { source } = solving;
  return (chosen && source.kind === 'next' && source.game) || chosen;
}

/** @param {Source} source @param {string | null} after @returns {Promise<{ puzzle: Puzzle | null }>} */
function fetchPuzzle(source, after) {
  if (source.kind === 'daily') return ask('train_daily', {});
  // Only the learner has the mistakes of the learner's own games.
  if (source.kind === 'one' && source.id.startsWith('mine')) return fetchDue(one => one.id === source.id);
  if (source.kind === 'one') return inquire('train_puzzle', { id: source.id });
  if (source.kind === 'due') return fetchDue(one => one.id !== after);
  const { theme, level } = source;
  return ask('train_next', { game: source.game ?? (trained() || null), theme, level, after });
}

/** Opens a puzzle of this kind. @param {Source} source @param {string | null} [after] not this one again */
export async function open(source, after = null) {
  const mine = ++era;
  Object.assign(solving, { ...nothing(), source, puzzle: solving.puzzle });
  wait(solving);
  redraw();
  try {
    const { puzzle } = await fetchPuzzle(source, after);
    if (mine !== era) return;
    Object.assign(solving, { ...nothing(), source, puzzle, empty: !puzzle });
    if (puzzle) announce(`${say(puzzle.title)}. ${say(puzzle.about)}`);
  } catch (error) {
    if (mine === era) Object.assign(solving, { ...nothing(), source, empty: true });
    toastError(error);
  }
  redraw();
}

/** The next one of the same kind; after a single one, one near the learner's rating. */
export const next = () =>
  open(
    solving.source.kind === 'next' || solving.source.kind === 'due'
      ? solving.source
      : { kind: 'next', game: null, theme: null, level: null },
    solving.puzzle?.id ?? null,
  );

/** The turn that was wrong is taken back. */
export function retry() {
  Object.assign(solving, { wrong: [], turn: [], played: null });
  redraw();
}

/** The same puzzle from its beginning; it does not count again. */
export function again() {
  const { source, puzzle, counted, helped } = solving;
  era += 1;
  Object.assign(solving, { ...nothing(), source, puzzle, counted, helped });
  redraw();
}

/** The branch that each step of the walk took. @returns {Branch[]} */
export function walked() {
  /** @type {Branch[]} */
  const taken = [];
  let at = solving.tree ?? [];
  for (const n of solving.walk) {
    taken.push(at[n]);
    at = at[n].then;
  }
  return taken;
}

/** All stones since the puzzle's position, as they lie on the screen. */
export const since = () =>
  solving.tree ? walked().flatMap(branch => branch.turn) : [...solving.moves, ...solving.turn, ...solving.wrong];

/**
 * The stones of a position, those that came later numbered from 0.
 * @param {Start} start
 * @param {string[]} before
 * @param {string[]} later
 * @returns {Placed[]}
 */
export const numbered = (start, before, later) =>
  stonesAfter(start, [...before, ...later]).map(stone => ({ ...stone, n: Math.max(-1, stone.n - before.length) }));

/** Whose stone a click would place, or null. */
export function mover() {
  const { puzzle, over, asked, tree } = solving;
  if (!puzzle || over || asked || tree) return null;
  return turnOf(puzzle.start, puzzle.moves.length + solving.moves.length + solving.turn.length).stone;
}

/** How many stones the turn has that is to be played. */
const wanted = () => solving.played?.stones_left || solving.puzzle?.stones_left || 1;

/**
 * Where a stone comes to rest, or words that say why it cannot.
 * @param {Start} start
 * @param {Placed[]} stones
 * @param {string} cell
 */
export function rest(start, stones, cell) {
  const taken = new Set(stones.map(stone => stone.cell));
  const found = landing(start, taken, cell);
  if (!found)
    toast(
      start.drop
        ? t('columnFull', { c: cell.replace(/\d+/, '') })
        : t(taken.has(cell) ? 'taken' : 'blockedCell', { cell }),
    );
  return found;
}

/** A stone of the visitor. @param {string} aimed */
export function place(aimed) {
  const { puzzle } = solving;
  if (!puzzle) return;
  if (solving.tree) return walkTo(aimed);
  if (!mover()) return;
  solving.aimed = null;
  if (solving.turn.includes(aimed)) {
    // The first stone of a turn can be taken back.
    solving.turn = solving.turn.filter(cell => cell !== aimed);
    return redraw();
  }
  solving.wrong = [];
  const stones = numbered(puzzle.start, puzzle.moves, since());
  const cell = rest(puzzle.start, stones, aimed);
  if (!cell) return redraw();
  play('stone');
  solving.turn.push(cell);
  const won = winningLine(puzzle.start, numbered(puzzle.start, puzzle.moves, since()));
  if (solving.turn.length >= wanted() || won) judge();
  redraw();
}

/** Waits a moment where things may move, so that one stone is seen after another. */
const moment = () => new Promise(over => setTimeout(over, canMove() ? 380 : 0));

/** The engine says what the turn is worth, and answers it. */
async function judge() {
  const { puzzle, turn, moves } = solving;
  if (!puzzle) return;
  const mine = era;
  wait(solving);
  try {
    const [played] = await Promise.all([inquire('train_play', { puzzle: puzzle.line, moves, turn }), moment()]);
    if (mine !== era) return;
    await take(played);
  } catch (error) {
    if (mine === era) Object.assign(solving, { turn: [], asked: false });
    toastError(error);
  }
  redraw();
}

/** @param {Played} played */
async function take(played) {
  const { verdict } = played;
  Object.assign(solving, { played, turn: [], hint: null, asked: false });
  announce(say(played.words));
  if (verdict === 'wrong') {
    Object.assign(solving, { wrong: played.turn, moves: played.moves });
    return count('failed');
  }
  if (played.answer.length) play('stone');
  const { moves, done: found, turns } = played;
  Object.assign(solving, { moves, found, turns, over: verdict === 'solved' });
  if (verdict === 'solved') {
    play('end');
    await count(solving.helped ? 'helped' : 'solved');
  }
}

/** Only the first result of a puzzle counts. @param {'solved' | 'helped' | 'failed'} result */
async function count(result) {
  const { puzzle, counted } = solving;
  if (!puzzle || counted) return;
  const mine = era;
  solving.counted = { change: null, again: null };
  redraw();
  try {
    const { change, again } = await ask('train_finish', { puzzle: puzzle.line, result });
    if (mine === era) solving.counted = { change, again };
    refresh();
  } catch (error) {
    toastError(error);
  }
}

/** A hint, each clearer than the one before. */
export async function hint() {
  const { puzzle, moves } = solving;
  if (!puzzle || !mover()) return;
  const mine = era;
  const step = Math.min((solving.hint?.step ?? 0) + 1, solving.hint?.of ?? 3);
  Object.assign(solving, { wrong: [], turn: [] });
  wait(solving);
  redraw();
  try {
    const hint = await inquire('train_hint', { puzzle: puzzle.line, moves, step });
    if (mine !== era) return;
    Object.assign(solving, { hint, helped: true, played: null, asked: false });
    announce(say(hint.words));
  } catch (error) {
    if (mine === era) solving.asked = false;
    toastError(error);
  }
  redraw();
}

/** Gives up, or looks at everything after solving: the whole tree. */
export async function showTree() {
  const { puzzle } = solving;
  if (!puzzle || solving.tree) return;
  const mine = era;
  Object.assign(solving, { wrong: [], turn: [], hint: null });
  wait(solving);
  redraw();
  try {
    const { tree, cut } = await inquire('train_tree', { puzzle: puzzle.line });
    if (mine !== era) return;
    Object.assign(solving, { tree, cut, walk: [], over: true, asked: false });
    if (!solving.counted) await count('failed');
  } catch (error) {
    if (mine === era) solving.asked = false;
    toastError(error);
  }
  redraw();
}

/** What follows in the tree where one looks. @returns {Branch[]} */
export const branches = () => (solving.walk.length ? (walked().at(-1)?.then ?? []) : (solving.tree ?? []));

/** One step along a branch. @param {number} n */
export function step(n) {
  if (!branches()[n]) return;
  if (branches()[n].turn.length) play('stone');
  solving.walk.push(n);
  announce(branchWords(/** @type {Branch} */ (walked().at(-1))));
  redraw();
}

/** Back to where so many steps were taken. @param {number} n */
export function backTo(n) {
  solving.walk.length = n;
  redraw();
}

/** The first, the step before, or the end of the main line. @param {'first' | 'back' | 'forward' | 'last'} where */
export function stride(where) {
  const main = () =>
    Math.max(
      0,
      branches().findIndex(branch => branch.best),
    );
  if (where === 'first') solving.walk = [];
  else if (where === 'back') solving.walk.pop();
  else if (where === 'forward') return step(main());
  else while (branches().length && solving.walk.length < 200) solving.walk.push(main());
  redraw();
}

/** A stone on the board is a step of the walk, if the tree has it. @param {string} cell */
function walkTo(cell) {
  const column = cell.replace(/\d+/, '');
  const drop = solving.puzzle?.start.drop;
  const n = branches().findIndex(({ turn }) => turn.some(one => (drop ? one.startsWith(column) : one === cell)));
  if (n >= 0) step(n);
  else toast(t('notInTree'));
}

/** @param {Branch} branch */
export const branchWords = ({ turn }) => (turn.length ? turn.join(' ') : t('anythingElse'));
