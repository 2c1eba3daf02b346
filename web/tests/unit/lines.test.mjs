// Lines that leave the game.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOf, shared, withLine } from '../../js/lines.js';

const game = ['a1', 'b2', 'c3', 'd4'];
const add = (...paths) => paths.reduce((lines, path) => withLine(game, lines, path.split(' ')), []);

test('what two lines share is their common beginning', () => {
  assert.equal(shared(game, ['a1', 'b2', 'x9']), 2);
  assert.equal(shared(game, ['a1', 'b2']), 2);
  assert.equal(shared([], ['a1']), 0);
});

test('a line leaves the game where it differs first, and one that does not differ is none', () => {
  assert.deepEqual(add('a1 b2 e5'), [{ from: 0, ply: 2, moves: ['e5'] }]);
  assert.deepEqual(add('a1 b2'), []);
  assert.deepEqual(add('a1 b2 e5', 'a1 b2 e5'), [{ from: 0, ply: 2, moves: ['e5'] }]);
});

test('a line that goes on grows, one that branches off leaves its parent', () => {
  assert.deepEqual(add('a1 e5', 'a1 e5 f6'), [{ from: 0, ply: 1, moves: ['e5', 'f6'] }]);
  const lines = add('a1 e5 f6 g7', 'a1 e5 h8', 'a1 b2 i9');
  assert.deepEqual(lines, [
    { from: 0, ply: 1, moves: ['e5', 'f6', 'g7'] },
    { from: 1, ply: 2, moves: ['h8'] },
    { from: 0, ply: 2, moves: ['i9'] },
  ]);
  assert.deepEqual(lineOf(game, lines, 2), ['a1', 'e5', 'h8']);
  assert.deepEqual(lineOf(game, lines, 0), game);
});
