// The board that is played on: told what to show, it says what was clicked. It knows nothing of servers.
import { s, attr, put } from './dom.js';
import { at, cellAt, landing } from './game.js';
import { UNIT, bar, cross, drawStone, ground, middle, ring } from './board.js';

/** @import { Board, Placed, Stone } from './types.js' */
/** @typedef {{ cell: string, label: string, colour: string, also?: string, line: string[] }} Candidate */
/**
 * @typedef {object} Shown
 * @property {Board} board
 * @property {Placed[]} stones
 * @property {number} lastTurn
 * @property {string[]} line the winning line
 * @property {string[]} forbidden
 * @property {Stone | null} ghost the colour a click would place
 * @property {string[]} hint
 * @property {Candidate[]} candidates
 * @property {Placed[]} preview numbered ghost stones
 * @property {{ kind: string, cells: string[], stone: string }[]} threats
 * @property {string[]} mustHit
 * @property {(cell: string) => string} label
 * @property {string} title
 */

const still = matchMedia('(prefers-reduced-motion: reduce)');

export class BoardView {
  /** @param {{ pick: (cell: string, touch: boolean) => void, hover: (cell: string | null) => void }} on */
  constructor(on) {
    this.on = on;
    this.element = s('svg', { class: 'board main', role: 'grid', 'aria-describedby': 'keys-hint' });
    const layers = ['base', 'glow', 'stones', 'threats', 'marks', 'ghosts', 'pointer', 'cursor', 'cells'];
    /** @type {Record<string, SVGGElement>} */
    this.layer = Object.fromEntries(
      layers.map(name => [name, s('g', { class: `layer-${name}`, 'aria-hidden': name === 'cells' ? null : 'true' })]),
    );
    put(this.element, ...Object.values(this.layer));
    /** @type {Map<string, SVGElement>} */
    this.cellOf = new Map();
    /** @type {Map<string, SVGElement>} */
    this.stoneOf = new Map();
    this.shape = '';
    /** @type {string | null} */
    this.hovered = null;
    this.at = '';
    /** @type {Shown | null} */
    this.shown = null;
    this.listen();
  }

  listen() {
    const cellOf = (/** @type {Event} */ event) =>
      event.target instanceof Element ? event.target.getAttribute('data-cell') : null;
    this.element.addEventListener('click', event => {
      const cell = cellOf(event);
      if (!cell) return;
      this.moveCursor(cell, false);
      this.on.pick(cell, /** @type {PointerEvent} */ (event).pointerType === 'touch');
    });
    this.element.addEventListener('pointermove', event => {
      if (event.pointerType !== 'touch') this.hover(cellOf(event));
    });
    this.element.addEventListener('pointerleave', () => this.hover(null));
    this.element.addEventListener('focusin', event => this.moveCursor(cellOf(event) ?? this.at, false));
    this.element.addEventListener('focusout', () => put(this.layer.cursor));
    this.element.addEventListener('keydown', event => this.key(event));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.shown) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const { board } = this.shown;
    if (step) {
      const { x, y } = at(this.at);
      const to = cellAt(
        Math.min(board.width - 1, Math.max(0, x + step[0])),
        Math.min(board.height - 1, Math.max(0, y + step[1])),
      );
      this.moveCursor(to, true);
    } else if (event.key === 'Enter' || event.key === ' ') this.on.pick(this.at, false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} cell @param {boolean} focus */
  moveCursor(cell, focus) {
    this.cellOf.get(this.at)?.setAttribute('tabindex', '-1');
    this.at = cell;
    const target = this.cellOf.get(cell);
    target?.setAttribute('tabindex', '0');
    if (focus) target?.focus({ preventScroll: true });
    if (!this.shown || !this.element.contains(document.activeElement)) return;
    const { cx, cy } = middle(this.shown.board, at(cell));
    const visible = target?.matches(':focus-visible');
    put(
      this.layer.cursor,
      visible ? s('rect', { class: 'cursor', x: cx - 9.5, y: cy - 9.5, width: 19, height: 19, rx: 4 }) : null,
    );
  }

  focus() {
    this.moveCursor(this.at, true);
  }

  /** @param {string | null} cell */
  hover(cell) {
    if (cell === this.hovered) return;
    this.hovered = cell;
    this.drawPointer();
    this.on.hover(cell);
  }

  /** The width of a cell on the screen. */
  cellSize() {
    const box = this.cellOf.values().next().value?.getBoundingClientRect();
    return box?.width ?? UNIT;
  }

  /** @param {Shown} shown */
  set(shown) {
    this.shown = shown;
    const { board } = shown;
    const shape = [board.width, board.height, board.drop, board.blocked].join(' ');
    if (shape !== this.shape) this.build(board, shape);
    attr(this.element, { 'aria-label': shown.title });
    this.drawStones(shown);
    this.drawMarks(shown);
    this.drawThreats(shown);
    this.drawPointer();
    for (const [cell, element] of this.cellOf) attr(element, { 'aria-label': shown.label(cell) });
  }

