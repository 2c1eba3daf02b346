// What a page shows of a position, whoever answers it: a server, or its own worker without a network.
import assert from 'node:assert/strict';
import { begin, cell, choose, place, shows, stones, told } from './help.mjs';

/** Renju: a forbidden cell is marked and refused. */
export async function seeForbidden(page) {
  await choose(page, 'kind-renju', 'twoPeople');
  await begin(page);
  await place(page, ['f8', 'a1', 'g8', 'a3', 'h6', 'a5', 'h7', 'a7']);
  await page.locator('.board.main .forbidden').first().waitFor();
  assert.match(await cell(page, 'h8').getAttribute('aria-label'), /^h8, forbidden to Black, a double three$/);
  await cell(page, 'h8').click();
  await told(page, 'h8 is forbidden to Black: a double three.');
  assert.equal(await stones(page), 8);
  assert.equal(await page.locator('.board.main .ghost').count(), 0, 'no stone is offered there');
}

/** Threats are outlined, with the cells that must be hit. */
export async function seeThreats(page) {
  await choose(page, 'kind-gomoku', 'twoPeople');
  await begin(page);
  await place(page, ['h8', 'a1', 'i8', 'a3', 'j8', 'a5', 'k8']);
  await page.keyboard.press('t');
  await page.locator('.threat.four.black').first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.board.main .must').length === 2);
  await shows(page, '.notice', 'Black: 1 × open four · must be stopped: g8 l8');
  assert.equal(await page.locator('.candidate').count(), 0, 'threats do not tell the best move');
  await page.keyboard.press('t');
  await page.locator('.threat').first().waitFor({ state: 'detached' });
  // Connect6: four stones of six threaten at once.
  await choose(page, 'kind-connect6', 'twoPeople');
  await begin(page);
  await place(page, ['j10', 'a1', 'a3', 'k10', 'l10', 's1', 's3', 'm10', 'b7']);
  await page.keyboard.press('t');
  await page.locator('.threat.four.black').first().waitFor();
  await page.locator('.board.main .must').first().waitFor();
}

/** Connect Four: on the usual board every column has its exact score, early and late. */
export async function seeScores(page) {
  await choose(page, 'kind-connect4', 'twoPeople');
  await begin(page);
  await page.keyboard.press('a');
  // Only the middle wins, the columns beside it draw, the others lose.
  const known = ['Win 41', 'Loss 40', 'Loss 40', 'Loss 42', 'Loss 42', 'Draw', 'Draw'].sort().join(' ');
  const told = wanted =>
    [...document.querySelectorAll('.candidate .score')]
      .map(one => one.textContent)
      .sort()
      .join(' ') === wanted;
  await page.waitForFunction(told, known);
  await shows(page, '.lines li:first-child', /^Win 41\s*d1/);
  await place(page, ['d1', 'd1', 'd1', 'd1', 'd1', 'b1', 'c1', 'f1', 'e1', 'c1', 'e1', 'e1']);
  const sure = () =>
    [...document.querySelectorAll('.candidate .score')].filter(one =>
      /^((Win|Loss) \d+|Draw)$/.test(one.textContent ?? ''),
    ).length === 7;
  await page.waitForFunction(sure);
}
