// @ts-check
// Boards: from the cells of a game to a drawing.

const UNIT = 20;
const column = n => (n < 26 ? String.fromCharCode(97 + n) : 'a' + String.fromCharCode(97 + n - 26));

/** The cells of a string such as `h8i10`. */
function cells(text) {
  return Array.from(text.matchAll(/([a-z]+)(\d+)/g), ([name, letters, row]) => {
    const digits = Array.from(letters, letter => letter.charCodeAt(0) - 97);
    return { name, x: digits.length === 1 ? digits[0] : 26 * (digits[0] + 1) + digits[1], y: Number(row) - 1 };
  });
}

/** Who placed stone `n` of a game, and which turn it belongs to. */
function turnOf(game, n) {
  const board = data.boards[game.board];
  const begins = game.setup?.to_move ?? 'black',
    first = game.setup?.stones_left ?? board.first_turn;
  const turn = n < first ? 0 : 1 + Math.floor((n - first) / board.per_turn);
  return { turn, stone: (turn % 2 === 0) === (begins === 'black') ? 'black' : 'white' };
}

/** The stones of a game after `ply` moves, with the turn each belongs to; those of a set-up to none. */
function stonesAt(game, ply) {
  const setup = (game.setup?.stones ?? []).map(({ stone, cell }) => ({ ...cells(cell)[0], stone, turn: -1 }));
  return setup.concat(
    cells(game.moves)
      .slice(0, ply)
      .map((cell, n) => ({ ...cell, ...turnOf(game, n) })),
  );
}

function starPoints({ width, height }) {
  const along = n => (n < 9 ? [] : n < 13 ? [2, n - 3] : [3, n - 4]);
  const middle = n => (n % 2 && n >= 9 ? [(n - 1) / 2] : []);
  const pairs = (xs, ys) => xs.flatMap(x => ys.map(y => ({ x, y })));
  const sides =
    width >= 19 && height >= 19 ? [...pairs(along(width), middle(height)), ...pairs(middle(width), along(height))] : [];
  return [...pairs(along(width), along(height)), ...pairs(middle(width), middle(height)), ...sides];
}

/** A place on the drawing: the middle of a cell. */
const placed = (board, { x, y }) => ({ cx: (x + 0.5) * UNIT, cy: (board.height - y - 0.5) * UNIT });

function gridLines(board) {
  const { width, height } = board,
    half = UNIT / 2;
  const across = Array.from({ length: height }, (_, y) => `M${half} ${(y + 0.5) * UNIT}H${(width - 0.5) * UNIT}`);
  const down = Array.from({ length: width }, (_, x) => `M${(x + 0.5) * UNIT} ${half}V${(height - 0.5) * UNIT}`);
  return [
    s('path', { class: 'grid', d: across.concat(down).join('') }),
    ...starPoints(board).map(cell => s('circle', { class: 'star', ...placed(board, cell), r: 2 })),
  ];
}

function holes(board) {
  const all = Array.from({ length: board.width * board.height }, (_, n) => ({
    x: n % board.width,
    y: Math.floor(n / board.width),
  }));
  return all.map(cell => s('circle', { class: 'hole', ...placed(board, cell), r: 8.6 }));
}

function coordinates({ width, height }) {
  const text = (x, y, name) => s('text', { class: 'coord', x, y }, name);
  return [
    ...Array.from({ length: width }, (_, x) => text((x + 0.5) * UNIT, height * UNIT + 7, column(x))),
    ...Array.from({ length: height }, (_, y) => text(-7, (height - y - 0.5) * UNIT, String(y + 1))),
  ];
}

function redCross(board, cell) {
  const { cx, cy } = placed(board, cell),
    r = 5.5;
  return s('path', {
    class: 'cross',
    d: `M${cx - r} ${cy - r}L${cx + r} ${cy + r}M${cx + r} ${cy - r}L${cx - r} ${cy + r}`,
  });
}

function winBar(board, line) {
  if (line.length === 0) return null;
  const [from, to] = [placed(board, line[0]), placed(board, line[line.length - 1])];
  return s('line', { class: 'win', x1: from.cx, y1: from.cy, x2: to.cx, y2: to.cy });
}

/** The drawing of a board with stones on it. */
function drawBoard(board, stones, { label, line = [], lastTurn = -2, foul = null, names = true }) {
  const [width, height, edge] = [board.width * UNIT, board.height * UNIT, names ? 14 : 2];
  const right = names ? 4 : 2;
  const ringed = stones.filter(stone => stone.turn === lastTurn);
  return s(
    'svg',
    {
      class: 'board',
      viewBox: `${-edge} ${-right} ${width + edge + right} ${height + edge + right}`,
      role: 'img',
      'aria-label': label,
    },
    s('rect', {
      class: 'wood',
      x: -edge,
      y: -right,
      width: width + edge + right,
      height: height + edge + right,
      rx: 4,
    }),
    board.drop ? holes(board) : gridLines(board),
    names ? coordinates(board) : [],
    cells(board.blocked).map(cell => redCross(board, cell)),
    stones.map(stone => s('circle', { class: 'stone', ...placed(board, stone), r: 8.6, fill: `url(#${stone.stone})` })),
    ringed.map(stone => s('circle', { class: 'ring', ...placed(board, stone), r: 4 })),
    foul ? cells(foul).map(cell => s('circle', { class: 'foul', ...placed(board, cell), r: 9.4 })) : [],
    winBar(board, line),
  );
}
