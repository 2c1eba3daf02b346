// The page without a server: `lianzi site` behind a plain file server, and engines that think in the browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { after, before, test } from 'node:test';
import { begin, BINARY, cell, choose, folder, forget, openBrowser, PATIENCE, says, stones } from './help.mjs';
import { told, until, visit } from './help.mjs';

const skip = existsSync(new URL('../lianzi.wasm', import.meta.url)) ? false : 'web/build.sh has not built the module';
const KINDS = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
};

/** A web host that knows nothing but files. */
function host(root) {
  const server = createServer(async (request, answer) => {
    const path = normalize(new URL(request.url, 'http://x').pathname);
    const file = join(root, path.endsWith('/') ? `${path}index.html` : path);
    try {
      const bytes = await readFile(file);
      answer.writeHead(200, { 'content-type': KINDS[file.split('.').pop()] ?? 'application/octet-stream' }).end(bytes);
    } catch {
      answer.writeHead(404).end();
    }
  });
  return new Promise(found => {
    server.listen(0, '127.0.0.1', () => {
      const stop = () =>
        new Promise(done => {
          server.close(done);
          server.closeAllConnections();
        });
      found({ url: `http://127.0.0.1:${server.address().port}/some/where/`, stop });
    });
  });
}

let site, files, browser;
before(async () => {
  if (skip) return;
  site = await folder();
  // Not at the root of the host: a page must work wherever it is put.
  execFileSync(BINARY, ['site', join(site, 'some', 'where')]);
  [files, browser] = await Promise.all([host(site), openBrowser()]);
});
after(async () => {
  await browser?.close();
  await files?.stop();
  if (site) await forget(site);
});

/** Somebody comes to the page; the network is cut when it is there. */
async function guest(choice = {}, { cut = true } = {}) {
  const visitor = await visit(browser, files.url, { thinks: null });
  const { page, context } = visitor;
  await page.evaluate(async () => (await navigator.serviceWorker.ready) && null);
  if (Object.keys(choice).length) {
    await page.evaluate(kept => localStorage.setItem('lianzi.choice', JSON.stringify(kept)), choice);
    await page.reload();
  }
  await says(page, 'Your move');
  if (cut) await context.setOffline(true);
  return visitor;
}

/** Cells far from each other, from the corner on: whoever plays them loses. */
const far = (width, height) =>
  Array.from({ length: width * height }, (_, n) => [n % width, Math.floor(n / width)])
    .filter(([x, y]) => (x + 2 * y) % 5 === 0)
    .map(([x, y]) => `${String.fromCharCode(97 + x)}${y + 1}`);

/** Plays until the game has an end. */
async function playOut(page, cells) {
  for (const name of cells) {
    await page.waitForFunction(
      () => /Your move|wins|Draw/.test(document.querySelector('.status strong')?.textContent ?? ''),
      null,
      { timeout: PATIENCE },
    );
    if (/wins|Draw/.test(await page.locator('.status strong').textContent())) return;
    if (/, (Black|White)/.test((await cell(page, name).getAttribute('aria-label')) ?? '')) continue;
    const before = await stones(page);
    await cell(page, name).click();
    // A cell that takes no stone is passed over.
    const more = n => document.querySelectorAll('.layer-stones .stone').length > n;
    await page.waitForFunction(more, before, { timeout: 5_000 }).catch(() => null);
  }
  assert.fail('the game has no end');
}

for (const [kind, keys, cells] of [
  ['gomoku', [], far(15, 15)],
  ['renju', ['kind-renju'], far(15, 15)],
  ['connect6', ['kind-connect6'], far(19, 19)],
  ['connect four', ['kind-connect4'], 'abgfabgfabgfabgfcedcedced'.split('').map(column => `${column}6`)],
]) {
  test(`a whole game of ${kind} without a network`, { skip }, async () => {
    const { page, context, complaints } = await guest();
    if (keys.length) {
      await choose(page, ...keys);
      await begin(page);
    }
    await playOut(page, cells);
    assert.match(await page.locator('.status strong').textContent(), /wins|Draw/);
    assert.deepEqual(complaints, []);
    await context.close();
  });
}

