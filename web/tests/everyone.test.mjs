// For everyone: two languages, light and dark, phone and desktop, eyes and ears.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { begin, cell, choose, house, key, PATIENCE, place, says, shows, until } from './help.mjs';

const home = house();
const { guest } = home;
const PLACES = ['#/', '#/train', '#/train/lesson/lines', '#/library', '#/arena', '#/rules'];
/** What each place has when it stands. */
const STANDS = {
  '#/': '.play .board.main [data-cell]',
  '#/train': '.sets .set',
  '#/train/lesson/lines': '.lesson-text p',
};

/** Goes to a place and waits until it stands. */
async function visitPlace(page, hash) {
  await page.goto(home.url + hash);
  await page
    .locator(STANDS[hash] ?? '.page h1')
    .first()
    .waitFor();
}

test('the page speaks Chinese, and switches', async () => {
  const { page } = await guest('', { locale: 'zh-CN' });
  await says(page, '轮到你');
  assert.equal(await cell(page, 'h8').getAttribute('aria-label'), 'h8，空');
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN');
  for (const hash of PLACES) {
    await visitPlace(page, hash);
    const text = await page.locator('main').innerText();
    // Names of engines, formats and the like stay; sentences do not.
    assert.doesNotMatch(text, /\b[a-z]+ (the|of|to|and|is|in|your|a) [a-z]+\b/i, hash);
  }
  await visitPlace(page, '#/');
  await page.click('#bar button[lang=en]');
  await says(page, 'Your move');
});

test('the tests that docs/seeds.md names are there', async () => {
  const seeds = await readFile(new URL('../../docs/seeds.md', import.meta.url), 'utf8');
  const named = [...seeds.matchAll(/`web\/tests\/([\w.]+)` “([^”]+)”/g)];
  assert.ok(named.length > 10);
  for (const [, file, title] of named) {
    const source = await readFile(new URL(file, import.meta.url), 'utf8');
    assert.ok(source.includes(`test('${title}'`), `${file}: ${title}`);
  }
});

test('a phone never scrolls sideways, and the board fills it', async () => {
  const { page } = await guest('', { phone: true });
  for (const hash of PLACES) {
    await visitPlace(page, hash);
    const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= seen, `${hash}: ${wide} > ${seen}`);
  }
  await visitPlace(page, '#/');
  assert.ok((await page.locator('.board.main').boundingBox()).width > 340);
});

/** Texts on the screen whose contrast is below what WCAG AA asks for. */
const faint = page =>
  page.evaluate(() => {
    const parse = colour => colour.match(/[\d.]+/g).map(Number);
    const over = ([r, g, b, a = 1], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)];
    const light = rgb =>
      rgb
        .map(c => c / 255)
        .map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = element => {
      const parents = [];
      for (let at = element; at; at = at.parentElement) parents.unshift(at);
      return parents.reduce((rgb, at) => over(parse(getComputedStyle(at).backgroundColor), rgb), [255, 255, 255]);
    };
    return [...document.querySelectorAll('main *, #bar *, dialog[open] *')].flatMap(element => {
      const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
      const disabled = element.closest(':disabled, svg, option, .gauge, .unseen');
      if (!own || disabled || !element.getClientRects().length) return [];
      const style = getComputedStyle(element);
      const back = ground(element);
      const [a, b] = [light(over(parse(style.color), back)), light(back)];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const big =
        parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
      return ratio < (big ? 3 : 4.5)
        ? [`${element.tagName}.${element.className} “${element.textContent.trim().slice(0, 30)}” ${ratio.toFixed(2)}`]
        : [];
    });
  });

test('text has enough contrast in light and dark, and the choice is remembered', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const { page } = await guest('', { colorScheme });
    assert.equal(await page.locator('html').getAttribute('data-theme'), colorScheme);
    for (const hash of PLACES) {
      await visitPlace(page, hash);
      assert.deepEqual(await faint(page), [], `${colorScheme} ${hash}`);
    }
    await visitPlace(page, '#/');
    await page.click('.tool-theme');
    await page.reload();
    const other = colorScheme === 'light' ? 'dark' : 'light';
    await page.waitForFunction(theme => document.documentElement.dataset.theme === theme, other);
  }
});

