// When the page is drawn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onChange, press, redraw } from '../../js/view.js';

test('nothing is drawn between a press and its release, and what was owed is drawn after it', () => {
  const frames = [];
  globalThis.requestAnimationFrame = act => frames.push(act);
  const frame = () => frames.splice(0).forEach(act => act());
  let drawn = 0;
  onChange(() => drawn++);
  redraw();
  redraw();
  frame();
  assert.equal(drawn, 1);
  // Asked for before the press, and again while it lasts.
  redraw();
  press(true);
  frame();
  redraw();
  frame();
  assert.equal(drawn, 1);
  press(false);
  frame();
  assert.equal(drawn, 2);
  press(true);
  press(false);
  frame();
  assert.equal(drawn, 2);
});
