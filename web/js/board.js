// A board drawn in SVG: the ground, stones and marks on it. The page and the report of a contest draw with this hand,
// so nothing here knows of servers, clicks or the page.
import { s } from './dom.js';
import { at, column } from './game.js';

/** @import { Board, Child } from './types.js' */
/** @typedef {Pick<Board, 'width' | 'height' | 'blocked' | 'drop'>} Ground */

export const UNIT = 20;
/** Stones lie on lines, discs stand behind the holes of a plate. */
const [STONE, DISC, HOLE] = [9.5, 9.14, 8.36];
/** From the outermost lines to the edge of the wood; what stands around the holes of a plate. */
const EDGE = 9;
const PLATE = { side: 5, rim: 8.7, below: 1.2, foot: 4.6, overhang: 1.6 };
/** Where a disc waits above the plate that is played on. */
export const ABOVE = 18;

/** The middle of a cell. @param {{height: number}} board @param {{x: number, y: number}} place */
export const middle = (board, { x, y }) => ({ cx: (x + 0.5) * UNIT, cy: (board.height - y - 0.5) * UNIT });

/** @param {{width: number, height: number}} board */
function starPoints({ width, height }) {
  const along = (/** @type {number} */ n) => (n < 9 ? [] : n < 13 ? [2, n - 3] : [3, n - 4]);
  const centre = (/** @type {number} */ n) => (n % 2 && n >= 9 ? [(n - 1) / 2] : []);
  const pairs = (/** @type {number[]} */ xs, /** @type {number[]} */ ys) => xs.flatMap(x => ys.map(y => ({ x, y })));
  const sides =
    width >= 19 && height >= 19 ? [...pairs(along(width), centre(height)), ...pairs(centre(width), along(height))] : [];
  return [...pairs(along(width), along(height)), ...pairs(centre(width), centre(height)), ...sides];
}

/** Fine lines inside, a stronger frame, star points. @param {Ground} board */
function gridLines(board) {
  const { width, height } = board;
  const [right, bottom] = [(width - 0.5) * UNIT, (height - 0.5) * UNIT];
  const across = Array.from({ length: height - 2 }, (_, y) => `M10 ${(y + 1.5) * UNIT}H${right}`);
  const down = Array.from({ length: width - 2 }, (_, x) => `M${(x + 1.5) * UNIT} 10V${bottom}`);
  return [
    s('path', { class: 'grid', d: across.concat(down).join('') }),
    s('path', { class: 'frame', d: `M10 10H${right}V${bottom}H10Z` }),
    starPoints(board).map(place => s('circle', { class: 'star', ...middle(board, place), r: 1.7 })),
  ];
}

/** @param {Ground} board */
export const allCells = ({ width, height }) =>
  Array.from({ length: width * height }, (_, n) => ({ x: n % width, y: height - 1 - Math.floor(n / width) }));

/** @param {Ground} board */
function coordinates({ width, height, drop }) {
  const text = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ name) =>
    s('text', { class: 'coord', x, y }, name);
  const below = height * UNIT + (drop ? PLATE.below + PLATE.foot / 2 : 2);
  return [
    Array.from({ length: width }, (_, x) => text((x + 0.5) * UNIT, below, column(x))),
    Array.from({ length: height }, (_, y) => text(-2.2, (height - y - 0.5) * UNIT, String(y + 1))),
  ];
}

/** @param {Ground} board @param {string} cell @param {string} kind @param {number} r */
export function cross(board, cell, kind, r) {
  const { cx, cy } = middle(board, at(cell));
  return s('path', {
    class: kind,
    d: `M${cx - r} ${cy - r}L${cx + r} ${cy + r}M${cx + r} ${cy - r}L${cx - r} ${cy + r}`,
  });
}

/** Numbers that look like chance and are the same every time. @param {number} seed */
function dice(seed) {
  let now = seed;
  return () => {
    now = (now * 16807) % 2147483647;
    return now / 2147483647;
  };
}

const CURVES = 56;

/** The grain of the wood: long uneven curves from top to bottom. @param {number[]} box */
function grain([left, top, width, height]) {
  const roll = dice(1234567);
  // One to each strip: chance alone makes clumps.
  const curve = (/** @type {unknown} */ _, /** @type {number} */ n) => {
    const x = left + ((n + roll()) / CURVES) * width;
    const sway = () => (x + (roll() - 0.5) * 4).toFixed(1);
    const [third, two] = [top + height / 3, top + (2 * height) / 3];
    return s('path', {
      d: `M${sway()} ${top}C${sway()} ${third.toFixed(1)} ${sway()} ${two.toFixed(1)} ${sway()} ${top + height}`,
      'stroke-width': (0.3 + roll() ** 2 * 2.2).toFixed(2),
      'stroke-opacity': (0.03 + roll() * 0.06).toFixed(3),
    });
  };
  return s('g', { class: 'grain' }, Array.from({ length: CURVES }, curve));
}

