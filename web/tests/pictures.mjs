// Makes the pictures of docs/pictures: `npm run pictures`, after a build. They have few colours and are small:
// `pngquant` is needed.
import { spawnSync } from 'node:child_process';
import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ask } from './training.mjs';
import { begin, cell, choose, folder, forget, key, openBrowser, place, serve, shows, until, visit } from './help.mjs';

const OUT = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
/** Only these, if they are named. */
const WANTED = process.argv.slice(2);
const TABLET = { width: 820, height: 1180 };
/** A picture larger than this is too large for a repository. */
const MOST = 150_000;
/** As many colours as that allows. */
const COLOURS = ['160', '96', '64'];

const data = await folder();
const server = serve(data);
const [url, browser] = await Promise.all([server.url, openBrowser()]);

/** Visits, lets `act` set the scene, and takes the picture. */
async function picture(name, options, act) {
  if (WANTED.length && !WANTED.includes(name)) return;
  const { page, context } = await visit(browser, url, options);
  await act(page);
  await page.evaluate(() => {
    scrollTo(0, 0);
    document.querySelector('#toast')?.replaceChildren();
  });
  const path = `${OUT}${name}.png`;
  const shot = await page.screenshot({ path, animations: 'disabled' });
  await context.close();
  let size = shot.length;
  for (const colours of COLOURS) {
    spawnSync('pngquant', ['--force', '--output', path, colours, '-'], { input: shot });
    ({ size } = await stat(path));
    if (size <= MOST) return console.log(name, size);
  }
  throw new Error(`${name} has ${size} bytes`);
}

async function game(page, kind, cells, ...keys) {
  await choose(page, `kind-${kind}`, ...keys, 'twoPeople');
  await begin(page);
  await place(page, cells);
  await page.mouse.move(0, 0);
}

/** Turns the engine on and waits until it tells of so many lines. */
async function analysed(page, lines) {
  await page.keyboard.press('a');
  await page.waitForFunction(n => document.querySelectorAll('.lines li').length >= n, lines);
  await page.waitForTimeout(2500);
  await page.mouse.move(0, 0);
}

/** A game that the engine looks at while it is played, so that its course is drawn. */
async function watched(page, cells) {
  await choose(page, 'kind-gomoku', 'twoPeople');
  await begin(page);
  await place(page, cells.slice(0, 1));
  await page.keyboard.press('a');
  for (const [n, name] of cells.slice(1).entries()) {
    await cell(page, name).click();
    await until(page, n + 2);
    await page.locator('.lines li').first().waitFor();
    await page.waitForTimeout(700);
  }
  await page.waitForTimeout(3000);
  await page.mouse.move(0, 0);
}

/** Opens the review and waits until it is done. */
async function reviewed(page) {
  await key(page, 'review').click();
  await page.locator('.slips .slip').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('.slips-card [role=status]'), null, { timeout: 240_000 });
}

const words = text => text.split(' ');
const GOMOKU = words('h8 g9 i9 g7 g8 i10 h10 h7 f8 e8 i8 j8 h9 h11 j7 k6 f10 g11 i7 j6');
const EVEN = words('h8 i9 e10 h7 e9 i7 e8 e7 i8 j8 j7 h6 g5 k9');
const LINES = words('h8 g9 i8 g7 j8 g10 k8 g8 l9');

async function all() {
  await mkdir(OUT, { recursive: true });
  await picture('board', {}, async page => {
    await watched(page, EVEN.slice(0, 10));
  });
  await picture('board-dark', { locale: 'zh-CN', colorScheme: 'dark' }, async page => {
    await watched(page, EVEN.slice(0, 11));
  });
  await picture('phone', { phone: true, locale: 'zh-CN', colorScheme: 'dark' }, async page => {
    await page.click('[data-key="places"]');
    await page.click('[data-key="new-menu"]');
    await page.click('[data-key="kind-connect6"]');
    await page.click('[data-key="start"]');
    const spot = async name => {
      const box = await cell(page, name).boundingBox();
      await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    };
    await spot('j10');
    await page.click('[data-key="place"]');
    await until(page, 3);
    await spot('k11');
    await page.click('[data-key="place"]');
    await until(page, 4);
    await spot('i9');
  });
  await picture('connect-four', {}, async page => {
    await game(page, 'connect4', words('d1 d1 d1 d1 c1 e1 c1 e1 f1 b1'));
    await analysed(page, 6);
    await cell(page, 'e6').hover();
  });
  await picture('end', {}, async page => {
    await game(page, 'gomoku', words('h8 a1 i8 a3 j8 c1 k8 c3 g8'));
    await reviewed(page);
    await key(page, 'review-close').click();
    await page.mouse.move(0, 0);
  });
  await picture('review', {}, async page => {
    await game(page, 'gomoku', words('h8 a1 i8 a3 j8 c1 k8 c3 g8'));
    await reviewed(page);
    await page.locator('.slip').last().click();
    await page.mouse.move(0, 0);
  });
  await picture('new-game', {}, async page => {
    await page.click('#bar [data-key="new"]');
    await page.waitForTimeout(300);
  });
  await picture('tablet', { viewport: TABLET }, async page => game(page, 'renju', GOMOKU.slice(0, 12)));
  await picture('variations', {}, async page => {
    await game(page, 'gomoku', LINES);
    for (const [ply, cells] of [
      [5, ['g8', 'i7', 'k8']],
      [7, ['l8', 'g11']],
    ]) {
      await page.click(`[data-key="ply-0-${ply}"]`);
      await until(page, ply);
      const shown = cells.map((_, n) => ply + n + 1);
      await place(page, cells, shown);
    }
    await page.mouse.move(0, 0);
  });
  await picture('train', {}, async page => {
    const when = { ms: Date.now(), day: '2026-01-01' };
    const wanted = { progress: null, when, game: 'gomoku', theme: 'fours', level: 'medium', after: null };
    const { puzzle } = await ask(url, 'train_next', wanted);
    await page.goto(`${url}#/train/puzzle/${puzzle.id}`);
    const { cells } = await ask(url, 'train_hint', { puzzle: puzzle.line, moves: [], step: 3 });
    await cell(page, cells[0]).click();
    await until(page, puzzle.moves.length + 2);
    await page.mouse.move(0, 0);
  });
  await picture('lesson', { locale: 'zh-CN', colorScheme: 'dark' }, async page => {
    await page.goto(`${url}#/train/lesson/four-three?step=2`);
    await cell(page, 'h8').click();
    await page.locator('.feedback.right').waitFor();
    await page.mouse.move(0, 0);
  });
  await picture('arena', { colorScheme: 'dark' }, async page => {
    await page.goto(`${url}#/arena`);
    await page.selectOption('[data-key="p0-who"]', 'uct');
    await page.selectOption('[data-key="p0-by"]', 'nodes');
    await page.fill('[data-key="p0-value"]', '300');
    await page.keyboard.press('Tab');
    await page.selectOption('[data-key="p1-who"]', 'greedy');
    await page.click('[data-key="add"]');
    await page.selectOption('[data-key="p2-who"]', 'random');
    await page.click('[data-key="start-contest"]');
    await shows(page, '.games .group', 'Games 1–10');
    await page.locator('.race').waitFor();
  });
}

try {
  await all();
} finally {
  await browser.close();
  await server.stop();
  await forget(data);
}
