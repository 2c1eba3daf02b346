// What was played from a position: lists of two places as one, and with what an engine thinks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addExplored, blackScore, exploredRows } from '../../js/explored.js';

const results = (black, draws, white) => ({ games: black + draws + white, black, draws, white });
const move = (cell, alike, ...won) => ({ cell, alike, ...results(...won) });
const explored = (looked, total, ...moves) => ({ named: null, looked, total: results(...total), moves });

const theirs = explored(9, [2, 0, 1], move('g8', ['g8', 'i8'], 1, 0, 1), move('a1', ['a1'], 1, 0, 0));
const own = explored(3, [0, 1, 2], move('i8', ['g8', 'i8'], 0, 1, 1), move('b2', ['b2'], 0, 0, 1));

test('games of two places are counted as one list, whichever way their boards lie', () => {
  const both = addExplored(theirs, own);
  assert.deepEqual([both.looked, both.total], [12, results(2, 1, 3)]);
  assert.deepEqual(
    both.moves.map(({ cell, games, black }) => [cell, games, black]),
    [
      ['g8', 4, 1],
      ['a1', 1, 1],
      ['b2', 1, 0],
    ],
  );
});

test('the engine’s value stands with the same move, and its own moves come last', () => {
  const lines = [
    { score: 0, win_in: null, chance: 0.6, cells: ['i8', 'a1'] },
    { score: 0, win_in: null, chance: 0.5, cells: ['c3'] },
  ];
  const rows = exploredRows(theirs, lines).map(({ cell, games, line }) => [cell, games, line?.chance ?? null]);
  assert.deepEqual(rows, [
    ['g8', 2, 0.6],
    ['a1', 1, null],
    ['c3', 0, 0.5],
  ]);
});

test('Black’s score counts games that have an end', () => {
  assert.equal(blackScore({ ...results(1, 1, 0), games: 5 }), 75);
  assert.equal(blackScore(results(0, 0, 0)), null);
});
