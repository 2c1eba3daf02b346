// What the place where one learns does by itself, without a browser.
import './browser.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownBoard } from '../../js/game.js';
import { when } from '../../js/learner.js';
import { TABLE } from '../../js/table.js';
import { TRAIN } from '../../js/trainwords.js';
import { branches, branchWords, mover, numbered, since, solving, walked } from '../../js/train/training.js';

test('the day is that of whoever looks at the clock', () => {
  const late = new Date(2026, 10, 7, 23, 59);
  assert.deepEqual(when(late), { ms: late.getTime(), day: '2026-11-07' });
});

test('stones of the position have no numbers, those that follow count from one', () => {
  const stones = numbered(knownBoard('gomoku'), ['h8', 'i9'], ['g7', 'g8']);
  assert.deepEqual(
    stones.map(({ cell, stone, n }) => [cell, stone, n]),
    [
      ['h8', 'black', -1],
      ['i9', 'white', -1],
      ['g7', 'black', 0],
      ['g8', 'white', 1],
    ],
  );
});

const puzzle = { start: knownBoard('connect6'), moves: ['j10'], stones_left: 2 };
const branch = (turn, by, then = [], best = true) => ({ turn, by, best, end: null, then });

test('whose stone a click places: the solver’s, two of them in Connect6, and nobody’s once it is over', () => {
  Object.assign(solving, { puzzle, moves: [], turn: [], over: false, asked: false, tree: null });
  assert.equal(mover(), 'white');
  solving.turn = ['a1'];
  assert.equal(mover(), 'white');
  Object.assign(solving, { moves: ['a1', 'b1', 'c1', 'd1'], turn: [] });
  assert.equal(mover(), 'white');
  assert.equal(mover(Object.assign(solving, { asked: true })), null);
  assert.equal(mover(Object.assign(solving, { asked: false, over: true })), null);
});

test('a walk through the tree lays the stones of its branches', () => {
  const tree = [branch(['a1', 'b1'], 'white', [branch(['c1', 'd1'], 'black', [], false), branch([], 'black')])];
  Object.assign(solving, { puzzle, tree, walk: [0] });
  assert.deepEqual(since(), ['a1', 'b1']);
  assert.deepEqual(branches().map(branchWords), ['c1 d1', TABLE.anythingElse[0]]);
  solving.walk = [0, 0];
  assert.deepEqual(since(), ['a1', 'b1', 'c1', 'd1']);
  assert.equal(walked().length, 2);
  assert.deepEqual(branches(), []);
  Object.assign(solving, { tree: null, walk: [] });
});

test('no word of the place takes that of another', () => {
  for (const [key, words] of Object.entries(TRAIN)) assert.equal(TABLE[key], words, key);
});
