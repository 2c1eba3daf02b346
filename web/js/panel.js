// The panel beside the board: whose turn it is, the two players with their clocks, the controls, and three tabs.
import { h, s, put, attr, dot, sign, button, keepFocus } from './dom.js';
import { view, total, actor, isOver, isStill, atEnd, lookedAt, path, mayKeep, variations } from './view.js';
import { jump, leaveLine } from './look.js';
import { analyse, askHint } from './advice.js';
import { playOn } from './open.js';
import { send } from './ask.js';
import { faceNow, clockWords, leftWords, alarm } from './clocks.js';
import { STONES } from './game.js';
import { openingNotice, roleWords } from './opening.js';
import { seriesWords, thinkingWords, turnWords, verdictWords } from './status.js';
import { moveRows, spot } from './moves.js';
import { analysisTab } from './analysis.js';
import { gameTab } from './gametab.js';
import { t, say, sideWords } from './words.js';

const ICONS = {
  undo: 'M6 3 2.5 6.5 6 10M3 6.5h6a4 4 0 0 1 0 8H6',
  redo: 'm10 3 3.5 3.5L10 10M13 6.5H7a4 4 0 0 0 0 8h3',
  hint: 'M8 1.5a4.5 4.5 0 0 0-2.5 8.2V12h5V9.7A4.5 4.5 0 0 0 8 1.5zM6 14.5h4',
  analyse: 'M1.5 14.5h13M3.5 12V8M7 12V3M10.500 12V6M14 12V9.500',
  swap: 'M4 2 1.500 5 4 8M1.500 5H12M12 8l2.500 3-2.500 3M14.500 11H4',
  resign: 'M3 15V1.500M3 2.500h9.500L10 6l2.500 3.500H3',
  restart: 'M13.500 5A6 6 0 1 0 14 9M14 1.500V5.500H10',
};

/** @param {keyof ICONS} name */
const icon = name =>
  s('svg', { class: 'sign stroke', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d: ICONS[name] }));

export class Panel {
  /** @param {{ newGame: () => void }} actions */
  constructor(actions) {
    this.actions = actions;
    this.tab = 'moves';
    this.element = h('aside', { class: 'panel' });
    this.resigning = 0;
    this.rebuild();
    setInterval(() => this.tick(), 100);
  }

  /** Makes the parts anew, for instance in another language. */
  rebuild() {
    this.status = h('div', { class: 'status' });
    this.cards = h('div', { class: 'cards' });
    this.controls = h('div', { class: 'controls', role: 'toolbar', 'aria-label': t('game') });
    this.notice = h('div', { class: 'notice' });
    this.tabs = h('div', { class: 'tabs', role: 'tablist' });
    this.body = h('div', { class: 'tab', role: 'tabpanel', id: 'tab' });
    this.moves = h('ol', { class: 'moves' });
    /** @type {string} */
    this.listed = '';
    this.buildSteps();
    put(this.element, this.status, this.cards, this.controls, this.notice, this.steps, this.tabs, this.body);
  }

  buildSteps() {
    const step = (/** @type {string} */ word, /** @type {string} */ d, /** @type {() => number} */ to) =>
      h('button', { type: 'button', 'aria-label': t(word), title: t(word), onclick: () => jump(to()) }, sign(d));
    this.slider = h('input', {
      type: 'range',
      min: 0,
      'aria-label': t('move'),
      oninput: () => jump(Number(this.slider?.value)),
    });
    this.steps = h(
      'div',
      { class: 'steps' },
      step('first', 'M2 2h2v12H2zM14 2v12L5 8z', () => 0),
      step('back', 'M12 2v12L3 8z', () => lookedAt() - 1),
      this.slider,
      step('forward', 'M4 2v12l9-6z', () => lookedAt() + 1),
      step('last', 'M12 2h2v12h-2zM2 2v12l9-6z', () => Infinity),
    );
  }

  /** @param {string} name */
  open(name) {
    this.tab = name;
    this.draw();
  }

