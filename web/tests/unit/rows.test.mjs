// The list of moves before it is drawn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownBoard } from '../../js/game.js';
import { leaving, rowOf, turnLabel, turnRows } from '../../js/rows.js';
import { recordOf, recordState } from '../../js/states.js';

const state = (game, cells, setup) =>
  recordState(knownBoard(game), { ...recordOf(game, ['', ''], cells.split(' ').filter(Boolean)), setup }, []);
const words = one => turnRows(one).map(row => row.map(turn => turn.map(stone => stone.cell).join('+')).join(' '));

test('a row has the turns of both sides', () => {
  assert.deepEqual(words(state('gomoku', 'h8 g9 i9')), ['h8 g9', 'i9 ']);
  assert.deepEqual(words(state('connect6', 'j10 a1 a2 b1 b2 c1')), ['j10 a1+a2', 'b1+b2 c1']);
  assert.deepEqual(words(state('gomoku', '')), []);
  assert.deepEqual(turnRows(state('gomoku', 'h8'))[0][0], [{ cell: 'h8', ply: 1, ms: null }]);
});

test('where White begins, Black has no stone in the first row', () => {
  const setup = { stones: [{ stone: 'black', cell: 'h8' }], to_move: 'white', stones_left: 1 };
  const one = state('gomoku', 'g9 i9 g7', setup);
  assert.deepEqual(words(one), [' g9', 'i9 g7']);
  assert.deepEqual([turnLabel(one, 0), turnLabel(one, 1)], ['1…', '2.']);
});

test('a line stands below the row in which the game is left', () => {
  const one = state('gomoku', 'h8 g9 i9 g7');
  assert.deepEqual(
    [0, 1, 2, 3, 4, 9].map(ply => rowOf(one, ply)),
    [0, 0, 1, 1, 1, 1],
  );
  assert.equal(rowOf(state('gomoku', ''), 0), 0);
  assert.deepEqual(
    [0, 1, 2].map(ply => turnLabel(one, ply)),
    ['1.', '1…', '2.'],
  );
});

test('each line is followed by those that leave it', () => {
  const lines = [
    { from: 0, ply: 3, moves: ['a1', 'b1'] },
    { from: 0, ply: 1, moves: ['c1'] },
    { from: 1, ply: 4, moves: ['d1'] },
  ];
  assert.deepEqual(
    leaving(lines).map(one => [one.number, one.depth, one.ply]),
    [
      [1, 1, 3],
      [3, 2, 3],
      [2, 1, 1],
    ],
  );
});
