// Analysis: what the engine says, drawn on the board.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, cell, choose, house, key, place, resume, says, shows, until } from './help.mjs';
import { seeScores, seeThreats } from './walks.mjs';

const { guest } = house();

test('every column has a score, a line is played out on hover, and the bar tells who is ahead', async () => {
  const { page, complaints } = await guest();
  await choose(page, 'kind-connect4', 'twoPeople');
  await begin(page);
  // Black wins at once on d1: an engine need not look at the other columns.
  await place(page, ['a1', 'a1', 'b1', 'b1', 'c1', 'g1']);
  await page.keyboard.press('a');
  await page.waitForFunction(() => document.querySelectorAll('.candidate').length === 7);
  const scores = await page.locator('.candidate .score').allTextContents();
  assert.ok(scores.includes('Win 1'), String(scores));
  assert.equal(await page.locator('.candidate.first').count(), 1);
  await page.waitForFunction(() => document.querySelector('.gauge')?.getAttribute('aria-valuenow') === '100');
  await page.locator('.lines li').last().hover();
  await page.locator('.layer-ghosts .preview').first().waitFor();
  await page.keyboard.press('a');
  await page.locator('.candidate').first().waitFor({ state: 'detached' });
  // What was seen of the position stays, in the gauge as in the graph.
  assert.equal(await page.locator('.gauge').getAttribute('aria-valuenow'), '100');
  assert.deepEqual(complaints, []);
});

test('a thought changes nothing but what it says, and a list that was scrolled stays where it is', async () => {
  const { page } = await guest();
  await resume(
    page,
    'gomoku',
    'h8 i9 e10 h7 e9 i7 e8 e7 i8 j8 j7 h6 g5 k9 a1 a15 o1 o15 a3 c15 c1 o13 m1 a13'.split(' '),
  );
  await page.keyboard.press('a');
  await page.locator('.lines li').first().waitFor();
  const before = await page.evaluate(() => {
    const list = document.querySelector('.list');
    list.scrollTop = 30;
    window.stays = ['.strip.above .name', '.switch', '.transport', '.actions .more', '.list', '.layer-marks'].map(
      what => document.querySelector(what),
    );
    window.frame = document.querySelector('.play-card');
    return { thought: document.querySelector('.facts').textContent, list: list.scrollHeight - list.clientHeight };
  });
  assert.ok(before.list > 0, 'the list is longer than its box');
  await page.waitForFunction(old => document.querySelector('.facts').textContent !== old, before.thought);
  await page.waitForTimeout(500);
  const after = await page.evaluate(() => ({
    stays: window.stays.map(one => one.isConnected),
    frame: window.frame.isConnected,
    top: document.querySelector('.list').scrollTop,
  }));
  assert.deepEqual(after, { stays: Array(6).fill(true), frame: true, top: 30 });
});

test('on the usual board every column has its exact score, early and late', async () => {
  const { page, complaints } = await guest();
  await seeScores(page);
  assert.deepEqual(complaints, []);
});

test('threats are outlined, with the cells that must be hit', async () => {
  const { page } = await guest();
  await seeThreats(page);
});

test('connect6: a win by double threats is told with its length, and its line can be seen', async () => {
  const { page, complaints } = await guest();
  await choose(page, 'kind-connect6', 'twoPeople');
  await begin(page);
  // Two open threes cross on j10: two stones make two open fours, which four stones would have to hit.
  await place(page, ['j10', 'a1', 'a3', 'k10', 'l10', 'a5', 'a7', 'j9', 'j8', 's1', 's3']);
  await page.keyboard.press('a');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.candidate .score')].some(score => score.textContent === 'W6'),
  );
  await page.waitForFunction(() => document.querySelector('.gauge')?.getAttribute('aria-valuenow') === '100');
  await page.locator('.lines li').first().hover();
  await page.locator('.layer-ghosts .preview').first().waitFor();
  assert.deepEqual(complaints, []);
});

test('gomoku: a win by fours is told with its length', async () => {
  const { page, complaints } = await guest();
  await choose(page, 'kind-gomoku', 'twoPeople');
  await begin(page);
  // Two threes, each closed on one side, meet on k8: one stone makes two fours, and one of them becomes five.
  await place(page, ['h8', 'g8', 'i8', 'k12', 'j8', 'a5', 'k9', 'a7', 'k10', 'a9', 'k11', 'a11']);
  await page.keyboard.press('a');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.candidate .score')].some(score => score.textContent === 'W3'),
  );
  await page.waitForFunction(() => document.querySelector('.gauge')?.getAttribute('aria-valuenow') === '100');
  assert.deepEqual(complaints, []);
});

