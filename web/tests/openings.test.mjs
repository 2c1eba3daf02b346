// Openings: swap2 on one page, in two browsers and against an engine; whole games of Soosyrv-8 and Taraguchi-10.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, cell, choose, house, menu, names, place, says, shows, told, until, key } from './help.mjs';

const { guest } = house();

const label = (page, name) => cell(page, name).getAttribute('aria-label');

/** A corner without a stone: an engine opens anywhere on the board. */
async function freeCorner(page) {
  const corners = ['a15', 'o15', 'a1', 'o1'];
  const labels = await Promise.all(corners.map(name => label(page, name)));
  return corners.find((name, n) => !/Black|White/.test(labels[n]));
}

/** Begins a game of Ann, who opens, and Bob on one page. */
async function annAndBob(page, rule = 'swap2', shown = 'Swap2') {
  await choose(page, 'twoPeople', 'more');
  for (const [n, name] of ['Ann', 'Bob'].entries()) {
    await page.fill(`[data-key="side${n}-name"]`, name);
    await page.keyboard.press('Tab');
  }
  await page.selectOption('[data-key="rule"]', rule);
  await begin(page);
  await shows(page, '.notice', shown);
  await named(page, ['Ann', 'Bob']);
}

/** Waits until the players are called so: a state that is on its way may still be the one before. */
async function named(page, wanted) {
  for (let n = 0; n < 50 && String(await names(page)) !== String(wanted); n += 1) await page.waitForTimeout(100);
  assert.deepEqual(await names(page), wanted);
}

test('Connect Four with the pie rule speaks of Red and Yellow', async () => {
  const { page } = await guest();
  await choose(page, 'kind-connect4', 'twoPeople');
  await page.selectOption('[data-key="rule"]', 'pie');
  await begin(page);
  await place(page, ['d1']);
  await shows(page, '[data-key="take"]', 'Swap: take Red');
  await page.click('[data-key="take"]');
  await told(page, / plays Red, .* plays Yellow/);
});

test('swap2 on one page: three stones, and the other one takes Black', async () => {
  const { page, complaints } = await guest();
  await annAndBob(page);
  await place(page, ['h8', 'h9', 'h10']);
  assert.deepEqual(await Promise.all(['h8', 'h9', 'h10'].map(name => label(page, name))), [
    'h8, Black',
    'h9, White',
    'h10, Black',
  ]);
  await says(page, 'White chooses');
  await shows(page, '.strip.active', 'Bob');
  await page.reload();
  await shows(page, '.notice', 'Swap2: place a white stone, or swap and play black, or place two more');
  await page.click('.actions [data-key="menu"]');
  await page.locator('.menu [data-key="swap"]:disabled').waitFor();
  await page.keyboard.press('Escape');
  await page.click('[data-key="take"]');
  await told(page, 'Bob plays Black, Ann plays White');
  await named(page, ['Bob', 'Ann']);
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
  await page.click('.notice [data-key="more"]');
  await says(page, 'Opening: 2 stones to place');
  await page.click('[data-key="undo"]');
  await says(page, 'White chooses');
  await page.click('.notice [data-key="more"]');
  await says(page, 'Opening: 2 stones to place');
  await place(page, ['a1', 'b1'], [4, 5]);
  await says(page, 'White chooses');
  await shows(page, '.strip.active', 'Ann');
  assert.equal(await page.locator('.notice [data-key="more"]').count(), 0);
  await place(page, ['c3'], [6]);
  await says(page, 'Black to move');
  await named(page, ['Bob', 'Ann']);
  await page.click('[data-key="undo"]');
  await told(page, 'settled');
  assert.deepEqual(complaints, []);
});

test('swap2 in two browsers, one of them Chinese: each has only its own choices', async () => {
  const host = await guest();
  await choose(host.page, 'twoPeople', 'more');
  await host.page.selectOption('[data-key="rule"]', 'swap2');
  await begin(host.page);
  await menu(host.page, 'share');
  await host.page.click('[data-key="keep-black"]');
  const friend = await guest(await host.page.inputValue('[data-key="invite-link"]'), { locale: 'zh-CN' });
  await host.page.keyboard.press('Escape');
  await says(friend.page, '开局：黑方还要摆 3 子');
  await cell(friend.page, 'a1').click();
  await told(friend.page, '还不能下');
  await place(host.page, ['h8', 'h9', 'h10']);
  await says(host.page, 'White chooses');
  assert.equal(await key(host.page, 'take').count(), 0);
  await says(friend.page, '请选择');
  await shows(friend.page, '.notice [data-key="more"]', '再摆两子');
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
  const rules = await page.locator('[data-key="rule"] option').evaluateAll(all => all.map(one => one.value));
  assert.deepEqual(rules, ['none', 'pie', 'swap'], 'two stones a turn have no swap2');
  await page.click('dialog [data-key="kind-gomoku"]');
  await page.click('dialog [data-key="computer"]');
  await page.click('dialog [data-key="side-white"]');
  await page.selectOption('[data-key="side0-who"]', 'greedy');
  await page.selectOption('[data-key="rule"]', 'swap2');
  await begin(page);
  await until(page, 3);
  await says(page, 'Your choice');
  await place(page, [await freeCorner(page)], [5]);
  await says(page, 'Your move: White');
  // The same choice waits on the empty board; with the opening one's own, the first click makes the game.
  await choose(page, 'computer', 'side-black');
  await begin(page);
  await says(page, 'Opening: Swap2');
  await place(page, ['h8', 'h9']);
  await says(page, 'Opening: one stone to place');
  await cell(page, 'h10').click();
  await says(page, 'Your move');
});