  draw() {
    const { state } = view;
    keepFocus(this.element, () => {
      this.drawStatus();
      this.drawCards();
      this.drawControls();
      this.drawNotice();
      this.drawTabs();
    });
    const end = view.explore?.path.length ?? total();
    const shown = Math.min(lookedAt(), end);
    attr(/** @type {Element} */ (this.slider), { max: end });
    if (this.slider) {
      this.slider.value = String(shown);
      this.slider.disabled = !end;
      attr(this.slider, { 'aria-valuetext': state && shown ? `${shown}: ${path().at(-1)}` : t('beginning') });
    }
    this.tick();
  }

  drawStatus() {
    const { state } = view;
    if (!state) return put(/** @type {Element} */ (this.status), '…');
    const over = isOver();
    const words = over ? say(state.words) || verdictWords(state) : turnWords(state);
    put(
      /** @type {Element} */ (this.status),
      h('strong', { class: over ? 'over' : '' }, words),
      state.series ? h('span', { class: 'series' }, seriesWords(state.series)) : null,
      view.up ? null : h('span', { class: 'down' }, t('offline')),
      view.from
        ? h('a', { class: 'series', href: view.from }, `‹ ${t(view.from === '#/library' ? 'library' : 'arena')}`)
        : null,
      button(t('newGame'), this.actions.newGame, { class: 'primary', 'data-key': 'new' }),
    );
  }

  drawCards() {
    const { state } = view;
    put(
      /** @type {Element} */ (this.cards),
      STONES.map((stone, n) => {
        const side = state?.sides[n];
        const active = state && !isOver() && actor(state) === stone;
        const mine = state?.you.includes(stone) && state.you.length === 1;
        return h(
          'div',
          { class: `card ${active ? 'active' : 'idle'}`, 'aria-current': active ? 'true' : null },
          dot(stone),
          h(
            'div',
            { class: 'who' },
            h('span', { class: 'name' }, side ? sideWords(side) : ''),
            h(
              'small',
              {},
              [
                t(stone),
                roleWords(state, stone),
                mine ? t('you') : '',
                side?.thinking ? thinkingWords(view.thinking) : '',
              ]
                .filter(Boolean)
                .join(' · '),
            ),
          ),
          h('div', { class: 'clock' }, h('b', { 'data-clock': n }), h('small', { 'data-turn': n })),
        );
      }),
    );
  }

  drawControls() {
    const { state } = view;
    const live = Boolean(state && !isStill() && !view.draft);
    const seated = live && (state?.you.length || state?.owner);
    const make = (
      /** @type {keyof ICONS} */ name,
      /** @type {boolean} */ on,
      /** @type {() => void} */ act,
      extra = {},
    ) =>
      h(
        'button',
        { type: 'button', class: 'control', disabled: !on, 'data-key': name, title: t(name), onclick: act, ...extra },
        icon(name),
        h('span', {}, t(name)),
      );
    const ask = (/** @type {'undo' | 'redo' | 'swap' | 'restart'} */ type) => () => send({ type });
    const resign = make('resign', Boolean(seated && !isOver() && state?.you.length && total()), () => this.resign());
    if (this.resigning) put(resign, icon('resign'), h('span', {}, t('reallyResign')));
    put(
      /** @type {Element} */ (this.controls),
      make('undo', Boolean(seated && total()), ask('undo')),
      make('redo', Boolean(seated && state?.undone), ask('redo')),
      make('hint', Boolean(state?.you.length && !isOver() && !state.opening), askHint, {
        'aria-busy': String(view.hinting),
      }),
      make('analyse', Boolean(state), () => this.analyse(), { 'aria-pressed': String(view.analysing) }),
      make('swap', Boolean(live && state?.owner && !(state.opening && total())), ask('swap')),
      resign,
      make('restart', Boolean(live && state?.owner), ask('restart')),
    );
  }

  analyse() {
    const on = !view.analysing;
    analyse(on);
    if (on && this.tab === 'moves' && innerWidth >= 800) this.open('analysis');
  }

