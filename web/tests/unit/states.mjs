// States to test with.
import { knownBoard } from '../../js/game.js';
import { recordOf, recordState } from '../../js/states.js';

/** A game after these moves, as nobody plays it. */
export const status = (game, cells) => recordState(knownBoard(game), recordOf(game, ['', ''], cells), []);