test('undo while it thinks, hints, analyses that stop, and a reload in the middle', { skip }, async () => {
  const { page, context } = await guest();
  await cell(page, 'h8').click();
  await until(page, 2);
  await page.click('[data-key="hint"]');
  await page.locator('.board.main .hint').first().waitFor();
  await page.keyboard.press('a');
  await page.locator('.board.main .candidate, .board.main [class*="candidate"]').first().waitFor();
  await page.keyboard.press('a');
  await page.waitForFunction(() => !document.querySelector('.board.main [class*="candidate"]'));
  await page.reload();
  await until(page, 2);
  // An engine that thinks for twenty seconds is asked, and taken back at once.
  await page.evaluate(() => {
    const choice = JSON.parse(localStorage.getItem('lianzi.choice') ?? '{}');
    const sides = [
      { player: 'human', by: 'plain', value: 1 },
      { player: 'strong', by: 'time', value: 20 },
    ];
    localStorage.setItem('lianzi.choice', JSON.stringify({ ...choice, sides }));
  });
  await page.goto(`${files.url}#/`);
  await page.reload();
  await says(page, 'Your move');
  // The front page goes on with the game; another one is wanted.
  await choose(page);
  await begin(page);
  await cell(page, 'h8').click();
  await until(page, 1);
  await says(page, 'thinking');
  await page.click('[data-key="undo"]');
  await until(page, 0);
  await says(page, 'Your move');
  await page.waitForTimeout(500);
  assert.equal(await stones(page), 0);
  await context.close();
});

test('a second visit needs no network, and finds the games of the first', { skip }, async () => {
  const { page, context, complaints } = await guest({}, { cut: false });
  await cell(page, 'h8').click();
  await until(page, 2);
  await page.close();
  await context.setOffline(true);
  const again = await context.newPage();
  again.setDefaultTimeout(PATIENCE);
  await again.goto(files.url);
  await says(again, 'Your move');
  await again.click('nav a[href="#/library"]');
  await again.locator('ul.games li').first().click();
  await until(again, 2);
  assert.equal(await again.locator('nav a[href="#/arena"]').count(), 0, 'contests need a server');
  assert.deepEqual(complaints, []);
  await context.close();
});

test('files come in and go out without a server', { skip }, async () => {
  const { page, context } = await guest();
  await page.click('nav a[href="#/library"]');
  await page.fill('[data-key="paste"]', '(;FF[4]GM[4]SZ[15];B[hh];W[hi];B[ih])');
  await page.click('[data-key="read"]');
  await page.locator('[data-key^="keep"]').first().click();
  await told(page, 'kept');
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('[data-key^="export-"]').first().selectOption('sgf'),
  ]);
  assert.match(saved.suggestedFilename(), /\.sgf$/);
  assert.match(await readFile(await saved.path(), 'utf8'), /;B\[hh\]/);
  await context.close();
});

test('puzzles and lessons need no network, and what was learnt is there again', { skip }, async () => {
  const { page, context, complaints } = await guest({}, { cut: false });
  await page.click('nav a[href="#/train"]');
  await page.locator('.sets .set').first().waitFor();
  await context.setOffline(true);
  await page.goto(`${files.url}#/train/connect4/tactics`);
  await page.locator('.origin').filter({ hasText: 'Connect Four' }).waitFor();
  // The last hint is the turn: clicked until the puzzle is over.
  const over = page.locator('[data-key="train-next"]:not(:disabled)');
  for (let turn = 0; turn < 6 && !(await over.count()); turn += 1) {
    const before = await stones(page);
    for (let step = 0; step < 3; step += 1) {
      await page.locator('[data-key="train-hint"]:not(:disabled)').click();
      await page.locator('.feedback.hint').waitFor();
    }
    const mark = await page.locator('.board.main .hint').last().boundingBox();
    await page.mouse.click(mark.x + mark.width / 2, mark.y + mark.height / 2);
    await page.waitForFunction(n => document.querySelectorAll('.layer-stones .stone').length > n, before);
    await page.locator('.feedback.right').waitFor();
  }
  await over.waitFor();
  await page.goto(`${files.url}#/train/lesson/lines`);
  await cell(page, 'j8').click();
  await page.click('[data-key="lesson-check"]');
  await page.locator('.feedback.right').waitFor();
  await page.reload();
  await page.locator('.bar-link.done').first().waitFor();
  await page.goto(`${files.url}#/train`);
  await page.locator('[data-stat="today"]').filter({ hasText: ' of ' }).waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});
