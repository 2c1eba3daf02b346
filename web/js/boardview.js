// The board that is played on: told what to show, it says what was clicked. It knows nothing of servers.
import { s, attr, put, renew } from './dom.js';
import { at, cellAt, landing } from './game.js';
import { ABOVE, UNIT, columnShape, drawStone, front, ground, middle } from './board.js';
import { drawMarks, drawPreview, drawThreats, drawWin } from './marks.js';
import { aimAt, crosshair } from './aim.js';
import { canMove } from './prefs.js';

/** @import { Board, Placed, Stone } from './types.js' */
/**
 * @typedef {object} Candidate
 * @property {string} cell
 * @property {string} label
 * @property {string} colour
 * @property {boolean} best
 * @property {string} [also] the second stone of the turn
 * @property {string} words what the label means
 */
/** @typedef {{ cell: string, kind: string, ghost?: Stone }} Badge A move that was graded; `ghost` was not played. */
/**
 * @typedef {object} Shown
 * @property {Board} board
 * @property {Placed[]} stones
 * @property {Set<string>} pending stones the server has not confirmed yet
 * @property {number} lastTurn
 * @property {string[]} line the winning line
 * @property {string[]} forbidden
 * @property {Stone | null} ghost the colour a click would place
 * @property {string[]} hint
 * @property {Candidate[]} candidates
 * @property {Placed[]} preview numbered ghost stones
 * @property {{ kind: string, cells: string[], stone: string }[]} threats
 * @property {string[]} mustHit
 * @property {Badge[]} badges
 * @property {boolean} numbers whether stones carry the number of their move
 * @property {string | null} aimed where a finger aims
 * @property {(cell: string) => string} label
 * @property {string} title
 */
/**
 * @typedef {{ pick: (cell: string) => void, hover: (cell: string | null) => void, aim: (cell: string | null) =>
 * void }} Heard
 */
/** @typedef {() => boolean} Aims Whether fingers aim first and place later. */

const LAYERS = ['base', 'stones', 'front', 'glow', 'win', 'threats', 'marks', 'ghosts', 'pointer'];
/** Coordinates are never smaller than this on the screen, lines never finer, in pixels. */
const [LETTER, LARGEST, FINE] = [8.5, 12, 0.75];
/** How strong lines and their frame are, in units of the board. */
const [LINE, FRAME] = [0.44, 0.84];

export class BoardView {
  /** @param {Heard} on @param {Aims} aims */
  constructor(on, aims) {
    this.on = on;
    this.aims = aims;
    this.element = s('svg', { class: 'board main', role: 'grid', 'aria-describedby': 'keys-hint' });
    const layer = (/** @type {string} */ name) => s('g', { class: `layer-${name}`, 'aria-hidden': 'true' });
    /** @type {Record<string, SVGGElement>} */
    this.layer = Object.fromEntries([...LAYERS, 'lens', 'cursor'].map(name => [name, layer(name)]));
    this.layer.cells = s('g', { class: 'layer-cells' });
    this.scene = s('g', { 'aria-hidden': 'true' });
    put(this.scene, ...LAYERS.map(name => this.layer[name]));
    put(this.element, this.scene, this.layer.lens, this.layer.cursor, this.layer.cells);
    /** @type {Map<string, SVGElement>} */
    this.cellOf = new Map();
    /** @type {Map<string, SVGElement>} */
    this.stoneOf = new Map();
    this.shape = '';
    this.won = '';
    this.told = '';
    /** @type {string | null} */
    this.hovered = null;
    this.at = '';
    /** @type {Shown | null} */
    this.shown = null;
    this.wide = 1;
    /** How wide it is on the screen. */
    this.width = 0;
    this.listen();
    new ResizeObserver(() => this.measure()).observe(this.element);
  }

  listen() {
    const cellOf = (/** @type {Event} */ event) =>
      event.target instanceof Element ? event.target.getAttribute('data-cell') : null;
    let touched = false;
    this.element.addEventListener('click', event => {
      const cell = cellOf(event);
      if (!cell || touched) return;
      this.moveCursor(cell, false);
      this.on.pick(cell);
    });
    this.element.addEventListener('pointerdown', event => {
      touched = event.pointerType === 'touch' && this.aims();
      if (touched) this.aim(event, true);
    });
    this.element.addEventListener('pointermove', event => {
      if (event.pointerType !== 'touch') this.hover(cellOf(event));
      else if (touched && event.buttons) this.aim(event, false);
    });
    this.element.addEventListener('pointerup', () => this.release());
    this.element.addEventListener('pointercancel', () => this.release());
    this.element.addEventListener('pointerleave', () => this.hover(null));
    this.element.addEventListener('focusin', event => this.moveCursor(cellOf(event) ?? this.at, false));
    this.element.addEventListener('focusout', () => put(this.layer.cursor));
    this.element.addEventListener('keydown', event => this.key(event));
  }

