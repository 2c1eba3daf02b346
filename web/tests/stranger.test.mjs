// What a stranger meets: a first game against the computer, its end, and why it was lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, cell, choose, house, key, menu, place, resume, says, shows, stones, told, until } from './help.mjs';

const home = house();
const { guest } = home;

/** Stones of somebody who does not know the game: far from everything. */
const FAR = 'a1 o15 a15 o1 c1 m15 a13 o3 e1 k15 a11 o5 g1 i15 a9 o7 i1 g15'.split(' ');

/** Loses against the computer by looking away. */
async function lose(page) {
  for (const name of FAR) {
    if (await page.locator('.end-card').count()) return;
    if (!/, empty$/.test((await cell(page, name).getAttribute('aria-label')) ?? '')) continue;
    await cell(page, name).click();
    await page.waitForFunction(
      () => /Your move|wins/.test(document.querySelector('.status strong')?.textContent ?? ''),
      null,
      { polling: 50 },
    );
  }
}

test('a first game is lost by mouse, its end says why, and the review begins with one’s first mistake', async () => {
  const { page, complaints } = await guest();
  await lose(page);
  await shows(page, '.end-card h2', 'You lost');
  // Ringed, not struck through; a row of six is called so.
  const rings = await page.locator('.layer-win .win').count();
  const words = { 5: 'Five', 6: 'Six', 7: 'Seven', 8: 'Eight', 9: 'Nine' }[rings];
  await shows(page, '.end-card .reason', new RegExp(`^${words} in a row, \\w+ to \\w+, with stone \\d+\\.$`));
  assert.equal(await page.locator('.layer-win line').count(), 0);
  await shows(page, '[data-key="level-step"]', 'Level down: Club');
  await key(page, 'review').click();
  await shows(page, '.review-strip', 'lost to Computer, Skilled');
  await page.locator('.verdict-card[data-grade]').waitFor({ timeout: 120_000 });
  await shows(page, '.stepper', '1 of');
  assert.equal(await key(page, 'review-mine').getAttribute('aria-pressed'), 'true');
  const mine = await page.locator('.slip').count();
  await key(page, 'review-both').click();
  await page.locator('[data-key="review-both"][aria-pressed="true"]').waitFor();
  assert.ok((await page.locator('.slip').count()) >= mine && mine > 0);
  assert.deepEqual(complaints, []);
});

test('a mistake that is chosen far down the list stays in sight', async () => {
  const { page } = await guest('', { viewport: { width: 1280, height: 700 } });
  await lose(page);
  await key(page, 'review').click();
  await page.waitForFunction(() => !document.querySelector('.slips-card [role=status]'), null, { timeout: 120_000 });
  const last = page.locator('.slip').last();
  assert.ok(
    await page.locator('.slips').evaluate(list => list.scrollHeight > list.clientHeight),
    'it has to be scrolled',
  );
  const inSight = () =>
    page.waitForFunction(() => {
      const [list, row] = [document.querySelector('.slips'), document.querySelector('.slip[aria-current]')];
      const [all, box] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
      // Browsers scroll by whole pixels.
      return (
        row === list.querySelector('li:last-child .slip') && box.bottom <= all.bottom + 1 && box.top >= all.top - 1
      );
    });
  await last.click();
  await inSight();
  await page.click('[data-key="slip-back"]');
  await page.click('[data-key="slip-forward"]');
  await inSight();
});

test('the computer answers after a moment, or at once for who wants that', async () => {
  const { page } = await guest();
  const asked = () =>
    page.waitForRequest(request => request.method() === 'POST' && /\/api\/games$/.test(request.url()));
  let made = asked();
  await page.evaluate(() => {
    const layer = document.querySelector('.layer-stones');
    new MutationObserver(() => {
      window.seen ??= [];
      if (layer.querySelectorAll('.stone').length > window.seen.length) window.seen.push(performance.now());
    }).observe(layer, { childList: true });
  });
  await place(page, ['h8'], [2]);
  assert.ok(!(await made).postDataJSON().instant);
  const [own, answer] = await page.evaluate(() => window.seen);
  assert.ok(answer - own >= 250, `${answer - own} ms`);
  await menu(page, 'settings');
  await page.check('[data-key="instant"]');
  await page.keyboard.press('Escape');
  await choose(page, 'computer');
  made = asked();
  await begin(page);
  await cell(page, 'h8').click();
  assert.equal((await made).postDataJSON().instant, true);
});

