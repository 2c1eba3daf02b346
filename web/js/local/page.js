// The page's side of its host: calls that are answered, and lines to games. The host is started when first needed.
import { Refused } from '../refused.js';
import { offersThreads } from './alone.js';
import { THREADS } from './code.js';

/** @import { Calls, FromHost, Thinking, ToHost } from './requests.js' */
/** @import { ClientMessage, ServerMessage } from '../types.js' */
/** @typedef {{ message: (message: ServerMessage) => void, status: (up: boolean, reached: boolean) => void }} Hears */

/** @type {Worker | null} */
let host = null;
let last = 0;
/** @type {Map<number, { found: (answer: unknown) => void, failed: (why: Error) => void }>} */
const waiting = new Map();
/** @type {Map<number, Hears>} */
const lines = new Map();

/** @param {FromHost} said */
function hear(said) {
  if ('line' in said) {
    const line = lines.get(said.line);
    if ('up' in said) line?.status(said.up, said.up);
    else line?.message(said.message);
    return;
  }
  const asked = waiting.get(said.call);
  waiting.delete(said.call);
  if ('refused' in said) asked?.failed(new Refused(said.refused, said.refused.status));
  else asked?.found(said.answer);
}

function start() {
  const name = offersThreads() ? THREADS : '';
  const begun = new Worker(new URL('./host.js', import.meta.url), { type: 'module', name });
  begun.onmessage = ({ data }) => hear(data);
  begun.onerror = event => {
    const words = { en: `the engine cannot be loaded: ${event.message}`, zh: `引擎无法加载：${event.message}` };
    for (const [number, { failed }] of waiting) if (waiting.delete(number)) failed(new Refused(words, 0));
  };
  return begun;
}

/** @param {ToHost} message */
function post(message) {
  host ??= start();
  host.postMessage(message);
}

/** Starts the host before it is needed. */
export const warmUp = () => call('ready');

/**
 * @template {keyof Calls} K
 * @param {K} name
 * @param {Calls[K][0]} given
 * @returns {Promise<Calls[K][1]>}
 */
export const call = (name, ...given) =>
  new Promise((found, failed) => {
    const number = ++last;
    waiting.set(number, { found: answer => found(/** @type {Calls[K][1]} */ (answer)), failed });
    post({ call: number, name, with: given });
  });

/** @type {Promise<Calls['info'][1]> | null} */
let known = null;

/** Who plays in this browser, and which games: asked once, for it takes the module a moment. */
export function ownInfo() {
  known ??= call('info').catch(error => {
    known = null;
    throw error;
  });
  return known;
}

/** The line to a game of this browser, as the one to a server's; without a game it only thinks. */
export class LocalLine {
  /** @param {string} id @param {Hears} on */
  constructor(id, on) {
    this.number = ++last;
    lines.set(this.number, on);
    post({ line: this.number, open: id });
  }

  /** @param {ClientMessage} message */
  send(message) {
    post({ line: this.number, say: JSON.stringify(message) });
    return true;
  }

  /** @param {Thinking | { do: 'rest' }} think */
  think(think) {
    post({ line: this.number, think });
  }

  close() {
    post({ line: this.number, close: true });
    lines.delete(this.number);
  }
}