test('a review names mistakes in words, shows what was better, and has them tried again', async () => {
  const { page, complaints } = await guest();
  await choose(page, 'twoPeople');
  await begin(page);
  // White ignores an open three, and then a four.
  await place(page, ['h8', 'a1', 'i8', 'a3', 'j8', 'c1', 'k8', 'c3', 'g8']);
  await says(page, 'Black wins');
  await key(page, 'review').click();
  await shows(page, '.review-strip', 'Review');
  await page.waitForFunction(() => !document.querySelector('.slips-card [role=status]'));
  await page.locator('.slips .slip').first().waitFor();
  // Both sides have an accuracy, and the worst is told in a sentence.
  const figures = await page.locator('.accuracies b').allTextContents();
  assert.ok(figures.length === 2 && figures.every(one => /^\d+$/.test(one)), String(figures));
  await shows(page, '.slip', 'White leaves an open three at h8–j8');
  // The open three is a mistake however long one looks; how bad a stone too far away was is a matter of opinion.
  await page.locator('.slip', { hasText: 'White leaves an open three at h8–j8' }).click();
  await shows(page, '.verdict-card', / is a (mistake|blunder)| is an inaccuracy| misses a win/);
  await page.locator('.board.main .badge').first().waitFor();
  await page.locator('.graph .mark').first().waitFor({ state: 'attached' });
  // The answer of the other side is played out on the board.
  await key(page, 'show-reply').or(key(page, 'show-best')).first().click();
  await page.locator('.layer-ghosts .preview').first().waitFor();
  await key(page, 'try').click();
  await shows(page, '.verdict-card', 'Find a better move for White');
  await cell(page, 'o15').click();
  await shows(page, '.verdict-card', 'Try another one');
  await page.locator('.verdict-card:is([data-grade=mistake], [data-grade=blunder])').waitFor();
  await cell(page, 'h7').click();
  // The answer to this try, not the one to the last: that is still there until the click has arrived.
  const answer = await page.waitForFunction(() => {
    const card = document.querySelector('.verdict-card[data-grade]');
    const sign = card?.querySelector('.grade');
    return sign && card.querySelector('h3').textContent.includes('h7') && [card.dataset.grade, sign.className];
  });
  const [shown, given] = await answer.jsonValue();
  assert.ok(given.includes(shown), `the frame says ${shown}, the sign ${given}`);
  await key(page, 'try-stop').click();
  await key(page, 'review-close').click();
  await shows(page, '.end-card h2', 'Black won');
  await page.locator('.grade-table .grade.blunder, .grade-table .grade.mistake').first().waitFor();
  assert.deepEqual(complaints, []);
});

test('evaluations are kept in the file and drawn from it', async () => {
  const { page } = await guest();
  await choose(page, 'kind-connect4', 'more', 'watchEngines');
  for (const side of [0, 1]) {
    await page.selectOption(`[data-key="side${side}-who"]`, 'uct');
    await page.selectOption(`[data-key="side${side}-by"]`, 'nodes');
    await page.fill(`[data-key="side${side}-value"]`, '300');
    await page.keyboard.press('Tab');
  }
  await page.selectOption('[data-key="pace"]', '0');
  await begin(page);
  await says(page, /wins|draw/i);
  await page.locator('.graph .curve').waitFor();
  const id = /#\/g\/(\w+)/.exec(page.url())[1];
  const { record, chances } = await (await fetch(new URL(`/api/games/${id}`, page.url()))).json();
  assert.ok(record.moves.every(move => Number.isInteger(move.eval.score)));
  assert.ok(chances.every(chance => chance >= 0 && chance <= 1));
  const file = await (await fetch(new URL(`/api/games/${id}/export/sgf`, page.url()))).text();
  const read = await (await fetch(new URL('/api/read?name=x.sgf', page.url()), { method: 'POST', body: file })).json();
  assert.deepEqual(
    read.games[0].record.moves.map(move => move.eval.score),
    record.moves.map(move => move.eval.score),
  );
});
