// What the browser remembers: choices, seats, and where a game was left. Storage may be refused; then nothing is kept.

/** @type {Record<string, unknown>} */
const kept = {};

/** @template V @param {string} key @param {V} otherwise @returns {V} */
export function recall(key, otherwise) {
  try {
    const text = localStorage.getItem(`lianzi.${key}`);
    if (text != null) return JSON.parse(text);
  } catch {
    /* private windows refuse storage; what was chosen since the page came is still known */
  }
  return /** @type {V} */ (kept[key] ?? otherwise);
}

/** @param {string} key @param {unknown} value null forgets */
export function remember(key, value) {
  kept[key] = value;
  try {
    if (value == null) localStorage.removeItem(`lianzi.${key}`);
    else localStorage.setItem(`lianzi.${key}`, JSON.stringify(value));
  } catch {
    /* private windows refuse storage; the page works without */
  }
}

/**
 * @typedef {{ owner?: string, tokens?: (string | null)[], invited?: string }} Keys A seat that was given away is not
 * ours, but its link can be had again.
 */

/** The secrets this browser holds of a game. @param {string} id @returns {Keys} */
export const keysOf = id => recall(`game.${id}`, {});

/** @param {string} id @param {Keys | null} keys */
export const keepKeys = (id, keys) => remember(`game.${id}`, keys);

/** What is left when the other seat is given away. @param {Keys} keys @param {number} kept @returns {Keys} */
export function withOneSeat(keys, kept) {
  const [black = null, white = null] = keys.tokens ?? [];
  return { ...keys, invited: (kept ? black : white) ?? '', tokens: kept ? [null, white] : [black, null] };
}

/** The ids of all games this browser holds a secret of, the newest kept last. @returns {string[]} */
export function knownGames() {
  try {
    return Object.keys(localStorage)
      .filter(key => key.startsWith('lianzi.game.'))
      .map(key => key.slice('lianzi.game.'.length));
  } catch {
    return Object.keys(kept)
      .filter(key => key.startsWith('game.') && kept[key])
      .map(key => key.slice('game.'.length));
  }
}

/**
 * @typedef {object} Settings How this reader wants the board.
 * @property {string} board which wood
 * @property {boolean} numbers whether stones carry their number
 * @property {'auto' | 'always' | 'never'} aim whether fingers aim first
 * @property {boolean} instant whether the computer answers at once
 */
/** @type {Settings} */
const USUAL = { board: 'wood', numbers: false, aim: 'auto', instant: false };

/** @returns {Settings} */
export const settings = () => ({ ...USUAL, ...recall('settings', {}) });

/** @param {Partial<Settings>} change */
export const setSettings = change => remember('settings', { ...settings(), ...change });

/** Whether things may move; some readers have asked their system for rest. */
export const canMove = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;
