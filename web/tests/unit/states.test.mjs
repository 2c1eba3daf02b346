// Drafts and records as states.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownBoard } from '../../js/game.js';
import { draftState, recordOf, recordState, withTried } from '../../js/states.js';

test('a draft seats people and remembers its series and opening', () => {
  const sides = [{ player: 'human', name: 'Ann' }, { player: 'strong@level=5' }];
  const state = draftState(knownBoard('gomoku'), { game: 'gomoku+swap2', sides, control: {}, series: 5 });
  assert.deepEqual(state.you, ['black']);
  assert.deepEqual(
    state.sides.map(side => [side.name, side.human]),
    [
      ['Ann', true],
      ['', false],
    ],
  );
  assert.deepEqual(state.series, { length: 5, wins: [0, 0], draws: 0, game: 1, over: false });
  assert.equal(state.opening?.rule, 'swap2');
  const plain = draftState(knownBoard('gomoku'), { game: 'gomoku', sides, control: {}, series: 1 });
  assert.deepEqual([plain.series, plain.opening], [null, null]);
});

test('a record shows whose turn it would be, its times and its winning line', () => {
  const cells = ['d1', 'a1', 'e1', 'a2', 'f1', 'a3', 'g1'];
  const record = { ...recordOf('connect4', ['Ann', ''], cells), verdict: { ending: 'line', outcome: 'black' } };
  record.moves[1].time_ms = 1500;
  const state = recordState(knownBoard('connect4'), record, [null, 0.5]);
  assert.deepEqual(state.winning_line, ['d1', 'e1', 'f1', 'g1']);
  assert.deepEqual([state.to_move, state.times[0], state.times[1], state.chances[1]], ['white', null, 1500, 0.5]);
  assert.deepEqual(
    state.sides.map(side => side.name),
    ['Ann', '?'],
  );
  assert.deepEqual([state.you, state.owner, state.kept], [[], false, false]);
});

test('two stones are left after the first of Connect6, and a set-up says who begins', () => {
  assert.equal(recordState(knownBoard('connect6'), recordOf('connect6', ['', ''], ['j10']), []).stones_left, 2);
  const setup = { stones: [{ stone: 'black', cell: 'h8' }], to_move: 'white', stones_left: 1 };
  const state = recordState(knownBoard('gomoku'), { ...recordOf('gomoku', ['', ''], []), setup }, []);
  assert.deepEqual([state.to_move, state.setup], ['white', setup]);
});

test('lines that were tried out join those of the record, which keep what they say', () => {
  const line = { from: 0, ply: 1, moves: [{ cell: 'c3', time_ms: 9 }] };
  const record = { ...recordOf('gomoku', ['', ''], ['a1', 'b2']), variations: [line] };
  const state = recordState(knownBoard('gomoku'), record, []);
  assert.deepEqual(state.variations, [{ from: 0, ply: 1, moves: ['c3'] }]);
  const longer = [
    { ...state.variations[0], moves: ['c3', 'd4'] },
    { from: 1, ply: 2, moves: ['e5'] },
  ];
  assert.deepEqual(withTried(record, longer).variations, [
    { from: 0, ply: 1, moves: [{ cell: 'c3', time_ms: 9 }, { cell: 'd4' }] },
    { from: 1, ply: 2, moves: [{ cell: 'e5' }] },
  ]);
});
