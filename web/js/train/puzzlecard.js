// The card of a puzzle: what is to be done, how far one is, what was said, and what one can do.
import { h, button } from '../dom.js';
import { gradeGlyph } from '../grades.js';
import { s } from '../dom.js';
import { icon } from '../icons.js';
import { stonePicture } from '../strip.js';
import { again, hint, mover, next, place, retry, showTree, solving, waits } from './training.js';
import { gameWords, language, say, t } from '../words.js';
import { kindOf } from '../game.js';

/** @import { Child, Puzzle } from '../types.js' */

/** A square sign before words: right, wrong, or something to look for. @param {string} kind */
export const sign = kind =>
  h(
    'span',
    { class: `grade ${kind}`, 'aria-hidden': 'true' },
    kind === 'hint' ? icon('hint') : s('svg', { viewBox: '0 0 16 16' }, gradeGlyph(kind === 'right' ? 'best' : kind)),
  );

/** The first sentence stands out. @param {string} words */
export function sentence(words) {
  const [, first = words, rest = ''] = /^(.*?[.。！!]|[^.。]*$)(.*)$/s.exec(words) ?? [];
  return [h('b', {}, first), rest];
}

/** A box of words that keeps its place. @param {string} kind @param {Child} words */
export const feedback = (kind, words) =>
  h(
    'div',
    { class: `feedback ${kind}`, 'data-kind': kind },
    kind === 'busy' ? h('span', { class: 'spinner' }) : sign(kind),
    h('p', {}, words),
  );

/**
 * As many bars as there are turns; the one to find is half lit.
 * @param {number} done
 * @param {number} of
 * @param {boolean} over
 */
export const bars = (done, of, over) =>
  h(
    'div',
    { class: 'bars', role: 'img', 'aria-label': t('turnsDone', { n: done, of }) },
    Array.from({ length: Math.min(of, 20) }, (_, n) =>
      h('i', { class: n < done ? 'done' : n === done && !over ? 'now' : '' }),
    ),
  );

/** @param {Puzzle} puzzle */
function origin(puzzle) {
  const game = gameWords(kindOf(puzzle.start.game));
  const facts = { game, n: puzzle.number ?? '', rating: puzzle.rating };
  if (solving.source.kind === 'daily') return t('dailyOf', facts);
  return t(puzzle.theme === 'mistake' ? 'mistakeOf' : 'puzzleOf', facts);
}

/** A day for people. @param {string} day */
export const dayWords = day =>
  new Date(`${day}T12:00`).toLocaleDateString(language() === 'zh' ? 'zh-CN' : 'en', { month: 'long', day: 'numeric' });

/** What the puzzle did to the learner's rating, and when it comes again. */
function upshot() {
  const { counted, over } = solving;
  if (counted?.change == null || !over) return '';
  const n = Math.abs(counted.change);
  const words = t(counted.change > 0 ? 'ratingUp' : counted.change < 0 ? 'ratingDown' : 'ratingSame', { n });
  return [words, counted.again ? t('comesAgain', { day: dayWords(counted.again) }) : ''].filter(Boolean).join(' · ');
}

/** @param {Puzzle} puzzle */
function said(puzzle) {
  const { played, hint: told, over, tree } = solving;
  if (waits(solving)) return feedback('busy', t('judging'));
  if (tree && played?.verdict !== 'solved') return feedback('hint', [h('b', {}, t('tree')), ' ', upshot()]);
  if (over && played)
    return feedback('right', [sentence(say(played.words)), ' ', h('span', { class: 'upshot' }, upshot())]);
  if (told) return feedback('hint', say(told.words));
  if (played) return feedback(played.verdict === 'wrong' ? 'wrong' : 'right', sentence(say(played.words)));
  return feedback('hint', [h('b', {}, say(puzzle.name)), ' · ', say(puzzle.about)]);
}

/** The room of a head whose words are still to come. */
export const noHead = () => [
  h(
    'div',
    { class: 'task-title', 'aria-hidden': 'true' },
    h('p', { class: 'origin' }, '\u00a0'),
    h('h2', {}, '\u00a0'),
  ),
  h('div', { class: 'bars' }, h('i')),
];

/** @param {Puzzle | null} puzzle */
export function puzzleHead(puzzle) {
  if (!puzzle) return noHead();
  const { found, turns, over } = solving;
  return [
    h('div', { class: 'task-title' }, h('p', { class: 'origin' }, origin(puzzle)), h('h2', {}, say(puzzle.title))),
    stonePicture(puzzle.start, puzzle.to_move),
    bars(found, turns || puzzle.turns, over),
  ];
}

/** @param {Puzzle | null} puzzle */
export const puzzleBody = puzzle => {
  if (puzzle) return said(puzzle);
  return solving.empty ? feedback('hint', t(solving.source.kind === 'due' ? 'nothingDue' : 'nothingLeft')) : null;
};

/** The stone a finger aims at is placed by a button. */
const placeButton = () =>
  solving.aimed && mover()
    ? button([t('place'), h('small', {}, solving.aimed)], () => solving.aimed && place(solving.aimed), {
        class: 'primary place',
        'data-key': 'train-place',
      })
    : null;

/** Once a turn was wrong it is tried again; before there are hints, and afterwards the puzzle can be solved anew. */
function firstAction() {
  const { over, wrong, hint: told, asked, puzzle } = solving;
  const off = !puzzle || asked;
  if (over) return button([icon('again'), t('solvePuzzle')], again, { disabled: off, 'data-key': 'train-again' });
  if (wrong.length)
    return button([icon('again'), t('tryPuzzleAgain')], retry, { disabled: off, 'data-key': 'train-retry' });
  const spent = Boolean(told && told.step >= told.of);
  return button([icon('hint'), t(told ? 'moreHint' : 'hint')], hint, {
    disabled: off || spent,
    'data-key': 'train-hint',
  });
}

export function puzzleActions() {
  const { over, tree, asked, puzzle } = solving;
  const words = t(over ? 'solutionTree' : 'showSolution');
  return [
    firstAction(),
    tree ? null : button([icon('eye'), words], showTree, { disabled: !puzzle || asked, 'data-key': 'train-tree' }),
    placeButton(),
    button([t(over ? 'nextPuzzle' : 'skip'), icon('forward')], next, {
      class: over ? 'phone-only to-next' : 'quiet to-next',
      disabled: asked,
      'data-key': 'train-skip',
    }),
  ];
}
