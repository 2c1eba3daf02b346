// The card in the panel: analysis, the course of the game and its moves; at the end the result; or a review.
import { h, attr, bringIntoSight, put, renew, button } from './dom.js';
import { icon } from './icons.js';
import { view, atEnd, isOver, isStill, lookedAt, mayAsk, mayKeep, total, variations } from './view.js';
import { jump, leaveLine } from './look.js';
import { playOn, openGame } from './open.js';
import { analysisHead, analysisLines, threatWords } from './analysis.js';
import { graph } from './graph.js';
import { moveRows, spot } from './moves.js';
import { endCard } from './ending.js';
import { reviewCard } from './reviewing.js';
import { offerNotice } from './friends.js';
import { openingNotice } from './opening.js';
import { openLoading } from './loading.js';
import { transport } from './transport.js';
import { recall } from './prefs.js';
import { kindOf } from './game.js';
import { percent } from './scores.js';
import { t } from './words.js';

/** @import { State } from './types.js' */

/** What the card shows. */
export const mode = () => (view.reviewing ? 'review' : isEnd() ? 'end' : 'play');

/** Whether a game that was played here has just its result to show; one of the library shows its moves. */
const isEnd = () => isOver() && atEnd() && !isStill() && !view.state?.kept && !view.analysing && !view.threats;

export class Card {
  constructor() {
    this.element = h('div', { class: 'middle' });
    this.rebuild();
  }

  rebuild() {
    this.moves = h('ol', { class: 'moves' });
    this.body = h('div', { class: 'list', tabindex: '0', 'aria-label': t('moves'), role: 'region' });
    this.notice = h('div', { class: 'notice', role: 'status' });
    this.listBox = h('div', { class: 'list-box' }, this.body, this.notice);
    this.play = h('div', { class: 'card play-card' });
    this.end = h('div', { class: 'card end-card' });
    /** @type {string} */
    this.listed = '';
    /** @type {string} */
    this.followed = '';
    /** @type {string} */
    this.marked = '';
    /** @type {string} */
    this.held = '';
    /** @type {string} */
    this.slip = '';
  }

  draw() {
    const { state } = view;
    const now = mode();
    this.element.dataset.mode = now;
    if (!state) return put(this.element, h('div', { class: 'card' }));
    if (now === 'play') return this.drawPlay(state);
    this.followed = '';
    if (now === 'review') return this.drawReview(state);
    const end = /** @type {HTMLElement} */ (this.end);
    put(this.element, end);
    renew(end, endCard(state), this.noticeOf(state));
  }

  /** The list of mistakes stays where it was scrolled to; another one that is looked at comes into sight. */
  drawReview(/** @type {State} */ state) {
    const top = this.element.querySelector('.slips')?.scrollTop ?? 0;
    put(this.element, reviewCard(state));
    const list = this.element.querySelector('.slips');
    if (!list) return;
    list.scrollTop = top;
    const here = list.querySelector('.slip[aria-current]');
    const key = here?.getAttribute('data-key') ?? '';
    if (here && key !== this.slip) bringIntoSight(list, here);
    this.slip = key;
  }

  /** @param {State} state */
  drawPlay(state) {
    const body = /** @type {HTMLElement} */ (this.body);
    const [top, left] = [body.scrollTop, body.scrollLeft];
    const list = this.listOf(state);
    const held = `${view.id} ${state.moves}`;
    const other = this.held !== held;
    this.held = held;
    // A thought changes what differs; with other moves it is another card, whose parts have not come from elsewhere.
    if (other) {
      this.play = h('div', { class: 'card play-card' });
      this.listBox = h('div', { class: 'list-box' });
    }
    const [play, listBox] = [/** @type {HTMLElement} */ (this.play), /** @type {HTMLElement} */ (this.listBox)];
    attr(play, { class: `card play-card${view.analysing ? ' analysing' : ''}${state.drop ? ' drop' : ''}` });
    put(this.element, play);
    put(listBox, list, this.noticeOf(state));
    renew(play, analysisHead(state), analysisLines(state), graph(state), listBox, transport('full'));
    if (other) [body.scrollTop, body.scrollLeft] = [top, left];
    this.follow();
  }

