// The review on the screen: the course of the game, one mistake at a time, and all of them in a list.
import { h, button } from './dom.js';
import { icon } from './icons.js';
import { view, change, mySide, redraw } from './view.js';
import { jumpGame } from './look.js';
import { graph, losses } from './graph.js';
import { gradeBadge, isSlip } from './grades.js';
import { beforeAfter, percent, sideOf } from './scores.js';
import { startTrying, stopTrying } from './retry.js';
import { trainMistakes } from './mistakes.js';
import { stonePicture } from './strip.js';
import { STONES, other } from './game.js';
import { verdictWords } from './status.js';
import { rivalLevel } from './tallies.js';
import { canMove } from './prefs.js';
import { gameWords, levelName, sayOf, sideName, stoneName, t } from './words.js';
import { kindOf } from './game.js';

/** @import { Reviewed, State, Stone } from './types.js' */

/** The mistakes that are listed: one's own, or everybody's. */
export function slips() {
  const mine = mySide();
  const both = view.reviewing?.both || !mine;
  return (view.review?.plies ?? []).filter(one => isSlip(one.grade) && (both || isMine(one)));
}

/** @param {Reviewed} one */
const isMine = one => one.stone === mySide();

/** The turn the review looks at. */
export const looked = () => view.review?.plies.find(one => one.ply === view.reviewing?.ply) ?? null;

/** @param {Reviewed} one */
function lookAt(one) {
  if (!view.reviewing) return;
  jumpGame(one.ply + one.turn.length);
  change({ reviewing: { ...view.reviewing, ply: one.ply, trying: null }, preview: [] });
  // Where the list stands below the board, the board comes back into sight.
  if (matchMedia('(max-width: 899px)').matches) scrollTo({ top: 0, behavior: canMove() ? 'smooth' : 'auto' });
  redraw();
}

/** Begins with the first mistake, if the review knows one; who made none sees what the other one did wrong. */
export const lookAtFirst = () => {
  const [first] = slips();
  if (first) lookAt(first);
  else if (view.reviewing) view.reviewing.both = true;
};

function closeReview() {
  change({ reviewing: null, preview: [], hint: [] });
  jumpGame(Infinity);
}

/** How the game ended, for its player or for anybody. @param {State} state */
function resultOf(state) {
  const { outcome } = state.verdict;
  const mine = mySide();
  if (!outcome || outcome === 'draw' || !mine)
    return outcome && outcome !== 'draw' ? t('won', { side: stoneName(state, outcome) }) : verdictWords(state);
  const [name, level] = [sideName(state, other(mine)), rivalLevel(state)];
  const rival = level ? t('atLevel', { name, level: levelName(level) }) : name;
  return t(outcome === mine ? 'wonAgainst' : 'lostTo', { name: rival });
}

/** The strip of a review: what was played, and both accuracies. @param {State} state */
export function reviewStrip(state) {
  const figure = (/** @type {Stone} */ stone) =>
    h(
      'div',
      { class: 'figure' },
      h('small', {}, stonePicture(state, stone), sideName(state, stone)),
      h('b', { class: 'num' }, String(sideOf(view.review, stone)?.accuracy ?? '–')),
    );
  const mine = mySide();
  const sides = mine ? [mine, other(mine)] : STONES;
  return [
    button(icon('back'), closeReview, {
      class: 'plain round',
      'aria-label': t('backToResult'),
      'data-key': 'review-close',
    }),
    h(
      'div',
      { class: 'who' },
      h('h2', { class: 'name' }, t('review')),
      h('small', {}, t('reviewOf', { game: gameWords(kindOf(state.game)), result: resultOf(state) })),
    ),
    h(
      'div',
      { class: 'accuracies', title: t('accuracy'), 'aria-label': t('accuracy'), role: 'group' },
      sides.map(figure),
    ),
  ];
}

/** The grade of the turn on the screen: the one that is tried, or the one that was played. */
const gradeNow = () => (view.reviewing?.trying ? view.reviewing.trying.answer : looked())?.grade ?? null;

/** @param {State} state */
export function reviewCard(state) {
  const { review } = view;
  const found = slips();
  return [
    h('div', { class: 'card review-graph' }, graph(state, { marks: true, axis: true }), losses(state)),
    h('div', { class: 'card verdict-card', 'data-grade': gradeNow() }, verdictCard(state, found)),
    h(
      'div',
      { class: 'card slips-card' },
      h(
        'div',
        { class: 'card-head' },
        h('b', {}, t(view.reviewing?.both || !mySide() ? 'allMistakes' : 'yourMistakes')),
        h('span', { class: 'tag' }, String(found.length)),
        review?.done
          ? null
          : h(
              'span',
              { class: 'soft small', role: 'status' },
              t('reviewing', { n: review?.looked ?? 0, of: review?.of ?? '…' }),
            ),
        h('span', { class: 'gap' }),
        review?.done && found.length ? trainButton() : null,
        mySide() ? whose() : null,
      ),
      h(
        'ol',
        { class: 'slips', tabindex: '0', 'aria-label': t('allMistakes') },
        found.map(one => slip(state, one)),
        review?.done && !found.length && looked() ? h('li', { class: 'soft none' }, t('noSlips')) : null,
      ),
    ),
  ];
}

/** The mistakes as puzzles. */
function trainButton() {
  const words = t(mySide() && !view.reviewing?.both ? 'trainMistakes' : 'trainAllMistakes');
  return button([icon('book'), h('span', {}, t('train'))], trainMistakes, {
    class: 'slips-train',
    title: words,
    'aria-label': words,
    'data-key': 'train-mistakes',
  });
}

