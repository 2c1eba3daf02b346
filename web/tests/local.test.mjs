// The page without a server: `lianzi site` behind a plain file server.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { after, before, test } from 'node:test';
import { begin, BINARY, cell, choose, folder, forget, gone, keepingBrowser, key, menu, openBrowser } from './help.mjs';
import { PATIENCE, place, says, shows, SOON, stones, told, until, visit, without } from './help.mjs';
import { seeForbidden, seeScores, seeThreats } from './walks.mjs';

const skip = without('lianzi.wasm');
const KINDS = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
};

/** A web host that knows nothing but files, and these kinds of them; it remembers what it was asked for. */
function host(root, kinds = KINDS) {
  const asked = [];
  const server = createServer(async (request, answer) => {
    const path = normalize(new URL(request.url, 'http://x').pathname);
    asked.push(path.replace('/some/where/', ''));
    const file = join(root, path.endsWith('/') ? `${path}index.html` : path);
    try {
      const bytes = await readFile(file);
      answer.writeHead(200, { 'content-type': kinds[file.split('.').pop()] ?? 'application/octet-stream' }).end(bytes);
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
      found({ url: `http://127.0.0.1:${server.address().port}/some/where/`, asked, stop });
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
    await page.evaluate(kept => localStorage.setItem('lianzi.new-game', JSON.stringify(kept)), choice);
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
    // A cell that takes no stone is passed over; where discs fall, that is a column whose topmost cell is taken.
    if (!/, empty$/.test((await cell(page, name).getAttribute('aria-label')) ?? '')) continue;
    const before = await stones(page);
    await cell(page, name).click();
    const more = n => document.querySelectorAll('.layer-stones .stone').length > n;
    await page.waitForFunction(more, before, { timeout: PATIENCE });
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

for (const [what, see] of [
  ['threats are outlined', seeThreats],
  ['forbidden cells are marked and refused', seeForbidden],
  ['columns have their exact scores', seeScores],
]) {
  test(`${what} without a network`, { skip }, async () => {
    const { page, context, complaints } = await guest();
    await see(page);
    assert.deepEqual(complaints, []);
    await context.close();
  });
}

/** The workers that search or are ready to. */
const thinkers = page => page.workers().filter(worker => worker.url().endsWith('/thinker.js'));

/** Stops a search that would take a minute: the worker that searched is ended. */
async function ends(page, stop) {
  const before = thinkers(page);
  await stop();
  await gone(page, is => before.some(is));
}

/** Asks for a hint, which takes a second and is not kept waiting by what was asked before. */
async function hint(page) {
  await page.click('[data-key="hint"]');
  await page.locator('.board.main .hint').first().waitFor({ timeout: SOON });
}

test('hints, analyses that stop, and a reload in the middle', { skip }, async () => {
  const { page, context } = await guest();
  await cell(page, 'h8').click();
  await until(page, 2);
  await hint(page);
  await page.keyboard.press('a');
  await page.locator('.board.main .candidate').first().waitFor();
  await ends(page, async () => {
    await page.keyboard.press('a');
    await page.locator('.board.main .candidate').first().waitFor({ state: 'detached', timeout: SOON });
    await hint(page);
  });
  await page.reload();
  await until(page, 2);
  assert.match(page.url(), /#\/g\/my/, 'the same game');
  await cell(page, 'a1').click();
  await until(page, 4);
  await context.close();
});

test('the board never waits for a search', { skip }, async () => {
  const { page, context } = await guest();
  await page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver(list => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({ entryTypes: ['longtask'] });
  });
  await cell(page, 'h8').click();
  await until(page, 2);
  await page.keyboard.press('a');
  await page.locator('.board.main .candidate').first().waitFor();
  await page.waitForTimeout(3000);
  // `lianzi bench page` says how long tasks are; a search would take all three seconds, whatever else the machine does.
  const longest = await page.evaluate(() => window.longest);
  assert.ok(longest < 1500, `the page was busy for ${longest} ms`);
  await context.close();
});

test('undo while an engine thinks for long stops it', { skip }, async () => {
  const sides = [
    { player: 'human', by: 'plain', value: 1 },
    { player: 'strong', by: 'time', value: 60 },
  ];
  const { page, context, complaints } = await guest({ who: 'other', sides });
  await cell(page, 'h8').click();
  await until(page, 1);
  await says(page, 'thinking');
  await ends(page, async () => {
    await page.click('[data-key="undo"]');
    await until(page, 0);
    await says(page, 'Your move');
    await hint(page);
  });
  // The next one is asked anew, and nobody who thought about the old one answers.
  await cell(page, 'g7').click();
  await says(page, 'thinking');
  await page.click('[data-key="undo"]');
  await until(page, 0);
  assert.deepEqual(complaints, []);
  await context.close();
});

test('a review, and a mistake that is tried again, without a network', { skip }, async () => {
  const { page, context, complaints } = await guest();
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['h8', 'a1', 'i8', 'a3', 'j8', 'c1', 'k8', 'c3', 'g8']);
  await says(page, 'Black wins');
  await key(page, 'review').click();
  await page.waitForFunction(() => !document.querySelector('.slips-card [role=status]'));
  await page.locator('.slip', { hasText: 'White leaves an open three at h8–j8' }).click();
  await shows(page, '.verdict-card', / is a (mistake|blunder)| is an inaccuracy| misses a win/);
  await key(page, 'try').click();
  await cell(page, 'o15').click();
  await shows(page, '.verdict-card', 'Try another one');
  assert.deepEqual(complaints, []);
  await context.close();
});

test('a host that does not know what a module is', { skip }, async () => {
  const { wasm, ...kinds } = KINDS;
  const simple = await host(site, kinds);
  const { page, context, complaints } = await visit(browser, simple.url, { thinks: null });
  await cell(page, 'h8').click();
  await until(page, 2);
  assert.deepEqual(complaints, []);
  await context.close();
  await simple.stop();
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
  await menu(again, 'explore');
  await shows(again, '[data-key="explored"]', '1 of 1 games came here');
  await again.keyboard.press('Escape');
  assert.equal(await again.locator('nav a[href="#/arena"]').count(), 0, 'contests need a server');
  assert.ok(await again.evaluate(() => crossOriginIsolated), 'a plain host has no headers, but the page gives them');
  assert.deepEqual(complaints, []);
  await context.close();
});

/** Waits until the page keeps files as it should: the addresses under which it keeps them. */
async function keeping(page, wanted) {
  const kept = async () => {
    const all = (await caches.keys()).map(async name => (await caches.open(name)).keys());
    return (await Promise.all(all)).flat().map(({ url }) => url);
  };
  for (const end = Date.now() + PATIENCE; !wanted(await page.evaluate(kept)); await page.waitForTimeout(50))
    assert.ok(Date.now() < end, 'what is kept is something else');
}

test('a first visit downloads nothing twice, and a later one only what has changed', { skip }, async t => {
  const own = await folder();
  t.after(() => forget(own));
  await cp(site, own, { recursive: true });
  const plain = await host(own);
  t.after(plain.stop);
  const { page, context } = await visit(browser, plain.url, { thinks: null });
  await page.evaluate(async () => (await navigator.serviceWorker.ready) && null);
  // The module with threads comes last, if there is one.
  const last = without('lianzi-threads.wasm') ? 'lianzi.wasm' : 'lianzi-threads.wasm';
  await keeping(page, kept => kept.join().includes(last));
  // Each worker asks for its own scripts, of a host that does not say how long they last.
  const twice = plain.asked.filter((name, n) => !name.endsWith('.js') && plain.asked.indexOf(name) !== n);
  assert.deepEqual(twice, []);

  // A new site, of which one small file is another one.
  const [style, list] = ['assets/style.css', 'files.js'].map(name => join(own, 'some/where', name));
  const hash = text => createHash('sha256').update(text).digest('base64');
  const [old, names] = await Promise.all([style, list].map(file => readFile(file, 'utf8')));
  const changed = `${old}:root { --changed: yes; }\n`;
  await writeFile(style, changed);
  await writeFile(list, names.replace(hash(old), hash(changed)));
  plain.asked.length = 0;
  await page.reload();
  await keeping(page, kept => kept.join().includes(hash(changed)) && !kept.join().includes(hash(old)));
  assert.deepEqual([...new Set(plain.asked)].sort(), ['assets/style.css', 'files.js', 'sw.js']);
  await context.setOffline(true);
  await page.reload();
  const shown = () => getComputedStyle(document.documentElement).getPropertyValue('--changed');
  await page.waitForFunction(shown);
  await cell(page, 'h8').click();
  await until(page, 2);
  await context.close();
});

test('the browser finds nothing that keeps the page from being installed', { skip }, async () => {
  const home = await folder();
  // A window that keeps nothing cannot install anything.
  const context = await keepingBrowser(home);
  try {
    const [page] = context.pages();
    await page.goto(files.url);
    await page.evaluate(async () => (await navigator.serviceWorker.ready) && null);
    const devtools = await context.newCDPSession(page);
    const { errors } = await devtools.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    assert.deepEqual(installabilityErrors, []);
  } finally {
    await context.close();
    await forget(home);
  }
});

test('what needs a server is not shown where there is none', { skip }, async () => {
  const { page, context } = await guest();
  await choose(page);
  await key(page, 'twoPeople').waitFor();
  assert.equal(await key(page, 'friend').count(), 0);
  await page.keyboard.press('Escape');
  await page.click('.actions [data-key="menu"]');
  await page.locator('.menu [data-key="settings"]').waitFor();
  await page.click('.menu [data-key="settings"]');
  await key(page, 'board-wood').waitFor();
  assert.equal(await key(page, 'thinksThere').count(), 0);
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

test('whether a position is won by force is said in words, and why nobody knows', { skip }, async () => {
  const { page, context, complaints } = await guest();
  await choose(page, 'kind-gomoku', 'twoPeople');
  await begin(page);
  await place(page, ['h8', 'i9']);
  await menu(page, 'solve');
  await told(page, 'Black cannot win by force here. All threats were tried');
  await place(page, ['i8', 'a3', 'j8', 'c1'], [3, 4, 5, 6]);
  await menu(page, 'solve');
  await told(page, 'Black wins by force: ');
  await page.click('#toast [data-key="way"]');
  await page.locator('.layer-ghosts .preview').first().waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test('an address of the arena leads to the board where there is no server', { skip }, async () => {
  const { page, context, complaints } = await guest({}, { cut: false });
  await page.goto('about:blank');
  await page.goto(`${files.url}#/arena`);
  await says(page, 'Your move');
  assert.deepEqual(complaints, []);
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
    for (let step = 0; step < 3; step += 1) await page.locator('[data-key="train-hint"]:not(:disabled)').click();
    await page.waitForFunction(() => document.querySelectorAll('.board.main .hint').length === 1);
    // The mark itself takes no click: what lies under its middle does.
    await page.locator('.board.main .hint').click({ force: true });
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
