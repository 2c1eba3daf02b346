// The place where one learns, on the real server: puzzles, hints, solutions, lessons, own mistakes.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { begin, cell, choose, house, key, place, shows, told, until } from './help.mjs';
import { ask as askAt, solve } from './training.mjs';

const home = house();
const { guest } = home;
const ask = (name, more) => askAt(home.url, name, more);

/** A puzzle of a set that somebody new would get. */
async function puzzleOf(game, theme) {
  const { puzzle } = await ask('train_next', { progress: null, game, theme, level: null, after: null });
  return puzzle;
}

/** Goes to a puzzle and waits until it stands. */
async function puzzlePage(puzzle, options) {
  const visitor = await guest(`#/train/puzzle/${puzzle.id}`, options);
  await shows(visitor.page, '.task-title h2', puzzle.title.en);
  return visitor;
}

const stat = (page, name) => page.locator(`[data-stat="${name}"] b`);

test('a puzzle is solved on the board against the defence, counts, and the next one comes', async () => {
  const puzzle = await puzzleOf('gomoku', 'four-three');
  const { page, complaints } = await puzzlePage(puzzle);
  assert.ok(await key(page, 'train-next').isDisabled());
  await solve(page, home.url, puzzle);
  await shows(page, '.feedback.right', 'rating');
  await shows(page, '[data-stat="inARow"] b', '1');
  await shows(page, '[data-stat="today"]', '1 of');
  const old = await page.locator('.origin').textContent();
  await key(page, 'train-next').click();
  await page.waitForFunction(was => document.querySelector('.origin')?.textContent !== was, old);
  await page.reload();
  await shows(page, '[data-stat="inARow"] b', '1');
  assert.deepEqual(complaints, []);
});

test('a wrong stone is refused with a reason, the puzzle can be tried again, and it comes back', async () => {
  const puzzle = await puzzleOf('gomoku', 'fours');
  const { page } = await puzzlePage(puzzle);
  const before = puzzle.moves.length;
  const { cells } = await ask('train_hint', { puzzle: puzzle.line, moves: [], step: 3 });
  const corner = ['a1', 'o15', 'a15', 'o1'].find(name => !puzzle.moves.includes(name) && !cells.includes(name));
  await cell(page, corner).click();
  await page.locator('.feedback.wrong').waitFor();
  await page.locator('.badge.wrong').waitFor();
  assert.ok(await key(page, 'train-next').isDisabled(), 'a wrong stone ends nothing');
  await key(page, 'train-retry').click();
  await until(page, before);
  await solve(page, home.url, puzzle);
  assert.equal(await stat(page, 'inARow').textContent(), '0', 'only the first answer counts');
  const kept = await page.evaluate(async () => (await import('/assets/js/learner.js')).progress());
  const later = { ms: Date.now() + 40 * 86_400_000, day: '2099-01-01' };
  const { count } = await ask('train_due', { progress: kept, when: later });
  assert.equal(count, 1, 'it is to be repeated');
});

test('hints come in steps, the last one is the turn, and the whole solution can be walked', async () => {
  const puzzle = await puzzleOf('gomoku', 'four-three');
  const { page } = await puzzlePage(puzzle);
  await key(page, 'train-hint').click();
  await page.locator('[data-key="train-hint"]:enabled').filter({ hasText: 'More' }).waitFor();
  await page.keyboard.press('h');
  await page.locator('.board .hint').first().waitFor();
  await page.keyboard.press('h');
  await page.waitForFunction(() => document.querySelectorAll('.board .hint').length === 1);
  await page.locator('[data-key="train-hint"]:disabled').waitFor();
  await key(page, 'train-tree').click();
  await page.locator('.ways .way').first().click();
  await until(page, puzzle.moves.length + 1);
  await key(page, 'stride-last').click();
  await page.locator('.way-end').waitFor();
  await key(page, 'stride-first').click();
  await until(page, puzzle.moves.length);
  assert.ok(await key(page, 'train-next').isEnabled());
});

test('turns of Connect6 have two stones, and the first can be taken back', async () => {
  const puzzle = await puzzleOf('connect6', 'double-threats');
  const { page } = await puzzlePage(puzzle);
  const before = puzzle.moves.length;
  const { cells } = await ask('train_hint', { puzzle: puzzle.line, moves: [], step: 3 });
  await cell(page, cells[0]).click();
  await until(page, before + 1);
  await cell(page, cells[0]).click();
  await until(page, before);
  await solve(page, home.url, puzzle);
});

