// Scores, and what of a review and of threats is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beforeAfter, chance, colour, course, distinct, leader, short } from '../../js/scores.js';
import { knownBoard } from '../../js/game.js';
import { recordOf, recordState } from '../../js/states.js';

const advice = (win_in, own = null) => ({ score: 0, win_in, chance: own, cells: [] });

test('a score is short', () => {
  assert.equal(short(advice(7)), 'W7');
  assert.equal(short(advice(-4)), 'L4');
  assert.equal(short(advice(0, 0.5)), '=');
  assert.equal(short(advice(null, 0.567)), '57');
  assert.equal(short(advice(null)), '·');
  assert.deepEqual([chance(advice(null)), chance(advice(null, 0))], [0.5, 0]);
});

test('colours go by what is lost, and a losing move is never green', () => {
  const best = advice(null, 0.71);
  const of = own => colour(advice(null, own), best);
  assert.deepEqual([0.71, 0.7, 0.68, 0.64, 0.55, 0.4].map(of), [
    'best',
    'best',
    'good',
    'inaccuracy',
    'mistake',
    'blunder',
  ]);
  const worse = advice(null, 0.3);
  assert.deepEqual([colour(worse, worse), colour(advice(null, 0.29), worse)], ['neutral', 'neutral']);
  assert.equal(colour(advice(-9, 0), advice(-9, 0)), 'blunder', 'a proven loss is red even if nothing is better');
  assert.equal(colour(advice(0, 0.5), advice(0, 0.5)), 'even');
  assert.equal(colour(advice(5, 1), advice(5, 1)), 'best');
});

test('who is ahead is named', () => {
  assert.deepEqual(leader(0.71), { stone: 'black', value: 0.71 });
  assert.deepEqual(leader(0.25), { stone: 'white', value: 0.75 });
  assert.deepEqual(beforeAfter({ stone: 'white', before: 0.69, after: 1 }), [1 - 0.69, 0]);
});

test('the course of a game is told from Black’s side', () => {
  const record = recordOf('gomoku', ['', ''], ['h8', 'g9', 'i9']);
  const state = recordState(knownBoard('gomoku'), record, [0.6, 0.3, null]);
  assert.deepEqual(course(state, null), [null, 0.6, 0.7, null]);
  const plies = [
    { ply: 0, turn: ['h8'], before: 0.55, after: 0.6 },
    { ply: 1, turn: ['g9'], before: 0.6, after: 0.8 },
  ];
  assert.deepEqual(course(state, { plies }), [0.55, 0.6, 0.8, null]);
  const seen = new Map([
    [1, 0.9],
    [3, 0.4],
  ]);
  assert.deepEqual(course(state, null, seen), [null, 0.9, 0.7, 0.4], 'an analysis knows more than a player');
  assert.deepEqual(course(state, { plies }, seen), [0.55, 0.6, 0.8, 0.4], 'and a review more than both');
  const won = outcome => course({ ...state, verdict: { ending: 'line', outcome } }, null).at(-1);
  assert.deepEqual([won('black'), won('white'), won('draw')], [1, 0, 0.5]);
});

test('the same threat is shown once', () => {
  const four = { kind: 'four', cells: ['a1', 'b1'] };
  assert.deepEqual(
    distinct([four, { ...four, at: ['c1'] }, { kind: 'three', cells: ['a1', 'b1'] }, { kind: 'four', cells: [] }]).map(
      one => one.kind,
    ),
    ['four', 'three'],
  );
  const ends = [
    { ...four, at: ['c1'] },
    { ...four, at: ['d1'] },
  ];
  assert.deepEqual(distinct(ends), [{ ...four, at: ['c1', 'd1'] }], 'an open four threatens at both ends');
});
