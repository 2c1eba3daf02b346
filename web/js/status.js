// The words at the head of the panel: whose turn it is, how the game ended, how a series stands.
import { index, turnOf } from './game.js';
import { openingWords } from './opening.js';
import { numberWords, outcomeWords, t } from './words.js';

/** @import { Series, State, Thought } from './types.js' */

/** @param {Thought | null} thought */
export const thinkingWords = thought =>
  thought?.depth ? `${t('thinksOf')} ${t('depth', { n: thought.depth })}` : `${t('thinksOf')}…`;

/** @param {State} state */
export function turnWords(state) {
  if (state.opening) return openingWords(state, state.opening);
  const placed = state.moves.length;
  const side = t(state.to_move);
  if (!state.you.includes(state.to_move))
    return t(state.sides[index(state.to_move)].thinking ? 'thinking' : 'toMove', { side });
  const words = t(state.you.length === 1 ? 'yourMoveOf' : 'toMove', { side });
  const { turn, left } = turnOf(state, placed);
  if (placed && turnOf(state, placed - 1).turn === turn) return `${words} · ${t('oneLeft')}`;
  return left > 1 ? `${words} · ${t('stonesLeft', { n: left })}` : words;
}

/** A record's verdict, when no server has put it into words. @param {State} state */
export function verdictWords({ line, verdict: { outcome, ending, why } }) {
  if (!outcome) return t('unfinished');
  if (ending === 'line') return t('wonLine', { side: t(outcome), n: numberWords(line) });
  return outcomeWords(outcome, ending, why);
}

/** @param {Series} series */
export function seriesWords({ length, wins, draws, game, over }) {
  const drawn = draws ? ` (${t('draws', { n: draws })})` : '';
  const phase = over ? t('seriesOver') : t('bestOf', { n: length, g: game });
  return `${phase} · ${t('tally', { a: wins[0], b: wins[1] })}${drawn}`;
}
