// The module in a worker: texts go into its memory and come out of it. crates/wasm/src/door.rs is the other side.

/** @import { Requests, Refusal, Told } from './requests.js' */
/**
 * @typedef {object} Door what the module exports
 * @property {WebAssembly.Memory} memory unless workers share it
 * @property {() => number} open
 * @property {(door: number, length: number) => number} room
 * @property {(door: number) => void} hand_in
 * @property {(door: number) => number} ask
 * @property {(door: number) => number} answer
 * @property {(length: number) => number} lend
 * @property {() => void} join
 * @property {() => void} help
 * @property {() => void} fail
 * @property {WebAssembly.Global} __stack_pointer what follows is there where workers share memory
 * @property {WebAssembly.Global} __tls_size
 * @property {(at: number) => void} __wasm_init_tls
 */

/** Why the module did not do something. */
export class Refusing extends Error {
  /** @param {Refusal} refusal */
  constructor(refusal) {
    super(refusal.en);
    this.refusal = refusal;
  }
}

/** The memory that workers share, in pages of 64 KiB: as much as web/build.sh says. */
const MEMORY = { initial: 256, maximum: 16_384, shared: true };
/** How many bytes of stack a helper has: as many as the module's own, see web/build.sh. */
const STACK = 1 << 20;

/** Whether workers can share the memory of this module. @param {WebAssembly.Module} code */
export const shares = code => WebAssembly.Module.imports(code).some(({ kind }) => kind === 'memory');

/**
 * Loads the module with what the page lends it.
 * @param {WebAssembly.Module} code
 * @param {WebAssembly.Memory | null} shared
 * @param {(told: Told) => void} tell
 */
function load(code, shared, tell) {
  /** @type {{ memory: WebAssembly.Memory | null }} */
  const own = { memory: shared };
  const lianzi = {
    // Workers that share memory compare moments with each other.
    now: () => performance.timeOrigin + performance.now(),
    date: () => Date.now(),
    random: () => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32 + Math.random() / 2 ** 32,
    tell: (/** @type {number} */ at, /** @type {number} */ length) => tell(JSON.parse(text(own.memory, at, length))),
  };
  const { exports } = new WebAssembly.Instance(code, { lianzi, env: shared ? { memory: shared } : {} });
  const door = /** @type {Door} */ (/** @type {unknown} */ (exports));
  own.memory ??= door.memory;
  return { door, memory: own.memory };
}

/** @param {WebAssembly.Memory | null} memory @param {number} at @param {number} length */
function text(memory, at, length) {
  const bytes = new Uint8Array(memory?.buffer ?? new ArrayBuffer(0), at, length);
  // What is shared may change while it is read: no browser reads it.
  return new TextDecoder().decode(memory?.buffer instanceof ArrayBuffer ? bytes : bytes.slice());
}

/** @typedef {{ code: WebAssembly.Module, memory: WebAssembly.Memory, place: number }} Help what a helper needs */

export class Module {
  /** @param {WebAssembly.Module} code @param {(told: Told) => void} tell hears what a search finds while it lasts */
  constructor(code, tell) {
    const { door, memory } = load(code, shares(code) ? new WebAssembly.Memory(MEMORY) : null, tell);
    this.code = code;
    this.door = door;
    this.memory = memory;
    this.own = this.door.open();
  }

  /** Gives it a file that comes beside it. @param {Uint8Array} file */
  handIn(file) {
    this.write(file);
    this.door.hand_in(this.own);
  }

  /** Writes what the module takes next. @param {Uint8Array} bytes */
  write(bytes) {
    const at = this.door.room(this.own, bytes.length);
    // The memory may have grown: a view of it is good for one use.
    new Uint8Array(this.memory.buffer, at, bytes.length).set(bytes);
  }

  /**
   * Asks, and waits for the answer however long that takes.
   * @template {keyof Requests} K
   * @param {K} name
   * @param {Requests[K][0]} more
   * @returns {Requests[K][1]}
   */
  ask(name, more) {
    this.write(new TextEncoder().encode(JSON.stringify({ do: name, ...more })));
    const length = this.door.ask(this.own);
    const answer = JSON.parse(text(this.memory, this.door.answer(this.own), length));
    if (answer?.refused) throw new Refusing(answer.refused);
    return answer;
  }

  /** What one more helper needs; it has a place in the memory for ever. @returns {Help} */
  help() {
    const { code, memory, door } = this;
    return { code, memory, place: door.lend(STACK + door.__tls_size.value) };
  }
}

/**
 * Helps with the searches of a module for ever; says first that it is there.
 * @param {Help} help
 * @param {() => void} there
 */
export function help({ code, memory, place }, there) {
  const { door } = load(code, memory, console.error);
  door.__stack_pointer.value = place + STACK;
  door.__wasm_init_tls(place + STACK);
  door.join();
  there();
  try {
    door.help();
  } catch (error) {
    // Whoever searches would wait for it for ever.
    door.fail();
    throw error;
  }
}
