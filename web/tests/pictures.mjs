// Makes the pictures of docs/pictures: `npm run pictures`, after a build.
import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { begin, cell, choose, folder, forget, openBrowser, place, serve, shows, until, visit } from './help.mjs';

const OUT = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const SMALL = { width: 900, height: 540 };
/** A picture larger than this is too large for a repository. */
const MOST = 150_000;

const data = await folder();
const server = serve(data);
const [url, browser] = await Promise.all([server.url, openBrowser()]);

/** Visits, lets `act` set the scene, and takes the picture. */
async function picture(name, options, act) {
  const { page, context } = await visit(browser, url, options);
  await act(page);
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    scrollTo(0, 0);
    document.querySelector('#toast')?.replaceChildren();
    document.activeElement?.blur();
  });
  const path = `${OUT}${name}.png`;
  await page.screenshot({ path, animations: 'disabled' });
  await context.close();
  const { size } = await stat(path);
  if (size > MOST) throw new Error(`${name} has ${size} bytes`);
  console.log(name, size);
}

async function game(page, kind, cells, ...keys) {
  await choose(page, `kind-${kind}`, ...keys, 'twoPeople');
  await begin(page);
  await place(page, cells);
}

/** Turns the engine on and waits until it has thought for a while. */
async function analysed(page, nodes) {
  await page.keyboard.press('a');
  await page.waitForFunction(
    wanted =>
      Number(
        /([\d,]+) (positions|个局面)/
          .exec(document.querySelector('.tab .num')?.textContent ?? '')?.[1]
          .replaceAll(',', ''),
      ) > wanted,
    nodes,
  );
}

async function reviewed(page) {
  await page.click('[data-key="tab-analysis"]');
  await page.click('[data-key="review"]');
  await page.locator('.review').waitFor();
  await page.locator('.review [role=status]').waitFor({ state: 'detached' });
}

const GOMOKU = [
  'h8',
  'g9',
  'i9',
  'g7',
  'g8',
  'i10',
  'h10',
  'h7',
  'f8',
  'e8',
  'i8',
  'j8',
  'h9',
  'h11',
  'j7',
  'k6',
  'f10',
  'g11',
  'i7',
  'j6',
];

async function all() {
  await mkdir(OUT, { recursive: true });
  await picture('board', {}, async page => {
    await game(page, 'gomoku', GOMOKU);
    await reviewed(page);
    for (let n = 0; n < 5; n++) await page.keyboard.press('[');
    await until(page, 15);
    await analysed(page, 30_000);
  });
  await picture('phone', { phone: true, locale: 'zh-CN', colorScheme: 'dark' }, async page => {
    await game(page, 'gomoku', GOMOKU.slice(0, 15));
    await analysed(page, 30_000);
  });
  await picture('connect-four', { colorScheme: 'dark', viewport: SMALL }, async page => {
    await game(
      page,
      'connect4',
      ['d1', 'd1', 'd1', 'd1', 'c1', 'e1', 'd5', 'e2', 'f1'],
      'size-8x7',
      'more',
      'block-e4',
    );
    await analysed(page, 100);
  });
  await picture('connect6', { locale: 'zh-CN' }, async page => {
    await game(page, 'connect6', ['j10', 'i11', 'k11', 'k10', 'l10', 'h10', 'i9', 'm10', 'l9']);
    await analysed(page, 10_000);
  });
  await picture('variations', {}, async page => {
    await game(page, 'gomoku', ['h8', 'g9', 'i8', 'g7', 'j8', 'g10', 'k8', 'g8', 'l8']);
    for (const [ply, cells] of [
      [5, ['g8', 'i7', 'k8']],
      [7, ['l8', 'g11']],
    ]) {
      await page.click(`[data-key="ply-0-${ply}"]`);
      await until(page, ply);
      await place(
        page,
        cells,
        cells.map((_, n) => ply + n + 1),
      );
    }
    await page.click('[data-key="ply-1-7"]');
    await cell(page, 'i9').click();
    await until(page, 8);
  });
  await picture('arena', { colorScheme: 'dark', viewport: SMALL }, async page => {
    await page.goto(`${url}#/arena`);
    await page.selectOption('[data-key="p0-who"]', 'uct');
    await page.selectOption('[data-key="p0-by"]', 'nodes');
    await page.fill('[data-key="p0-value"]', '300');
    await page.keyboard.press('Tab');
    await page.selectOption('[data-key="p1-who"]', 'greedy');
    await page.click('[data-key="add"]');
    await page.selectOption('[data-key="p2-who"]', 'random');
    await page.click('[data-key="start-contest"]');
    await shows(page, 'span[role=status]', 'finished');
  });
}

try {
  await all();
} finally {
  await browser.close();
  await server.stop();
  await forget(data);
}
