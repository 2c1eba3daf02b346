// The pictures of the rules keep the rules they explain.
import './browser.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, knownBoard, landing, winningLine } from '../../js/game.js';
import { CHAPTERS, list } from '../../js/rules.js';

for (const { key, words, pictures } of CHAPTERS) {
  test(`${key} is explained in both languages`, () => {
    for (const [en, zh] of [...words, ...pictures.map(picture => picture.words)])
      assert.ok(en && /[一-鿿]/.test(zh), en);
  });

  test(`${key} names its sides by their colours`, () => {
    const said = [...words, ...pictures.map(picture => picture.words)].flat().join(' ');
    const wrong = knownBoard(key).drop ? /Black|White|黑方|白方|不算胜/ : /\bRed\b|Yellow|红方|黄方|不算胜/;
    assert.doesNotMatch(said, wrong);
  });

  test(`the pictures of ${key} show what can be`, () => {
    for (const { width, height, blocked = [], black, white, line, forbidden } of pictures) {
      const board = { ...knownBoard(key), width, height, blocked };
      const taken = [...list(black), ...list(white), ...blocked];
      assert.equal(new Set(taken).size, taken.length, `a cell is taken twice: ${taken}`);
      const inside = cell => at(cell).x < width && at(cell).y < height;
      assert.ok([...taken, ...list(forbidden)].every(inside), `off the board: ${taken}`);
      for (const cell of list(forbidden)) assert.ok(!taken.includes(cell), `${cell} is taken`);
      // Stones that fall leave no hole below them.
      if (board.drop)
        for (const cell of taken) assert.notEqual(landing(board, new Set(taken), cell), below(cell, taken));
      assert.equal(wins(board, list(black)), Boolean(line), `Black's line: ${black}`);
      assert.ok(!wins(board, list(white)), `White's line: ${white}`);
    }
  });
}

/** The free cell that a stone would have fallen to. */
function below(cell, taken) {
  const { y } = at(cell);
  const column = cell.replace(/\d+/, '');
  return Array.from({ length: y }, (_, n) => `${column}${n + 1}`).find(one => !taken.includes(one)) ?? '';
}

function wins(board, cells) {
  const stones = cells.map(cell => ({ cell, ...at(cell), stone: 'black', turn: 0, n: 0 }));
  return stones.some(last => winningLine(board, [...stones.filter(one => one !== last), last]) != null);
}