test('the gauge, the graph and the list of moves say the same, also without the analysis', async () => {
  const { page } = await guest();
  await place(page, ['h8'], [2]);
  const number = page.locator('.share-number').last();
  await number.waitFor();
  const white = Number(await number.textContent());
  assert.equal(Number(await page.locator('.gauge').getAttribute('aria-valuenow')), 100 - white);
  assert.equal(await page.locator('.gauge.unknown').count(), 0);
  await page.locator('.graph .here').waitFor({ state: 'attached' });
  // Nor does the opponent's own opinion stand beside a better one.
  await page.keyboard.press('a');
  await page.locator('.candidate').first().waitFor();
  const same = () =>
    page.waitForFunction(() => {
      const number = Number([...document.querySelectorAll('.share-number')].at(-1).textContent);
      const gauge = Number(document.querySelector('.gauge').getAttribute('aria-valuenow'));
      return Math.abs(gauge - (100 - number)) <= 1;
    });
  await same();
  await page.keyboard.press('a');
  await page.locator('.candidate').first().waitFor({ state: 'detached' });
  await same();
});

test('the end of a game is told, also to whoever had the analysis on', async () => {
  const { page } = await guest();
  await choose(page, 'kind-connect4', 'twoPeople');
  await begin(page);
  await page.keyboard.press('a');
  await place(page, ['d6', 'c6', 'd6', 'c6', 'd6', 'c6', 'd6']);
  await shows(page, '.end-card h2', 'Red won');
  assert.equal(await page.locator('.gauge').getAttribute('aria-valuenow'), '100');
});

test('a new game: ten levels with names, a friend, a clock and the opening rule in sight', async () => {
  const { page } = await guest();
  await choose(page);
  const levels = await page.locator('dialog .levels small').allTextContents();
  assert.deepEqual([levels.length, levels[0], levels[9]], [10, 'Beginner', 'Master']);
  for (const name of ['friend', 'clock-none', 'rule', 'side-random', 'start'])
    assert.ok(await page.locator(`dialog.new [data-key="${name}"]`).isVisible(), name);
  await shows(page, 'dialog .about-level', 'Skilled');
});

test('who won without a mistake goes on in one row of choices, and sees what the computer did wrong', async () => {
  const { page } = await guest();
  await resume(page, 'gomoku', ['h8', 'a1', 'i8', 'a3', 'j8', 'c1', 'k8', 'c3'], 'strong@level=8');
  await cell(page, 'g8').click();
  await shows(page, '[data-key="level-step"]', 'Level up: Champion');
  const tops = await page.locator('.result-actions button').evaluateAll(all => all.map(one => one.offsetTop));
  assert.deepEqual([tops.length, new Set(tops).size], [3, 1]);
  await key(page, 'review').click();
  await shows(page, '.verdict-card', 'You made no mistakes.');
  assert.equal(await key(page, 'review-both').getAttribute('aria-pressed'), 'true');
  await key(page, 'first-slip').click();
  await shows(page, '.verdict-card h3', /mistake|blunder|inaccuracy/);
});

test('renju against the computer: a forbidden point says which foul it is, in Chinese too', async () => {
  const { page } = await guest('', { locale: 'zh-CN' });
  await resume(page, 'renju', ['f8', 'a1', 'g8', 'a3', 'h6', 'a5', 'h7', 'a7'], 'strong@level=1');
  await cell(page, 'h8').click();
  await told(page, '三三禁手');
  assert.equal(await stones(page), 8);
});

test('who asks for less motion gets none', async () => {
  const { page } = await guest();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await choose(page, 'kind-connect4', 'twoPeople');
  await begin(page);
  await cell(page, 'd6').click();
  const moving = await page.evaluate(
    () => document.querySelector('.layer-stones').getAnimations({ subtree: true }).length,
  );
  assert.equal(moving, 0);
  await until(page, 1);
  await says(page, 'Yellow to move');
});

test('a finger places at once where the reader said so', async () => {
  const { page } = await guest('', { phone: true });
  await menu(page, 'settings');
  await page.click('[data-key="aim-never"]');
  await page.keyboard.press('Escape');
  const box = await cell(page, 'h8').boundingBox();
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await until(page, 2);
});
