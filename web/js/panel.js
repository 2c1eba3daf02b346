// The panel beside the board: the two players, between them the card, and below what can be done.
import { h, put, renew, keepFocus } from './dom.js';
import { view, ahead, isOver } from './view.js';
import { Card, mode } from './card.js';
import { actionRow } from './actions.js';
import { drawStrip, seating, tick } from './strip.js';
import { reviewStrip } from './reviewing.js';
import { endWords, turnWords } from './status.js';
import { t } from './words.js';

export class Panel {
  constructor() {
    this.element = h('aside', { class: 'panel' });
    this.card = new Card();
    this.rebuild();
    setInterval(() => this.element.isConnected && tick(this.element), 100);
  }

  /** Makes the parts anew, for instance in another language. */
  rebuild() {
    this.status = h('p', { class: 'status unseen' }, h('strong', {}));
    this.above = h('div', { class: 'strip above' });
    this.below = h('div', { class: 'strip below' });
    this.actions = h('div', { class: 'actions', role: 'toolbar', 'aria-label': t('game') });
    this.card.rebuild();
    put(this.element, this.status, this.above, this.card.element, this.below, this.actions);
  }

  draw() {
    const { state } = view;
    const [status, above, below, actions] = /** @type {HTMLElement[]} */ ([
      this.status,
      this.above,
      this.below,
      this.actions,
    ]);
    this.element.dataset.mode = mode();
    keepFocus(this.element, () => {
      const words = state && (isOver() ? endWords(state) : turnWords(ahead(state)));
      renew(/** @type {Element} */ (status.firstChild), words ?? '…');
      const [top, bottom] = seating(state);
      if (state && view.reviewing) {
        above.className = 'strip review-strip';
        renew(above, reviewStrip(state));
      } else drawStrip(above, top, false);
      drawStrip(below, bottom, true);
      this.card.draw();
      renew(actions, state ? actionRow(state) : null);
    });
    tick(this.element);
  }
}
