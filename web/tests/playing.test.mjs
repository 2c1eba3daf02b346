// Playing: every game, by mouse and by keyboard, with everything a player can do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, cell, choose, house, menu, names, place, says, shows, stones, told, until } from './help.mjs';
import { seeForbidden } from './walks.mjs';

/** A program by name that surely thinks for a while. */
const SLOW = 'slow=classic-connect6@depth=12,width=12,time=60s';
const { guest } = house(['--player', SLOW]);

test('gomoku by mouse: the first click plays, the engine answers', async () => {
  const { page, complaints } = await guest();
  await says(page, 'Your move');
  await cell(page, 'h8').click();
  await until(page, 2);
  assert.match(page.url(), /#\/g\/\w+/);
  assert.equal(await page.locator('.moves button').count(), 2);
  assert.deepEqual(await page.locator('.strip .name').allTextContents(), ['Computer', 'You']);
  await shows(page, '.strip .tag', 'Skilled · level 5');
  assert.deepEqual(complaints, []);
});

test('gomoku by mouse to the end: two people, five in a row', async () => {
  const { page, complaints } = await guest();
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['h8', 'h9', 'i8', 'i9', 'j8', 'j9', 'k8', 'k9', 'l8']);
  await says(page, 'Black wins with five in a row');
  assert.equal(await page.locator('.board.main .win').count(), 5, 'each winning stone has its ring');
  await shows(page, '.end-card h2', 'Black won');
  await shows(page, '.end-card .reason', 'Five in a row, h8 to l8, with stone 9.');
  await cell(page, 'a1').click();
  await told(page, 'over');
  assert.equal(await stones(page), 9);
  assert.deepEqual(complaints, []);
});

test('six in a row are called six at the end of a game', async () => {
  const { page } = await guest();
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['f8', 'f9', 'g8', 'g9', 'h8', 'h9', 'j8', 'j9', 'k8', 'k9', 'i8']);
  await shows(page, '.end-card .reason', 'Six in a row, f8 to k8, with stone 11.');
  assert.equal(await page.locator('.board.main .win').count(), 6, 'each of them has its ring');
});

test('connect6 by mouse: two stones a turn, the first can be taken back', async () => {
  const { page } = await guest();
  await choose(page, 'kind-connect6', 'twoPeople');
  await begin(page);
  await place(page, ['j10', 'a1']);
  await says(page, 'the first can be taken back');
  await page.click('[data-key="undo"]');
  await until(page, 1);
  await place(
    page,
    ['a2', 'a3', 'k10', 'l10', 'b2', 'b3', 'm10', 'n10', 'c2', 'c3', 'o10'],
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  );
  await says(page, 'Black wins with six in a row');
});

test('connect four by mouse with a blocked cell: a red cross that stones pass', async () => {
  const { page } = await guest();
  await choose(page, 'kind-connect4', 'twoPeople');
  await page.selectOption('[data-key="size"]', '9x10');
  await page.click('dialog [data-key="more"]');
  await page.click('dialog [data-key="block-d4"]');
  await begin(page);
  const cross = page.locator('.board.main .cross');
  assert.equal(await cross.count(), 1);
  assert.equal(await cross.evaluate(path => getComputedStyle(path).stroke), 'rgb(198, 40, 40)');
  // A click anywhere in a column drops.
  await place(page, ['d9', 'e1', 'd9', 'e1', 'd9', 'a1', 'd9']);
  assert.equal(await cell(page, 'd5').getAttribute('aria-label'), 'd5, Red');
  assert.equal(await cell(page, 'd4').getAttribute('aria-label'), 'd4, blocked');
  await place(page, ['e5', 'c1', 'f1', 'b1'], [8, 9, 10, 11]);
  await says(page, 'Yellow to move');
  await place(page, ['e4'], [12]);
  await says(page, 'Yellow wins with four in a row');
});

test('renju: a forbidden cell is marked and refused', async () => {
  const { page } = await guest();
  await seeForbidden(page);
});

