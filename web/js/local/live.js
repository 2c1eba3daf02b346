// One live game in this browser: the module knows what happens in it, workers think, the library keeps it. Nothing is
// told before it is kept.
import { Refusing } from './module.js';
import * as store from './store.js';

/** @import { ServerMessage } from '../types.js' */
/** @import { KeptGame, News, Requests, Thinking, Told, Word } from './requests.js' */
/** @import { Module } from './module.js' */
/** @import { Thinker, Thinkers } from './thinkers.js' */

const ELSEWHERE = {
  en: 'this game goes on in another window of this browser',
  zh: '此局已在本浏览器的另一个窗口中继续',
};

export class LiveGame {
  /**
   * @param {Module} module
   * @param {Thinkers} thinkers
   * @param {string} id none for one who only wants to think about records
   * @param {{ message: (message: ServerMessage) => void, status: (up: boolean) => void }} on
   */
  constructor(module, thinkers, id, on) {
    this.module = module;
    this.thinkers = thinkers;
    this.id = id;
    this.on = on;
    /** @type {Record<string, Thinker | null>} one for each side */
    this.players = { black: null, white: null };
    /** @type {Thinker | null} */
    this.adviser = null;
    this.asked = /** @type {number | null} */ (null);
    this.timer = 0;
    /** What is kept and told, one after another. @type {Promise<unknown>} */
    this.told = Promise.resolve();
    this.release = () => {};
    this.lost = false;
    /** The number of the errand that somebody sees to. @type {number | null} */
    this.busy = null;
  }

  /** Opens the game; a window that had it open before loses it. @param {KeptGame} kept */
  async open({ entry, record, saved }) {
    await this.take();
    this.on.status(true);
    this.thinkers.expect(entry.game);
    const opened = this.module.ask('open', { id: this.id, created: entry.created, record, saved });
    this.follow(opened);
  }

  /** One window at a time plays a game. */
  take() {
    return new Promise(taken => {
      const held = () => {
        taken(null);
        return new Promise(release => {
          this.release = () => release(null);
        });
      };
      if (!navigator.locks) return held();
      navigator.locks.request(`lianzi ${this.id}`, { steal: true }, held).catch(() => {
        this.lost = true;
        this.on.message({ type: 'error', ...ELSEWHERE });
        this.stop();
      });
    });
  }

  /** What the page says. @param {string} message */
  say(message) {
    if (JSON.parse(message).type === 'ping') return this.on.message({ type: 'pong' });
    if (this.lost) return this.on.message({ type: 'error', ...ELSEWHERE });
    this.follow(this.module.ask('say', { id: this.id, message }));
  }

  /** @param {News} news */
  follow(news) {
    const { told, store: kept, archived, errand, asked, wakes, think } = news;
    this.asked = asked;
    this.stopOthers();
    if (errand) this.send(errand);
    clearTimeout(this.timer);
    if (wakes != null) this.timer = setTimeout(() => this.happen('tick', { id: this.id }), Math.min(wakes, 2 ** 30));
    if (think) this.think(think);
    this.keepAndTell(
      [archived, kept].filter(game => game != null),
      told,
    );
  }

  /** @param {KeptGame[]} kept @param {ServerMessage[]} told */
  keepAndTell(kept, told) {
    this.told = this.told
      .then(() => (kept.length ? store.put(...kept) : null))
      .then(() => told.forEach(message => this.on.message(message)))
      .catch(error => {
        const what = error instanceof Error ? error.message : String(error);
        this.on.message({ type: 'error', en: `the game is not kept: ${what}`, zh: `对局未能保存：${what}` });
        told.forEach(message => this.on.message(message));
      });
  }

  /**
   * Something happens to the game by itself.
   * @template {'tick' | 'begun' | 'word'} K
   * @param {K} name
   * @param {Requests[K][0]} more
   */
  happen(name, more) {
    try {
      this.follow(this.module.ask(name, more));
    } catch (error) {
      if (!(error instanceof Refusing)) throw error;
      this.on.message({ type: 'error', ...error.refusal });
    }
  }

  /** Who thinks about something that nobody wants to know any more is stopped. */
  stopOthers() {
    for (const [stone, thinker] of Object.entries(this.players)) {
      if (!thinker?.hear || this.busy === this.asked) continue;
      thinker.worker.terminate();
      this.players[stone] = null;
    }
  }

  /** @param {import('./requests.js').Errand} errand */
  send(errand) {
    const { number, stone } = errand;
    const thinker = this.thinkers.free(this.players[stone]);
    this.players[stone] = thinker;
    this.busy = number;
    thinker.think({ do: 'errand', errand }, said => {
      if ('told' in said) return this.hear(said.told);
      const failed = 'failed' in said ? said.failed : 'refused' in said ? said.refused.en : null;
      /** @type {Word} */
      const fails = { number, taken: { secs: 0, nanos: 0 }, says: { fails: failed ?? '' } };
      if (failed != null && this.players[stone] === thinker) this.players[stone] = null;
      const answer = 'answer' in said ? /** @type {{ word: Word }} */ (said.answer).word : fails;
      this.happen('word', { id: this.id, word: answer });
    });
  }

  /** What a player says while it thinks. @param {Told} told */
  hear(told) {
    if (told.type === 'panic') console.error(told.words);
    else if (told.type === 'begun') this.happen('begun', { id: this.id, number: told.number });
    else this.on.message(told);
  }

  /**
   * Thinks about something for the page, instead of what it thought about before.
   * @param {Thinking | { do: 'rest' }} request
   */
  think(request) {
    if (request.do === 'rest') {
      if (this.adviser?.hear) {
        this.adviser.worker.terminate();
        this.adviser = null;
      }
      return;
    }
    this.adviser = this.thinkers.free(this.adviser);
    this.adviser.think(request, said => {
      if ('told' in said) this.hear(said.told);
      else if ('refused' in said) this.on.message({ type: 'error', ...said.refused });
      else if ('failed' in said) {
        this.adviser = null;
        this.on.message({ type: 'error', en: `the engine failed: ${said.failed}`, zh: `引擎出错：${said.failed}` });
      }
    });
  }

  /** Nobody looks at it any more: it is put aside and kept. */
  leave() {
    this.stop();
    if (!this.id || this.lost) return this.told;
    const { store: kept } = this.module.ask('close', { id: this.id });
    if (kept) this.keepAndTell([kept], []);
    return this.told;
  }

  stop() {
    clearTimeout(this.timer);
    this.release();
    for (const thinker of [...Object.values(this.players), this.adviser]) thinker?.worker.terminate();
    this.players = { black: null, white: null };
    this.adviser = null;
  }
}
