// Why something was not done, in both languages.

/** @import { Words } from './types.js' */

/** A refusal in words. */
export class Refused extends Error {
  /** @param {Words | null} words @param {number} status */
  constructor(words, status) {
    super(words?.en ?? String(status));
    this.words = words;
    this.status = status;
  }
}