/** A plate with round holes, drawn as one shape, so that what falls behind it is seen through them. */
function holes(/** @type {Ground} */ board, /** @type {number} */ r) {
  return allCells(board)
    .map(place => {
      const { cx, cy } = middle(board, place);
      return `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
    })
    .join('');
}

/** The plate of one column, without its holes. @param {Ground} board @param {number} x */
export const columnShape = (board, x) => {
  const own = { ...board, width: 1 };
  const holed = holes(own, HOLE);
  return {
    d: `M0 ${-PLATE.rim}h${UNIT}v${board.height * UNIT + PLATE.rim + PLATE.below}h${-UNIT}Z${holed}`,
    x: x * UNIT,
  };
};

/** @param {Ground} board @param {boolean} names */
function plateBox({ width, height }, names) {
  const { side, rim, below } = PLATE;
  const top = names ? rim : 3;
  const [pad, under] = names ? [side, below] : [3, 3];
  return { x: -pad, y: -top, width: width * UNIT + 2 * pad, height: height * UNIT + top + under };
}

/**
 * What stands before the discs: the front plate, its bevels and shadows.
 * @param {Ground} board
 * @param {boolean} names
 */
export function front(board, names) {
  if (!board.drop) return [];
  const { x, y, width, height } = plateBox(board, names);
  const round = names ? 4 : 3;
  const outline =
    `M${x + round} ${y}h${width - 2 * round}a${round} ${round} 0 0 1 ${round} ${round}V${y + height}` +
    `H${x}V${y + round}a${round} ${round} 0 0 1 ${round} ${-round}Z`;
  const spots = allCells(board).map(place => middle(board, place));
  return [
    spots.map(spot => s('circle', { class: 'shade', ...spot, r: HOLE })),
    s('path', { class: 'plate', 'fill-rule': 'evenodd', d: outline + holes(board, HOLE) }),
    spots.map(spot => s('circle', { class: 'bevel', ...spot, r: HOLE })),
    names ? foot(board) : null,
    names ? coordinates(board) : null,
    board.blocked.map(cell => cross(board, cell, 'cross', 5.5)),
  ];
}

/** @param {Ground} board */
function foot({ width, height }) {
  const { side, below, foot: tall, overhang } = PLATE;
  const x = -side - overhang;
  return [
    s('rect', {
      class: 'foot',
      x,
      y: height * UNIT + below,
      width: width * UNIT - 2 * x,
      height: tall,
      rx: 1.6,
    }),
    s('path', { class: 'shine', d: `M${-side} ${height * UNIT + below}h${width * UNIT + 2 * side}` }),
  ];
}

/** The empty board: what lies under the stones. @param {Ground} board @param {boolean} names */
export function ground(board, names) {
  const box = board.drop ? dropBox(board, names) : boardBox(board, names);
  const [x, y, width, height] = box;
  const plate = plateBox(board, names);
  return {
    viewBox: box.map(n => Number(n.toFixed(2))).join(' '),
    parts: board.drop
      ? [s('rect', { class: 'back', ...plate, rx: 4 })]
      : [
          s('rect', { class: 'wood', x, y, width, height }),
          names ? grain(box) : null,
          gridLines(board),
          names ? coordinates(board) : [],
          board.blocked.map(cell => cross(board, cell, 'cross', 5.5)),
        ],
  };
}

/** @param {Ground} board @param {boolean} names */
const boardBox = ({ width, height }, names) => {
  const edge = names ? EDGE : 3;
  return [-edge, -edge, width * UNIT + 2 * edge, height * UNIT + 2 * edge];
};

/** @param {Ground} board @param {boolean} names */
function dropBox(board, names) {
  const { x, y, width, height } = plateBox(board, names);
  if (!names) return [x, y, width, height];
  const { foot: tall, overhang } = PLATE;
  return [x - overhang, y, width + 2 * overhang, height + tall];
}

/**
 * A stone, or the disc of a game in which they fall.
 * @param {Ground} board
 * @param {{cell: string, stone: string}} stone
 * @param {string} [more]
 */
export function drawStone(board, { cell, stone }, more = '') {
  const { cx, cy } = middle(board, at(cell));
  return s(
    'g',
    { class: `stone ${stone} ${more}`, transform: `translate(${cx} ${cy})` },
    s('g', { class: 'body' }, board.drop ? disc(stone) : round(stone)),
  );
}

/** @param {string} stone */
const round = stone => [
  s('circle', { class: 'shadow', cx: 0.7, cy: 1.4, r: STONE * 1.1 }),
  s('circle', { class: 'ball', r: STONE, fill: `url(#${stone}-stone)` }),
  stone === 'black'
    ? s('ellipse', { class: 'gleam', cx: -3.2, cy: -4.3, rx: 2.6, ry: 1.7, transform: 'rotate(-32 -3.2 -4.3)' })
    : null,
];

const STAR = 'M0 -4.200Q.6 -.6 4.200 0Q.6 .6 0 4.200Q-.6 .6 -4.200 0Q-.6 -.6 0 -4.200Z';
/** A ring or a star: who cannot tell the colours sees the shape. @param {string} stone */
const disc = stone => [
  s('circle', { class: 'ball', r: DISC, fill: `url(#${stone}-disc)` }),
  s('circle', { class: 'edge', r: 6.9 }),
  stone === 'black' ? s('circle', { class: 'motif', r: 3 }) : s('path', { class: 'motif', d: STAR }),
];

/** Winning stones are ringed one after the other. @param {Ground} board @param {string[]} line */
export const rings = (board, line) =>
  line.map(cell => {
    const spot = middle(board, at(cell));
    return s(
      'g',
      { class: 'win' },
      s('circle', { class: 'win-under', ...spot, r: 9.6 }),
      s('circle', { class: 'win-over', ...spot, r: 9.6 }),
    );
  });

/** A dot on a stone of the last turn. @param {Ground} board @param {string} cell */
export const dotOn = (board, cell) =>
  s('circle', { class: `last${board.drop ? ' pale' : ''}`, ...middle(board, at(cell)), r: board.drop ? 1.5 : 2.6 });

/**
 * A board that only shows.
 * @param {Ground} board
 * @param {{ cell: string, stone: string }[]} stones
 * @param {string} label
 * @param {Child[]} [more]
 * @param {boolean} [names]
 */
export function picture(board, stones, label, more = [], names = false) {
  const { viewBox, parts } = ground(board, names);
  const attributes = { class: `board small${board.drop ? ' drop' : ''}`, viewBox, role: 'img', 'aria-label': label };
  return s(
    'svg',
    attributes,
    parts,
    stones.map(stone => drawStone(board, stone)),
    front(board, names),
    more,
  );
}

/** Shared colours of wood, stones, discs and plate, once a page. */
export function defs() {
  const stops = (/** @type {[number, string, number?][]} */ all) =>
    all.map(([offset, colour, opacity]) =>
      colour.startsWith('--')
        ? s('stop', { offset, class: `stop${colour}` })
        : s('stop', { offset, 'stop-color': colour, 'stop-opacity': opacity ?? null }),
    );
  const radial = (
    /** @type {string} */ id,
    /** @type {[number, string, number?][]} */ all,
    cx = '0.36',
    cy = '0.29',
    r = '0.78',
  ) => s('radialGradient', { id, cx, cy, r }, stops(all));
  const linear = (/** @type {string} */ id, /** @type {[number, string, number?][]} */ all, x2 = 0) =>
    s('linearGradient', { id, x1: 0, y1: 0, x2, y2: 1 }, stops(all));
  return s(
    'svg',
    { class: 'defs', width: 0, height: 0, 'aria-hidden': 'true' },
    s(
      'defs',
      {},
      linear(
        'wood',
        [
          [0, '--wood-1'],
          [1, '--wood-2'],
        ],
        1,
      ),
      radial('black-stone', [
        [0, '#67656a'],
        [0.28, '#36353a'],
        [0.7, '#17161a'],
        [1, '#0b0a0c'],
      ]),
      radial('white-stone', [
        [0, '#fff'],
        [0.55, '#f8f5ef'],
        [0.88, '#ddd6ca'],
        [1, '#c9c0b1'],
      ]),
      radial(
        'stone-shadow',
        [
          [0, '#241505', 0.5],
          [0.74, '#241505', 0.5],
          [1, '#241505', 0],
        ],
        '0.5',
        '0.5',
        '0.5',
      ),
      radial('black-disc', [
        [0, '#f8826c'],
        [0.5, '#e24b36'],
        [1, '#b32e1e'],
      ]),
      radial('white-disc', [
        [0, '#ffdf7a'],
        [0.5, '#f4b921'],
        [1, '#ce8e08'],
      ]),
      linear('glow', [
        [0, '#fff', 0.26],
        [1, '#fff', 0.08],
      ]),
      linear('plate', [
        [0, '--plate-1'],
        [1, '--plate-2'],
      ]),
      linear('bevel', [
        [0, '#153b7c'],
        [0.5, '#1f4f9e'],
        [1, '#74a6ee'],
      ]),
      linear('hole-shade', [
        [0, '#1a1208', 0.5],
        [0.36, '#1a1208', 0],
      ]),
    ),
  );
}
