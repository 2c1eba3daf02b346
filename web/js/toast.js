// Short words for what just happened, seen and heard.
import { byId, put, h } from './dom.js';
import { say, t } from './words.js';
import { Refused } from './api.js';

let timer = 0;

/** @param {import('./words.js').Said} words */
export function toast(words) {
  put(byId('toast'), h('span', {}, say(words)));
  clearTimeout(timer);
  timer = window.setTimeout(() => put(byId('toast')), 4500);
}

/** Old words go when something new happens. */
export const hush = () => put(byId('toast'));

/** What went wrong, in words. @param {unknown} error */
export function toastError(error) {
  if (error instanceof Refused) return toast(error.words);
  console.error(error);
  toast(t('noServer'));
}

/** Heard by screen readers only. @param {string} words */
export const announce = words => put(byId('live'), words);