function whose() {
  const choose = (/** @type {boolean} */ both) => () => {
    if (view.reviewing) view.reviewing.both = both;
    redraw();
  };
  const way = (/** @type {boolean} */ both, /** @type {string} */ word) =>
    button(t(word), choose(both), {
      'aria-pressed': String(view.reviewing?.both === both),
      'data-key': `review-${word}`,
    });
  return h('div', { class: 'segments small' }, way(false, 'mine'), way(true, 'both'));
}

/** The chance before and after, in percent, of the mover. @param {Reviewed} one */
const change2 = one => beforeAfter(one).map(percent);

/** @param {State} state @param {Reviewed} one */
function slip(state, one) {
  const [a, b] = change2(one);
  const current = view.reviewing?.ply === one.ply;
  return h(
    'li',
    {},
    button(
      [
        gradeBadge(one.grade),
        h('span', { class: 'num soft' }, String(one.ply + 1)),
        h('b', {}, one.turn.join(' ')),
        h('span', { class: 'why' }, sayOf(state, one.words ?? one.advice) || t(`is-${one.grade}`)),
        a === b ? null : h('span', { class: 'num soft' }, `${a} → ${b}`),
      ],
      () => lookAt(one),
      { class: 'slip', 'aria-current': current ? 'true' : null, 'data-key': `slip-${one.ply}` },
    ),
  );
}

/** What the review comes to, before a mistake is looked at. @param {Reviewed[]} found */
function foundWord(found) {
  if (!found.length) return 'noSlips';
  return mySide() && !found.some(isMine) ? 'noneOfYours' : 'reviewInvites';
}

/** One mistake in words, with ways to understand it. @param {State} state @param {Reviewed[]} found */
function verdictCard(state, found) {
  const { review, reviewing } = view;
  if (reviewing?.trying) return tryingCard(state);
  const one = looked();
  if (!one) {
    const words = !review?.done
      ? t('reviewing', { n: review?.looked ?? 0, of: review?.of ?? '…' })
      : t(foundWord(found));
    return [
      h('p', { class: 'verdict-words', role: 'status' }, review?.done ? null : h('span', { class: 'spinner' }), words),
      found.length
        ? h(
            'div',
            { class: 'verdict-actions' },
            button(t('showFirst'), lookAtFirst, { class: 'primary', 'data-key': 'first-slip' }),
          )
        : null,
    ];
  }
  const [a, b] = change2(one);
  const show = (/** @type {number} */ ply, /** @type {string[]} */ line) => () => {
    jumpGame(ply);
    change({ preview: line });
    redraw();
  };
  const end = one.ply + one.turn.length;
  return [
    h(
      'div',
      { class: 'verdict-head' },
      gradeBadge(one.grade, 'large'),
      h(
        'div',
        {},
        h('h3', {}, `${one.ply + 1} ${one.turn.join(' ')} ${t(`is-${one.grade}`)}`),
        h(
          'p',
          {},
          sayOf(state, one.words),
          ' ',
          one.advice ? h('b', { class: 'advice' }, sayOf(state, one.advice)) : null,
        ),
      ),
      a === b ? null : h('b', { class: 'drop num' }, t('fromTo', { a, b })),
    ),
    h(
      'div',
      { class: 'verdict-actions' },
      button([icon('again'), t('tryAgain')], () => startTrying(one.ply), { class: 'primary', 'data-key': 'try' }),
      one.reply.length
        ? button([icon('eye'), t('showWin', { side: stoneName(state, other(one.stone)) })], show(end, one.reply), {
            'data-key': 'show-reply',
          })
        : button([icon('eye'), t('showBest')], show(one.ply, one.line), { 'data-key': 'show-best' }),
      stepper(found, one),
    ),
  ];
}

/** @param {Reviewed[]} found @param {Reviewed} one */
function stepper(found, one) {
  const n = found.indexOf(one);
  if (n < 0) return null;
  const to = (/** @type {number} */ by, /** @type {string} */ sign) =>
    button(icon(sign), () => lookAt(found[n + by]), {
      class: 'plain',
      disabled: !found[n + by],
      'aria-label': t(sign),
      'data-key': `slip-${sign}`,
    });
  return h(
    'div',
    { class: 'stepper' },
    to(-1, 'back'),
    h('b', { class: 'num' }, t('ofSlips', { n: n + 1, of: found.length })),
    to(1, 'forward'),
  );
}

/** A better turn is sought on the board. @param {State} state */
function tryingCard(state) {
  const trying = view.reviewing?.trying;
  const one = looked();
  if (!trying || !one) return null;
  const { answer } = trying;
  const cell = trying.turn.join(' ');
  const good = answer && !isSlip(answer.grade);
  const words = trying.asked
    ? t('grading', { cell })
    : answer
      ? t(good ? 'tryGood' : 'tryBad', { cell, grade: t(`is-${answer.grade}`) })
      : t('tryNow', { side: stoneName(state, one.stone) });
  return [
    h(
      'div',
      { class: 'verdict-head', role: 'status' },
      answer ? gradeBadge(answer.grade, 'large') : trying.asked ? h('span', { class: 'spinner' }) : null,
      h('div', {}, h('h3', {}, words), h('p', {}, sayOf(state, answer?.words))),
    ),
    h(
      'div',
      { class: 'verdict-actions' },
      button([icon('back'), t('stopTrying')], () => (stopTrying(), lookAt(one)), {
        class: good ? 'primary' : '',
        'data-key': 'try-stop',
      }),
      good
        ? null
        : button(
            [icon('eye'), t('showBest')],
            () => (stopTrying(), jumpGame(one.ply), change({ preview: one.line }), redraw()),
            { 'data-key': 'show-best' },
          ),
    ),
  ];
}
