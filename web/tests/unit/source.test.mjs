// The form of the page's source.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';

const web = new URL('../../', import.meta.url);
const sources = async (...folders) => {
  const found = await Promise.all(
    folders.map(async folder => (await readdir(new URL(folder, web))).map(name => folder + name)),
  );
  return found.flat().filter(name => /\.(m?js|ts|css|html)$/.test(name));
};

test('lines have at most 120 columns', async () => {
  for (const name of await sources('js/', 'js/local/', 'js/train/', 'tests/', 'tests/unit/', './')) {
    const lines = (await readFile(new URL(name, web), 'utf8')).split('\n');
    lines.forEach((line, n) => assert.ok([...line].length <= 120, `${name}:${n + 1} has ${[...line].length} columns`));
  }
});

test('types say what a thing is', async () => {
  for (const name of await sources('js/', 'js/local/', 'js/train/')) {
    const source = await readFile(new URL(name, web), 'utf8');
    assert.doesNotMatch(source, /\{[^}\n]*\bany\b[^}\n]*\} |: any\b|<any>|@ts-(ignore|nocheck)/, name);
  }
});

test('the page loads all its modules at once', async () => {
  const page = await readFile(new URL('index.html', web), 'utf8');
  const loaded = [...page.matchAll(/(?:modulepreload" href|module" src)="\/assets\/js\/([\w.]+)"/g)].map(
    ([, name]) => name,
  );
  const modules = (await readdir(new URL('js/', web))).filter(name => name.endsWith('.js'));
  assert.deepEqual(loaded.sort(), modules.sort());
});
