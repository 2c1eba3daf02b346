// The line to a game, wherever the game is. What is asked of a server's game by one whose engines think on this device
// is answered here: hints, analyses and reviews need nothing but the game so far.
import { Line } from '../socket.js';
import { recordText } from '../states.js';
import { LocalLine } from './page.js';
import { alone } from './alone.js';
import { isOwn, thinksHere } from './where.js';

/** @import { ClientMessage, State } from '../types.js' */
/** @import { Hears } from './page.js' */
/** @import { Thinking } from './requests.js' */

/** A line to a server's game that thinks here. */
class ThoughtfulLine extends Line {
  /** @param {string} id @param {import('../prefs.js').Keys} keys @param {Hears} on */
  constructor(id, keys, on) {
    super(id, keys, {
      ...on,
      message: message => {
        if (message.type === 'state') this.state = message;
        on.message(message);
      },
    });
    /** @type {State | null} */
    this.state = null;
    /** @type {LocalLine | null} */
    this.thoughts = null;
  }

  /** @param {ClientMessage} message @param {boolean} [keep] @returns {boolean} */
  send(message, keep = true) {
    const question = this.state && thinksHere() ? asked(message, this.state) : null;
    if (!question) return super.send(message, keep);
    this.thoughts ??= new LocalLine('', { message: said => this.on.message(said), status: () => {} });
    this.thoughts.think(question);
    return true;
  }

  close() {
    this.thoughts?.close();
    super.close();
  }
}

/**
 * What a message asks an engine, if it does.
 * @param {ClientMessage} message
 * @param {State} state
 * @returns {Thinking | { do: 'rest' } | null}
 */
function asked(message, state) {
  if (message.type === 'hint' || message.type === 'review') return { do: message.type, record: recordText(state) };
  if (message.type === 'try') return { do: 'try', record: recordText(state), moves: message.moves, turn: message.turn };
  if (message.type !== 'analyse') return null;
  if (!message.moves) return { do: 'rest' };
  return { do: 'analyse', record: recordText(state), moves: message.moves, lines: message.lines };
}

/** @param {string} id @param {import('../prefs.js').Keys} keys @param {Hears} on */
export const openLine = (id, keys, on) =>
  alone() || isOwn(id) ? new LocalLine(id, on) : new ThoughtfulLine(id, keys, on);
