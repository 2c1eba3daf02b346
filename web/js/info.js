// What this server offers: engines, named players, formats. Asked once.
import { api } from './api.js';

/**
 * @typedef {{ version: string, players: { player: string, name: string }[], engines: string[], formats: string[],
 * games: string[] }} Info
 */

/** Engines that play every game, the best first. */
const GENERAL = ['strong', 'uct', 'greedy', 'random'];

/** The kind of game an engine plays, if it does not play all. @type {Record<string, string>} */
const ONLY = {
  solver: 'connect4',
  'classic-connect6': 'connect6',
  'classic-gomoku': 'gomoku',
  'classic-python': 'gomoku',
};

/** @param {string} player @param {string} kind of game */
export const plays = (player, kind) => (ONLY[player] ?? kind) === kind;

/** @type {Info | null} */
let known = null;

export const info = () => known;

export async function loadInfo() {
  known = await api.info();
  return known;
}

/** The engine one plays against unless one says otherwise. */
export function defaultEngine() {
  const engines = known?.engines ?? ['strong'];
  return GENERAL.find(name => engines.includes(name)) ?? engines[0] ?? 'greedy';
}

/** Another engine than the usual one, to play against it. */
export const secondEngine = () =>
  GENERAL.find(name => name !== defaultEngine() && known?.engines.includes(name)) ?? defaultEngine();
