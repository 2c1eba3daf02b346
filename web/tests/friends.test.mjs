// Friends: two people on two browsers, who ask each other and are not helped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, cell, choose, house, key, menu, place, says, shows, told, until } from './help.mjs';
import { ask } from './training.mjs';

const home = house();
const { guest } = home;

/** A game of two people: the host keeps Black, the friend comes by the link. */
async function two(...keys) {
  const host = await guest();
  await choose(host.page, 'friend', ...keys);
  await begin(host.page);
  await host.page.locator('dialog.sharing').waitFor();
  const link = await host.page.inputValue('[data-key="invite-link"]');
  await host.page.keyboard.press('Escape');
  await shows(host.page, '.strip.above', 'Has not come yet');
  const friend = await guest(link);
  await told(host.page, 'Your friend is here.');
  await says(friend.page, 'Black to move');
  return { host: host.page, friend: friend.page, link, complaints: [host.complaints, friend.complaints] };
}

test('two browsers by an invite link: each moves only its own side', async () => {
  const { host, friend, link, complaints } = await two();
  assert.ok(!friend.url().includes('seat='), 'the address forgets the secret');
  await cell(friend, 'a1').click();
  await told(friend, 'not yours');
  await place(host, ['h8']);
  await until(friend, 1);
  await cell(host, 'a2').click();
  await told(host, 'not yours');
  await place(friend, ['h9'], [2]);
  await until(host, 2);
  await host.reload();
  await until(host, 2);
  await menu(host, 'share');
  assert.equal(await host.inputValue('[data-key="invite-link"]'), link, 'the link can be had again');
  const watcher = await guest(new URL(host.url()).hash);
  await until(watcher.page, 2);
  await cell(watcher.page, 'c3').click();
  await told(watcher.page, 'watching');
  assert.deepEqual(complaints, [[], []]);
});

test('no clock runs before the friend has come', async () => {
  const { page } = await guest();
  const running = [];
  page.on('websocket', line =>
    line.on('framereceived', ({ payload }) => {
      const said = JSON.parse(String(payload));
      if (said.type === 'state') running.push(said.running);
    }),
  );
  await choose(page, 'friend', 'clock-5+3');
  await begin(page);
  const link = await page.inputValue('[data-key="invite-link"]');
  await shows(page, '.strip.above', 'Has not come yet');
  assert.deepEqual([running.length > 0, running.some(Boolean)], [true, false]);
  await guest(link);
  await told(page, 'Your friend is here.');
  assert.equal(running.at(-1), true);
});

test('an invitation has a code to scan, and warns of an address that only this machine knows', async () => {
  const { page } = await guest();
  await choose(page, 'friend');
  await begin(page);
  await page.locator('dialog.sharing .qr').waitFor();
  await page.waitForFunction(() => document.querySelector('.qr')?.naturalWidth > 0);
  await shows(page, 'dialog .warning', 'works on this computer only');
});

test('taking back and playing again need the other one', async () => {
  const { host, friend } = await two();
  await place(host, ['h8']);
  await place(friend, ['h9'], [2]);
  await until(host, 2);
  await host.click('[data-key="undo"]');
  await shows(host, '.notice', 'You asked for: take back a move');
  await shows(friend, '.notice', 'asks for: take back a move');
  assert.equal(await host.locator('.layer-stones .stone').count(), 2);
  await friend.click('[data-key="decline"]');
  await told(host, 'declined');
  await host.click('[data-key="undo"]');
  await friend.click('[data-key="accept"]');
  await until(host, 1);
  await until(friend, 1);
  await shows(friend, '#live', 'Taken back: h9');
  await menu(friend, 'restart');
  await host.click('[data-key="accept"]');
  await until(friend, 0);
});

test('two people get neither hints nor analyses until both agree or the game is over', async () => {
  const { host, friend } = await two();
  await place(host, ['h8']);
  await until(friend, 1);
  await host.locator('[data-key="hint"]:disabled').waitFor();
  await host.locator('[data-key="analyse"]:disabled').waitFor();
  const why = host.locator('.card-head .facts');
  assert.equal(await why.textContent(), 'Off until the game is over');
  assert.equal(await why.evaluate(element => element.scrollWidth > element.clientWidth), false, 'it is read whole');
  await menu(host, 'ask-advice');
  await shows(friend, '.notice', 'hints and analysis for both');
  await friend.click('[data-key="accept"]');
  await host.locator('[data-key="analyse"]:not(:disabled)').waitFor();
});

test('a draw is offered, phrases are said, names are told, and who is away is seen', async () => {
  const { host, friend } = await two();
  await menu(friend, 'share');
  await friend.keyboard.press('Escape');
  await menu(host, 'share');
  await host.fill('[data-key="my-name"]', 'Mei');
  await host.keyboard.press('Tab');
  await host.keyboard.press('Escape');
  await shows(friend, '.strip .name', 'Mei');
  await menu(host, 'phrases');
  await host.click('.menu [data-key="say-hello"]');
  await told(friend, 'Mei: Hello!');
  await place(host, ['h8']);
  await until(friend, 1);
  const hash = new URL(friend.url()).hash;
  await friend.goto('about:blank');
  await shows(host, '.strip .tag', 'Away');
  await friend.goto(home.url + hash);
  await host.locator('.strip .tag.warn').waitFor({ state: 'detached' });
  await until(friend, 1);
  // Who takes back what was asked for is not told that it was declined; who was declined is.
  await menu(host, 'draw');
  await friend.locator('[data-key="accept"]').waitFor();
  await host.click('[data-key="withdraw"]');
  await friend.locator('[data-key="accept"]').waitFor({ state: 'detached' });
  await host.locator('[data-key="withdraw"]').waitFor({ state: 'detached' });
  assert.doesNotMatch(await host.locator('#toast').innerText(), /declined/);
  await menu(host, 'draw');
  await friend.click('[data-key="decline"]');
  await told(host, 'declined');
  await menu(host, 'draw');
  await friend.click('[data-key="accept"]');
  await says(host, 'A draw: the players agreed');
  await shows(friend, '.end-card h2', 'A draw');
  await key(friend, 'review').waitFor();
});

test('who looks at the review of a lost game finds the mistakes among the puzzles, without asking for it', async () => {
  const { host, friend } = await two();
  const [black, white] = [
    ['h8', 'i8', 'j8', 'g8', 'f8'],
    ['a1', 'a3', 'o15', 'o1'],
  ];
  const put = async (page, name, count) => {
    await cell(page, name).click();
    await until(host, count);
    await until(friend, count);
  };
  for (const [n, name] of black.entries()) {
    await put(host, name, 2 * n + 1);
    if (white[n]) await put(friend, white[n], 2 * n + 2);
  }
  await key(friend, 'review').click();
  const progress = () => friend.evaluate(async () => (await import('/assets/js/learner.js')).progress());
  let kept = await progress();
  for (let n = 0; n < 240 && !JSON.stringify(kept).includes('"mine-'); n += 1) {
    await friend.waitForTimeout(500);
    kept = await progress();
  }
  const { puzzles } = await ask(home.url, 'train_due', { progress: kept });
  assert.ok(puzzles.length >= 1);
  assert.ok(
    puzzles.every(puzzle => puzzle.to_move === 'white'),
    'only those of one’s own side',
  );
});
