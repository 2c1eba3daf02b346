// The game on the screen: what the server said last, where in it one looks, and what one tries out. Plain state and
// what follows from it; `redraw` has it drawn.
import { turnOf, stonesAfter, winningLine } from './game.js';
import { lineOf, withLine } from './lines.js';

/** @import { ClientMessage } from './types.js' */
/** @import { Analysis, GameRecord, NewGame, Review, State, Stone, Thought, Variation } from './types.js' */
/**
 * @typedef {object} Explored A line that is not the game.
 * @property {string[]} path its stones from the start
 * @property {number} from where it leaves the game
 * @property {number} at where one looks
 */

/**
 * @typedef {object} View
 * @property {string} id
 * @property {State | null} state
 * @property {number} since when the state came
 * @property {{ send: (message: ClientMessage) => boolean, close: () => void } | null} socket
 * @property {boolean} up
 * @property {NewGame | null} draft a game not yet made: the first click makes it
 * @property {GameRecord | null} record a record that is only shown
 * @property {number | null} ply where one looks; null follows the game
 * @property {Explored | null} explore
 * @property {string[][]} tried lines that were tried out and that the server does not keep
 * @property {boolean} analysing
 * @property {Analysis | null} analysis
 * @property {Review | null} review
 * @property {Thought | null} thinking
 * @property {string[]} hint
 * @property {boolean} hinting a hint was asked for and is being thought of
 * @property {string[]} preview
 * @property {boolean} threats
 * @property {string | null} pending a stone to place as soon as the game is open
 * @property {string | null} tapped
 * @property {boolean} making the server is being asked for a game; a click in the meantime is its first stone
 * @property {string | null} wish
 * @property {string} from where a shown record came from
 */

/** @returns {View} */
const nothing = () => ({
  id: '',
  state: null,
  since: 0,
  socket: null,
  up: true,
  draft: null,
  record: null,
  ply: null,
  explore: null,
  tried: [],
  analysing: false,
  analysis: null,
  review: null,
  thinking: null,
  hint: [],
  hinting: false,
  preview: [],
  threats: true,
  pending: null,
  tapped: null,
  making: false,
  wish: null,
  from: '',
});

export const view = nothing();

/** @param {Partial<View>} change */
export const change = change => Object.assign(view, change);

/** Forgets the game; whether threats are shown is the reader's choice and stays. */
export const clear = () => change({ ...nothing(), threats: view.threats });

/** @type {() => void} */
let drawing = () => {};
let waiting = 0;
/** @param {() => void} draw */
export const onChange = draw => {
  drawing = draw;
};

/** Many changes between two frames are drawn once, and none while a button is pressed (see `press`). */
export function redraw() {
  if (pressed) owed = true;
  else
    waiting ||= requestAnimationFrame(() => {
      waiting = 0;
      if (pressed) owed = true;
      else drawing();
    });
}

let pressed = false;
let owed = false;

/**
 * Whether the mouse or a finger is down. A click is a press and a release on one element: drawing in between would put
 * another in its place, and the click would be lost.
 * @param {boolean} down
 */
export function press(down) {
  pressed = down;
  if (down || !owed) return;
  owed = false;
  redraw();
}

/** Whether a record is shown that nobody plays on. */
export const isStill = () => view.record != null;
export const total = () => view.state?.moves.length ?? 0;
export const isOver = () => (view.state?.verdict.ending ?? 'unfinished') !== 'unfinished';
export const lookedAt = () => view.explore?.at ?? view.ply ?? total();
export const atEnd = () => !view.explore && view.ply == null;

/** The moves that lead to the position on the screen. */
export function path() {
  const moves = view.state?.moves ?? [];
  if (view.explore) return view.explore.path.slice(0, view.explore.at);
  return moves.slice(0, view.ply ?? moves.length);
}

/** Lines that were tried out: those of the record, and those of this browser. @returns {Variation[]} */
export function variations() {
  const game = view.state?.moves ?? [];
  return view.tried.reduce((lines, path) => withLine(game, lines, path), view.state?.variations ?? []);
}

/** @param {number} number */
export const fullLine = number => lineOf(view.state?.moves ?? [], variations(), number);

/** Whether what is tried out is kept in the record. */
export const mayKeep = () => Boolean(view.state?.owner && !isStill() && !view.draft && (isOver() || view.state.kept));

/** The seat whose turn it is: in an opening not always that of the next stone's colour. @param {State} state */
export const actor = state => state.opening?.by ?? state.to_move;

/** Whether a click tries a stone out instead of placing it in the game. @param {State} state */
export const triesOut = state => !atEnd() || isStill() || state.kept;

/** Whose stone a click would place, or null. @returns {Stone | null} */
export function clickable() {
  const { state } = view;
  if (!state) return null;
  if (triesOut(state)) return lineOver() ? null : turnOf(state, path().length).stone;
  return !isOver() && state.you.includes(actor(state)) ? state.to_move : null;
}

/** Whether the position on the screen has an end. */
export function lineOver() {
  const { state } = view;
  if (!state) return true;
  const stones = stonesAfter(state, path());
  return winningLine(state, stones) != null || stones.length + state.blocked.length >= state.width * state.height;
}
