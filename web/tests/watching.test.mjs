// Watching: engines that play each other, the arena, and two people on two browsers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, cell, choose, house, place, says, shows, told, until } from './help.mjs';

const { guest } = house();

test('engine against engine is watched live, at a pace one can follow, by others too', async () => {
  const { page, complaints } = await guest();
  await choose(page, 'watchEngines', 'more');
  for (const side of [0, 1]) await page.selectOption(`[data-key="side${side}-who"]`, 'greedy');
  assert.equal(await page.inputValue('[data-key="pace"]'), '500');
  await begin(page);
  await until(page, 1);
  const began = Date.now();
  await until(page, 7);
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
  await page.click('[data-key="stop"]');
  await shows(page, 'span[role=status]', 'stopped');
  await page.locator('.games a').first().click();
  await page.locator('.layer-stones .stone').first().waitFor();
  await page.keyboard.press('Home');
  await until(page, 0);
  await page.click('.status a.series');
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
  assert.deepEqual([await count('.hole'), await count('.coord'), await count('.ring')], [42, 13, 1]);
  await report.keyboard.press('Home');
  assert.equal(await count('.stone'), 0);
  await report.keyboard.press('ArrowRight');
  assert.equal(await count('.stone.black'), 1);
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
  await page.click('[data-key="rule-renju"]');
  assert.ok(!(await offered()).includes('classic-gomoku'), 'it does not know forbidden moves');
});

test('two browsers by an invite link: each moves only its own side', async () => {
  const host = await guest();
  await choose(host.page, 'twoPeople');
  await begin(host.page);
  await says(host.page, 'Black to move');
  await host.page.click('[data-key="tab-game"]');
  await host.page.click('[data-key="keep-black"]');
  const link = await host.page.inputValue('[data-key="invite-link"]');
  await host.page.reload();
  await host.page.click('[data-key="tab-game"]');
  assert.equal(await host.page.inputValue('[data-key="invite-link"]'), link, 'it can be had again');
  const friend = await guest(link);
  await says(friend.page, 'Black to move');
  assert.ok(!friend.page.url().includes('seat='));
  await cell(friend.page, 'a1').click();
  await told(friend.page, 'not yours');
  await place(host.page, ['h8']);
  await until(friend.page, 1);
  await cell(host.page, 'a2').click();
  await told(host.page, 'not yours');
  await place(friend.page, ['h9'], [2]);
  await until(host.page, 2);
  const watcher = await guest(new URL(host.page.url()).hash);
  await until(watcher.page, 2);
  await cell(watcher.page, 'c3').click();
  await told(watcher.page, 'watching');
});