  /** A finger is down: the cell under it is aimed at; touching the aimed cell again places. */
  aim(/** @type {PointerEvent} */ event, /** @type {boolean} */ first) {
    if (!this.shown) return;
    const cell = aimAt(this.element, this.shown.board, event);
    if (first && cell && cell === this.shown.aimed) {
      this.again = cell;
      return;
    }
    if (this.again && cell === this.again) return;
    this.again = null;
    this.aiming = true;
    if (first) this.element.setPointerCapture(event.pointerId);
    if (cell && cell !== this.shown.aimed) this.on.aim(cell);
    this.drawLens();
  }

  /** @type {string | null | undefined} */
  again = null;
  aiming = false;

  release() {
    const cell = this.again;
    [this.again, this.aiming] = [null, false];
    if (cell) this.on.pick(cell);
    this.drawLens();
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
    } else if (event.key === 'Enter' || event.key === ' ') this.on.pick(this.at);
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
    const box = { x: cx - 9.5, y: cy - 9.5, width: 19, height: 19, rx: 4 };
    put(
      this.layer.cursor,
      visible ? [s('rect', { class: 'cursor-under', ...box }), s('rect', { class: 'cursor', ...box })] : null,
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

  /** The width of a cell on the screen, as it was last measured: to ask for it has the browser lay out the page. */
  cellSize() {
    return (UNIT * this.width) / this.wide;
  }

  /** Letters and lines keep a size that eyes can read, however small the board is. */
  measure() {
    const { width } = this.element.getBoundingClientRect();
    // Nobody sees it just now.
    if (!width) return;
    this.width = width;
    const scale = this.cellSize() / UNIT;
    // Below discs they stand on a foot of this height.
    const most = this.shown?.board.drop ? 3.5 : LARGEST / scale;
    const letter = Math.min(most, LARGEST / scale, Math.max(4.8, LETTER / scale));
    this.element.style.setProperty('--coord', `${letter.toFixed(2)}px`);
    // Lines are whole pixels of the screen wide, or some would look stronger than others.
    const whole = (/** @type {number} */ wide) =>
      Math.max(1, Math.round(Math.max(wide * scale, FINE) * devicePixelRatio)) / devicePixelRatio / scale;
    this.element.style.setProperty('--fine', `${whole(LINE).toFixed(3)}px`);
    this.element.style.setProperty('--frame', `${whole(FRAME).toFixed(3)}px`);
  }

  /** @param {Shown} shown */
  set(shown) {
    this.shown = shown;
    const { board } = shown;
    const shape = [board.width, board.height, board.drop, board.blocked].join(' ');
    if (shape !== this.shape) this.build(board, shape);
    attr(this.element, { 'aria-label': shown.title });
    this.drawStones(shown);
    renew(this.layer.marks, drawMarks(shown));
    renew(this.layer.ghosts, drawPreview(shown));
    renew(this.layer.threats, drawThreats(shown));
    this.drawWinning(shown);
    this.drawPointer();
    this.drawLens();
    this.nameCells(shown);
  }

  /** Says of every cell what is on it, if that has changed. @param {Shown} shown */
  nameCells({ stones, forbidden, label, title }) {
    const told = JSON.stringify([this.shape, title, stones.map(one => one.cell + one.stone), forbidden]);
    if (told === this.told) return;
    this.told = told;
    for (const [cell, element] of this.cellOf) attr(element, { 'aria-label': label(cell) });
  }

  /** @param {Board} board @param {string} shape */
  build(board, shape) {
    this.shape = shape;
    const { viewBox, parts } = ground(board, true);
    const [left, top, wide, tall] = viewBox.split(' ').map(Number);
    const above = board.drop ? ABOVE : 0;
    this.wide = wide;
    this.element.parentElement?.style.setProperty('--ratio', String(wide / (tall + above)));
    attr(this.element, {
      viewBox: `${left} ${top - above} ${wide} ${tall + above}`,
      class: `board main${board.drop ? ' drop' : ''}`,
      'aria-rowcount': board.height,
      'aria-colcount': board.width,
    });
    put(this.layer.base, parts);
    put(this.layer.front, front(board, true));
    put(this.layer.stones);
    this.stoneOf.clear();
    this.buildCells(board);
    this.measure();
  }

  /** @param {Board} board */
  buildCells(board) {
    this.cellOf.clear();
    const spot = (/** @type {number} */ x, /** @type {number} */ y) => {
      const cell = cellAt(x, y);
      // The topmost cell of a column reaches up to where discs wait.
      const up = board.drop && y === board.height - 1 ? ABOVE + 8 : 0;
      const target = s('rect', {
        class: 'cell',
        role: 'gridcell',
        'data-cell': cell,
        tabindex: '-1',
        x: x * UNIT,
        y: (board.height - 1 - y) * UNIT - up,
        width: UNIT,
        height: UNIT + up,
      });
      this.cellOf.set(cell, target);
      return target;
    };
    const row = (/** @type {number} */ y) =>
      s(
        'g',
        { role: 'row' },
        Array.from({ length: board.width }, (_, x) => spot(x, y)),
      );
    put(
      this.layer.cells,
      Array.from({ length: board.height }, (_, n) => row(board.height - 1 - n)),
    );
    this.at = cellAt(Math.floor((board.width - 1) / 2), board.drop ? 0 : Math.floor((board.height - 1) / 2));
    this.cellOf.get(this.at)?.setAttribute('tabindex', '0');
  }

  /** @param {Shown} shown */
  drawStones({ board, stones, numbers, pending }) {
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
      if (fresh.length <= 2 && canMove()) this.enter(element, board, stone);
    }
    for (const stone of stones) {
      const element = this.stoneOf.get(stone.cell);
      if (!element) continue;
      attr(element, { 'data-pending': pending.has(stone.cell) });
      const number = numbers && stone.n >= 0 ? String(stone.n + 1) : '';
      const text = element.querySelector('.number');
      if ((text?.textContent ?? '') === number) continue;
      text?.remove();
      if (number) element.append(s('text', { class: `number ${stone.stone} size-${number.length}` }, number));
    }
  }

