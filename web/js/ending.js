// The end of a game: who won and why, and what to do next.
import { h, s, button } from './dom.js';
import { icon } from './icons.js';
import { view, isStill, mySide } from './view.js';
import { makeGame, playOn, sameGame } from './open.js';
import { openReview } from './advice.js';
import { requestOr } from './friends.js';
import { graph } from './graph.js';
import { gradeBadge, GRADES, isSlip } from './grades.js';
import { sideOf } from './scores.js';
import { other, STONES } from './game.js';
import { resultsAt, rivalLevel } from './tallies.js';
import { endWords, seriesWords } from './status.js';
import { levelName, numberWords, sayOf, sideName, stoneName, t } from './words.js';
import { jumpGame } from './look.js';

/** @import { Reviewed, State, Stone } from './types.js' */

/** @param {State} state */
export function endCard(state) {
  const played = [
    summary(state),
    graph(state, { marks: true, axis: true }),
    h('div', { class: 'moments' }, moments(state)),
  ];
  return [
    h('div', { class: 'result' }, h('div', { class: 'result-words' }, headline(state), reason(state)), wins(state)),
    h('div', { class: 'result-actions' }, choices(state)),
    state.moves.length ? played : null,
  ];
}

/** @param {State} state */
function headline(state) {
  const { outcome } = state.verdict;
  const mine = mySide();
  const words =
    outcome === 'draw'
      ? t('itIsDraw')
      : mine
        ? t(outcome === mine ? 'youWon' : 'youLost')
        : t('won', { side: stoneName(state, outcome ?? 'black') });
  return h('h2', { class: 'headline' }, words);
}

/** @param {State} state */
function reason(state) {
  const line = state.winning_line;
  const words =
    state.verdict.ending === 'line' && line?.length
      ? t('lineEnd', {
          n: capital(numberWords(line.length)),
          from: line[0],
          to: line[line.length - 1],
          k: state.moves.length,
        })
      : endWords(state).replace(/[^.。]$/, end => end + t('fullStop'));
  return h('p', { class: 'reason' }, state.series ? `${words} ${seriesWords(state)}` : words);
}

const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The last games against this level. @param {State} state */
function wins(state) {
  const level = rivalLevel(state);
  const all = level ? resultsAt(state.game, level).slice(-5) : [];
  if (!all.length) return null;
  return h(
    'div',
    { class: 'wins' },
    h('small', {}, t('winsHere')),
    h(
      'div',
      { class: 'wins-line' },
      all.map(won => h('i', { class: won ? 'won' : '' })),
      h('b', {}, t('nOfM', { n: all.filter(Boolean).length, m: all.length })),
    ),
  );
}

/** @param {string} key @param {string} sign @param {string} words @param {() => void} act @param {string} [kind] */
const choice = (key, sign, words, act, kind = '') =>
  button([icon(sign), h('span', {}, words)], act, { class: `big ${kind}`, 'data-key': key });

/** @param {State} state */
function choices(state) {
  // Nobody can be told what was wrong where nothing was played.
  const review = state.moves.length ? choice('review', 'review', t('review'), openReview, 'primary') : null;
  if (isStill() || state.kept || !state.you.length)
    return [review, choice('go-on', 'board', t('playFromHere'), playOn)];
  const next = state.series && !state.series.over;
  return [
    review,
    choice('next', next ? 'forward' : 'again', t(next ? 'nextGame' : 'rematch'), () => requestOr('next')),
    levelStep(state),
  ];
}

/** One level up for who won, one down for who lost; who drew has found the right one. @param {State} state */
function levelStep(state) {
  const level = rivalLevel(state);
  if (!level || state.verdict.outcome === 'draw') return null;
  const won = state.verdict.outcome === mySide();
  const next = level + (won ? 1 : -1);
  if (next < 1 || next > 10) return null;
  const go = () => {
    const wanted = sameGame();
    if (!wanted) return;
    const sides = wanted.sides.map(side => ({ ...side, player: side.player.replace(/level=\d+/, `level=${next}`) }));
    void makeGame({ ...wanted, sides });
  };
  const words = t(won ? 'levelUp' : 'levelDown', { name: levelName(next) });
  return choice('level-step', won ? 'up' : 'down', words, go);
}

/** How well both played, as far as the review knows. @param {State} state */
function summary(state) {
  const { review } = view;
  if (!review?.sides) {
    return h('div', { class: 'figures-box empty' }, h('p', { class: 'soft' }, t('reviewInvites')));
  }
  const [left, right] = mySide() === 'white' ? /** @type {Stone[]} */ (['white', 'black']) : STONES;
  const counts = (/** @type {Stone} */ stone) => sideOf(review, stone)?.grades;
  return h(
    'div',
    { class: 'figures-box' },
    dial(state, left),
    h(
      'ul',
      { class: 'grade-table' },
      GRADES.map(grade => {
        const of = (/** @type {Stone} */ stone) => String(counts(stone)?.[/** @type {'best'} */ (grade)] ?? 0);
        return h(
          'li',
          {},
          h('b', { class: 'num' }, of(left)),
          gradeBadge(grade),
          h('span', {}, t(`grade-${grade}`)),
          h('b', { class: 'num' }, of(right)),
        );
      }),
    ),
    dial(state, right),
  );
}

/** A side's accuracy. @param {State} state @param {Stone} stone */
function dial(state, stone) {
  // Half a review says nothing about a whole game.
  const value = view.review?.done ? sideOf(view.review, stone)?.accuracy : null;
  const around = 2 * Math.PI * 29;
  const part = ((value ?? 0) / 100) * around;
  return h(
    'div',
    { class: `dial ${mySide() === other(stone) ? 'other' : ''}` },
    s(
      'svg',
      { viewBox: '0 0 68 68', role: 'img', 'aria-label': `${t('accuracy')}: ${value ?? '–'}` },
      s('circle', { class: 'dial-ground', cx: 34, cy: 34, r: 29 }),
      value
        ? s('circle', { class: 'dial-value', cx: 34, cy: 34, r: 29, 'stroke-dasharray': `${part} ${around}` })
        : null,
      s('text', { x: 34, y: 35 }, value == null ? '–' : String(Math.round(value))),
    ),
    h('small', {}, sideName(state, stone)),
  );
}

/** The turn that decided the game, and the best one that was found. @param {State} state */
function moments(state) {
  const { review } = view;
  if (!review) return null;
  if (!review.done)
    return h(
      'p',
      { class: 'moment soft', role: 'status' },
      h('span', { class: 'spinner' }),
      t('reviewing', { n: review.looked, of: review.of }),
    );
  const turning = review.plies.find(one => one.ply === review.turning) ?? null;
  const find = review.plies.find(
    one =>
      one.grade === 'best' && one.ply > 3 && (one.after_in ?? 0) !== 0 && winsBy(one) && one.stone !== turning?.stone,
  );
  const row = (/** @type {Reviewed | null | undefined} */ one, /** @type {string} */ word) =>
    one
      ? button(
          [
            gradeBadge(one.grade),
            h(
              'span',
              {},
              h('b', {}, t(word, { n: one.ply + 1, cell: one.turn.join(' ') })),
              ' ',
              sayOf(state, one.words ?? one.advice),
            ),
          ],
          () => jumpGame(one.ply + one.turn.length),
          { class: 'moment', 'data-key': `moment-${one.ply}` },
        )
      : null;
  return [row(turning, 'turning'), row(find, 'bestFind')];
}

/** Whether a turn has a proven win behind it. @param {Reviewed} one */
const winsBy = one => one.after_in != null && one.after_in > 0 === (one.stone === 'black') && !isSlip(one.grade);