  /** Resigning asks once more, without a window in the way. */
  resign() {
    clearTimeout(this.resigning);
    if (this.resigning) {
      this.resigning = 0;
      send({ type: 'resign' });
    } else {
      this.resigning = window.setTimeout(() => {
        this.resigning = 0;
        this.draw();
      }, 4000);
    }
    this.draw();
  }

  drawNotice() {
    const { state, explore } = view;
    const notice = /** @type {HTMLElement} */ (this.notice);
    const opening = atEnd() && !isOver() && state?.opening;
    notice.hidden = atEnd() && !opening && !(state?.series && isOver() && !state.series.over);
    if (notice.hidden) put(notice);
    else if (state && opening) put(notice, openingNotice(state, opening));
    else if (explore) {
      put(
        notice,
        h(
          'span',
          {},
          h('b', {}, t(mayKeep() ? 'variation' : 'exploring')),
          `: ${explore.path.slice(explore.from, explore.at).join(' ')}`,
        ),
        button(t('backToGame'), leaveLine, { 'data-key': 'leave' }),
        button(t('goOn'), playOn, { 'data-key': 'goon' }),
      );
    } else if (!atEnd()) {
      put(
        notice,
        h('span', {}, t('looking', { n: lookedAt(), of: total() })),
        button(t('toNow'), () => jump(Infinity), { 'data-key': 'now' }),
        button(t('goOn'), playOn, { 'data-key': 'goon' }),
      );
    } else {
      put(
        notice,
        button(t('nextGame'), () => send({ type: 'next' }), { class: 'primary', 'data-key': 'next' }),
      );
    }
  }

  drawTabs() {
    put(
      /** @type {Element} */ (this.tabs),
      ['moves', 'analysis', 'game'].map(name =>
        h(
          'button',
          {
            type: 'button',
            role: 'tab',
            'aria-selected': String(name === this.tab),
            'aria-controls': 'tab',
            'data-key': `tab-${name}`,
            onclick: () => this.open(name),
          },
          t(name),
        ),
      ),
    );
    const body = /** @type {Element} */ (this.body);
    attr(body, { 'data-tab': this.tab });
    if (this.tab === 'moves') this.drawMoves(body);
    else put(body, this.tab === 'analysis' ? analysisTab() : gameTab(() => this.draw()));
  }

  /** @param {Element} body */
  drawMoves(body) {
    const { state } = view;
    const list = /** @type {HTMLElement} */ (this.moves);
    const listed = state
      ? `${state.game} ${state.moves} ${state.times} ${JSON.stringify(variations())} ${mayKeep()}`
      : '';
    if (listed !== this.listed && state) put(list, moveRows(state));
    this.listed = listed;
    const any = total() || variations().length;
    if (list.parentElement !== body || !any) put(body, any ? list : h('p', { class: 'soft pad' }, t('noMoves')));
    list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const current = /** @type {HTMLElement | null} */ (list.querySelector(spot()));
    current?.setAttribute('aria-current', 'true');
    // Only the list scrolls: scrollIntoView would move the whole page on a phone.
    if (current) body.scrollTop = current.offsetTop - list.offsetTop - body.clientHeight / 2;
    else body.scrollTop = 0;
  }

  tick() {
    const { state } = view;
    if (!state || !this.element.isConnected) return;
    for (const n of [0, 1]) {
      const ticking = Boolean(state.running && !isOver() && state.to_move === (n ? 'white' : 'black'));
      const face = faceNow(state.clocks[n], ticking, view.since);
      const big = this.element.querySelector(`[data-clock="${n}"]`);
      const small = this.element.querySelector(`[data-turn="${n}"]`);
      if (!big || !small) continue;
      big.textContent = face.left == null ? clockWords(face.used) : leftWords(face.left);
      small.textContent = face.left == null || ticking ? clockWords(face.turn) : '';
      attr(big, { class: ticking ? alarm(face.left) : '' });
    }
  }
}
