// Clocks: the server's word is the truth; between its messages the page counts on by itself.

/** @import { Face } from './types.js' */

/** @param {number} ms */
export function clockWords(ms) {
  const whole = Math.floor(Math.max(0, ms) / 1000);
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, two(whole % 60)];
  return hours ? `${hours}:${two(minutes)}:${seconds}` : `${minutes}:${seconds}`;
}

/** With tenths, for the last seconds. @param {number} ms */
export const leftWords = ms => (ms < 10_000 ? (Math.max(0, ms) / 1000).toFixed(1) : clockWords(ms));

/** A face as it stands now. @param {Face} face @param {boolean} ticking @param {number} since when it was sent */
export function faceNow(face, ticking, since) {
  const gone = ticking ? performance.now() - since : 0;
  return {
    used: face.used_ms + gone,
    turn: face.turn_ms + gone,
    left: face.left_ms == null ? null : Math.max(0, face.left_ms - gone),
  };
}

/** How near the end a clock is. @param {number | null} left */
export const alarm = left => (left == null ? '' : left < 10_000 ? 'red' : left < 20_000 ? 'amber' : '');
