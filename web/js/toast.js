// Short words for what just happened, seen and heard.
import { byId, button, put, h } from './dom.js';
import { say, t } from './words.js';
import { Refused } from './api.js';

let timer = 0;

/** @typedef {{ words: string, act: () => void }} Way What can be done about it. */

/** @param {import('./words.js').Said} words @param {Way} [way] */
export function toast(words, way) {
  const act = way && (() => (hush(), way.act()));
  put(byId('toast'), h('span', {}, say(words), way ? button(way.words, act ?? hush, { 'data-key': 'way' }) : null));
  clearTimeout(timer);
  timer = window.setTimeout(hush, way ? 9000 : 4500);
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
