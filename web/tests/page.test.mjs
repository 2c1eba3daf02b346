// The page in a real browser against the real server.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { begin, cell, choose, folder, forget, openBrowser, place, says, serve, stones, until, visit } from './help.mjs';

const SGF = '(;GM[4]SZ[15]PB[Ann]PW[Bob];B[hh];W[ii];B[hg];W[ig];B[hf];W[if];B[he];W[ie];B[hd])';
/** A program by name that surely thinks for a while. */
const SLOW = 'slow=classic-connect6@depth=12,width=12,time=20s';
let data, server, url, browser;

before(async () => {
  data = await folder();
  server = serve(data, 0, ['--player', SLOW]);
  [url, browser] = await Promise.all([server.url, openBrowser()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await forget(data);
});

let open = [];
beforeEach(async () => {
  await Promise.all(open.map(context => context.close()));
  open = [];
});
async function guest(options, hash = '') {
  const visitor = await visit(browser, url + hash, options);
  open.push(visitor.context);
  return visitor;
}

test('gomoku by mouse: the first click plays, the engine answers', async () => {
  const { page, complaints } = await guest();
  await cell(page, 'h8').click();
  await until(page, 2);
  assert.match(page.url(), /#\/g\/\w+/);
  assert.equal(await page.locator('.moves button').count(), 2);
  assert.deepEqual(complaints, []);
});

test('gomoku by mouse to the end: two people, five in a row', async () => {
  const { page, complaints } = await guest();
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['h8', 'h9', 'i8', 'i9', 'j8', 'j9', 'k8', 'k9', 'l8']);
  await says(page, 'Black wins with five in a row');
  assert.equal(await page.locator('.board .win').count(), 1);
  await cell(page, 'a1').click();
  await page.locator('#toast').filter({ hasText: 'over' }).waitFor();
  assert.equal(await stones(page), 9);
  // Looking back, one may try something else and return.
  await page.keyboard.press('Home');
  await until(page, 0);
  await cell(page, 'a1').click();
  await until(page, 1);
  await page.click('[data-key="leave"]');
  await page.keyboard.press('End');
  await until(page, 9);
  assert.deepEqual(complaints, []);
});

test('connect6 by mouse: two stones a turn, the first can be taken back', async () => {
  const { page } = await guest();
  await choose(page, 'kind-connect6', 'twoPeople');
  await begin(page);
  await place(page, ['j10', 'a1']);
  await page.click('[data-key="undo"]');
  await until(page, 1);
  await place(page, ['a2', 'a3', 'k10', 'l10', 'b2', 'b3', 'm10', 'n10', 'c2', 'c3', 'o10'], [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  await says(page, 'Black wins with six in a row');
});

test('connect four by mouse with a blocked cell: stones pass it', async () => {
  const { page } = await guest();
  await choose(page, 'kind-connect4', 'size-9x10', 'more', 'block-d4', 'twoPeople');
  await begin(page);
  assert.equal(await page.locator('.board.main .cross').count(), 1);
  await place(page, ['d9', 'e1', 'd9', 'e1', 'd9', 'a1', 'd9']);
  assert.equal(await cell(page, 'd5').getAttribute('aria-label'), 'd5, Black');
  assert.equal(await cell(page, 'd4').getAttribute('aria-label'), 'd4, blocked');
  await place(page, ['e5', 'c1', 'f1', 'b1'], [8, 9, 10, 11]);
  assert.match(await page.locator('.status strong').textContent(), /White to move/);
  await place(page, ['e4'], [12]);
  await says(page, 'White wins with four in a row');
});

test('a whole game by keyboard', async () => {
  const { page } = await guest();
  await page.keyboard.press('n');
  const reach = async key => {
    for (let n = 0; n < 60; n++) {
      if (await page.evaluate(() => document.activeElement?.getAttribute('data-key')) === key) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`${key} cannot be reached by Tab`);
  };
  await reach('twoPeople');
  await page.keyboard.press('Enter');
  await reach('start');
  await page.keyboard.press('Enter');
  await says(page, 'Black to move');
  await page.keyboard.press('b');
  const steps = ['', 'ArrowUp', 'ArrowRight ArrowDown', 'ArrowUp', 'ArrowRight ArrowDown', 'ArrowUp', 'ArrowRight ArrowDown', 'ArrowUp', 'ArrowRight ArrowDown'];
  for (const [n, keys] of steps.entries()) {
    for (const key of keys.split(' ').filter(Boolean)) await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    await until(page, n + 1);
  }
  await says(page, 'Black wins');
  assert.match(await page.locator('#live').textContent(), /Black wins/);
});

test('undo while the engine thinks also stops it', async () => {
  const { page } = await guest();
  await choose(page, 'kind-connect6', 'more');
  await page.selectOption('[data-key="side1-who"]', 'slow');
  await begin(page);
  await cell(page, 'j10').click();
  await until(page, 1);
  await says(page, 'thinking');
  await page.waitForTimeout(1500);
  assert.equal(await stones(page), 1, 'it thinks');
  await page.click('[data-key="undo"]');
  await until(page, 0);
  await page.waitForTimeout(1500);
  assert.equal(await stones(page), 0);
  await says(page, 'Your move');
});

test('a clock that runs out loses the game', async () => {
  const { page } = await guest();
  await choose(page, 'twoPeople', 'more');
  await page.selectOption('[data-key="limit"]', 'move');
  await page.fill('[data-key="perMove"]', '2');
  await page.keyboard.press('Tab');
  await begin(page);
  await cell(page, 'h8').click();
  await until(page, 1);
  assert.ok(await page.locator('.clock .red').count());
  await says(page, /time/);
  await cell(page, 'h9').click();
  assert.equal(await stones(page), 1);
});

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

test('the server ends and comes back in the middle of a game', async t => {
  const home = await folder();
  let own = serve(home);
  t.after(async () => {
    await own.stop();
    await forget(home);
  });
  const address = await own.url;
  const { page, context } = await visit(browser, address);
  open.push(context);
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['h8', 'h9']);
  await own.stop();
  await page.locator('.down').waitFor();
  own = serve(home, Number(new URL(address).port));
  await own.url;
  await page.locator('.down').waitFor({ state: 'detached' });
  assert.equal(await stones(page), 2);
  await place(page, ['i8'], [3]);
});

test('a game is loaded by paste and by file, kept, and saved', async () => {
  const { page } = await guest({}, '#/library');
  await page.fill('[data-key="paste"]', SGF);
  await page.click('[data-key="read"]');
  await page.click('[data-key="look-0"]');
  await until(page, 9);
  await page.goto(`${url}#/library`);
  const file = join(data, 'game.sgf');
  await writeFile(file, SGF);
  await page.setInputFiles('input[type=file]', file);
  await page.click('[data-key="keep-0"]');
  await page.locator('.games a.open').filter({ hasText: 'Ann' }).first().click();
  await until(page, 9);
  await says(page, 'Black wins with five in a row');
  await page.click('[data-key="tab-game"]');
  await page.selectOption('[data-key="format"]', 'sgf');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('[data-key="save"]')]);
  assert.match(await readFile(await download.path(), 'utf8'), /B\[hh\]/);
});

test('analysis draws the best moves on the board and a line on hover', async () => {
  const { page, complaints } = await guest();
  await choose(page, 'kind-connect4', 'twoPeople');
  await begin(page);
  await place(page, ['d1', 'd1']);
  await page.keyboard.press('a');
  await page.locator('.candidate').first().waitFor();
  assert.ok((await page.locator('.candidate').count()) >= 1);
  await page.locator('.lines li').first().hover();
  await page.locator('.layer-ghosts .preview').first().waitFor();
  await page.keyboard.press('a');
  await page.locator('.candidate').first().waitFor({ state: 'detached' });
  assert.deepEqual(complaints, []);
});

test('a review goes through the game', async () => {
  const { page } = await guest();
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['h8', 'a1', 'i8', 'a3', 'j8', 'a5', 'k8', 'a7', 'l8']);
  await page.click('[data-key="tab-analysis"]');
  await page.click('[data-key="review"]');
  await page.locator('.graph').waitFor();
  await page.locator('.review').filter({ hasText: /mistakes/i }).waitFor();
});

