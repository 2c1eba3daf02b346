// What this server offers: engines, named players, formats. Asked once.
import { api } from './api.js';

/** @typedef {{ version: string, players: { player: string, name: string }[], engines: string[], formats: string[], games: string[] }} Info */

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
  return ['strong', 'uct', 'greedy'].find(name => engines.includes(name)) ?? engines[0] ?? 'greedy';
}
