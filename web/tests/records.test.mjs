// Records: what is kept, found, saved, loaded, shared and tried out.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  begin,
  cell,
  choose,
  house,
  key,
  menu,
  place,
  says,
  server,
  shows,
  status,
  stones,
  told,
  until,
} from './help.mjs';

const SGF = '(;GM[4]SZ[15]PB[Ann]PW[Bob];B[hh];W[ii];B[hg];W[ig];B[hf];W[if];B[he];W[ie];B[hd])';
const home = house(['--public-library']);
const { guest } = home;

test('a reload in the middle of a game keeps it, its seat and its side', async () => {
  const { page } = await guest();
  await cell(page, 'h8').click();
  await until(page, 2);
  await page.reload();
  await until(page, 2);
  await says(page, 'Your move');
  await page.click('[data-key="undo"]');
  await until(page, 0);
});

test('two people at one board are told apart in the library by their colours', async () => {
  const { page } = await guest();
  for (const [kind, first] of [
    ['gomoku', 'h8'],
    ['connect4', 'd1'],
  ]) {
    await choose(page, `kind-${kind}`, 'twoPeople');
    await begin(page);
    await place(page, [first]);
  }
  await page.goto(`${home.url}#/library`);
  await page.locator('.pair').nth(1).waitFor();
  const pairs = await page.locator('.pair').evaluateAll(all => all.slice(0, 2).map(one => one.textContent));
  assert.deepEqual(pairs, ['RedYellow', 'BlackWhite']);
});

test('the server ends and comes back in the middle of a game', async t => {
  const own = await server(t);
  const { page } = await guest(own.url);
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['h8', 'h9']);
  await own.stop();
  await page.locator('.strip .down').waitFor();
  await own.comeBack();
  await page.locator('.strip .down').waitFor({ state: 'detached' });
  assert.equal(await stones(page), 2);
  await place(page, ['i8'], [3]);
});

/** Keeps the pasted game and opens it from the library. */
async function keptGame(page, text, name) {
  await page.goto(`${home.url}#/library`);
  await page.fill('[data-key="paste"]', text);
  await page.click('[data-key="read"]');
  await page.click('[data-key="keep-0"]');
  await page.locator('.games a.open').filter({ hasText: name }).first().click();
}

test('a game is loaded by paste and by file, kept, and saved in every format that can hold it', async () => {
  const { page } = await guest('#/library');
  await page.fill('[data-key="paste"]', SGF);
  await page.click('[data-key="read"]');
  await page.click('[data-key="look-0"]');
  await until(page, 9);
  await page.goto(`${home.url}#/library`);
  const file = join(home.data, 'game.sgf');
  await writeFile(file, SGF);
  await page.setInputFiles('input[type=file]', file);
  await page.click('[data-key="keep-0"]');
  await page.locator('.games a.open').filter({ hasText: 'Ann' }).first().click();
  await until(page, 9);
  await says(page, 'Black wins with five in a row');
  await menu(page, 'open-save');
  const formats = await page.locator('[data-key="format"] option').allTextContents();
  assert.ok(formats.length >= 7, String(formats));
  for (const format of formats) {
    await page.selectOption('[data-key="format"]', format);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('[data-key="save"]')]);
    const bytes = await readFile(await download.path());
    const about = new URLSearchParams({ name: download.suggestedFilename(), from: format });
    const read = await (await fetch(`${home.url}api/read?${about}`, { method: 'POST', body: bytes })).json();
    const { moves, setup } = read.games[0].record;
    // A matrix has the stones, but not their order.
    assert.equal(format.startsWith('matrix') ? setup.stones.length : moves.length, 9, format);
  }
});

