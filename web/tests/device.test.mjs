// Engines that think on this device although there is a server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { begin, cell, choose, folder, forget, gone, openBrowser } from './help.mjs';
import { PATIENCE, says, serve, SOON, told, until, without } from './help.mjs';

const skip = without('lianzi.wasm');

let browser;
before(async () => {
  if (!skip) browser = await openBrowser();
});
after(() => browser?.close());

/** Somebody comes to a page that has a server behind it, and may choose where engines think. */
async function served(act, by = browser) {
  const data = await folder();
  const server = serve(data);
  const context = await by.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  try {
    await act(page, await server.url);
  } finally {
    await context.close();
    await server.stop();
    await forget(data);
  }
}

test('the first stone of a new visitor is played on this device, however soon it comes', { skip }, () =>
  served(async (page, url) => {
    // The server is slow to say what it can do.
    await page.route('**/api/info', async route => {
      await new Promise(over => setTimeout(over, 1000));
      await route.continue();
    });
    await page.goto(url);
    await cell(page, 'h8').click();
    await until(page, 2);
    assert.match(page.url(), /#\/g\/my/, 'played in this browser');
  }),
);

test('beside the module only what the game needs is loaded', { skip }, () =>
  served(async (page, url) => {
    const loaded = [];
    page.on('request', request => /\.(network|puzzles)$/.test(request.url()) && loaded.push(request.url()));
    await page.goto(url);
    await cell(page, 'h8').click();
    await until(page, 2);
    assert.deepEqual(
      loaded.map(file => file.split('/').pop()),
      ['gomoku.network'],
    );
  }),
);

test('where there is a server, one switch says where engines think', { skip }, () =>
  served(async (page, url) => {
    await page.goto(url);
    await cell(page, 'h8').click();
    await until(page, 2);
    assert.match(page.url(), /#\/g\/my/, 'played in this browser');
    await page.click('.actions [data-key="menu"]');
    await page.click('.menu [data-key="settings"]');
    await page.click('[data-key="thinksThere"]');
    await told(page, 'on the server');
    await page.goto(`${url}#/`);
    await page.reload();
    await says(page, 'Your move');
    await choose(page);
    await begin(page);
    // The game before this one had two stones, too.
    await until(page, 0);
    await cell(page, 'h8').click();
    await until(page, 2);
    assert.match(page.url(), /#\/g\/[0-9a-f]{16}/, 'played on the server');
  }),
);

test(
  'threads search together where the page is apart from others',
  { skip: skip || without('lianzi-threads.wasm') },
  () =>
    served(async (page, url) => {
      await page.goto(url);
      const found = await page.evaluate(async () => {
        const [{ Thinkers }, { loadCode }] = await Promise.all(
          ['thinkers', 'code'].map(name => import(`/assets/js/local/${name}.js`)),
        );
        const all = new Thinkers(await loadCode(document.querySelector('meta[name="lianzi-threads"]') != null));
        const thinker = all.take();
        const search = { do: 'search', game: 'gomoku', moves: ['h8', 'i9', 'h10', 'h9'], nodes: 40_000, lines: 1 };
        const two = { player: 'strong@threads=2', threads: 2 };
        const ask = (more, of = thinker) => new Promise(said => of.think({ ...search, ...more }, said));
        // A search that nobody waits for, and one in its place.
        window.begin = () => void ask({ ...two, nodes: 1e12 });
        window.replace = () => ask(two, all.free(thinker));
        return {
          apart: crossOriginIsolated,
          two: await ask(two),
          four: await ask({ player: 'strong@threads=4', threads: 4, game: 'connect6', moves: ['j10'] }),
          discs: await ask({ ...two, game: 'connect4', moves: ['d1'] }),
        };
      });
      assert.ok(found.apart);
      for (const { answer } of [found.two, found.four, found.discs])
        assert.ok(answer?.turn.length > 0, JSON.stringify(found));
      const helpers = page.workers().filter(worker => worker.url().endsWith('/helper.js'));
      assert.equal(helpers.length, 3, 'as many as the most threads needed');
      await page.evaluate(() => window.begin());
      const start = Date.now();
      const replaced = await page.evaluate(() => window.replace());
      assert.ok(replaced.answer?.turn.length > 0, JSON.stringify(replaced));
      assert.ok(Date.now() - start < SOON, 'the next search need not wait for the last one');
      await gone(page, are => helpers.every(are));
    }),
);

test(
  'threads share a tree that grows while the code is still slow',
  { skip: skip || without('lianzi-threads.wasm'), timeout: 4 * PATIENCE },
  async t => {
    // A browser of its own: one that has searched before has made the code fast, and hears sooner of memory that grew.
    const fresh = await openBrowser();
    t.after(() => fresh.close());
    await served(async (page, url) => {
      await page.goto(url);
      const found = await page.evaluate(async () => {
        const [{ Thinkers }, { loadCode }] = await Promise.all(
          ['thinkers', 'code'].map(name => import(`/assets/js/local/${name}.js`)),
        );
        const thinker = new Thinkers(await loadCode(true)).spare;
        const search = { do: 'search', player: 'strong@threads=2', threads: 2, game: 'connect4:9x10', lines: 1 };
        const moves = ['e1', 'e2', 'e3', 'd1', 'f1', 'e4'];
        const said = await new Promise(over => thinker.think({ ...search, moves, nodes: 300_000 }, over));
        return { ...said, apart: crossOriginIsolated };
      });
      assert.ok(found.apart);
      assert.ok(found.answer?.turn.length > 0, JSON.stringify(found));
    }, fresh);
  },
);
