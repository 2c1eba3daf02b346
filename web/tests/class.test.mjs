// A class: a learner gives a name, and the teacher sees what was learnt.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { cell, house, key, shows } from './help.mjs';

const home = house(['--class']);

test('the teacher sees what a learner has done, and nobody without the secret does', async () => {
  const { page } = await home.guest('#/train/lesson/lines');
  await cell(page, 'j8').click();
  await key(page, 'lesson-check').click();
  await page.locator('.feedback.right').waitFor();
  await page.goto(`${home.url}#/train`);
  await key(page, 'tab-repeat').click();
  await key(page, 'progress-menu').click();
  await key(page, 'class').click();
  await key(page, 'class-name').fill('Li Hua');
  await key(page, 'class-join').click();
  await shows(page, 'dialog.class', 'Li Hua');
  assert.notEqual((await fetch(`${home.url}api/class`)).status, 200);
  const secret = (await readFile(join(home.data, 'keeper.token'), 'utf8')).trim();
  await page.locator('dialog.class summary').click();
  await key(page, 'keeper').fill(secret);
  await key(page, 'class-show').click();
  await shows(page, '[data-key="class-table"]', 'Li Hua');
  const row = await page.locator('[data-key="class-table"] tbody tr').first().locator('td').allTextContents();
  assert.equal(row[3], '1', `one step of a lesson: ${row}`);
});
