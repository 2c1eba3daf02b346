// Cells, turns, falling stones and lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, cellAt, cells, kindOf, knownBoard, landing, stonesAfter, turnOf, winningLine } from '../../js/game.js';

const played = (game, text) => {
  const board = knownBoard(game);
  return winningLine(board, stonesAfter(board, text.split(' ')));
};

test('a cell has one name, in boards of up to 31 columns', () => {
  for (let x = 0; x < 31; x++) for (const y of [0, 8, 30]) assert.deepEqual(at(cellAt(x, y)), { x, y });
  assert.deepEqual([cellAt(0, 0), cellAt(25, 9), cellAt(26, 0), cellAt(30, 30)], ['a1', 'z10', 'aa1', 'ae31']);
  assert.deepEqual(cells('h8I10aa3'), ['h8', 'i10', 'aa3']);
  assert.deepEqual(cells(''), []);
});

test('turns have the sizes that the server sends', () => {
  const turns = (start, count) => Array.from({ length: count }, (_, n) => turnOf(start, n)).map(one => one.stone[0]);
  assert.equal(turns({ per_turn: 1, first_turn: 1 }, 4).join(''), 'bwbw');
  assert.equal(turns({ per_turn: 2, first_turn: 1 }, 6).join(''), 'bwwbbw');
  assert.equal(turns({ per_turn: 3, first_turn: 2 }, 7).join(''), 'bbwwwbb');
  assert.deepEqual(turnOf({ per_turn: 2, first_turn: 1 }, 2), { turn: 1, left: 1, stone: 'white' });
  const setup = { stones: [], to_move: 'white', stones_left: 1 };
  assert.equal(turns({ per_turn: 2, first_turn: 1, setup }, 5).join(''), 'wbbww');
});

test('stones of a set-up belong to no turn', () => {
  const setup = { stones: [{ stone: 'white', cell: 'c3' }], to_move: 'white', stones_left: 1 };
  const stones = stonesAfter({ ...knownBoard('gomoku'), setup }, ['d4', 'e5']);
  assert.deepEqual(
    stones.map(({ cell, stone, turn, n }) => [cell, stone, turn, n]),
    [
      ['c3', 'white', -1, -1],
      ['d4', 'white', 0, 0],
      ['e5', 'black', 1, 1],
    ],
  );
});

test('stones fall past blocked cells, and elsewhere lie where they are put', () => {
  const drop = knownBoard('connect4/d2');
  assert.equal(landing(drop, new Set(), 'd6'), 'd1');
  assert.equal(landing(drop, new Set(['d1']), 'd4'), 'd3');
  assert.equal(landing(drop, new Set(['d1', 'd3', 'd4', 'd5', 'd6']), 'd1'), null);
  const flat = knownBoard('gomoku/d2');
  assert.equal(landing(flat, new Set(), 'd6'), 'd6');
  assert.equal(landing(flat, new Set(['d6']), 'd6'), null);
  assert.equal(landing(flat, new Set(), 'd2'), null);
});

test('a line is found in every direction, and nowhere else', () => {
  assert.deepEqual(played('gomoku', 'a1 b1 a2 b2 a3 b3 a4 b4 a5'), ['a1', 'a2', 'a3', 'a4', 'a5']);
  assert.deepEqual(played('gomoku', 'c3 a1 d4 a2 f6 a3 g7 a4 e5'), ['c3', 'd4', 'e5', 'f6', 'g7']);
  assert.deepEqual(played('gomoku', 'c7 a1 d6 a2 f4 a3 g3 a4 e5'), ['c7', 'd6', 'e5', 'f4', 'g3']);
  assert.equal(played('gomoku', 'a1 b1 a2 b2 a3 b3 a4 b4 a6'), null);
  assert.equal(played('gomoku', 'o1 a9 o2 a8 o3 a7 o4 a6 a5'), null, 'a board has edges');
  assert.deepEqual(winningLine(knownBoard('gomoku'), []), null);
});

test('six in a row win, unless exactly five are wanted or Black plays renju', () => {
  const six = 'a1 a15 b1 b15 c1 c15 e1 e15 f1 f15 d1';
  assert.equal(played('gomoku', six).length, 6);
  assert.equal(played('standard', six), null);
  assert.equal(played('renju', six), null);
  const white = `h8 ${six}`;
  assert.equal(played('renju', white).length, 6, 'White is free');
  assert.equal(played('standard', white), null);
});

test('the usual boards are known by their names', () => {
  const shape = game => {
    const { width, height, line, per_turn, drop, exact, renju, blocked } = knownBoard(game);
    return [width, height, line, per_turn, drop, exact, renju, blocked.join()].join(' ');
  };
  assert.equal(shape('gomoku'), '15 15 5 1 false false false ');
  assert.equal(shape('standard:19'), '19 19 5 1 false true false ');
  assert.equal(shape('renju/h8,i9'), '15 15 5 1 false false true h8,i9');
  assert.equal(shape('connect6'), '19 19 6 2 false false false ');
  assert.equal(shape('connect4:9x10/d4'), '9 10 4 1 true false false d4');
  for (const unknown of ['connect4:random', 'connect:19,19,6,2,1', 'chess', ''])
    assert.equal(knownBoard(unknown), null);
  assert.equal(kindOf('connect4:9x10/d4'), 'connect4');
});
