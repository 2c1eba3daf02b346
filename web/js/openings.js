// The opening rules a new game can have.
import { t } from './words.js';

/** @import { GameChoice } from './gamepick.js' */

/** Whether a game has openings in which the players find their sides. @param {GameChoice} game */
const has = game => game.kind === 'gomoku';

/** What the server is asked for. @param {string} opening @param {GameChoice} game */
export const openingOf = (opening, game) =>
  opening === 'swap2' && has(game) ? { swap2: /** @type {true} */ (true) } : {};

/**
 * @typedef {(word: string, name: string, all: [string, import('./types.js').Child][], now: string,
 * choose: (value: string) => void) => Element} Segments
 */

/** @param {string} now @param {GameChoice} game @param {Segments} segments @param {(opening: string) => void} choose */
export const openingChoice = (now, game, segments, choose) =>
  has(game)
    ? segments(
        'openingRule',
        'opening',
        [
          ['free', t('freeOpening')],
          ['swap2', 'Swap2'],
        ],
        now,
        choose,
      )
    : null;
