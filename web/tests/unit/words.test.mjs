// The words of the page.
import './browser.mjs';
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { after, test } from 'node:test';
import { status } from './states.mjs';
import * as words from '../../js/words.js';
import { seriesWords, turnWords, verdictWords } from '../../js/status.js';

const { TABLE, t, language, switchLanguage } = words;
const js = new URL('../../js/', import.meta.url);
after(() => language() === 'zh' && switchLanguage());

test('every text exists in both languages, with the same places to fill in', () => {
  const places = text => (text.match(/\{\w+\}/g) ?? []).sort().join();
  for (const [key, [en, zh, ...more]] of Object.entries(TABLE)) {
    assert.ok(en && zh && !more.length, key);
    // One of something is said without its number.
    assert.equal(places(en), places(zh), key);
  }
});

/** The scripts of the page, by their names. */
async function scripts() {
  const inner = (await readdir(new URL('train/', js))).map(name => `train/${name}`);
  const names = [...(await readdir(js)), ...inner].filter(name => name.endsWith('.js'));
  return Promise.all(names.map(async name => [name, await readFile(new URL(name, js), 'utf8')]));
}

test('every text that is asked for exists', async () => {
  for (const [name, source] of await scripts())
    for (const [, key] of source.matchAll(/\bt\(\s*'([^']+)'/g)) assert.ok(TABLE[key], `${name}: ${key}`);
});

test('no text is left for which nobody asks', async () => {
  const source = (await scripts()).flatMap(([name, text]) => (/(table|trainwords)\.js$/.test(name) ? [] : text)).join();
  const quoted = new Set([...source.matchAll(/'([\w-]+)'/g)].map(([, key]) => key));
  // What is put together: `grade-${grade}`, `${card}Line`; and what a setting's name is put before.
  const made = [...source.matchAll(/`([\w-]*)\$\{[^`]*\}([\w-]*)`/g)].map(([, ...ends]) => ends);
  const parts = made
    .filter(([head, tail]) => (head + tail).length > 2)
    .concat([
      ['theme-', ''],
      ['aim-', ''],
    ]);
  // Endings that the server names.
  const endings = 'resigned illegal crashed garbled after-end out-of-turn not-started tampered'.split(' ');
  const asked = key =>
    quoted.has(key) ||
    endings.includes(key) ||
    parts.some(([head, tail]) => key.startsWith(head) && key.endsWith(tail));
  const left = Object.keys(TABLE).filter(key => !asked(key) && !(key.endsWith('1') && asked(key.slice(0, -1))));
  assert.deepEqual(left, []);
});

test('Chinese as players say it, the same in the glossary', async () => {
  const glossary = await readFile(new URL('../../../docs/glossary.md', import.meta.url), 'utf8');
  const said = Object.values(TABLE).map(([, zh]) => zh);
  const usual = '玩家 你 电脑 无禁手 长连不算赢 取消悔棋 三三禁手 冲四 活四 应答无效'.split(' ');
  for (const word of usual) assert.ok(glossary.includes(word) && said.includes(word), word);
  for (const word of ['人', '强手', '答非所问', '自由规则', '标准规则']) assert.ok(!said.includes(word), word);
  const english = Object.values(TABLE).map(([en]) => en);
  assert.ok(english.some(text => text.includes('diagonally')) && english.some(text => text.includes('do not win')));
  for (const text of english) assert.doesNotMatch(text, /aslant|As it is|Going through the game/, text);
  assert.equal(t('wonTime', { side: 'White' }), 'White won on time');
});

test('values are filled in, and one is not many', () => {
  assert.equal(t('games', { n: 3 }), '3 games');
  assert.equal(t('games', { n: 1 }), '1 game');
  assert.equal(t('ofPlanned', { n: 3, of: null }), '3 of  games');
  assert.equal(t('no such key'), 'no such key');
});

test('games and players have names for people', () => {
  assert.equal(words.gameWords('gomoku'), 'Gomoku');
  assert.equal(words.gameWords('connect6:15'), 'Connect6 15×15');
  assert.equal(words.gameWords('connect4:9x10/d4,e5'), 'Connect Four 9×10 · blocked d4 e5');
  assert.equal(words.gameWords('chess'), 'chess');
  assert.equal(words.playerWords('strong@level=5'), 'Computer · Skilled');
  assert.equal(words.playerWords('uct@nodes=300,time=2s'), 'UCT · 300 positions · 2 s a move');
  assert.equal(words.playerWords('mine'), 'Mine');
  assert.equal(words.sideWords({ player: 'human', name: 'Ann' }), 'Ann');
  assert.equal(words.sideWords({ player: 'human', name: 'human' }), 'Player');
  assert.equal(words.contestWords('connect4: uct – greedy'), 'Connect Four · UCT – Greedy');
  assert.equal(words.contestWords('gomoku: 5 players'), 'Gomoku · 5 players');
});

test('a game of a list says how it ended', () => {
  const result = game => words.resultWords({ outcome: 'none', ending: 'unfinished', ...game });
  assert.equal(result({ outcome: 'black', ending: 'line' }), 'Black won');
  assert.equal(result({ outcome: 'draw', ending: 'full' }), 'Draw');
  assert.equal(result({ live: true }), 'in play');
  assert.equal(result({}), 'Unfinished');
});

test('the panel says whose turn it is, and how it ended', () => {
  const seats = (you, more) => turnWords({ ...status('connect6', ['j10']), you, ...more });
  assert.equal(seats([]), 'White to move');
  assert.equal(seats(['white']), 'Your move: White · 2 stones to place');
  assert.equal(seats(['black', 'white']), 'White to move · 2 stones to place');
  assert.equal(
    turnWords({ ...status('connect6', ['j10', 'a1']), you: ['white'] }),
    'Your move: White · one more stone; the first can be taken back',
  );
  const verdict = (outcome, ending) => verdictWords({ ...status('gomoku', []), verdict: { outcome, ending } });
  assert.equal(verdict('white', 'line'), 'White wins with five in a row');
  assert.equal(verdict('black', 'timeout'), 'Black won on time');
  assert.equal(verdict('draw', 'full'), 'Draw');
  assert.equal(verdict(undefined, 'unfinished'), 'Unfinished');
});

test('the tally of a series follows the players, not the colours', () => {
  const named = (first, second, game, wins) =>
    seriesWords({
      ...status('gomoku', []),
      sides: [first, second].map(name => ({ name, player: 'human', human: true })),
      series: { length: 5, wins, draws: 1, game, over: false },
    });
  assert.equal(named('Ann', 'Bob', 1, [1, 0]), 'Best of 5, game 1 · Ann 1 – 0 Bob (1 draw)');
  assert.equal(named('Bob', 'Ann', 2, [0, 1]), 'Best of 5, game 2 · Ann 1 – 0 Bob (1 draw)');
});

test('discs are red and yellow, also in the words of the server', () => {
  const four = { drop: true };
  assert.equal(words.stoneName(four, 'black'), 'Red');
  assert.equal(words.sayOf(four, { en: 'Black wins: White resigned', zh: '' }), 'Red wins: Yellow resigned');
  assert.equal(words.sayOf({ drop: false }, { en: 'Black wins', zh: '' }), 'Black wins');
  assert.equal(
    words.resultWords({ outcome: 'white', ending: 'timeout', game: 'connect4', plies: 3 }),
    'Yellow won on time',
  );
});

test('everything is said in Chinese too', () => {
  switchLanguage();
  assert.equal(language(), 'zh');
  assert.equal(words.gameWords('connect6:15'), '六子棋 15×15');
  assert.equal(words.playerWords('strong@level=5'), '电脑 · 熟手');
  assert.equal(words.say({ en: 'yes', zh: '是' }), '是');
  assert.equal(
    verdictWords({ ...status('gomoku', []), verdict: { outcome: 'white', ending: 'line' } }),
    '白方五连，获胜',
  );
});
