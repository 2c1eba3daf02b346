// A lesson on the screen: its step, what was tried in its task, and what was said about it.
import { turnOf, winningLine } from '../game.js';
import { ask, inquire, learner } from '../learner.js';
import { canMove } from '../prefs.js';
import { play } from '../sound.js';
import { announce, toastError } from '../toast.js';
import { numbered, refresh, rest, wait } from './training.js';
import { redraw } from '../view.js';
import { say } from '../words.js';

/** @import { Lesson, Played } from '../types.js' */
/**
 * @typedef {object} Learning
 * @property {Lesson | null} lesson
 * @property {number} n which step
 * @property {string[]} moves stones since the step's position
 * @property {string[]} turn stones of this turn that lie already
 * @property {string[]} wrong a turn that was wrong and still lies there
 * @property {string[]} marked cells that the learner marked
 * @property {string} number what was typed
 * @property {boolean} asked
 * @property {Played | null} played
 * @property {boolean} hinted
 * @property {string | null} aimed
 */

const untouched = () => ({
  /** @type {string[]} */ moves: [],
  /** @type {string[]} */ turn: [],
  /** @type {string[]} */ wrong: [],
  /** @type {string[]} */ marked: [],
  number: '',
  asked: false,
  /** @type {Played | null} */ played: null,
  hinted: false,
  /** @type {string | null} */ aimed: null,
});

/** @type {Learning} */
export const learning = { lesson: null, n: 0, ...untouched() };

/** Grows with every step that is opened: what is answered to an older one is dropped. */
let era = 0;

/** The step on the screen. */
export const stepNow = () => learning.lesson?.steps[learning.n] ?? null;
export const isSolved = () => learning.played?.verdict === 'solved';
/** Steps of this lesson that are done. */
export const doneSteps = () => learner.summary?.lessons[learning.lesson?.id ?? ''] ?? [];

/** @param {string} id @param {number} n */
export async function openLesson(id, n) {
  const mine = ++era;
  if (learning.lesson?.id !== id) Object.assign(learning, { lesson: null, n: 0, ...untouched() });
  try {
    const lesson = learning.lesson ?? (await inquire('train_lesson', { id })).lesson;
    if (mine !== era) return;
    Object.assign(learning, { lesson, n: Math.max(0, Math.min(n, lesson.steps.length - 1)), ...untouched() });
    const { words, task } = lesson.steps[learning.n];
    announce([say(words), say(task?.words)].join(' '));
    if (!task) learnt();
  } catch (error) {
    toastError(error);
  }
  redraw();
}

/** This step is done. */
async function learnt() {
  const { lesson, n } = learning;
  if (!lesson || doneSteps().includes(n)) return;
  try {
    await ask('train_learnt', { lesson: lesson.id, step: n });
    refresh();
  } catch (error) {
    toastError(error);
  }
}

/** All stones since the step's position, as they lie on the screen. */
export const laid = () => [...learning.moves, ...learning.turn, ...learning.wrong];

/** Whether a click does something: places a stone, or marks a cell. */
export function active() {
  const step = stepNow();
  return Boolean(step?.task && !step.task.number && !learning.asked && !isSolved());
}

/** Whose stone a click would place, or null. */
export function learnerStone() {
  const step = stepNow();
  if (!step || !active() || step.task?.mark) return null;
  return turnOf(step.start, step.moves.length + learning.moves.length + learning.turn.length).stone;
}

/** @param {string} aimed */
export function placeInLesson(aimed) {
  const step = stepNow();
  if (!step || !active()) return;
  learning.aimed = null;
  if (step.task?.mark) return mark(aimed);
  if (learning.turn.includes(aimed)) {
    learning.turn = learning.turn.filter(cell => cell !== aimed);
    return redraw();
  }
  learning.wrong = [];
  const stones = () => numbered(step.start, step.moves, laid());
  const cell = rest(step.start, stones(), aimed);
  if (!cell) return redraw();
  play('stone');
  learning.turn.push(cell);
  const wanted = learning.played?.stones_left || step.stones_left;
  if (learning.turn.length >= wanted || winningLine(step.start, stones())) check(learning.turn);
  redraw();
}

/** @param {string} cell */
function mark(cell) {
  const { marked } = learning;
  learning.marked = marked.includes(cell) ? marked.filter(one => one !== cell) : [...marked, cell];
  learning.played = null;
  redraw();
}

/** What was marked or typed is checked. */
export function checkAnswer() {
  const task = stepNow()?.task;
  if (!task || learning.asked || isSolved()) return;
  if (task.number && !learning.number.trim()) return;
  check(task.mark ? learning.marked : [learning.number.trim()]);
}

/** @param {string[]} turn */
async function check(turn) {
  const { lesson, n, moves } = learning;
  if (!lesson) return;
  const mine = era;
  wait(learning);
  redraw();
  const moment = new Promise(over => setTimeout(over, canMove() && learning.turn.length ? 380 : 0));
  try {
    const asked = inquire('train_task', { lesson: lesson.id, step: n, moves, turn });
    const [played] = await Promise.all([asked, moment]);
    if (mine !== era) return;
    const stones = learning.turn.length > 0;
    const wrong = played.verdict === 'wrong' && stones ? turn : [];
    Object.assign(learning, { played, wrong, turn: [], asked: false, moves: stones ? played.moves : [] });
    announce(say(played.words));
    if (played.answer.length) play('stone');
    if (played.verdict === 'solved') await learnt();
  } catch (error) {
    if (mine === era) Object.assign(learning, { turn: [], asked: false });
    toastError(error);
  }
  redraw();
}

/** The task of this step from its beginning. */
export function againInLesson() {
  era += 1;
  Object.assign(learning, untouched());
  redraw();
}

export function hintInLesson() {
  learning.hinted = true;
  const hint = stepNow()?.task?.hint;
  if (hint) announce(say(hint));
  redraw();
}
