// What every test of the page needs: the real server on a free port with a folder of its own, and a browser.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { BINARY } from './binary.mjs';

export { BINARY };
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Machines that build and test at once are slow. */
export const PATIENCE = 30_000;

/** How many times slower pages run than they could: `SLOWLY=4 npm run test:browser` shows which tests do not wait. */
const SLOWLY = Number(process.env.SLOWLY ?? 1);

/** How soon another search answers in the place of a stopped one, in milliseconds: that one would take a minute. */
export const SOON = 5000;
/** How soon nothing is left of that one: Chromium gives a busy worker two seconds, then two to those who help it. */
const GONE = 10_000;

export const folder = () => mkdtemp(join(tmpdir(), 'lianzi-web-'));
export const forget = path => rm(path, { recursive: true, force: true });

/** Starts the server; answers its address, once it has said it. */
export function serve(data, port = 0, more = []) {
  // Who works on the page names its folder, and need not build the program for every change.
  const page = process.env.LIANZI_PAGE ? ['--page', process.env.LIANZI_PAGE] : [];
  const child = spawn(BINARY, ['serve', '--addr', `127.0.0.1:${port}`, '--data', data, ...page, ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const url = new Promise((found, failed) => {
    const hear = chunk => {
      said += chunk;
      const address = /http:\/\/[\w.:[\]]+/.exec(said)?.[0];
      if (address) found(`${address.replace(/\/$/, '')}/`);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('error', failed);
    child.on('exit', code => failed(new Error(`the server ended with ${code}: ${said}`)));
  });
  const stop = () =>
    new Promise(done => {
      if (child.exitCode != null || child.signalCode != null) return done();
      child.on('exit', done);
      child.kill('SIGTERM');
    });
  return { url, stop };
}

const OPTIONS = {
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
};

export const openBrowser = () => chromium.launch(OPTIONS);

/** A browser of one person, who keeps everything in this folder. */
export const keepingBrowser = home => chromium.launchPersistentContext(home, OPTIONS);

/** A page of its own, as a new visitor has it. What it complains about is collected. */
export async function visit(
  browser,
  url,
  {
    phone = false,
    locale = 'en-US',
    colorScheme = 'light',
    thinks = 'server',
    viewport = phone ? { width: 390, height: 844 } : { width: 1280, height: 800 },
  } = {},
) {
  const context = await browser.newContext({
    viewport,
    locale,
    colorScheme,
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
    hasTouch: phone,
  });
  // Where engines think; a test that says nothing wants the server's games.
  // The report of a contest is a page that may keep nothing.
  const keep = where => {
    try {
      localStorage.setItem('lianzi.thinks', `"${where}"`);
    } catch {
      /* nor does it think */
    }
  };
  if (thinks) await context.addInitScript(keep, thinks);
  await context.addInitScript(watchShifts);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  if (SLOWLY > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOWLY });
  const complaints = [];
  page.on('pageerror', error => complaints.push(error.message));
  page.on(
    'console',
    message =>
      message.type() === 'error' && !/WebSocket|ERR_CONNECTION/.test(message.text()) && complaints.push(message.text()),
  );
  await page.goto(url);
  await page.waitForSelector('.board.main [data-cell], .page');
  return { page, context, complaints };
}

/** In the page: adds up what moved by itself, as the browser counts it, and says what moved most. */
function watchShifts() {
  window.shifted = { sum: 0, by: [] };
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      window.shifted.sum += entry.value;
      const names = entry.sources.map(({ node }) => `${node?.nodeName}.${node?.className?.baseVal ?? node?.className}`);
      window.shifted.by.push(`${entry.value.toFixed(4)} ${names}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** The most that may move by itself in a walk through the page. */
const SHIFT = 0.02;

/** Nothing has moved unless somebody moved it. */
export async function isCalm(page) {
  const { sum, by } = await page.evaluate(() => window.shifted).catch(() => ({ sum: 0, by: [] }));
  assert.ok(sum <= SHIFT, `the page moved by ${sum}: ${by.join('; ')}`);
}

/** A server and a browser for the tests of a file; every test begins without guests, and ends with calm pages. */
export function house(more = []) {
  const home = { url: '', data: '', browser: null, guests: [] };
  let server;
  before(async () => {
    home.data = await folder();
    server = serve(home.data, 0, more);
    [home.url, home.browser] = await Promise.all([server.url, openBrowser()]);
  });
  after(async () => {
    await home.browser?.close();
    await server?.stop();
    await forget(home.data);
  });
  afterEach(async () => {
    const guests = home.guests.splice(0);
    const pages = guests.flatMap(context => context.pages());
    try {
      for (const page of pages) await isCalm(page);
    } finally {
      await Promise.all(guests.map(context => context.close()));
    }
  });
  /** Somebody comes, with the part of the address behind the server's, or with a whole one. */
  home.guest = async (hash = '', options = {}) => {
    const visitor = await visit(home.browser, hash.startsWith('http') ? hash : home.url + hash, options);
    home.guests.push(visitor.context);
    return visitor;
  };
  return home;
}

/** A server of a test's own, which may be stopped and come back at the same address. */
export async function server(t) {
  const data = await folder();
  let running = serve(data);
  t.after(async () => {
    await running.stop();
    await forget(data);
  });
  const url = await running.url;
  const stop = () => running.stop();
  const comeBack = () => (running = serve(data, Number(new URL(url).port))).url;
  return { url, stop, comeBack };
}

export const cell = (page, name) => page.locator(`.board.main [data-cell="${name}"]`);
export const stones = page => page.locator('.layer-stones .stone').count();
export const status = page => page.locator('.status strong').textContent();

/** Waits until the board has so many stones. */
export const until = (page, count) =>
  page.waitForFunction(n => document.querySelectorAll('.layer-stones .stone').length === n, count, {
    timeout: PATIENCE,
  });
/** Waits until the status has these words. */
export const says = (page, words) =>
  page.locator('.status strong').filter({ hasText: words }).waitFor({ timeout: PATIENCE });

/** Waits for the short words at the bottom. */
export const told = (page, words) => page.locator('#toast').filter({ hasText: words }).waitFor({ timeout: PATIENCE });
/** Waits until something on the page has these words. */
export const shows = (page, where, words) =>
  page.locator(where).filter({ hasText: words }).first().waitFor({ timeout: PATIENCE });
/** Who plays, Black first. */
export const names = page =>
  Promise.all(['black', 'white'].map(side => page.locator(`.strip[data-side="${side}"] .name`).textContent()));
export const key = (page, name) => page.locator(`[data-key="${name}"]`);

/** Chooses a new game in the window for it: the keys of the buttons to press, in order. */
export async function choose(page, ...keys) {
  await page.click('#bar [data-key="new"]');
  for (const key of keys) await page.click(`dialog [data-key="${key}"]`);
}

/** Does something of the menu of rare things. */
export async function menu(page, key) {
  await page.click('.actions [data-key="menu"]');
  await page.click(`.menu [data-key="${key}"]`);
}

/** Goes on with a game after these stones: a person has Black, and somebody White. */
export async function resume(page, game, cells, white = 'human') {
  await page.evaluate(
    async ([name, stones, rival]) => {
      const { makeGame } = await import('/assets/js/open.js');
      const moves = stones.map(one => ({ cell: one }));
      const [sides, verdict] = [[{ name: '' }, { name: '' }], { ending: 'unfinished' }];
      const record = { format: 'lianzi-game', version: 1, game: name, sides, moves, verdict };
      await makeGame({ game: name, sides: [{ player: 'human' }, { player: rival }], control: {}, record });
    },
    [game, cells, white],
  );
  await until(page, cells.length);
}

export async function begin(page) {
  await page.click('dialog [data-key="start"]');
  await page.waitForSelector('dialog.new:not([open])', { state: 'hidden' });
  await page.waitForSelector('.play:not([data-making]):not([data-empty])');
}

/** Places stones one after another, each only when the one before has arrived. */
export async function place(page, cells, shown = cells.map((_, n) => n + 1)) {
  for (const [n, name] of cells.entries()) {
    await cell(page, name).click();
    await until(page, shown[n]);
  }
}

/** Why a test that needs a part of the built module is left out, or false. */
export const without = name =>
  existsSync(new URL(`../${name}`, import.meta.url)) ? false : `web/build.sh has built no ${name}`;

/** Waits until workers are gone. */
export async function gone(page, are) {
  for (const end = Date.now() + GONE; !are(worker => !page.workers().includes(worker)); await page.waitForTimeout(20))
    assert.ok(Date.now() < end, 'who searched goes on');
}