  /** @param {Board} board @param {string} shape */
  build(board, shape) {
    this.shape = shape;
    const { viewBox, parts } = ground(board, true);
    const [, , wide, tall] = viewBox.split(' ').map(Number);
    this.element.style.aspectRatio = `${wide} / ${tall}`;
    attr(this.element, { viewBox, 'aria-rowcount': board.height, 'aria-colcount': board.width });
    put(this.layer.base, parts);
    put(this.layer.stones);
    this.stoneOf.clear();
    this.cellOf.clear();
    const rows = Array.from({ length: board.height }, (_, n) => board.height - 1 - n).map(y =>
      s(
        'g',
        { role: 'row' },
        Array.from({ length: board.width }, (_, x) => {
          const cell = cellAt(x, y);
          const target = s('rect', {
            class: 'cell',
            role: 'gridcell',
            'data-cell': cell,
            tabindex: '-1',
            x: x * UNIT,
            y: (board.height - 1 - y) * UNIT,
            width: UNIT,
            height: UNIT,
          });
          this.cellOf.set(cell, target);
          return target;
        }),
      ),
    );
    put(this.layer.cells, rows);
    this.at = cellAt(Math.floor((board.width - 1) / 2), board.drop ? 0 : Math.floor((board.height - 1) / 2));
    this.cellOf.get(this.at)?.setAttribute('tabindex', '0');
  }

  /** @param {Shown} shown */
  drawStones({ board, stones }) {
    const wanted = new Map(stones.map(stone => [stone.cell, stone]));
    for (const [cell, element] of this.stoneOf) {
      if (wanted.get(cell)?.stone === element.getAttribute('data-stone')) continue;
      element.remove();
      this.stoneOf.delete(cell);
    }
    const fresh = stones.filter(stone => !this.stoneOf.has(stone.cell));
    for (const stone of fresh) {
      const element = drawStone(board, stone);
      element.setAttribute('data-stone', stone.stone);
      this.layer.stones.append(element);
      this.stoneOf.set(stone.cell, element);
      if (fresh.length <= 2 && !still.matches) this.enter(element, board, stone);
    }
  }

  /** @param {SVGElement} element @param {Board} board @param {Placed} stone */
  enter(element, board, stone) {
    const rise = (board.height - stone.y) * UNIT;
    const frames = board.drop
      ? [{ transform: `translateY(${-rise}px)` }, { transform: 'none' }]
      : [{ opacity: 0.3 }, { opacity: 1 }];
    element.animate(frames, { duration: board.drop ? 200 : 90, easing: 'ease-in' });
  }

  /** @param {Shown} shown */
  drawMarks(shown) {
    const { board } = shown;
    const place = (/** @type {string} */ cell) => middle(board, at(cell));
    const text = (/** @type {string} */ cell, /** @type {string} */ words, /** @type {string} */ kind) => {
      const { cx, cy } = place(cell);
      return s('text', { class: kind, x: cx, y: cy }, words);
    };
    const rings = shown.stones
      .filter(stone => stone.turn === shown.lastTurn && !shown.line.includes(stone.cell))
      .map(stone => ring(board, stone.cell));
    const hints = shown.hint.map(cell => s('circle', { class: 'hint', ...place(cell), r: 7 }));
    const wanted = shown.preview.length ? [] : shown.candidates;
    const links = wanted.map(one =>
      one.also ? s('g', { class: `link-to ${one.colour}` }, this.link(board, one.cell, one.also)) : null,
    );
    const candidates = wanted.map(one =>
      s(
        'g',
        { class: `candidate ${one.colour}` },
        s('circle', { ...place(one.cell), r: 8.4 }),
        text(one.cell, one.label, 'score'),
      ),
    );
    put(
      this.layer.marks,
      rings,
      shown.forbidden.map(cell => cross(board, cell, 'forbidden', 3)),
      hints,
      links,
      candidates,
      shown.mustHit.map(cell => {
        const { cx, cy } = place(cell);
        return s('rect', { class: 'must', x: cx - 8, y: cy - 8, width: 16, height: 16, rx: 2 });
      }),
      bar(board, shown.line),
    );
    put(
      this.layer.ghosts,
      shown.preview.map(stone => [
        drawStone(board, stone, 'preview'),
        text(stone.cell, String(stone.n), `number ${stone.stone}`),
      ]),
    );
  }

  /**
   * The second stone of a turn of two.
   * @param {Board} board
   * @param {string} from
   * @param {string} to
   */
  link(board, from, to) {
    const [a, b] = [middle(board, at(from)), middle(board, at(to))];
    return [s('line', { x1: a.cx, y1: a.cy, x2: b.cx, y2: b.cy }), s('circle', { ...b, r: 5 })];
  }

  /** @param {Shown} shown */
  drawThreats({ board, threats }) {
    put(
      this.layer.threats,
      threats.map(({ kind, cells, stone }) => {
        const [a, b] = [middle(board, at(cells[0])), middle(board, at(cells[cells.length - 1]))];
        const [dx, dy] = [b.cx - a.cx, b.cy - a.cy];
        const turned = `rotate(${(Math.atan2(dy, dx) * 180) / Math.PI} ${a.cx} ${a.cy})`;
        return s('rect', {
          class: `threat ${kind} ${stone}`,
          x: a.cx - 9.5,
          y: a.cy - 9.5,
          width: Math.hypot(dx, dy) + 19,
          height: 19,
          rx: 9.5,
          transform: turned,
        });
      }),
    );
  }

  /** The ghost stone under the pointer, and the glow of a column where stones fall. */
  drawPointer() {
    const { shown, hovered } = this;
    const ghost = shown?.ghost;
    const taken = new Set(shown?.stones.map(stone => stone.cell));
    const cell = shown && ghost && hovered ? landing(shown.board, taken, hovered) : null;
    put(
      this.layer.pointer,
      shown && ghost && cell && !shown.preview.length ? drawStone(shown.board, { cell, stone: ghost }, 'ghost') : null,
    );
    put(
      this.layer.glow,
      shown && ghost && cell && shown.board.drop
        ? s('rect', {
            class: 'glow',
            x: at(cell).x * UNIT,
            y: 0,
            width: UNIT,
            height: shown.board.height * UNIT,
            rx: 6,
          })
        : null,
    );
  }
}
