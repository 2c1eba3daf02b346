// Workers that think. One that is busy can be stopped only by ending it, so one more is always ready to take its place.

/** @import { Parts } from './module.js' */
/** @import { Refusal, Requests, Told } from './requests.js' */
/**
 * @typedef {{ told: Told } | { answer: object } | { refused: Refusal } | { failed: string }} Said
 * @typedef {(said: Said) => void} Hear
 */

export class Thinker {
  /** @param {Worker} worker */
  constructor(worker) {
    this.worker = worker;
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
    this.worker.postMessage(request);
  }
}

export class Thinkers {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.spare = this.make();
  }

  make() {
    const worker = new Worker(new URL('./thinker.js', import.meta.url), { type: 'module' });
    worker.postMessage(this.parts);
    return new Thinker(worker);
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