test('what the owner tries out in a finished game is kept: many lines, in the file, after a reload', async () => {
  const { page, complaints } = await guest();
  await keptGame(page, SGF, 'Ann');
  await until(page, 9);
  await page.keyboard.press('Home');
  await until(page, 0);
  await place(page, ['a1', 'a2'], [1, 2]);
  await shows(page, '.notice', 'Variation, kept: a1 a2');
  // A stone of the game leads back into the game.
  await page.click('[data-key="ply-0-3"]');
  await until(page, 3);
  await place(page, ['o1', 'o2'], [4, 5]);
  // A line that leaves a line.
  await page.keyboard.press('[');
  await until(page, 4);
  await place(page, ['o3'], [5]);
  const lines = page.locator('.moves .variation');
  const listed = async () => (await lines.allTextContents()).map(text => text.replace('×', ''));
  await page.waitForFunction(() => document.querySelectorAll('.moves .variation').length === 3);
  assert.deepEqual(await listed(), ['1.a1a2', '2…o1o2', '3.o3']);
  await page.reload();
  await until(page, 9);
  await lines.nth(2).waitFor();
  assert.deepEqual(await listed(), ['1.a1a2', '2…o1o2', '3.o3']);
  await page.click('[data-key="ply-3-5"]');
  await until(page, 5);
  assert.equal(await cell(page, 'o3').getAttribute('aria-label'), 'o3, Black');
  assert.equal(await key(page, 'ply-3-5').getAttribute('aria-current'), 'true');
  const id = /#\/g\/(\w+)/.exec(page.url())[1];
  const sgf = await (await fetch(`${home.url}api/games/${id}/export/sgf`)).text();
  assert.match(sgf, /B\[ao\];W\[an\]/);
  assert.match(sgf, /W\[oo\]\s*\(;B\[on\]\)\s*\(;B\[om\]\)/);
  await page.click('[data-key="forget-2"]');
  await page.waitForFunction(() => document.querySelectorAll('.moves .variation').length === 1);
  // Somebody else tries out in the own browser only.
  const other = await guest(`#/g/${id}`);
  await until(other.page, 9);
  await other.page.keyboard.press('Home');
  await until(other.page, 0);
  await place(other.page, ['c3']);
  await shows(other.page, '.notice', 'Trying out: c3');
  assert.equal(await other.page.locator('.moves .variation').count(), 2);
  const record = (await (await fetch(`${home.url}api/games/${id}`)).json()).record;
  assert.equal(record.variations.length, 1);
  assert.deepEqual([...complaints, ...other.complaints], []);
});

test('a game of two people keeps its lines when it is over, and the next one begins without', async () => {
  const { page } = await guest();
  await choose(page, 'kind-connect4', 'twoPeople');
  await begin(page);
  await place(page, ['a1', 'b1', 'a1', 'b1', 'a1', 'b1', 'a1']);
  await says(page, 'Red wins');
  await page.keyboard.press('[');
  await until(page, 6);
  await place(page, ['c1'], [7]);
  await shows(page, '.notice', 'Variation, kept: c1');
  await page.locator('.moves .variation').waitFor();
  await page.keyboard.press('x');
  await page.keyboard.press('End');
  await page.click('[data-key="next"]');
  await until(page, 0);
  assert.equal(await page.locator('.moves .variation').count(), 0);
  // The finished game is in the library with its line, and its owner can delete it.
  await page.goto(`${home.url}#/library`);
  await page.selectOption('[data-key="filter-game"]', 'connect4');
  await page.selectOption('[data-key="filter-result"]', 'black');
  const game = page.locator('.games li');
  await page.waitForFunction(() => document.querySelectorAll('.games li').length === 1);
  await game.locator('a.open').click();
  await until(page, 7);
  await page.locator('.moves .variation').waitFor();
});

test('a win that a file does not explain is not explained', async () => {
  const { page } = await guest('#/library');
  for (const [result, name, looked, kept] of [
    ['B+', 'Emma', 'Black won', 'Black wins; the record does not say how'],
    ['B+R', 'Fritz', 'Black won by resignation', 'Black wins: White resigned'],
    ['B+F', 'Gerda', 'Black won · forfeited', 'Black wins: White forfeited'],
  ]) {
    const sgf = `(;GM[4]SZ[15]PB[${name}]PW[Yves]RE[${result}];B[hh])`;
    await page.goto(`${home.url}#/library`);
    await page.fill('[data-key="paste"]', sgf);
    await page.click('[data-key="read"]');
    await page.click('[data-key="look-0"]');
    await says(page, looked);
    assert.equal(await status(page), looked);
    await keptGame(page, sgf, name);
    await says(page, kept);
  }
  await page.goto(`${home.url}#/library`);
  await page.fill('[data-key="filter-q"]', 'emma');
  await page.waitForFunction(() => document.querySelectorAll('.sheet .games a.open').length === 1);
  const row = await page.locator('.sheet .games a.open').textContent();
  assert.match(row, /Black won/);
  assert.doesNotMatch(row, /resigned|adjudicated/);
});

