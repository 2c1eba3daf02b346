// The words about a game: whose turn it is, how it ended, how a series stands, what the clocks allow.
import { index, turnOf } from './game.js';
import { openingWords } from './opening.js';
import { numberWords, outcomeWords, sayOf, sideName, stoneName, t } from './words.js';

/** @import { Control, State } from './types.js' */

/** @param {State} state */
export function turnWords(state) {
  if (state.opening) return openingWords(state, state.opening);
  const placed = state.moves.length;
  const side = stoneName(state, state.to_move);
  if (!state.you.includes(state.to_move))
    return t(state.sides[index(state.to_move)].thinking ? 'thinking' : 'toMove', { side });
  const words = t(state.you.length === 1 ? 'yourMoveOf' : 'toMove', { side });
  const { turn, left } = turnOf(state, placed);
  if (placed && turnOf(state, placed - 1).turn === turn) return `${words} · ${t('oneLeft')}`;
  return left > 1 ? `${words} · ${t('stonesLeft', { n: left })}` : words;
}

/** A record's verdict, when no server has put it into words. @param {State} state */
export function verdictWords(state) {
  const { outcome, ending, why } = state.verdict;
  if (!outcome) return t('unfinished');
  if (ending === 'line') return t('wonLine', { side: stoneName(state, outcome), n: numberWords(state.line) });
  return outcomeWords(outcome, ending, why, state);
}

/** Who won and why, in a sentence. @param {State} state */
export const endWords = state => sayOf(state, state.words) || verdictWords(state);

/** How a series stands: its tally has names, which stay with the players when colours change. @param {State} state */
export function seriesWords(state) {
  if (!state.series) return '';
  const { length, wins, draws, game, over } = state.series;
  const drawn = draws ? ` (${t('draws', { n: draws })})` : '';
  const phase = over ? t('seriesOver') : t('bestOf', { n: length, g: game });
  // The same player stands first in every game of a series, whatever the colour.
  const [a, b] = game % 2 ? [0, 1] : [1, 0];
  const name = (/** @type {number} */ n) => sideName(state, n ? 'white' : 'black');
  return `${phase} · ${t('tally', { a: name(a), x: wins[a], y: wins[b], b: name(b) })}${drawn}`;
}

/** What the players may use. @param {Control | undefined} control */
export function controlWords(control) {
  const { per_move_ms: move, per_game_ms: game, increment_ms: more } = control ?? {};
  const number = (/** @type {number} */ n) => String(Number(n.toFixed(1)));
  if (game) {
    const m = number(game / 60_000);
    return more ? t('clockGame', { m, s: number(more / 1000) }) : t('clockGamePlain', { m });
  }
  return move ? t('clockMove', { s: number(move / 1000) }) : t('noClockWords');
}
