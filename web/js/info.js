// What this server offers: engines, named players and the games each plays, formats. Asked once.
import { api } from './api.js';
import { kindOf } from './game.js';
import { setLevels } from './words.js';

/** @import { Info } from './types.js' */

/** @type {Info | null} */
let known = null;

export const info = () => known;

export async function loadInfo() {
  known = await api.info();
  setLevels(known.levels);
  return known;
}

/** @param {string} player without its options */
const find = player => known?.players.find(one => one.player === player);

/** Whether the server has this player, which may carry options. @param {string} player */
export const knows = player => Boolean(find(player) ?? find(player.split('@')[0]));

/** Whether a player plays a game; until the server has answered, it may. @param {string} player @param {string} game */
export const plays = (player, game) => !known || (find(player)?.games.includes(game) ?? false);

/** Engines that play every game, the best first. */
const general = () => known?.engines.filter(name => known?.games.every(game => plays(name, kindOf(game)))) ?? [];

/** The engine one plays against unless one says otherwise. */
export const defaultEngine = () => general()[0] ?? 'strong';

/** Another engine than the usual one, to play against it. */
export const secondEngine = () => general()[1] ?? defaultEngine();

/** How many levels the usual engine has until the server has said it. */
const USUAL_LEVELS = 10;

/** How many levels a player's strength has; none if it thinks for a time or for a number of positions. */
export const levelsOf = (/** @type {string} */ player) =>
  known ? (find(player)?.levels ?? 0) : player === defaultEngine() ? USUAL_LEVELS : 0;