/** The numbers on the board. */
const numbers = page => page.locator('.board .score').allTextContents();

test('a game of Soosyrv-8 on one page: a swap, two fifth moves, and one is chosen', async () => {
  const { page, complaints } = await guest();
  await annAndBob(page, 'soosyrv8', 'Soosyrv-8');
  await cell(page, 'a1').click();
  await told(page, 'the first stone belongs in the centre');
  await place(page, ['h8', 'h9', 'i9']);
  await shows(page, '.notice', 'Soosyrv-8: place a white stone, or swap and play black.');
  await page.click('[data-key="take"]');
  await shows(page, '.notice', 'Soosyrv-8: place a white stone.');
  await named(page, ['Bob', 'Ann']);
  await place(page, ['a15'], [4]);
  await shows(page, '.notice', 'say how many fifth moves Black will offer, 1 to 8');
  await page.click('[data-key="count-2"]');
  await shows(page, '.notice', 'offer 2 fifth moves for Black, no two the same by symmetry, or swap and play white');
  await cell(page, 'g7').click();
  await says(page, 'Opening: one fifth move to offer');
  assert.deepEqual(await numbers(page), ['1']);
  await cell(page, 'g9').click();
  await shows(page, '.notice', 'choose one of the 2 offered fifth moves');
  assert.deepEqual(await numbers(page), ['1', '2']);
  await cell(page, 'a1').click();
  await told(page, 'only an offered fifth move can be chosen');
  await cell(page, 'g9').click();
  await until(page, 5);
  await says(page, 'White to move');
  await menu(page, 'explore');
  await shows(page, '[data-key="explored"]', 'D4 Kagetsu (花月). ');
  await page.keyboard.press('Escape');
  assert.equal(await label(page, 'g9'), 'g9, Black');
  assert.deepEqual(await numbers(page), []);
  await place(page, ['a1', 'i7', 'c1', 'f10', 'e1', 'j6'], [6, 7, 8, 9, 10, 11]);
  await says(page, 'Black wins with five in a row');
  assert.deepEqual(complaints, []);
});

test('a game of Taraguchi-10 on one page: a swap after the first stone, and ten fifth moves', async () => {
  const { page, complaints } = await guest();
  await choose(page, 'twoPeople', 'more');
  await page.selectOption('[data-key="rule"]', 'taraguchi10');
  await begin(page);
  await shows(page, '.notice', 'Taraguchi-10');
  await place(page, ['h8']);
  await shows(page, '.notice', 'place a white stone within the central 3×3, or swap and play black');
  await page.click('[data-key="take"]');
  await shows(page, '.notice', 'Taraguchi-10: place a white stone within the central 3×3.');
  await cell(page, 'h10').click();
  await told(page, 'this stone must lie within the central 3×3');
  await place(page, ['i9', 'j10', 'f6'], [2, 3, 4]);
  await shows(page, '.notice', 'within the central 9×9, or swap and play white, or offer ten fifth moves');
  await page.click('.notice [data-key="more"]');
  await says(page, 'Opening: 10 fifth moves to offer');
  await cell(page, 'g8').click();
  await says(page, 'Opening: 9 fifth moves to offer');
  await cell(page, 'h7').click();
  await told(page, 'that fifth move is the same as g8 by symmetry');
  for (const name of ['g7', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'c9']) {
    const before = (await numbers(page)).length;
    await cell(page, name).click();
    await page.locator('.board .score').nth(before).waitFor();
  }
  await shows(page, '.notice', 'choose one of the 10 offered fifth moves');
  assert.equal((await numbers(page)).length, 10);
  await cell(page, 'c9').click();
  await until(page, 5);
  await says(page, 'White to move');
  await place(page, ['k11', 'g8', 'a1', 'f8', 'c1', 'e8', 'e1', 'd8'], [6, 7, 8, 9, 10, 11, 12, 13]);
  await says(page, 'Black wins with five in a row');
  assert.deepEqual(complaints, []);
});

test('the explorer shows what was played from here, how it ended and what the engine thinks', async () => {
  const { page, complaints } = await guest();
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['h8', 'a1', 'i8', 'a2', 'j8', 'a3', 'k8', 'a4', 'l8']);
  await says(page, 'Black wins');
  // The same stones in a mirror: they are found, and the next one lies as this board does.
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['h8', 'o1']);
  await menu(page, 'explore');
  await shows(page, '[data-key="explored"]', /^2 of \d+ games came here: Black won 1, drew 0, lost 0\.$/);
  const next = page.locator('.explored tbody tr').filter({ hasText: '100% (+1 =0 −0)' });
  assert.match(await next.getAttribute('data-key'), /explored-(g8|h9)/, 'both are the same move here');
  await page
    .locator('.explored td:last-child')
    .filter({ hasText: /%|Win|Loss/ })
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  // The engine rests again.
  await page.locator('.lines').waitFor({ state: 'detached' });
  // Where discs fall, Black is called Red.
  await choose(page, 'kind-connect4', 'twoPeople');
  await begin(page);
  await place(page, ['d1']);
  await menu(page, 'explore');
  await shows(page, '[data-key="explored"]', 'Red won 0');
  await shows(page, '.explored th', 'Red’s score');
  assert.deepEqual(complaints, []);
});
