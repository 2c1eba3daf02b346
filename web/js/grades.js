// Grades of moves: a sign for each, and a badge for lists.
import { h, s } from './dom.js';
import { t } from './words.js';

/** Best first. */
export const GRADES = ['best', 'good', 'inaccuracy', 'mistake', 'blunder', 'missed-win'];

/** Grades that are mistakes, the small ones too. @param {string} grade */
export const isSlip = grade => !['best', 'good'].includes(grade);

/** @type {Record<string, string>} */
const DRAWN = {
  best: 'M8 2.2 9.800 6l4.100.5-3 2.800.8 4.100L8 11.400l-3.700 2 .8-4.100-3-2.800L6.200 6z',
  good: 'm3.500 8.500 3 3 6-7',
  wrong: 'm4.500 4.500 7 7M11.500 4.500l-7 7',
  'missed-win': 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3zm0 3.200a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600z',
};
/** @type {Record<string, string>} */
const WRITTEN = { inaccuracy: '?!', mistake: '?', blunder: '??' };

/** The sign of a grade in a box of 16 by 16. @param {string} grade */
export const gradeGlyph = grade =>
  WRITTEN[grade]
    ? s('text', { class: 'glyph-text', x: 8, y: 8.3 }, WRITTEN[grade])
    : s('path', { class: `glyph ${grade}`, d: DRAWN[grade] ?? DRAWN.good });

/** @param {string} grade @param {string} [more] */
export const gradeBadge = (grade, more = '') =>
  h(
    'span',
    { class: `grade ${grade} ${more}`, role: 'img', 'aria-label': t(`grade-${grade}`), title: t(`grade-${grade}`) },
    s('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, gradeGlyph(grade)),
  );