test('the library is searched by player, game and result, and a game is deleted', async () => {
  const { page } = await guest();
  for (const [name, stone] of [
    ['Carla', 'hh'],
    ['Dieter', 'ii'],
  ])
    await keptGame(page, `(;GM[4]SZ[15]PB[${name}]PW[Zoe]RE[W+R];B[${stone}])`, name);
  const rows = async count =>
    page.waitForFunction(n => document.querySelectorAll('.sheet .games a.open').length === n, count);
  await page.goto(`${home.url}#/library`);
  await page.fill('[data-key="filter-q"]', 'zoe');
  await rows(2);
  await page.selectOption('[data-key="filter-result"]', 'white');
  await rows(2);
  await page.selectOption('[data-key="filter-result"]', 'draw');
  await rows(0);
  await page.selectOption('[data-key="filter-result"]', '');
  await page.selectOption('[data-key="filter-game"]', 'connect6');
  await rows(0);
  await page.selectOption('[data-key="filter-game"]', 'gomoku');
  await rows(2);
  await page.fill('[data-key="filter-q"]', 'carla');
  await rows(1);
  // Without the owner's key there is nothing to delete with.
  const other = await guest('#/library');
  await other.page.click('[data-key="allGames"]');
  await other.page.fill('[data-key="filter-q"]', 'carla');
  await other.page.waitForFunction(() => document.querySelectorAll('.games a.open').length === 1);
  assert.equal(await other.page.locator('[data-key^="delete-"]').count(), 0);
  const remove = page.locator('[data-key^="delete-"]');
  await remove.click();
  await shows(page, '[data-key^="delete-"]', 'Delete for good?');
  await remove.click();
  await told(page, 'Deleted');
  await rows(0);
});

test('what cannot be read is said, and what was read before is not offered again', async () => {
  const { page } = await guest();
  await menu(page, 'open-load');
  const read = async text => {
    await page.fill('[data-key="load-paste"]', text);
    await page.click('[data-key="load-read"]');
  };
  await read(' ');
  await told(page, 'Paste a game into the field first');
  await read('h8 h8');
  await shows(page, 'dialog .problem', 'there is a stone already');
  await read('{"format":"lianzi-game"}');
  await told(page, 'a complete game in JSON should stand here');
  await page.locator('dialog .problem').waitFor({ state: 'detached' });
  assert.equal(await page.inputValue('[data-key="load-paste"]'), '{"format":"lianzi-game"}', 'it can be put right');
});

test('the library says that nothing matches, names unknown players and offers the formats of a game', async () => {
  const { page } = await guest();
  await keptGame(page, '(;GM[4]SZ[15];B[hh];W[ii])', 'Gomoku');
  await page.goto(`${home.url}#/library`);
  await page.locator('.games a.open').waitFor();
  assert.deepEqual(await page.locator('.games a.open .name').allTextContents(), ['Black', 'White']);
  const formats = await page.locator('[data-key^="export-"] option').allTextContents();
  assert.ok(formats.includes('sgf') && !formats.includes('renlib') && !formats.includes('columns'), String(formats));
  await page.fill('[data-key="filter-q"]', 'nobody at all');
  await shows(page, '.sheet .empty', 'No game matches');
});

test('a file with very many games says how many are listed', async () => {
  const { page } = await guest('#/library');
  // At once: to type so many lines takes a browser long.
  await key(page, 'paste').evaluate((field, text) => {
    field.value = text;
    field.dispatchEvent(new Event('input'));
  }, '4453\n'.repeat(1200));
  await page.selectOption('[data-key="from"]', 'columns');
  await page.click('[data-key="read"]');
  await shows(page, '.soft.small', '1200 games found; the first 200 are listed');
  assert.equal(await page.locator('[data-key^="look-"]').count(), 200);
});

test('a game is shared by its address, and a position by its moves', async () => {
  const { page } = await guest();
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['h8', 'h9', 'i8']);
  await menu(page, 'share');
  const copied = async name => {
    await page.click(`dialog [data-key="${name}"]`);
    await told(page, 'copied');
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const watcher = await guest(await copied('watch'));
  await until(watcher.page, 3);
  const reader = await guest(await copied('position'));
  await until(reader.page, 3);
  assert.equal(await cell(reader.page, 'i8').getAttribute('aria-label'), 'i8, Black');
  await page.keyboard.press('Escape');
  await place(page, ['j10'], [4]);
  await until(watcher.page, 4);
  assert.equal(await stones(reader.page), 3);
});

test('where a game is gone, a ready board stands in its place', async () => {
  const { page } = await guest();
  await place(page, ['h8'], [2]);
  await page.evaluate(async () => {
    const { keysOf } = await import('/assets/js/prefs.js');
    const id = location.hash.slice('#/g/'.length);
    await fetch(`/api/games/${id}`, { method: 'DELETE', headers: { Authorization: `Bearer ${keysOf(id).owner}` } });
  });
  // The front page goes on with the game that was not finished.
  await page.goto('about:blank');
  await page.goto(home.url);
  await told(page, 'This game is not here');
  await until(page, 0);
  await page.goto(`${home.url}#/g/nosuchgame`);
  await told(page, 'the link is wrong');
  await place(page, ['h8'], [2]);
});
