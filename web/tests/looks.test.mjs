// What the page looks like and how it behaves under the finger: no jumps, nothing lost, nothing in the way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, cell, choose, house, key, menu, place, resume, says, server, shows, stones } from './help.mjs';
import { told, until } from './help.mjs';

const home = house();
const { guest } = home;

test('two clicks 150 ms apart are two stones, also when the line is slow', async () => {
  const { page } = await guest();
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['h8']);
  await cell(page, 'h9').click();
  await page.waitForTimeout(150);
  await cell(page, 'i8').click();
  await until(page, 3);
  await page.waitForFunction(() => !document.querySelector('[data-pending]'));
  assert.equal(await stones(page), 3);
});

test('a stone waits on the board while the line is down, and is played when it returns', async t => {
  const own = await server(t);
  const { page } = await guest(own.url);
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['h8']);
  await own.stop();
  await page.locator('.strip .down').waitFor();
  await cell(page, 'h9').click();
  await told(page, 'will be sent when it returns');
  await page.locator('.board.main .waits').waitFor();
  await own.comeBack();
  await page.locator('.board.main .waits').waitFor({ state: 'detached' });
  assert.equal(await stones(page), 2);
});

test('the front page goes on with the unfinished game', async () => {
  const { page } = await guest();
  await cell(page, 'h8').click();
  await until(page, 2);
  const game = page.url();
  await page.goto(`${home.url}#/rules`);
  await page.goto(home.url);
  await until(page, 2);
  assert.equal(page.url(), game);
});

test('a strange browser sees nobody’s games, one’s own are listed', async () => {
  const { page } = await guest();
  await cell(page, 'h8').click();
  await until(page, 2);
  await page.goto(`${home.url}#/library`);
  await page.locator('.games a.open').first().waitFor();
  const stranger = await guest('#/library');
  await shows(stranger.page, '.empty', 'not played here yet');
  assert.equal((await fetch(`${home.url}api/games`)).status, 403);
});

test('steps do not move under the finger: two clicks are two steps', async () => {
  const { page } = await guest();
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['h8', 'h9', 'i8', 'i9']);
  const back = page.locator('.transport [data-key="step-back"]');
  const box = await back.boundingBox();
  for (const left of [3, 2]) {
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await until(page, left);
  }
  assert.deepEqual(await back.boundingBox(), box);
  const board = await page.locator('.board.main').boundingBox();
  await page.keyboard.press('a');
  await page.locator('.candidate').first().waitFor();
  assert.deepEqual(await page.locator('.board.main').boundingBox(), board, 'the gauge has its own room');
  await page.mouse.move(board.x + 50, board.y + 50);
  await page.mouse.wheel(0, -100);
  await until(page, 1);
});

test('all that can be done fits beside the board of a narrow window', async () => {
  for (const width of [900, 1024, 1280]) {
    const { page } = await guest('', { viewport: { width, height: 720 } });
    await cell(page, 'h8').click();
    await until(page, 2);
    const over = await page.evaluate(() => {
      const right = document.querySelector('.panel').getBoundingClientRect().right + 1;
      const parts = [...document.querySelectorAll('.panel *')].filter(one => one.getClientRects().length);
      const out = parts.filter(one => one.getBoundingClientRect().right > right);
      return [document.documentElement.scrollWidth - innerWidth, ...out.map(one => one.className)];
    });
    assert.deepEqual(over, [0], `${width} pixels wide`);
  }
});