test('the arena starts a match, shows its table and games, and stops it', async () => {
  const { page, complaints } = await guest({}, '#/arena');
  await page.selectOption('[data-key="p0-who"]', 'greedy');
  await page.selectOption('[data-key="p1-who"]', 'random');
  await page.fill('[data-key="games"]', '5000');
  await page.keyboard.press('Tab');
  await page.click('[data-key="start-contest"]');
  await page.locator('table').filter({ hasText: 'Greedy' }).waitFor();
  await page.locator('.games a').first().waitFor();
  await page.click('[data-key="stop"]');
  await page.locator('span[role=status]').filter({ hasText: 'stopped' }).waitFor();
  await page.locator('.games a').first().click();
  await page.locator('.layer-stones .stone').first().waitFor();
  assert.deepEqual(complaints, []);
});

test('two browsers by an invite link: each moves only its own side', async () => {
  const host = await guest();
  await choose(host.page, 'twoPeople');
  await begin(host.page);
  await says(host.page, 'Black to move');
  await host.page.click('[data-key="tab-game"]');
  await host.page.click('[data-key="keep-black"]');
  const link = await host.page.inputValue('[data-key="invite-link"]');
  const friend = await visit(browser, link);
  open.push(friend.context);
  await says(friend.page, 'Black to move');
  assert.ok(!friend.page.url().includes('seat='));
  await cell(friend.page, 'a1').click();
  await friend.page.locator('#toast').filter({ hasText: 'not yours' }).waitFor();
  await place(host.page, ['h8']);
  await until(friend.page, 1);
  await cell(host.page, 'a2').click();
  await host.page.locator('#toast').filter({ hasText: 'not yours' }).waitFor();
  await place(friend.page, ['h9'], [2]);
  await until(host.page, 2);
  const watcher = await guest({}, new URL(host.page.url()).hash);
  await until(watcher.page, 2);
  await cell(watcher.page, 'c3').click();
  await watcher.page.locator('#toast').filter({ hasText: 'watching' }).waitFor();
});

test('the page speaks Chinese, and switches', async () => {
  const { page } = await guest({ locale: 'zh-CN' });
  await says(page, '轮到你');
  assert.equal(await cell(page, 'h8').getAttribute('aria-label'), 'h8，空');
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN');
  await page.click('#bar button[lang=en]');
  await says(page, 'Your move');
});

test('a phone never scrolls sideways', async () => {
  const { page } = await guest({ phone: true });
  for (const hash of ['#/', '#/library', '#/arena', '#/rules']) {
    await page.goto(url + hash);
    await page.waitForTimeout(300);
    const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= seen, `${hash}: ${wide} > ${seen}`);
  }
});
