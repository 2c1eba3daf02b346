// The module gives the same answers as the program: what all engines play, and thousands of positions of every rule.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { load, missing, MODULES, native, without } from './load.mjs';

const GAMES = [
  'gomoku',
  'standard',
  'renju',
  'connect6',
  'connect4',
  'connect4:9x10/d4',
  'gomoku:19',
  'connect:9,9,4,1,1',
];
const POSITIONS = 1000;
/** Every so many of them engines and solvers are asked too. */
const [SEARCHED, SOLVED] = [10, 40];

const program = missing ? null : native();
after(() => program?.stop());

/** Numbers that are the same each time. */
function random(seed) {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** So many random stones. */
function strew(module, game, draw, count) {
  const moves = [];
  while (moves.length < count) {
    const { legal, outcome } = module.ask('position', { game, moves });
    if (outcome || !legal.length) break;
    // Near the first stone more happens than on a whole board.
    const near = legal.slice(Math.floor(legal.length / 3), Math.ceil((2 * legal.length) / 3) + 1);
    moves.push(near[draw(near.length)]);
  }
  return moves;
}

for (const name of MODULES) {
  test(
    `what every engine plays in ${name} is what it plays natively: the signature`,
    { skip: without(name) },
    async () => {
      const module = await load(() => {}, name);
      const kept = await readFile(new URL('../../../data/signatures.txt', import.meta.url), 'utf8');
      const rows = [];
      for (let row = 0; ; row += 1) {
        const found = module.ask('signature', { row }).row;
        if (found == null) break;
        rows.push(found);
      }
      assert.deepEqual(
        rows,
        kept
          .trim()
          .split('\n')
          .filter(line => line.trim() && !line.startsWith('#'))
          .slice(0, rows.length),
      );
      assert.ok(rows.length >= 25, `${rows.length} rows`);
    },
  );
}

for (const [n, game] of GAMES.entries()) {
  test(`${POSITIONS} positions of ${game}`, { skip: missing }, async () => {
    const [module, draw] = [await load(), random(n + 1)];
    for (let count = 0; count < POSITIONS;) {
      const whole = strew(module, game, draw, 4 + draw(30));
      for (let plies = 0; plies <= whole.length && count < POSITIONS; plies += 1, count += 1) {
        const asked = { game, moves: whole.slice(0, plies) };
        const told = module.ask('position', asked);
        assert.deepEqual(told, await program.ask('position', asked), asked.moves.join(' '));
        if (told.outcome) continue;
        // A game without an engine of its own has no table to choose.
        const player = game.startsWith('connect:') ? 'strong' : 'strong@hash=1';
        const searched = { ...asked, player, nodes: 150, lines: 2 };
        if (count % SEARCHED === 0)
          assert.deepEqual(
            module.ask('search', searched),
            await program.ask('search', searched),
            asked.moves.join(' '),
          );
        const solved = { ...asked, nodes: 300 };
        if (count % SOLVED === 0 && !game.startsWith('connect:'))
          assert.deepEqual(module.ask('solve', solved), await program.ask('solve', solved), asked.moves.join(' '));
      }
    }
  });
}

test('files are read and written as the program does', { skip: missing }, async () => {
  const module = await load();
  const about = { name: 'x.sgf', from: '', game: '' };
  const file = '(;FF[4]GM[4]SZ[15];B[hh];W[hi];B[ih](;W[gh])(;W[jh];B[kh]))';
  const read = module.ask('read', { about, file });
  assert.deepEqual(read, await program.ask('read', { about, file }));
  const { record } = module.ask('keep', { record: JSON.stringify(read.games[0].record) });
  for (const format of module.ask('info', {}).formats) {
    const written = await program.ask('export', { record, format }).catch(error => error.message);
    let own;
    try {
      own = module.ask('export', { record, format });
    } catch (error) {
      own = error.message;
    }
    assert.deepEqual(own, written, format);
  }
});

test('a refusal is words, and the module goes on', { skip: missing }, async () => {
  const module = await load();
  assert.throws(() => module.ask('rules', { game: 'chess' }), /chess/);
  assert.throws(() => module.ask('position', { game: 'gomoku', moves: ['h8', 'h8'] }), /h8/);
  assert.throws(() => module.ask('nonsense', {}), /understood/);
  assert.equal(module.ask('rules', { game: 'renju' }).renju, true);
});