test('on a phone a finger aims, a lens shows what it hides, and a button places', async () => {
  const { page } = await guest('', { phone: true });
  const spot = async name => {
    const box = await cell(page, name).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = await spot('h8');
  const touch = (type, px, py) =>
    page.evaluate(
      ([kind, clientX, clientY]) => {
        const board = document.querySelector('.board.main');
        const target = document.elementFromPoint(clientX, clientY) ?? board;
        const buttons = kind === 'pointerup' ? 0 : 1;
        const about = { pointerType: 'touch', pointerId: 1, buttons, clientX, clientY, bubbles: true };
        board.setPointerCapture = () => {};
        target.dispatchEvent(new PointerEvent(kind, about));
      },
      [type, px, py],
    );
  await touch('pointerdown', x, y);
  await page.locator('.lens').waitFor();
  const wood = await page.locator('.lens .wood').evaluate(element => getComputedStyle(element).fill);
  assert.match(wood, /#wood/, 'the lens shows the board in its colours');
  const [nx, ny] = await spot('i9');
  await touch('pointermove', nx, ny);
  await shows(page, '.lens-name', 'i9');
  await touch('pointerup', nx, ny);
  await shows(page, '[data-key="place"]', 'i9');
  await page.locator('.lens').waitFor({ state: 'detached' });
  assert.equal(await stones(page), 0, 'aiming places nothing');
  await page.click('[data-key="place"]');
  await until(page, 2);
  assert.match(await cell(page, 'i9').getAttribute('aria-label'), /Black/);
});

test('a phone on its side has the button that places, and nothing is pushed out for it', async () => {
  const { page } = await guest('', { phone: true, viewport: { width: 844, height: 390 } });
  const box = await cell(page, 'h8').boundingBox();
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await told(page, '“Place”');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(wide, 0);
  await page.click('[data-key="place"]');
  await until(page, 2);
});

test('what can be done at the end of a game stands in one row on a phone, in both languages', async () => {
  for (const [locale, viewport] of [
    ['en-US', { width: 390, height: 844 }],
    ['zh-CN', { width: 390, height: 844 }],
    ['en-US', { width: 844, height: 390 }],
  ]) {
    const { page } = await guest('', { phone: true, locale, viewport });
    await resume(page, 'gomoku', ['h8', 'a1', 'i8', 'a3', 'j8', 'c1', 'k8', 'c3'], 'strong@level=10');
    await page.evaluate(async () => (await import('/assets/js/ask.js')).send({ type: 'resign' }));
    await page.locator('[data-key="level-step"]').waitFor();
    const boxes = await page
      .locator('.result-actions .big')
      .evaluateAll(all => all.map(one => [one.offsetTop, one.scrollWidth <= one.clientWidth]));
    assert.equal(boxes.length, 3);
    assert.equal(new Set(boxes.map(([top]) => top)).size, 1, `${locale}: one row`);
    assert.ok(
      boxes.every(([, fits]) => fits),
      `${locale}: no word is cut`,
    );
  }
});

test('a phone has the threats in its menu', async () => {
  const { page } = await guest('', { phone: true });
  await resume(page, 'gomoku', ['h8', 'a1', 'i8', 'a3', 'j8']);
  await menu(page, 'threats-menu');
  await page.locator('.board.main .threat.three').waitFor();
  await shows(page, '.notice', 'Black: 1 × open three');
  await menu(page, 'threats-menu');
  await page.locator('.board.main .threat').waitFor({ state: 'detached' });
});

test('all lines of the board are equally strong: whole pixels of the screen', async () => {
  for (const viewport of [{ width: 820, height: 1180 }, undefined, { width: 390, height: 844 }]) {
    const { page } = await guest('', { viewport });
    const widths = await page.evaluate(() => {
      const { width } = document.querySelector('.board.main').getBoundingClientRect();
      const scale = width / document.querySelector('.board.main').viewBox.baseVal.width;
      return ['.grid', '.frame'].map(
        name => scale * parseFloat(getComputedStyle(document.querySelector(`.board.main ${name}`)).strokeWidth),
      );
    });
    for (const wide of widths) assert.ok(wide > 0.9 && Math.abs(wide - Math.round(wide)) < 0.01, String(widths));
  }
});

test('the board has themes, numbers on stones, and remembers both', async () => {
  const { page } = await guest();
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['h8', 'h9']);
  const wood = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--wood-1'));
  const before = await wood();
  await menu(page, 'settings');
  await page.click('[data-key="board-cherry"]');
  assert.notEqual(await wood(), before);
  await page.check('[data-key="numbers"]');
  await page.keyboard.press('Escape');
  await page.locator('.layer-stones .number').nth(1).waitFor();
  assert.deepEqual(await page.locator('.layer-stones .number').allTextContents(), ['1', '2']);
  await page.reload();
  await until(page, 2);
  assert.equal(await page.locator('html').getAttribute('data-board'), 'cherry');
});

test('a file is dropped on the board or pasted, looked at, and there again after a reload', async () => {
  const { page } = await guest();
  await page.click('[data-key="open-load"]');
  await page.fill('[data-key="load-paste"]', '(;GM[4]SZ[15]PB[Ann]PW[Bob];B[hh];W[ii];B[hg])');
  await page.click('[data-key="load-read"]');
  await until(page, 3);
  assert.match(page.url(), /#\/look$/);
  await page.reload();
  await until(page, 3);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['(;GM[4]SZ[15]PB[Eve]PW[Bob];B[hh];W[ii];B[hg];W[ig])'], 'a.sgf'));
    document.querySelector('.play').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
  });
  await until(page, 4);
  await shows(page, '.strip .name', 'Eve');
});

test('only what the game has is offered: blocked cells, formats, clocks', async () => {
  const { page } = await guest();
  await choose(page, 'more');
  assert.equal(await page.locator('dialog .picker').count(), 0, 'Gomoku has no blocked cells');
  const stops = () =>
    page.evaluate(() => document.querySelectorAll('dialog.new :is(button, select, input, [tabindex="0"])').length);
  assert.ok((await stops()) < 60, `${await stops()} stops for the keyboard`);
  await page.click('dialog [data-key="kind-connect4"]');
  assert.equal(await page.locator('dialog .picker [tabindex="0"]').count(), 1);
  assert.equal(await page.locator('dialog details .dot.disc').count(), 2, 'discs are red and yellow');
  assert.ok((await page.locator('[data-key="rule"] option').allTextContents()).includes('None: Red begins'));
  await page.click('dialog [data-key="kind-gomoku"]');
  await page.click('dialog [data-key="twoPeople"]');
  await begin(page);
  await place(page, ['h8']);
  assert.equal(await page.locator('.clock').count(), 0, 'an untimed game has no clock');
  await menu(page, 'open-save');
  const formats = await page.locator('[data-key="format"] option').allTextContents();
  assert.ok(!formats.includes('columns') && formats.includes('sgf'), String(formats));
  await says(page, 'White to move');
  await key(page, 'save').waitFor();
});