test('a whole game by keyboard', async () => {
  const { page } = await guest();
  await page.keyboard.press('n');
  const reach = async wanted => {
    for (let n = 0; n < 60; n++) {
      if ((await page.evaluate(() => document.activeElement?.getAttribute('data-key'))) === wanted) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`${wanted} cannot be reached by Tab`);
  };
  await reach('twoPeople');
  await page.keyboard.press('Enter');
  await reach('start');
  await page.keyboard.press('Enter');
  await says(page, 'Black to move');
  await page.keyboard.press('b');
  const steps = [
    '',
    'ArrowUp',
    'ArrowRight ArrowDown',
    'ArrowUp',
    'ArrowRight ArrowDown',
    'ArrowUp',
    'ArrowRight ArrowDown',
    'ArrowUp',
    'ArrowRight ArrowDown',
  ];
  for (const [n, keys] of steps.entries()) {
    for (const name of keys.split(' ').filter(Boolean)) await page.keyboard.press(name);
    await page.keyboard.press('Enter');
    await until(page, n + 1);
  }
  await says(page, 'Black wins');
  await shows(page, '#live', 'Black wins');
});

test('the side not to move is grey and refused; undo while the engine thinks stops it', async () => {
  const { page } = await guest();
  await choose(page, 'kind-connect6', 'more');
  await page.selectOption('[data-key="side1-who"]', 'slow');
  await begin(page);
  await place(page, ['j10']);
  await says(page, 'thinking');
  assert.match(await page.locator('.strip.below').getAttribute('class'), /idle/);
  assert.match(await page.locator('.strip.above').getAttribute('class'), /active/);
  await page.locator('.strip.above .spinner').waitFor();
  await cell(page, 'a1').click();
  await told(page, 'White’s turn, not yours');
  assert.equal(await stones(page), 1);
  await page.click('[data-key="undo"]');
  await until(page, 0);
  await says(page, 'Your move');
  await place(page, ['k11']);
  await says(page, 'thinking');
});

test('undo goes back to the empty board, redo returns', async () => {
  const { page } = await guest();
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['h8', 'h9', 'i8']);
  for (const left of [2, 1, 0]) {
    await page.click('[data-key="undo"]');
    await until(page, left);
  }
  await page.locator('[data-key="undo"]:disabled').waitFor();
  for (const back of [1, 2, 3]) {
    await menu(page, 'redo');
    await until(page, back);
  }
  // Against an engine each undo goes back to the own turn.
  await choose(page, 'computer', 'side-black');
  await begin(page);
  await place(page, ['h8', 'a1'], [2, 4]);
  for (const left of [2, 0]) {
    await page.click('[data-key="undo"]');
    await until(page, left);
    await says(page, 'Your move');
  }
});

test('clocks show the total and the move, warn in amber and red, and then lose', async () => {
  const { page } = await guest();
  await choose(page, 'twoPeople', 'clock-other');
  await page.selectOption('[data-key="limit"]', 'game');
  await page.fill('[data-key="perGame"]', '0.2');
  await page.keyboard.press('Tab');
  await begin(page);
  await place(page, ['h8']);
  // Amber lasts about two seconds here; a busy machine may draw red at once.
  await page.locator('.strip.active .clock:is(.amber, .red)').first().waitFor();
  await page.locator('.strip.active .clock.red').waitFor();
  await says(page, /time/);
  assert.equal(await page.locator('[data-clock="1"]').textContent(), '0.0', 'whose time ran out has none');
  await cell(page, 'h9').click();
  await told(page, 'over');
  assert.equal(await stones(page), 1);
});

test('the name of an opponent with a clock is never cut short', async () => {
  const { page } = await guest();
  await choose(page, 'level-9', 'side-white', 'clock-10+5');
  await begin(page);
  const name = page.locator('.strip[data-side="black"] .name');
  const cut = () => name.evaluate(element => element.scrollWidth > element.clientWidth);
  await shows(page, '.strip[data-side="black"] .now', 'Thinking');
  assert.equal(await cut(), false);
  await until(page, 1);
  assert.equal(await cut(), false);
  await shows(page, '.strip[data-side="black"] .tag', /^Champion$/);
});

