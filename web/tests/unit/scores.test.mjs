// Scores, and what of a review and of threats is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance, colour, course, distinct, short, worst } from '../../js/scores.js';
import { knownBoard } from '../../js/game.js';
import { recordOf, recordState } from '../../js/states.js';

const advice = (win_in, own = null) => ({ score: 0, win_in, chance: own, cells: [] });

test('a score is short', () => {
  assert.equal(short(advice(7)), '#7');
  assert.equal(short(advice(-4)), '−#4');
  assert.equal(short(advice(0, 0.5)), '=');
  assert.equal(short(advice(null, 0.567)), '57');
  assert.equal(short(advice(null)), '·');
  assert.deepEqual([chance(advice(null)), chance(advice(null, 0))], [0.5, 0]);
});

test('the best is blue, the others go from green to red', () => {
  assert.deepEqual(
    [colour(0, 0), colour(1, 0.03), colour(1, 0.1), colour(2, 0.2), colour(3, 0.25)],
    ['best', 'good', 'fair', 'weak', 'bad'],
  );
});

test('the course of a game is told from Black’s side', () => {
  const record = recordOf('gomoku', ['', ''], ['h8', 'g9', 'i9']);
  const state = recordState(knownBoard('gomoku'), record, [0.6, 0.3, null]);
  assert.deepEqual(course(state, null), [null, 0.6, 0.7, null]);
  const review = {
    type: 'review',
    done: true,
    mistakes: [],
    plies: [
      { ply: 1, chance: 0.2 },
      { ply: 2, chance: 0.9 },
    ],
  };
  assert.deepEqual(course(state, review), [null, 0.8, 0.9, null]);
  const won = outcome => course({ ...state, verdict: { ending: 'line', outcome } }, null).at(-1);
  assert.deepEqual([won('black'), won('white'), won('draw')], [1, 0, 0.5]);
});

test('the eight worst mistakes are listed as they were made', () => {
  const plies = Array.from({ length: 12 }, (_, ply) => ({ ply, loss: ply === 3 ? 0.1 : 0.3 + ply / 100 }));
  const found = worst({ type: 'review', done: true, plies, mistakes: [1, 2, 3, 4, 5, 6, 7, 8, 9] });
  assert.deepEqual(
    found.map(one => one.ply),
    [1, 2, 4, 5, 6, 7, 8, 9],
  );
});

test('the same threat is shown once', () => {
  const four = { kind: 'four', cells: ['a1', 'b1'] };
  assert.deepEqual(
    distinct([four, { ...four, at: ['c1'] }, { kind: 'three', cells: ['a1', 'b1'] }, { kind: 'four', cells: [] }]).map(
      one => one.kind,
    ),
    ['four', 'three'],
  );
});
