// What there is to learn: sets of puzzles by theme and difficulty, lessons, and what is to be repeated.
import { h, button, written } from '../dom.js';
import { icon } from '../icons.js';
import { go } from '../router.js';
import { learner } from '../learner.js';
import { dayWords } from './puzzlecard.js';
import { lists, solving, trained } from './training.js';
import { recall, remember } from '../prefs.js';
import { redraw } from '../view.js';
import { progressMenu } from './progress.js';
import { gameWords, say, t } from '../words.js';
import { kindOf } from '../game.js';

/** @import { Child, Difficulty, LessonEntry, Puzzle, TrainSet } from '../types.js' */
/** @typedef {'themes' | 'lessons' | 'repeat'} Tab */

const LEVELS = /** @type {Difficulty[]} */ (['easy', 'medium', 'hard']);

/** A thin bar that says how much is done. @param {number} done @param {number} of @param {string} label */
export const bar = (done, of, label) =>
  h('progress', { class: 'thin', value: done, max: Math.max(1, of), 'aria-label': label });

/**
 * @param {string} key
 * @param {string} href
 * @param {Child} words
 * @param {Child} about
 * @param {Child} right
 * @param {boolean} here
 */
const row = (key, href, words, about, right, here) =>
  h(
    'li',
    {},
    h(
      'a',
      { class: 'set', href, 'aria-current': here ? 'true' : null, 'data-key': key },
      h('span', { class: 'set-name' }, h('b', {}, words), h('small', {}, about)),
      right,
      icon('forward'),
    ),
  );

/** @param {number} done @param {number} of @param {string} name */
const measure = (done, of, name) => [
  bar(done, of, `${name}: ${t('solvedOf', { n: done, of })}`),
  h('span', { class: 'set-count num', 'aria-hidden': 'true' }, t('solvedOf', { n: done, of })),
];

/** Whether the puzzle on the screen is of this set. @param {TrainSet} set */
const isHere = set =>
  solving.source.kind === 'next' && solving.source.game === set.game && solving.source.theme === set.theme;

/** @param {TrainSet} set */
const setRow = set => {
  const name = say(set.name);
  const about = trained() ? say(set.about) : `${gameWords(set.game)} · ${say(set.about)}`;
  const here = isHere(set);
  return [
    row(
      `set-${set.game}-${set.theme}`,
      `#/train/${set.game}/${set.theme}`,
      name,
      about,
      measure(set.solved, set.count, name),
      here,
    ),
    here ? h('li', { class: 'levels-row' }, levels(set)) : null,
  ];
};

/** How hard the puzzles of the set are. @param {TrainSet} set */
function levels(set) {
  const chosen = solving.source.kind === 'next' ? solving.source.level : null;
  const way = (/** @type {Difficulty | null} */ level) => {
    const [count, solved] = level ? set.levels[level] : [set.count, set.solved];
    const attributes = {
      'aria-pressed': String(chosen === level),
      disabled: !count,
      title: t('solvedOf', { n: solved, of: count }),
      'data-key': `level-${level ?? 'any'}`,
    };
    const to = `#/train/${set.game}/${set.theme}${level ? `?level=${level}` : ''}`;
    return button(t(level ?? 'anyLevel'), () => go(to), attributes);
  };
  return h('div', { class: 'segments small' }, way(null), LEVELS.map(way));
}

function themes() {
  const rating = learner.summary ? Math.round(learner.summary.rating) : '';
  const { source } = solving;
  const free = source.kind === 'next' && !source.theme;
  const done = learner.summary?.daily ? [h('span', { class: 'tag jade' }, t('doneWord'))] : null;
  return [
    row('set-rating', '#/train/all', t('atMyRating'), t('atMyRatingAbout', { n: rating }), null, free),
    row('set-daily', '#/train/daily', t('daily'), t('dailyAbout'), done, source.kind === 'daily'),
    lists.sets.filter(set => !trained() || set.game === trained()).map(setRow),
  ];
}

/** @param {LessonEntry} lesson */
const lessonRow = lesson =>
  row(
    `lesson-${lesson.id}`,
    `#/train/lesson/${lesson.id}`,
    say(lesson.title),
    say(lesson.about),
    measure(lesson.done.length, lesson.steps, say(lesson.title)),
    false,
  );

/** @param {Puzzle} puzzle */
const dueRow = puzzle =>
  row(
    `due-${puzzle.id}`,
    `#/train/puzzle/${encodeURIComponent(puzzle.id)}`,
    say(puzzle.title),
    `${gameWords(kindOf(puzzle.start.game))} · ${say(puzzle.name)}`,
    null,
    solving.puzzle?.id === puzzle.id,
  );

function repeat() {
  const due = learner.summary?.due ?? lists.due.length;
  return [
    h('li', { class: 'soft about-repeat' }, t('repeatAbout')),
    h(
      'li',
      { class: 'repeat-head' },
      due
        ? [
            h('b', {}, t('dueNow', { n: due })),
            button(t('repeatNow'), () => go('#/train/due'), { class: 'primary', 'data-key': 'repeat-now' }),
          ]
        : h('span', {}, lists.dueNext ? t('nothingDueUntil', { day: dayWords(lists.dueNext) }) : t('nothingDue')),
    ),
    lists.due.map(dueRow),
    h('li', { class: 'soft about-repeat' }, t('myMistakes', { n: learner.summary?.mistakes ?? 0 })),
  ];
}

/** @type {Record<Tab, () => Child[]>} */
const INSIDE = { themes, lessons: () => lists.lessons.map(lessonRow), repeat };

/** @returns {Tab} */
export const tab = () => recall('train.tab', /** @type {Tab} */ ('themes'));

/** @param {Tab} chosen */
export const showTab = chosen => remember('train.tab', chosen);

/** @param {Tab} name */
function tabButton(name) {
  const due = name === 'repeat' ? (learner.summary?.due ?? 0) : 0;
  const choose = () => {
    showTab(name);
    redraw();
  };
  const words = due ? [t(name), h('span', { class: 'due num' }, String(due))] : t(name);
  const title = due ? t('dueNow', { n: due }) : null;
  return button(words, choose, {
    'aria-pressed': String(tab() === name),
    title,
    'data-key': `tab-${name}`,
  });
}

/** Which games' themes are listed. */
function gameChoice() {
  const games = [...new Set(lists.sets.map(set => set.game))];
  const choose = (/** @type {Event} */ event) => {
    remember('train.game', written(event));
    // A set of another game is left.
    if (trained() !== written(event)) go('#/train/all');
    redraw();
  };
  return h(
    'select',
    { class: 'game-choice', 'aria-label': t('everyGame'), onchange: choose, 'data-key': 'train-game' },
    ['', ...games].map(name =>
      h('option', { value: name, selected: name === trained() }, name ? gameWords(name) : t('everyGame')),
    ),
  );
}

export const listsCard = () => [
  h(
    'div',
    { class: 'card-head' },
    h('div', { class: 'segments small' }, tabButton('themes'), tabButton('lessons'), tabButton('repeat')),
    tab() === 'themes' ? gameChoice() : tab() === 'repeat' ? progressMenu() : null,
  ),
  h('ul', { class: 'sets', tabindex: '0', 'aria-label': t(tab()) }, INSIDE[tab()]()),
];
