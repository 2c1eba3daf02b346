// Watching: engines that play each other, the arena, and two people on two browsers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, cell, choose, house, shows, told, until } from './help.mjs';

const { guest } = house();

test('engine against engine is watched live, at a pace one can follow, by others too', async () => {
  const { page, complaints } = await guest();
  await choose(page, 'more', 'watchEngines');
  for (const side of [0, 1]) await page.selectOption(`[data-key="side${side}-who"]`, 'greedy');
  assert.equal(await page.inputValue('[data-key="pace"]'), '500');
  await begin(page);
  const reached = count =>
    page.waitForFunction(n => document.querySelectorAll('.layer-stones .stone').length >= n, count);
  await reached(1);
  const began = Date.now();
  const from = await page.locator('.layer-stones .stone').count();
  await reached(from + 6);
  // The page may have drawn the first stone late.
  assert.ok(Date.now() - began >= 2000, 'six turns take six times half a second');
  const watcher = await guest(new URL(page.url()).hash);
  const seen = await watcher.page.locator('.layer-stones .stone').count();
  await watcher.page.waitForFunction(n => document.querySelectorAll('.layer-stones .stone').length > n, seen);
  await cell(page, 'a1').click();
  await told(page, 'watching');
  assert.deepEqual([...complaints, ...watcher.complaints], []);
});

test('the arena starts a match, shows its table and games, and stops it', async () => {
  const { page, complaints } = await guest('#/arena');
  await page.selectOption('[data-key="p0-who"]', 'greedy');
  await page.selectOption('[data-key="p1-who"]', 'random');
  await page.fill('[data-key="games"]', '4999');
  await page.keyboard.press('Tab');
  assert.equal(await page.inputValue('[data-key="games"]'), '5000', 'games come in pairs');
  await page.click('[data-key="start-contest"]');
  await shows(page, 'table', 'Greedy');
  await page.locator('.games a').first().waitFor();
  // The game under way is seen, the points as they grew, and results have colours.
  await page.locator('.live-board .board').first().waitFor();
  await page.locator('.race .race-1').waitFor({ state: 'attached' });
  await page.locator('.games .outcome.black').first().waitFor();
  await page.click('[data-key="stop"]');
  await shows(page, 'span[role=status]', 'stopped');
  await page.selectOption('[data-key="contest-result"]', 'draw');
  await shows(page, '.filters', /^.*\d+ shown/);
  await page.selectOption('[data-key="contest-result"]', '');
  // What one player won and lost has colours of its own.
  await page.selectOption('[data-key="contest-player"]', { label: 'Greedy' });
  await page.locator('.games .outcome:is(.won, .lost)').first().waitFor();
  assert.equal(await page.locator('.games .outcome:is(.black, .white)').count(), 0);
  await page.selectOption('[data-key="contest-player"]', '');
  await page.locator('.games a').first().click();
  await page.locator('.layer-stones .stone').first().waitFor();
  await page.keyboard.press('Home');
  await until(page, 0);
  await page.goBack();
  await shows(page, 'table', 'Greedy');
  assert.deepEqual(complaints, []);
});

test('the report of a match draws its boards with the hand of the page and replays its games', async () => {
  const { page, context } = await guest('#/arena');
  await page.selectOption('[data-key="p0-who"]', 'greedy');
  await page.selectOption('[data-key="p1-who"]', 'random');
  await page.fill('[data-key="games"]', '2');
  await page.keyboard.press('Tab');
  await page.click('[data-key="start-contest"]');
  await shows(page, 'span[role=status]', 'finished');
  const address = await page.locator('a[target=_blank]').getAttribute('href');
  const report = await context.newPage();
  const complaints = [];
  report.on('pageerror', error => complaints.push(error.message));
  await report.goto(new URL(address, page.url()).href);
  await report.locator('#games tr.open').first().click();
  const count = where => report.locator(`#replay .stage ${where}`).count();
  assert.ok((await count('.stone')) >= 7);
  assert.deepEqual([await count('.bevel'), await count('.coord'), await count('.last')], [42, 13, 1]);
  await report.keyboard.press('Home');
  assert.equal(await count('.stone'), 0);
  await report.keyboard.press('ArrowRight');
  assert.equal(await count('.stone.black'), 1);
  assert.match(await report.locator('#ply').textContent(), /Red/, 'discs are called by their colours');
  assert.match(await report.locator('#colours').textContent(), /Red.*Yellow/);
  assert.equal(await report.locator('#black-stone').count(), 1, 'what a stone is filled with');
  assert.ok((await report.locator('#openings .thumb .board').count()) > 0);
  assert.deepEqual(complaints, []);
});

test('only players that play the game are offered', async () => {
  const { page } = await guest('#/arena');
  const offered = () => page.locator('[data-key="p0-who"] option').evaluateAll(all => all.map(one => one.value));
  await page.locator('[data-key="p0-who"] option[value="solver"]').waitFor({ state: 'attached' });
  assert.ok((await offered()).includes('strong'));
  assert.ok(!(await offered()).includes('classic-gomoku'));
  await page.click('[data-key="kind-gomoku"]');
  assert.ok((await offered()).includes('classic-gomoku'));
  assert.ok(!(await offered()).includes('solver'));
  await page.click('[data-key="kind-renju"]');
  assert.ok(!(await offered()).includes('classic-gomoku'), 'it does not know forbidden moves');
});