  /** A stone lands with a short motion; a disc falls and bounces once. */
  enter(/** @type {SVGElement} */ element, /** @type {Board} */ board, /** @type {Placed} */ stone) {
    const body = element.querySelector('.body');
    if (!body) return;
    if (!board.drop) {
      const frames = [{ transform: 'scale(1.1)' }, { transform: 'none' }];
      return void body.animate(frames, { duration: 140, easing: 'cubic-bezier(.2, .8, .2, 1)' });
    }
    const rows = board.height - stone.y;
    const rise = rows * UNIT + ABOVE / 2;
    const [fall, bounce] = [110 * Math.sqrt(rows), 90];
    const all = fall + bounce;
    const up = (/** @type {number} */ by) => `translateY(${(-by).toFixed(1)}px)`;
    body.animate(
      [
        { transform: up(rise), easing: 'cubic-bezier(.5, 0, 1, .6)' },
        { transform: up(0), offset: fall / all, easing: 'ease-out' },
        { transform: up(0.06 * rise), offset: (fall + bounce / 2) / all, easing: 'ease-in' },
        { transform: up(0) },
      ],
      { duration: all },
    );
  }

  /** @param {Shown} shown */
  drawWinning(shown) {
    const line = String(shown.line);
    attr(this.element, { 'data-won': line ? '' : null });
    if (line === this.won) return;
    this.won = line;
    const parts = drawWin(shown);
    put(this.layer.win, parts);
    for (const element of this.stoneOf.values()) element.classList.toggle('faded', false);
    if (line && shown.board.drop) {
      for (const [cell, element] of this.stoneOf) element.classList.toggle('faded', !shown.line.includes(cell));
    }
    if (!line || !canMove()) return;
    this.layer.win
      .querySelectorAll('.win')
      .forEach((ring, n) =>
        ring.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 120, delay: 160 + 60 * n, fill: 'backwards' }),
      );
  }

  /** The ghost stone under the pointer; where discs fall, the column, the disc above it and the hole it falls to. */
  drawPointer() {
    const { shown, hovered } = this;
    const ghost = shown?.ghost;
    const taken = new Set(shown?.stones.map(stone => stone.cell));
    const cell = shown && ghost && hovered ? landing(shown.board, taken, hovered) : null;
    if (!shown || !ghost || !cell || shown.preview.length || shown.forbidden.includes(cell)) {
      put(this.layer.pointer);
      return put(this.layer.glow);
    }
    const { board } = shown;
    const stone = drawStone(board, { cell, stone: ghost }, 'ghost');
    put(this.layer.pointer, stone);
    if (!board.drop) return put(this.layer.glow);
    const { x } = at(cell);
    const spot = middle(board, at(cell));
    const above = drawStone(board, { cell: cellAt(x, board.height - 1), stone: ghost }, 'waiting');
    attr(above, { transform: `translate(${spot.cx} ${-8.7 - ABOVE / 2 + 0.2}) scale(.88)` });
    // Both are as large as the holes.
    attr(stone, { transform: `translate(${spot.cx} ${spot.cy}) scale(.88)` });
    put(this.layer.pointer, stone, above, s('circle', { class: `landing ${ghost}`, ...spot, r: 7.8 }));
    const shape = columnShape(board, x);
    const plate = { class: 'glow', 'fill-rule': 'evenodd', d: shape.d, transform: `translate(${shape.x})` };
    put(this.layer.glow, s('path', plate));
  }

  drawLens() {
    const { shown } = this;
    put(
      this.layer.lens,
      shown?.aimed ? crosshair(shown, this.cellSize() / UNIT, this.aiming ? this.scene : null) : null,
    );
  }
}