test('cells are labelled, moves are announced, focus is seen, and ? shows the keys', async () => {
  const { page } = await guest();
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['h8']);
  await shows(page, '#live', 'Black h8');
  assert.equal(await page.locator('.board.main [role=gridcell]').count(), 225);
  assert.equal(await page.locator('.board.main [role=gridcell]:not([aria-label])').count(), 0);
  assert.match(await page.locator('.board.main').getAttribute('aria-label'), /Gomoku, 15 by 15/);
  await page.keyboard.press('b');
  await page.keyboard.press('ArrowRight');
  await page.locator('.board.main .cursor').waitFor();
  await key(page, 'undo').focus();
  await page.keyboard.press('Tab');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(outline, 'solid');
  await page.keyboard.press('?');
  await shows(page, 'dialog.keys', 'place a stone');
  await page.keyboard.press('Escape');
  const nameless = await page.evaluate(
    () =>
      [...document.querySelectorAll('button, select, input')].filter(element => {
        const label =
          element.getAttribute('aria-label') || element.labels?.length || element.textContent.trim() || element.title;
        return !label && !element.closest('[aria-hidden]') && element.getAttribute('aria-hidden') !== 'true';
      }).length,
  );
  assert.equal(nameless, 0);
});

/** What axe finds wrong with the page as it stands. */
async function faults(page) {
  await page.evaluate(await readFile(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8'));
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(' ')).join(', ')}`);
}

test('axe finds nothing wrong: every place, a game with an analysis, its end, the windows', async () => {
  for (const [phone, colorScheme] of [
    [false, 'light'],
    [true, 'dark'],
  ]) {
    const { page } = await guest('', { phone, colorScheme });
    for (const hash of PLACES) {
      await visitPlace(page, hash);
      assert.deepEqual(await faults(page), [], `${colorScheme} ${hash}`);
    }
  }
  const { page } = await guest();
  await page.click('#bar [data-key="new"]');
  await page.locator('dialog.new').waitFor();
  assert.deepEqual(await faults(page), [], 'a new game');
  await page.click('dialog [data-key="twoPeople"]');
  await begin(page);
  await place(page, ['h8', 'a1', 'i8', 'a3', 'j8', 'c1', 'k8', 'c3']);
  await page.keyboard.press('a');
  await page.locator('.lines li').first().waitFor();
  assert.deepEqual(await faults(page), [], 'an analysis');
  await page.keyboard.press('a');
  await place(page, ['g8'], [9]);
  await page.locator('.end-card').waitFor();
  assert.deepEqual(await faults(page), [], 'the end');
});

test('the sound of stones can be muted, and stays so', async () => {
  const { page } = await guest();
  await page.click('.tool-soundOn');
  await page.locator('.tool-soundOff').waitFor();
  await page.reload();
  await page.locator('.tool-soundOff').waitFor();
});

test('the rules of every game are in the page, with pictures', async () => {
  const { page } = await guest('#/rules');
  for (const game of ['Gomoku', 'Renju', 'Connect6', 'Connect Four']) await shows(page, '.page h2, .page h3', game);
  assert.ok((await page.locator('.page svg.board').count()) >= 4);
  // A caption that names a cell can be followed.
  const four = page.locator('figure', { hasText: 'must block at g5' }).locator('.coord');
  assert.ok((await four.allTextContents()).includes('g'));
});

test('the first paint is early and the page is small', async () => {
  const { page } = await guest();
  await until(page, 0);
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length);
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
  assert.ok(paint > 0 && paint < PATIENCE, `${paint} ms`);
  const bytes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .concat(performance.getEntriesByType('navigation'))
      .filter(one => !one.name.includes('/api/'))
      .reduce((sum, one) => sum + one.decodedBodySize, 0),
  );
  assert.ok(bytes > 50_000 && bytes < 500_000, `${bytes} bytes`);
  const sent = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .concat(performance.getEntriesByType('navigation'))
      .filter(one => !one.name.includes('/api/'))
      .reduce((sum, one) => sum + one.transferSize, 0),
  );
  // From a folder files come as they are; from the program they come compressed.
  assert.ok(process.env.LIANZI_PAGE || (sent > 20_000 && sent < 250_000), `${sent} bytes over the line`);
});
