// The swap2 opening: on one page, in two browsers, and against an engine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, cell, choose, house, key, menu, names, place, says, shows, told, until } from './help.mjs';

const { guest } = house();

const label = (page, name) => cell(page, name).getAttribute('aria-label');

/** Begins a game of Ann, who opens, and Bob on one page. */
async function annAndBob(page) {
  await choose(page, 'twoPeople', 'more');
  for (const [n, name] of ['Ann', 'Bob'].entries()) {
    await page.fill(`[data-key="side${n}-name"]`, name);
    await page.keyboard.press('Tab');
  }
  await page.click('[data-key="opening-swap2"]');
  await begin(page);
  await says(page, 'Opening: 3 stones to place');
  assert.deepEqual(await names(page), ['Ann', 'Bob']);
}

test('swap2 on one page: three stones, and the other one takes Black', async () => {
  const { page, complaints } = await guest();
  await annAndBob(page);
  await shows(page, '.strip.active', 'opens');
  await place(page, ['h8', 'h9', 'h10']);
  assert.deepEqual(await Promise.all(['h8', 'h9', 'h10'].map(name => label(page, name))), [
    'h8, Black',
    'h9, White',
    'h10, Black',
  ]);
  await says(page, 'White chooses a side');
  await shows(page, '.strip.active', 'Bob');
  await page.reload();
  await shows(page, '.notice', 'Place a white stone to play White');
  await page.click('.actions [data-key="menu"]');
  await page.locator('.menu [data-key="swap"]:disabled').waitFor();
  await page.keyboard.press('Escape');
  await page.click('[data-key="take"]');
  await told(page, 'Bob plays Black, Ann plays White');
  assert.deepEqual(await names(page), ['Bob', 'Ann']);
  await says(page, 'White to move');
  await page.locator('.notice').waitFor({ state: 'hidden' });
  await place(page, ['a1'], [4]);
  assert.equal(await label(page, 'a1'), 'a1, White');
  assert.deepEqual(complaints, []);
});

test('swap2 on one page: two more stones, and the opener plays White', async () => {
  const { page, complaints } = await guest();
  await annAndBob(page);
  await place(page, ['h8', 'h9', 'h10']);
  await page.click('[data-key="two"]');
  await says(page, 'Opening: 2 stones to place');
  await page.click('[data-key="undo"]');
  await says(page, 'White chooses a side');
  await page.click('[data-key="two"]');
  await says(page, 'Opening: 2 stones to place');
  await place(page, ['a1', 'b1'], [4, 5]);
  await says(page, 'Black chooses a side');
  await shows(page, '.strip.active', 'Ann');
  assert.equal(await key(page, 'two').count(), 0);
  await place(page, ['c3'], [6]);
  await says(page, 'Black to move');
  assert.deepEqual(await names(page), ['Bob', 'Ann']);
  await page.click('[data-key="undo"]');
  await told(page, 'settled');
  assert.deepEqual(complaints, []);
});

test('swap2 in two browsers, one of them Chinese: each has only its own choices', async () => {
  const host = await guest();
  await choose(host.page, 'twoPeople', 'more');
  await host.page.click('[data-key="opening-swap2"]');
  await begin(host.page);
  await menu(host.page, 'share');
  await host.page.click('[data-key="keep-black"]');
  const friend = await guest(await host.page.inputValue('[data-key="invite-link"]'), { locale: 'zh-CN' });
  await host.page.keyboard.press('Escape');
  await says(friend.page, '开局：黑方还要摆 3 子');
  await cell(friend.page, 'a1').click();
  await told(friend.page, '还不能下');
  await place(host.page, ['h8', 'h9', 'h10']);
  await says(host.page, 'White chooses a side');
  assert.equal(await key(host.page, 'take').count(), 0);
  await says(friend.page, '请选择黑白');
  await shows(friend.page, '[data-key="two"]', '再摆两子');
  await friend.page.click('[data-key="take"]');
  await told(friend.page, '你执黑方');
  await told(host.page, 'you play White');
  await says(host.page, 'Your move: White');
  await place(host.page, ['a1'], [4]);
  await until(friend.page, 4);
  await says(friend.page, '轮到你：黑方');
});

test('swap2 with an engine: it opens, one plays on, and the game goes its way', async () => {
  const { page } = await guest();
  await choose(page, 'kind-connect6', 'more');
  assert.equal(await key(page, 'swap2').count(), 0, 'two stones a turn have no swap2');
  await page.click('dialog [data-key="kind-gomoku"]');
  await page.click('dialog [data-key="computer"]');
  await page.click('dialog [data-key="side-white"]');
  await page.selectOption('[data-key="side0-who"]', 'greedy');
  await page.click('[data-key="opening-swap2"]');
  await begin(page);
  await until(page, 3);
  await says(page, 'Choose your side');
  await place(page, ['a15'], [5]);
  await says(page, 'Your move: White');
  // The same choice waits on the empty board; with the opening one's own, the first click makes the game.
  await choose(page, 'computer', 'side-black');
  await begin(page);
  await says(page, 'Opening: 3 stones to place');
  await place(page, ['h8', 'h9']);
  await says(page, 'Opening: one stone to place');
  await cell(page, 'h10').click();
  await says(page, 'Your move');
});
