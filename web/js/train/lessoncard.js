// The card of a lesson: its steps, the text, the task and what was said about it.
import { h, button, written } from '../dom.js';
import { icon } from '../icons.js';
import { go } from '../router.js';
import { feedback, noHead, sentence } from './puzzlecard.js';
import { lists, waits } from './training.js';
import { againInLesson, checkAnswer, doneSteps, hintInLesson, isSolved, learnerStone } from './learning.js';
import { learning, placeInLesson, stepNow } from './learning.js';
import { kindOf } from '../game.js';
import { gameWords, say, sayOf, t } from '../words.js';

/** @param {string} id @param {number} n */
const address = (id, n) => `#/train/lesson/${id}${n ? `?step=${n + 1}` : ''}`;

/** Where the first sentence is bold, nothing else is. @param {string} text */
const plain = text => text.replaceAll('**', '');

/** Text with **bold** words, paragraph by paragraph. @param {string} text */
const paragraphs = text =>
  text.split(/\n\s*\n/).map(part =>
    h(
      'p',
      {},
      part.split('**').map((words, n) => (n % 2 ? h('b', {}, words) : words)),
    ),
  );

const place = () => lists.lessons.findIndex(one => one.id === learning.lesson?.id);

export function lessonHead() {
  const { lesson, n } = learning;
  if (!lesson) return noHead();
  const facts = { n: place() + 1, of: lists.lessons.length, game: gameWords(kindOf(lesson.game)) };
  const dot = (/** @type {unknown} */ _, /** @type {number} */ at) => {
    const done = doneSteps().includes(at);
    const attributes = {
      class: `bar-link${done ? ' done' : at === n ? ' now' : ''}`,
      href: address(lesson.id, at),
      'aria-label': t(done ? 'stepDone' : 'stepOpen', { n: at + 1 }),
      'aria-current': at === n ? 'step' : null,
      'data-key': `step-${at}`,
    };
    return h('a', attributes);
  };
  return [
    h(
      'div',
      { class: 'task-title' },
      h('p', { class: 'origin' }, place() < 0 ? facts.game : t('lessonOf', facts)),
      h('h2', {}, say(lesson.title)),
    ),
    h(
      'nav',
      { class: 'bars', 'aria-label': t('stepOf', { n: n + 1, of: lesson.steps.length }) },
      lesson.steps.map(dot),
    ),
  ];
}

/** What stands below the text: the task, or what was said of it. */
function verdict() {
  const { played, hinted } = learning;
  const step = stepNow();
  if (!step?.task) return null;
  const words = (/** @type {import('../words.js').Said} */ said) => sayOf(step.start, said);
  if (waits(learning)) return feedback('busy', t('judging'));
  if (played) return feedback(played.verdict === 'wrong' ? 'wrong' : 'right', sentence(plain(words(played.words))));
  if (hinted && step.task.hint) return feedback('hint', plain(words(step.task.hint)));
  return feedback('hint', [h('b', {}, words(step.task.words)), step.task.mark ? ` ${t('markCells')}` : '']);
}

/** A number is typed. */
function numberBox() {
  const step = stepNow();
  if (!step?.task?.number) return null;
  return h(
    'form',
    { class: 'number-box', onsubmit: event => (event.preventDefault(), checkAnswer()) },
    h(
      'label',
      {},
      t('yourNumber'),
      ' ',
      h('input', {
        type: 'number',
        inputmode: 'numeric',
        min: 0,
        max: 99,
        class: 'short',
        value: learning.number,
        disabled: isSolved(),
        'data-key': 'lesson-number',
        oninput: event => {
          learning.number = written(event);
        },
      }),
    ),
  );
}

export const lessonBody = () => {
  const step = stepNow();
  if (!step) return null;
  return [
    h(
      'div',
      { class: 'lesson-text', tabindex: '0', role: 'group', 'aria-label': t('lessons') },
      paragraphs(sayOf(step.start, step.words)),
      numberBox(),
    ),
    verdict(),
  ];
};

/** Where one goes from here: the next step, the next lesson, or the puzzles. @returns {[string, string]} */
function onwards() {
  const { lesson, n } = learning;
  if (!lesson) return ['#/train/lessons', 'allLessons'];
  if (n + 1 < lesson.steps.length) return [address(lesson.id, n + 1), 'stepOn'];
  const after = lists.lessons[place() + 1];
  return after ? [address(after.id, 0), 'nextLesson'] : ['#/train', 'lessonsOver'];
}

/** Marks and numbers are checked by a button; stones are judged at once. */
function checking() {
  const task = stepNow()?.task;
  if (!task || isSolved()) return null;
  const { wrong, asked, moves, aimed } = learning;
  if (aimed && learnerStone())
    return button([t('place'), h('small', {}, aimed)], () => placeInLesson(aimed), {
      class: 'primary place phone-only',
      'data-key': 'lesson-place',
    });
  if (task.mark || task.number)
    return button(t('check'), checkAnswer, { class: 'primary', disabled: asked, 'data-key': 'lesson-check' });
  if (wrong.length || moves.length)
    return button([icon('again'), t('lessonTry')], againInLesson, { disabled: asked, 'data-key': 'lesson-again' });
  return null;
}

export function lessonActions() {
  const { lesson, n, asked, hinted } = learning;
  const task = stepNow()?.task;
  const [href, words] = onwards();
  const open = !task || isSolved();
  return [
    n && lesson
      ? h(
          'a',
          {
            class: 'as-button step-back',
            href: address(lesson.id, n - 1),
            'aria-label': t('stepBack'),
            'data-key': 'lesson-back',
          },
          icon('back'),
        )
      : null,
    task?.hint && !isSolved()
      ? button([icon('hint'), t('hint')], hintInLesson, { disabled: asked || hinted, 'data-key': 'lesson-hint' })
      : null,
    checking(),
    button([t(words), icon('forward')], () => go(href), {
      class: open ? 'primary to-next' : 'quiet to-next',
      'data-key': 'lesson-next',
    }),
  ];
}