test('on a tablet the names beside two clocks are whole', async () => {
  const { page } = await guest('', { viewport: { width: 820, height: 1180 } });
  await page.evaluate(async () => {
    const { makeGame } = await import('/assets/js/open.js');
    const sides = [{ player: 'human', name: 'Alexandra' }, { player: 'strong@level=9' }];
    await makeGame({ game: 'gomoku', sides, control: { per_game_ms: 600_000, increment_ms: 5000 } });
  });
  await shows(page, '.strip[data-side="black"] .name', 'Alexandra');
  const cut = await page
    .locator('.strip .name, .strip small')
    .evaluateAll(all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent));
  assert.deepEqual(cut, []);
});

test('only players that play the chosen game are offered', async () => {
  const { page } = await guest();
  await choose(page, 'kind-connect6', 'more');
  const offered = () => page.locator('[data-key="side1-who"] option').allTextContents();
  assert.ok((await offered()).includes('Classic Connect6'));
  assert.ok(!(await offered()).includes('Classic Gomoku'));
  await page.selectOption('[data-key="side1-who"]', 'classic-connect6');
  // Another game than the one it plays brings the usual engine back.
  await page.click('dialog [data-key="kind-connect4"]');
  assert.equal(await page.inputValue('[data-key="side1-who"]'), 'strong');
  assert.ok((await offered()).includes('Solver'));
});

test('hint, swap, resign and restart', async () => {
  const { page } = await guest();
  await choose(page, 'kind-connect4', 'computer', 'side-black');
  await begin(page);
  await place(page, ['d1'], [2]);
  await page.click('[data-key="hint"]');
  await page.locator('.board.main .hint').waitFor();
  await shows(page, '#live', 'Hint');
  await menu(page, 'swap');
  await until(page, 3);
  await says(page, 'Your move: Yellow');
  await page.click('[data-key="resign"]');
  await shows(page, '[data-key="resign"]', 'Resign?');
  await page.click('[data-key="resign"]');
  await says(page, 'Red wins');
  await shows(page, '.end-card h2', 'You lost');
  await shows(page, '[data-key="level-step"]', 'Level down: Club');
  // How well both played is told without being asked for.
  await page.locator('.end-card .dial').first().waitFor();
  // A rematch changes the colours.
  await page.click('[data-key="next"]');
  await until(page, 0);
  await says(page, 'Your move: Red');
  await place(page, ['d1'], [2]);
  // A restart asks, keeps the old game, and one word leads back to it.
  await menu(page, 'restart');
  await shows(page, '.menu [data-key="restart"]', 'Restart?');
  assert.equal(await stones(page), 2);
  await page.click('.menu [data-key="restart"]');
  await until(page, 0);
  await page.click('#toast [data-key="way"]');
  await until(page, 2);
});

test('a series: colours swap, the tally is shown, it stops when decided', async () => {
  const { page } = await guest();
  await choose(page, 'twoPeople', 'more');
  for (const [n, name] of ['Ann', 'Bob'].entries()) {
    await page.fill(`[data-key="side${n}-name"]`, name);
    await page.keyboard.press('Tab');
  }
  await page.selectOption('[data-key="series"]', '3');
  await begin(page);
  const resign = async () => {
    await page.click('[data-key="resign"]');
    await page.click('[data-key="resign"]');
  };
  await shows(page, '.strip.below', 'Best of 3, game 1');
  assert.deepEqual(await names(page), ['Ann', 'Bob']);
  await place(page, ['h8']);
  await resign();
  await says(page, 'Black wins');
  await shows(page, '.strip.below', 'Ann 1 – 0 Bob');
  await page.click('[data-key="next"]');
  await shows(page, '.strip.below', 'game 2 · Ann 1 – 0 Bob');
  assert.deepEqual(await names(page), ['Bob', 'Ann']);
  await place(page, ['h8', 'h9']);
  await resign();
  await says(page, 'White wins');
  await shows(page, '.strip.below', 'Series over · Ann 2 – 0 Bob');
  await shows(page, '[data-key="next"]', 'Rematch');
});
