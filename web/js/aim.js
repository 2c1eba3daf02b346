// Aiming with a finger where cells are small: a crosshair, and a lens above the finger that magnifies what it hides.
import { s } from './dom.js';
import { at, cellAt, column } from './game.js';
import { UNIT, drawStone, middle } from './board.js';

/** @import { Shown } from './boardview.js' */
/** @import { Board } from './types.js' */

/** The lens on the screen, in pixels: its radius, how far above the finger, and how much it magnifies. */
const [RADIUS, LIFT, POWER] = [60, 108, 2.6];

/** The cell under a finger; off the board it is the nearest. */
export function aimAt(/** @type {SVGSVGElement} */ svg, /** @type {Board} */ board, /** @type {PointerEvent} */ event) {
  const matrix = svg.getScreenCTM();
  if (!matrix) return null;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  const clamp = (/** @type {number} */ n, /** @type {number} */ most) => Math.min(most - 1, Math.max(0, Math.floor(n)));
  return cellAt(clamp(x / UNIT, board.width), board.height - 1 - clamp(y / UNIT, board.height));
}

/**
 * @param {Shown} shown
 * @param {number} scale pixels a unit
 * @param {Element | null} scene what a lens magnifies, if a finger is down
 */
export function crosshair(shown, scale, scene) {
  const { board, aimed } = shown;
  if (!aimed) return null;
  const place = at(aimed);
  const { cx, cy } = middle(board, place);
  const [left, bottom] = [-9, board.height * UNIT + 9];
  const parts = [
    s('path', { class: 'hair', d: `M${left} ${cy}H${board.width * UNIT + 9}M${cx} -9V${bottom}` }),
    shown.ghost ? drawStone(board, { cell: aimed, stone: shown.ghost }, 'ghost') : null,
    s('circle', { class: 'target', cx, cy, r: 12 }),
    pill('edge-pill', { x: left + 9, y: cy }, String(place.y + 1), scale),
    pill('edge-pill', { x: cx, y: bottom - 8 }, column(place.x), scale),
  ];
  return scene ? [...parts, lens(shown, { cx, cy }, scale, scene)] : parts;
}

/** @param {Shown} shown @param {{cx: number, cy: number}} spot @param {number} scale @param {Element} scene */
function lens({ board, aimed, ghost }, { cx, cy }, scale, scene) {
  const [r, lift] = [RADIUS / scale, LIFT / scale];
  const above = cy - lift - r > -9;
  const [x, y] = [Math.min(board.width * UNIT + 9 - r, Math.max(r - 9, cx)), above ? cy - lift : cy + lift];
  return s(
    'g',
    { class: 'lens' },
    s('clipPath', { id: 'lens-clip' }, s('circle', { cx: x, cy: y, r })),
    s('circle', { class: 'lens-shadow', cx: x, cy: y + 1, r: r + 2 / scale }),
    s('circle', { class: 'lens-ground', cx: x, cy: y, r }),
    s(
      'g',
      { 'clip-path': 'url(#lens-clip)' },
      s(
        'g',
        { transform: `translate(${x} ${y}) scale(${POWER}) translate(${-cx} ${-cy})` },
        // A copy, for the colours of a board do not reach into a `use`.
        scene.cloneNode(true),
        ghost && aimed ? drawStone(board, { cell: aimed, stone: ghost }, 'ghost') : null,
        s('circle', { class: 'target', cx, cy, r: 9.6 }),
      ),
    ),
    s('circle', { class: 'lens-rim', cx: x, cy: y, r }),
    pill('lens-name', { x, y: above ? y - r : y + r }, aimed ?? '', scale),
  );
}

/** Names of what is aimed at, a row or column or the cell: width, height, how round, how large the letters. */
const PILLS = { 'edge-pill': [22, 17, 3, 12], 'lens-name': [44, 24, 2, 14] };

/** @param {keyof PILLS} kind @param {{x: number, y: number}} spot @param {string} name @param {number} scale */
function pill(kind, { x, y }, name, scale) {
  const [width, height, round, size] = PILLS[kind];
  const [w, h] = [width / scale, height / scale];
  return s(
    'g',
    { class: kind },
    s('rect', { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: h / round }),
    s('text', { x, y, 'font-size': size / scale }, name),
  );
}
