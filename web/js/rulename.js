// The opening rule in a game's name, for those who know no server.

/** @import { Opening } from './types.js' */

/** A game's name without its opening rule. @param {string} game */
export const boardName = game => game.split('+')[0];

/** The rule in a game's name. @param {string} game */
export const ruleOfName = game => game.split('+')[1] ?? 'none';

/**
 * An opening of which nothing is known but its rule: of a game not yet made.
 * @param {string} game
 * @returns {Opening | null}
 */
export function draftOpening(game) {
  const rule = ruleOfName(game);
  if (rule === 'none') return null;
  const nothing = { most: null, zone: null, swap: null, more: null, offered: [], words: null, begun: false };
  return { rule, by: 'black', want: 'stone', left: 1, ...nothing };
}