  /** @param {State} state */
  listOf(state) {
    const body = /** @type {HTMLElement} */ (this.body);
    const list = /** @type {HTMLElement} */ (this.moves);
    if (!total() && !variations().length) {
      // The list may be there: it is no part of a greeting.
      if (list.parentElement === body) put(body);
      renew(body, greeting(state));
      [this.listed, this.followed] = ['', ''];
      return body;
    }
    const { moves, times, chances, verdict } = state;
    const { looked, done } = view.review ?? {};
    const seen = [...view.seen].map(([ply, value]) => [ply, percent(value)]);
    const listed = JSON.stringify([
      state.game,
      moves,
      times,
      chances,
      verdict,
      variations(),
      mayKeep(),
      looked,
      done,
      seen,
    ]);
    if (listed !== this.listed) {
      renew(list, moveRows(state));
      this.marked = '';
    }
    this.listed = listed;
    if (list.parentElement !== body) put(body, list);
    return body;
  }

  /** Marks where one looks and brings it into sight; only the list scrolls, not the page. */
  follow() {
    const [body, list] = [/** @type {HTMLElement} */ (this.body), /** @type {HTMLElement} */ (this.moves)];
    const here = spot();
    const current = /** @type {HTMLElement | null} */ (list.querySelector(here));
    if (this.marked !== here) {
      list.querySelector('[aria-current]')?.removeAttribute('aria-current');
      current?.setAttribute('aria-current', 'true');
      this.marked = here;
    }
    // Who has scrolled away is not brought back by every thought of the engine.
    const followed = [view.id, here, total(), variations().length, view.analysing, view.review?.done].join();
    if (followed === this.followed) return;
    this.followed = followed;
    // All is read before anything is written: the browser lays it out once.
    const [row, along] = [current?.closest('li'), current?.closest('.turn')];
    const top = row ? wholeRows(body, list, row.offsetTop - body.clientHeight / 2) : 0;
    const left = along instanceof HTMLElement ? along.offsetLeft - body.clientWidth / 2 : 0;
    [body.scrollTop, body.scrollLeft] = [top, left];
  }

  /** Words for the moment, over the lower edge of the list, so that nothing moves. @param {State} state */
  noticeOf(state) {
    const notice = /** @type {HTMLElement} */ (this.notice);
    const inside = words(state);
    notice.hidden = !inside;
    renew(notice, inside);
    return notice;
  }
}

/** How far to scroll, at most so far, that the uppermost row is whole. */
function wholeRows(/** @type {HTMLElement} */ body, /** @type {HTMLElement} */ list, /** @type {number} */ wanted) {
  const most = Math.min(wanted, body.scrollHeight - body.clientHeight);
  const tops = Array.from(list.children, one => (one instanceof HTMLElement ? one.offsetTop - list.offsetTop : 0));
  return tops.filter(top => top <= most).at(-1) ?? 0;
}

/** @param {State} state */
function words(state) {
  const { explore } = view;
  if (state.offer) return offerNotice(state);
  if (atEnd() && !isOver() && state.opening) return openingNotice(state, state.opening);
  const on = () => button(t('playFromHere'), playOn, { 'data-key': 'goon' });
  if (explore)
    return [
      h(
        'span',
        {},
        h('b', {}, t(mayKeep() ? 'variation' : 'exploring')),
        `: ${explore.path.slice(explore.from, explore.at).join(' ')}`,
      ),
      button(t('backToGame'), leaveLine, { 'data-key': 'leave' }),
      on(),
    ];
  if (!atEnd())
    return [
      h('span', {}, t('looking', { n: lookedAt(), of: total() })),
      button(t('toNow'), () => jump(Infinity), { 'data-key': 'now' }),
      on(),
    ];
  const threats = threatWords();
  return threats ? h('span', { class: 'threat-words' }, threats) : null;
}

/** What an empty board says: the goal of the game, and ways to begin. @param {State} state */
function greeting(state) {
  const old = recall('unfinished', '');
  const kind = kindOf(state.game);
  const begins = matchMedia('(pointer: coarse)').matches ? 'firstMoveTouch' : 'firstMove';
  return h(
    'div',
    { class: 'greeting' },
    h('p', { class: 'goal' }, t(`goal-${kind}`)),
    h('p', { class: 'soft' }, t(state.you.includes('black') || !state.you.length ? begins : 'waitsEngine')),
    h(
      'ul',
      { class: 'tips' },
      [mayAsk() && !state.drop ? t('tipThreats') : '', t('tipReview'), t('tipKeys')]
        .filter(Boolean)
        .map(tip => h('li', {}, tip)),
    ),
    h(
      'div',
      { class: 'row' },
      old && old !== view.id
        ? button([icon('play'), t('goOnWith')], () => openGame(recall('unfinished', '')), { 'data-key': 'go-on-old' })
        : null,
      button([icon('load'), t('loadGame')], openLoading, { 'data-key': 'open-load' }),
      h('a', { class: 'as-button', href: '#/rules' }, t('rules')),
    ),
  );
}