test('Connect Four is trained by columns, and sets have levels', async () => {
  const { page } = await guest('#/train/connect4/tactics');
  await shows(page, '.origin', 'Connect Four');
  await key(page, 'level-easy').click();
  await page.locator('[data-key="level-easy"][aria-pressed="true"]').waitFor();
  await shows(page, '.origin', 'Connect Four');
  await key(page, 'set-daily').click();
  await shows(page, '.origin', 'Today’s puzzle');
});

test('a lesson is read, its tasks are checked, and what is done stays done', async () => {
  const { page } = await guest('#/train/lesson/lines');
  await shows(page, '.lesson-text', 'five in a row');
  await cell(page, 'a1').click();
  await key(page, 'lesson-check').click();
  await page.locator('.feedback.wrong').waitFor();
  await cell(page, 'a1').click();
  await cell(page, 'j8').click();
  await key(page, 'lesson-check').click();
  await page.locator('.feedback.right').waitFor();
  await key(page, 'lesson-next').click();
  await cell(page, 'g8').click();
  await page.locator('.feedback.right').waitFor();
  await page.goto(`${home.url}#/train/lesson/lines?step=4`);
  await page.fill('[data-key="lesson-number"]', '2');
  await page.keyboard.press('Enter');
  await page.locator('.feedback.right').waitFor();
  await page.goto(`${home.url}#/train/lessons`);
  await shows(page, '[data-key="lesson-lines"] .set-count', '3 of 6');
});

test('the mistakes of a reviewed game are repeated as puzzles, and go out and in with the progress', async () => {
  const { page } = await guest();
  await choose(page, 'twoPeople');
  await begin(page);
  await place(page, ['h8', 'a1', 'i8', 'a3', 'j8', 'o15', 'g8', 'o1', 'f8']);
  await key(page, 'review').click();
  await key(page, 'train-mistakes').waitFor({ timeout: 120_000 });
  await key(page, 'train-mistakes').click();
  await page.locator('[data-key="tab-repeat"][aria-pressed="true"]').waitFor();
  await told(page, 'among your puzzles');
  await shows(page, '.origin', 'from your own game');
  const due = Number(await page.locator('[data-key="tab-repeat"] .due').textContent());
  assert.ok(due >= 1);
  const kept = await page.evaluate(async () => (await import('/assets/js/learner.js')).progress());
  const { puzzles } = await ask('train_due', { progress: kept });
  await solve(page, home.url, puzzles[0]);
  await page.waitForFunction(
    n => Number(document.querySelector('[data-key="tab-repeat"] .due')?.textContent ?? 0) === n - 1,
    due,
  );
  await key(page, 'tab-repeat').click();
  await key(page, 'progress-menu').click();
  const [saved] = await Promise.all([page.waitForEvent('download'), key(page, 'progress-save').click()]);
  assert.equal(saved.suggestedFilename(), 'lianzi-progress.json');
  const text = await readFile(await saved.path(), 'utf8');
  assert.match(text, /"lianzi-progress"/);
  const other = await guest('#/train');
  await key(other.page, 'tab-repeat').click();
  await key(other.page, 'progress-menu').click();
  const [chooser] = await Promise.all([
    other.page.waitForEvent('filechooser'),
    key(other.page, 'progress-load').click(),
  ]);
  await chooser.setFiles({ name: 'lianzi-progress.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await told(other.page, 'progress was read');
  await shows(other.page, '[data-stat="today"]', '1 of');
});

test('with the keyboard alone: to the board, a stone, and the next puzzle', async () => {
  const puzzle = await puzzleOf('gomoku', 'four-three');
  const { page } = await puzzlePage(puzzle);
  const { cells } = await ask('train_hint', { puzzle: puzzle.line, moves: [], step: 3 });
  await page.keyboard.press('b');
  const [x, y] = [cells[0].charCodeAt(0) - 104, Number(cells[0].slice(1)) - 8];
  for (let n = 0; n < Math.abs(x); n += 1) await page.keyboard.press(x < 0 ? 'ArrowLeft' : 'ArrowRight');
  for (let n = 0; n < Math.abs(y); n += 1) await page.keyboard.press(y < 0 ? 'ArrowDown' : 'ArrowUp');
  await page.keyboard.press('Enter');
  await page.locator('.feedback.right').waitFor();
  await page.waitForFunction(() => document.querySelector('#live')?.textContent.length > 5);
  await page.keyboard.press('s');
  await page.locator('.ways .way').first().waitFor();
  const old = await page.locator('.task-head').textContent();
  await page.keyboard.press('n');
  await page.waitForFunction(was => document.querySelector('.task-head')?.textContent !== was, old);
});
