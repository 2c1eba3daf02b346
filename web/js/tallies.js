// What this browser's player won and lost at each level of the computer.
import { recall, remember } from './prefs.js';
import { index, kindOf, other } from './game.js';
import { levelOf } from './words.js';

/** @import { State } from './types.js' */

/** @param {string} game @param {number} level */
const key = (game, level) => `results.${kindOf(game)}.${level}`;

/** Won or not, the oldest first. @param {string} game @param {number} level @returns {boolean[]} */
export const resultsAt = (game, level) => recall(key(game, level), []);

/** The level of the computer one plays against; 0 if one does not. @param {State} state */
export function rivalLevel(state) {
  const [mine] = state.you;
  if (state.you.length !== 1) return 0;
  return levelOf(state.sides[index(other(mine))].player);
}

/** A game has just ended. @param {State} state */
export function countResult(state) {
  const level = rivalLevel(state);
  const { outcome } = state.verdict;
  if (!level || !outcome || outcome === 'draw') return;
  const all = [...resultsAt(state.game, level), outcome === state.you[0]];
  remember(key(state.game, level), all.slice(-50));
}
