// The rules of the games, with pictures drawn by the same hand as the board.
import { h, put } from './dom.js';
import { picture, rings, cross } from './board.js';
import { at, cellAt } from './game.js';
import { language, t } from './words.js';

/**
 * @typedef {{ width: number, height: number, drop?: boolean, blocked?: string[], black: string, white: string, line?:
 * string, forbidden?: string, words: [string, string] }} Picture
 */
/** @typedef {{ key: string, words: [string, string][], pictures: Picture[] }} Chapter */

/** @type {Chapter[]} */
export const CHAPTERS = [
  {
    key: 'gomoku',
    words: [
      [
        'Black begins. The sides take turns, one stone each, on any free point. Five or more of one colour ' +
          'in an unbroken row, across, down or diagonally, win. If the board is full, the game is a draw.',
        '黑方先行，双方轮流在空点各下一子。同色五子或更多在横、竖、斜方向连成一线即获胜。棋盘下满为和棋。',
      ],
      [
        'Swap2 makes the game even: the opener places three stones, Black, White, Black. The other player ' +
          'plays on as White, takes Black, or places two more stones, White and Black, and lets the opener ' +
          'choose between White and Black.',
        'Swap2 使对局公平：开局者先摆三子，黑、白、黑。另一方可以执白续下、改执黑，或再摆一白一黑两子，由开局者选择黑白。',
      ],
      ['“Exactly five”: six or more in a row do not win.', '“长连不算赢”：六子或更多相连不算赢。'],
    ],
    pictures: [
      {
        width: 9,
        height: 9,
        black: 'c3 d4 e5 f6 g7 e3',
        white: 'd5 e6 f5 c6 g4',
        line: 'c3 g7',
        words: ['Black wins', '黑方获胜'],
      },
      {
        width: 9,
        height: 9,
        black: 'c5 d5 e5 f5 e7',
        white: 'b5 d6 e6 f4',
        words: ['A four: White must block at g5', '黑方冲四：白方必须挡 g5'],
      },
      {
        width: 9,
        height: 9,
        black: 'd5 e5 f5',
        white: 'd6 e7',
        words: ['An open three: next comes a four open at both ends', '活三：下一步成为活四'],
      },
    ],
  },
  {
    key: 'renju',
    words: [
      [
        'Like Gomoku, but Black, who has the advantage of beginning, may not play a stone that makes six or ' +
          'more in a row, two fours at once, or two open threes at once. A stone that makes exactly five wins, ' +
          'whatever else it makes. White is free and also wins with six.',
        '与五子棋相同，但先行的黑方不得下出三三、四四或长连（六子或更多）。恰好成五则获胜，无论同时形成什么。白方没有限制，长连也算赢。',
      ],
    ],
    pictures: [
      {
        width: 9,
        height: 9,
        black: 'd5 f5 e4 e6',
        white: 'b2 h7 c8',
        forbidden: 'e5',
        words: ['Double three at e5: forbidden', 'e5 三三禁手'],
      },
      {
        width: 9,
        height: 9,
        black: 'b5 c5 d5 e2 e3 e4',
        white: 'a5 e1 h7',
        forbidden: 'e5',
        words: ['Double four at e5: forbidden', 'e5 四四禁手'],
      },
      {
        width: 9,
        height: 9,
        black: 'b5 c5 d5 f5 g5',
        white: 'd6 e7 f6',
        forbidden: 'e5',
        words: ['Six in a row at e5: forbidden', 'e5 长连禁手'],
      },
    ],
  },
  {
    key: 'connect6',
    words: [
      [
        'Black begins with one stone. Then each side places two stones a turn. Six or more in a row win. The ' +
          'first stone of a turn can be taken back before the second. A stone that completes a line ends the ' +
          'game at once.',
        '黑方第一手下一子，此后双方每手各下两子。六子或更多连成一线获胜。每手的第一子在下第二子之前可以收回。连成一线即刻获胜。',
      ],
    ],
    pictures: [
      { width: 9, height: 9, black: 'e5', white: 'd6 f6', words: ['Black one stone, White two', '黑一子，白两子'] },
      {
        width: 9,
        height: 9,
        black: 'b4 c4 d4 e4 f4 g4 e6',
        white: 'c5 d5 e5 f5 d3 h6',
        line: 'b4 g4',
        words: ['Black wins', '黑方获胜'],
      },
    ],
  },
  {
    key: 'connect4',
    words: [
      [
        'Choose a column: the disc falls to its lowest free cell. Four or more in a row, across, down or ' +
          'diagonally, win. If nowhere is left to play, the game is a draw.',
        '选择一列，棋子落到该列最低的空格。横、竖、斜四子或更多相连获胜。无处可下为和棋。',
      ],
      [
        'A red cross is a blocked cell: nobody can play there, no line passes through it, and discs fall ' +
          'past it. When the cell below it is filled, the next disc lies above it.',
        '红叉是障碍格：谁都不能下，连线不能穿过，棋子会越过它。它下面的格子填满后，下一子落在它上面。',
      ],
    ],
    pictures: [
      {
        width: 7,
        height: 6,
        drop: true,
        black: 'd1 c1 d2 e2 f3 d3',
        white: 'e1 f1 b1 f2 d4 e3',
        words: ['Discs fall', '棋子下落'],
      },
      {
        width: 7,
        height: 6,
        drop: true,
        black: 'c1 d2 e3 f4 e2',
        white: 'd1 e1 f1 f2 f3 c2',
        line: 'c1 f4',
        words: ['Red wins', '红方获胜'],
      },
      {
        width: 7,
        height: 6,
        drop: true,
        blocked: ['d2'],
        black: 'd1 c1 e1',
        white: 'd3 c2 b1',
        words: ['d2 is blocked', 'd2 是障碍'],
      },
    ],
  },
];

/** The cells of a picture. @param {string} [text] */
export const list = (text = '') => text.split(' ').filter(Boolean);

/** The cells of a line from one end to the other. @param {string} from @param {string} to */
function between(from, to) {
  const [a, b] = [at(from), at(to)];
  const steps = Math.max(Math.abs(b.x - a.x), Math.abs(b.y - a.y));
  const along = (/** @type {number} */ n) => cellAt(a.x + (n * (b.x - a.x)) / steps, a.y + (n * (b.y - a.y)) / steps);
  return Array.from({ length: steps + 1 }, (_, n) => along(n));
}

/** @param {Picture} one */
function drawn(one) {
  const words = one.words[language() === 'zh' ? 1 : 0];
  const { width, height, blocked = [], drop = false } = one;
  const board = { width, height, blocked, drop };
  const stones = [
    ...list(one.black).map(cell => ({ cell, stone: 'black' })),
    ...list(one.white).map(cell => ({ cell, stone: 'white' })),
  ];
  const [from, to] = list(one.line);
  const more = [
    rings(board, from ? between(from, to) : []),
    ...list(one.forbidden).map(cell => cross(board, cell, 'forbidden', 4)),
  ];
  return h('figure', {}, picture(board, stones, words, more, !drop), h('figcaption', {}, words));
}

/** @param {Element} place */
export function mountRules(place) {
  const zh = language() === 'zh' ? 1 : 0;
  put(
    place,
    h(
      'div',
      { class: 'page' },
      h('h1', {}, t('rules')),
      CHAPTERS.map(({ key, words, pictures }) =>
        h(
          'section',
          { class: 'sheet', id: `rules-${key}` },
          h('h2', {}, t(key)),
          words.map(text => h('p', {}, text[zh])),
          h('div', { class: 'figures' }, pictures.map(drawn)),
        ),
      ),
    ),
  );
}
