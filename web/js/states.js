// From a game that is not on the server to the state the page draws, and back to a record.
import { STONES, turnOf, stonesAfter, winningLine } from './game.js';
import { draftOpening } from './rulename.js';

/** @import { Board, Chance, Face, GameRecord, NewGame, Pair, Side, Start, State, Variation } from './types.js' */

/** A game in which nothing has happened. @param {Start} start @param {Pair<Side>} sides @returns {State} */
function untouched(start, sides) {
  /** @type {Face} */
  const face = { used_ms: 0, turn_ms: 0, left_ms: null };
  return {
    ...start,
    type: 'state',
    id: '',
    setup: start.setup ?? null,
    moves: [],
    times: [],
    evals: [],
    chances: [],
    variations: [],
    undone: 0,
    to_move: 'black',
    stones_left: 1,
    forbidden: [],
    winning_line: null,
    verdict: { ending: 'unfinished' },
    words: null,
    sides,
    you: [],
    owner: false,
    clocks: [face, face],
    running: false,
    series: null,
    opening: null,
    before: null,
    kept: false,
  };
}

/** The empty board of a game not yet made. @param {Board} board @param {NewGame} draft @returns {State} */
export function draftState(board, draft) {
  const seat = (/** @type {number} */ n) => {
    const { player, name } = draft.sides[n];
    return { name: name ?? '', player, human: player === 'human', thinking: false };
  };
  /** @type {Pair<Side>} */
  const sides = [seat(0), seat(1)];
  const length = draft.series ?? 1;
  return {
    ...untouched(board, sides),
    you: STONES.filter((_, n) => sides[n].human),
    owner: true,
    control: draft.control,
    series: length > 1 ? { length, wins: [0, 0], draws: 0, game: 1, over: false } : null,
    opening: draftOpening(draft.game ?? ''),
  };
}

/**
 * A record as a game that nobody plays on.
 * @param {Board} board
 * @param {GameRecord} record
 * @param {Chance[]} chances
 * @returns {State}
 */
export function recordState(board, record, chances) {
  const moves = record.moves.map(move => move.cell);
  const start = { ...board, setup: record.setup ?? null };
  const next = turnOf(start, moves.length);
  const seat = (/** @type {number} */ n) => {
    const name = record.sides[n].name || '?';
    return { name, player: name, human: false, thinking: false };
  };
  return {
    ...untouched(start, [seat(0), seat(1)]),
    moves,
    times: record.moves.map(move => move.time_ms ?? null),
    evals: record.moves.map(move => move.eval ?? null),
    chances,
    variations: (record.variations ?? []).map(line => ({ ...line, moves: line.moves.map(move => move.cell) })),
    to_move: next.stone,
    stones_left: next.left,
    winning_line: winningLine(start, stonesAfter(start, moves)),
    verdict: record.verdict,
  };
}

/**
 * A record with what was tried out in it.
 * @param {GameRecord} record
 * @param {Variation[]} lines
 * @returns {GameRecord}
 */
export const withTried = (record, lines) => ({
  ...record,
  variations: lines.map((line, n) => ({
    ...line,
    moves: line.moves.map((cell, i) => record.variations?.[n]?.moves[i] ?? { cell }),
  })),
});

/** The game of a state as the text of a record. @param {State} state */
export function recordText({ game, moves, setup, sides: [black, white], verdict }) {
  return JSON.stringify({ ...recordOf(game, [black.name, white.name], moves), ...(setup && { setup }), verdict });
}

/** The record of an unfinished game. @param {string} game @param {Pair<string>} names @param {string[]} cells */
export const recordOf = (game, [black, white], cells) =>
  /** @type {GameRecord} */ ({
    format: 'lianzi-game',
    version: 1,
    game,
    sides: [{ name: black }, { name: white }],
    moves: cells.map(cell => ({ cell })),
    verdict: { ending: 'unfinished' },
  });
