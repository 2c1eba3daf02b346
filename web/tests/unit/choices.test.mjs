// What can be chosen: games by their names, and players by what the server says of them.
import './browser.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boardOf, gameName, ruleOf } from '../../js/gamepick.js';
import { defaultEngine, knows, levelsOf, loadInfo, plays, secondEngine } from '../../js/info.js';
import { engineSide, spec, valid } from '../../js/sides.js';

const choice = more => ({
  kind: 'gomoku',
  rule: 'gomoku',
  size: 15,
  width: 7,
  height: 6,
  random: false,
  blocked: [],
  ...more,
});

test('a game that is chosen has the name the server reads, and its board', () => {
  const named = (more, name, width, height, per) => {
    assert.equal(gameName(choice(more)), name);
    const board = boardOf(choice(more));
    assert.deepEqual([board.width, board.height, board.per_turn], [width, height, per], name);
  };
  named({}, 'gomoku', 15, 15, 1);
  named({ rule: 'renju', size: 19, blocked: ['a1', 'b2'] }, 'renju:19/a1,b2', 19, 19, 1);
  named({ kind: 'connect6', size: 19, rule: 'renju' }, 'connect6', 19, 19, 2);
  named({ kind: 'connect4' }, 'connect4', 7, 6, 1);
  named({ kind: 'connect4', width: 9, height: 10, blocked: ['d4'] }, 'connect4:9x10/d4', 9, 10, 1);
  assert.equal(gameName(choice({ kind: 'connect4', random: true })), 'connect4:random');
  assert.deepEqual([choice({ rule: 'renju' }), choice({ kind: 'connect6' })].map(ruleOf), ['renju', 'connect6']);
});

test('until the server has answered, the usual engine is offered', () => {
  assert.deepEqual([defaultEngine(), secondEngine(), levelsOf('strong'), levelsOf('uct')], ['strong', 'strong', 10, 0]);
  assert.ok(plays('anybody', 'renju'));
  assert.equal(spec(engineSide('strong')), 'strong@level=5', 'a quick click meets the opponent that is shown');
});

test('the server says who plays what, and how strong it can be', async () => {
  const games = ['gomoku', 'renju', 'connect4'];
  const player = (name, plays = games, levels = 0) => ({ player: name, name, games: plays, levels });
  const players = [
    player('human'),
    player('solver', ['connect4']),
    player('best', games, 7),
    player('uct'),
    player('my brain', ['gomoku']),
  ];
  const info = {
    version: '1',
    players,
    engines: ['solver', 'best', 'uct'],
    formats: ['sgf'],
    games: [...games, 'connect4:random'],
  };
  globalThis.fetch = async path => {
    assert.equal(path, '/api/info');
    return Response.json(info);
  };
  await loadInfo();
  assert.deepEqual([defaultEngine(), secondEngine()], ['best', 'uct']);
  assert.deepEqual(
    [plays('solver', 'connect4'), plays('solver', 'gomoku'), plays('nobody', 'gomoku')],
    [true, false, false],
  );
  assert.deepEqual([knows('best@level=3'), knows('my brain'), knows('nobody')], [true, true, false]);
  assert.equal(levelsOf('best'), 7);
  assert.equal(spec(engineSide('best', 3)), 'best@level=3');
  const brain = engineSide('my brain');
  assert.equal(valid(brain, 'gomoku'), brain);
  assert.equal(spec(valid(brain, 'renju')), 'best@level=5');
  assert.equal(valid({ player: 'human', by: 'plain', value: 1 }, 'renju').player, 'human');
});
