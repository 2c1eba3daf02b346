// Clocks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alarm, clockWords, faceNow, leftWords } from '../../js/clocks.js';

test('a clock has minutes, and hours once there are any', () => {
  assert.deepEqual([0, 59_999, 60_000, 3_599_000, 3_600_000, 36_061_000].map(clockWords), [
    '0:00',
    '0:59',
    '1:00',
    '59:59',
    '1:00:00',
    '10:01:01',
  ]);
  assert.equal(clockWords(-5), '0:00');
});

test('the last ten seconds have tenths, and the clock turns amber and red', () => {
  assert.deepEqual([9_949, 10_000, -1].map(leftWords), ['9.9', '0:10', '0.0']);
  assert.deepEqual([null, 20_000, 19_999, 9_999].map(alarm), ['', '', 'amber', 'red']);
});

test('only a clock that runs goes on between two messages', () => {
  const face = { used_ms: 1000, turn_ms: 500, left_ms: 2000 };
  assert.deepEqual(faceNow(face, false, 0), { used: 1000, turn: 500, left: 2000 });
  const later = faceNow(face, true, performance.now() - 5000);
  assert.ok(later.used >= 6000 && later.turn >= 5500);
  assert.equal(later.left, 0);
  assert.equal(faceNow({ ...face, left_ms: null }, true, 0).left, null);
});
