// Workers that think. One that is busy can be stopped only by ending it, so one more is always ready to take its place.
import { Beside, needed } from './code.js';

/** @import { Refusal, Requests, Told } from './requests.js' */
/**
 * @typedef {{ told: Told } | { answer: object } | { refused: Refusal } | { failed: string }} Said
 * @typedef {(said: Said) => void} Hear
 */

export class Thinker {
  /** @param {Worker} worker @param {Beside} beside */
  constructor(worker, beside) {
    this.worker = worker;
    this.beside = beside;
    /** The files that it has. @type {Set<string>} */
    this.has = new Set();
    /** @type {Hear | null} while it thinks */
    this.hear = null;
    worker.onmessage = ({ data }) => {
      const { hear } = this;
      if ('answer' in data || 'refused' in data || 'failed' in data) this.hear = null;
      // A module that failed is of no use any more, and those who help it wait for ever.
      if ('failed' in data) worker.terminate();
      if (!('ready' in data)) hear?.(data);
    };
    worker.onerror = event => {
      const { hear } = this;
      this.hear = null;
      hear?.({ failed: event.message });
    };
  }

  /**
   * @template {keyof Requests} K
   * @param {{ do: K } & Requests[K][0]} request
   * @param {Hear} hear
   */
  think(request, hear) {
    this.hear = hear;
    const failed = (/** @type {unknown} */ error) => {
      this.hear = null;
      hear({ failed: String(error) });
    };
    this.take(needed(request)).then(() => this.worker.postMessage(request), failed);
  }

  /** Gets files that come beside the module. @param {string[]} names */
  async take(names) {
    const missing = names.filter(name => !this.has.has(name));
    const files = await Promise.all(missing.map(name => this.beside.load(name)));
    for (const [n, beside] of files.entries()) {
      if (!this.has.has(missing[n])) this.worker.postMessage({ beside });
      this.has.add(missing[n]);
    }
  }
}

export class Thinkers {
  /** @param {WebAssembly.Module} code */
  constructor(code) {
    this.code = code;
    this.beside = new Beside();
    this.spare = this.make();
  }

  make() {
    const worker = new Worker(new URL('./thinker.js', import.meta.url), { type: 'module' });
    worker.postMessage({ code: this.code });
    return new Thinker(worker, this.beside);
  }

  /** Somebody is about to play a game: what it is thought about with is fetched. @param {string} game */
  expect(game) {
    // Who thinks is told if it cannot be had.
    this.spare.take(needed({ do: game })).catch(console.warn);
  }

  /** One that is ready. */
  take() {
    const taken = this.spare;
    this.spare = this.make();
    return taken;
  }

  /** One that is ready, in place of this one if that still thinks. @param {Thinker | null} thinker */
  free(thinker) {
    if (thinker && !thinker.hear) return thinker;
    thinker?.worker.terminate();
    return this.take();
  }
}
