// What comes beside the module: fetched when it is needed, and handed on once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Beside, needed } from '../../js/local/code.js';
import { Thinker } from '../../js/local/thinkers.js';

test('a request needs the network or the book of its game, and who trains needs everything', () => {
  const errand = game => ({ do: 'errand', errand: { record: JSON.stringify({ game }) } });
  assert.deepEqual(needed(errand('gomoku+swap2')), ['gomoku.network']);
  assert.deepEqual(needed(errand('standard')), ['standard.network']);
  assert.deepEqual(needed(errand('renju+taraguchi10')), ['renju.network']);
  assert.deepEqual(needed({ do: 'analyse', record: '{"game":"connect6"}' }), ['connect6.network']);
  assert.deepEqual(needed(errand('connect4')), ['connect4.book']);
  assert.deepEqual(needed({ do: 'train_sets' }), [
    'gomoku.network',
    'standard.network',
    'renju.network',
    'connect6.network',
    'connect4.book',
    'all.puzzles',
  ]);
});

test('a thinker gets a file once, before what needs it, and says if it cannot be had', async t => {
  let missing = false;
  t.mock.method(globalThis, 'fetch', async url => ({ ok: !missing, status: 404, arrayBuffer: async () => url.href }));
  const posted = [];
  const worker = { postMessage: message => posted.push('beside' in message ? 'file' : message.do) };
  const thinker = new Thinker(worker, new Beside());
  const turn = () => new Promise(over => setImmediate(over));
  thinker.think({ do: 'rules', game: 'gomoku' }, () => {});
  await turn();
  thinker.think({ do: 'rules', game: 'gomoku' }, () => {});
  await turn();
  assert.deepEqual(posted, ['file', 'rules', 'rules']);
  missing = true;
  const said = await new Promise(hear => thinker.think({ do: 'rules', game: 'connect6' }, hear));
  assert.match(said.failed, /connect6\.network 404/);
  // The next one tries again.
  missing = false;
  thinker.think({ do: 'rules', game: 'connect6' }, () => {});
  await turn();
  assert.deepEqual(posted.slice(3), ['file', 'rules']);
});
