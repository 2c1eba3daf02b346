// The module in a worker: texts go into its memory and come out of it. crates/wasm/src/door.rs is the other side.

/** @import { Requests, Refusal, Told } from './requests.js' */
/**
 * @typedef {object} Door what the module exports
 * @property {WebAssembly.Memory} memory
 * @property {() => number} open
 * @property {(door: number, length: number) => number} room
 * @property {(door: number) => number} ask
 * @property {(door: number) => number} answer
 */

/** Why the module did not do something. */
export class Refusing extends Error {
  /** @param {Refusal} refusal */
  constructor(refusal) {
    super(refusal.en);
    this.refusal = refusal;
  }
}

export class Module {
  /** @param {WebAssembly.Module} code @param {(told: Told) => void} tell hears what a search finds while it lasts */
  constructor(code, tell) {
    const lianzi = {
      now: () => performance.now(),
      date: () => Date.now(),
      random: () => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32 + Math.random() / 2 ** 32,
      tell: (/** @type {number} */ at, /** @type {number} */ length) => tell(JSON.parse(this.text(at, length))),
    };
    const { exports } = new WebAssembly.Instance(code, { lianzi });
    this.door = /** @type {Door} */ (/** @type {unknown} */ (exports));
    this.own = this.door.open();
  }

  /** @param {number} at @param {number} length */
  text(at, length) {
    return new TextDecoder().decode(new Uint8Array(this.door.memory.buffer, at, length));
  }

  /**
   * Asks, and waits for the answer however long that takes.
   * @template {keyof Requests} K
   * @param {K} name
   * @param {Requests[K][0]} more
   * @returns {Requests[K][1]}
   */
  ask(name, more) {
    const bytes = new TextEncoder().encode(JSON.stringify({ do: name, ...more }));
    const at = this.door.room(this.own, bytes.length);
    // The memory may have grown: a view of it is good for one use.
    new Uint8Array(this.door.memory.buffer, at, bytes.length).set(bytes);
    const length = this.door.ask(this.own);
    const answer = JSON.parse(this.text(this.door.answer(this.own), length));
    if (answer?.refused) throw new Refusing(answer.refused);
    return answer;
  }
}
