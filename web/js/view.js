// The game on the screen: what the server said last, where in it one looks, and what one tries out. Plain state and
// what follows from it; `redraw` has it drawn.
import { turnOf, stonesAfter, winningLine } from './game.js';
import { lineOf, withLine } from './lines.js';

/** @import { ClientMessage } from './types.js' */
/** @import { Analysis, GameRecord, NewGame, Review, Reviewed, State, Stone, Variation } from './types.js' */
/** @typedef {{ cell: string, ply: number, at: number }} Sent A stone on its way to the server, and since when. */
/**
 * @typedef {object} Reviewing The review on the screen.
 * @property {number | null} ply the turn that is looked at
 * @property {boolean} both whether the other side's mistakes are listed too
 * @property {Trying | null} trying
 */
/**
 * @typedef {{ ply: number, turn: string[], answer: Reviewed | null, asked: boolean }} Trying A better turn is
 * sought.
 */
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
 * @property {Map<number, number>} seen Black's chance at positions of the game that the engine was asked about
 * @property {Review | null} review
 * @property {string[]} hint
 * @property {boolean} hinting a hint was asked for and is being thought of
 * @property {string[]} preview
 * @property {boolean} threats
 * @property {Sent[]} sent stones that were placed and that the server has not confirmed
 * @property {string | null} aimed the cell a finger aims at
 * @property {Reviewing | null} reviewing
 * @property {boolean} making the server is being asked for a game; a click in the meantime is its first stone
 * @property {boolean} again the game was being made, or the line was down: what waits has to be sent
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
  seen: new Map(),
  review: null,
  hint: [],
  hinting: false,
  preview: [],
  threats: false,
  sent: [],
  aimed: null,
  reviewing: null,
  making: false,
  again: false,
  from: '',
});

export const view = nothing();

/** @param {Partial<View>} change */
export const change = change => Object.assign(view, change);

/** Forgets the game. */
export const clear = () => change(nothing());

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
/** What else is to be drawn once nothing is pressed. @type {Set<() => void>} */
const late = new Set();

/** Draws a part of the page now, or once nothing is pressed. @param {() => void} draw */
export function unpressed(draw) {
  if (pressed) late.add(draw);
  else draw();
}

/**
 * Whether the mouse or a finger is down. A click is a press and a release on one element: drawing in between would put
 * another in its place, and the click would be lost.
 * @param {boolean} down
 */
export function press(down) {
  pressed = down;
  if (down) return;
  const all = [...late];
  late.clear();
  all.forEach(draw => draw());
  if (owed) redraw();
  owed = false;
}

/** A click is on its way to its element: what it changes may be drawn at once. */
export function clicked() {
  pressed = false;
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

/** The stones on their way, and those that lie. */
export const withSent = () => (atEnd() ? path().concat(view.sent.map(one => one.cell)) : path());

/** The game as it is once the stones on their way have arrived. @param {State} state @returns {State} */
export function ahead(state) {
  if (!view.sent.length || state.opening) return state;
  const moves = state.moves.concat(view.sent.map(one => one.cell));
  return { ...state, moves, to_move: turnOf(state, moves.length).stone };
}

/** Whose stone a click would place, or null. @returns {Stone | null} */
export function clickable() {
  const { state } = view;
  if (!state) return null;
  if (view.reviewing?.trying) return view.reviewing.trying.asked ? null : turnOf(state, tryPath().length).stone;
  if (triesOut(state)) return lineOver() ? null : turnOf(state, path().length).stone;
  if (isOver()) return null;
  const next = view.sent.length ? turnOf(state, withSent().length).stone : state.to_move;
  // While sides are open, who places stones places all of them.
  const { opening } = state;
  const owed =
    !opening || view.making || (opening.want === 'stone' && !opening.swap && opening.left > view.sent.length);
  const mover = view.sent.length && !opening ? next : actor(state);
  return state.you.includes(mover) && (owed || !view.sent.length) ? next : null;
}

/** The stones of the turn that is tried again, behind those of the game. */
export function tryPath() {
  const trying = view.reviewing?.trying;
  return trying ? (view.state?.moves ?? []).slice(0, trying.ply).concat(trying.turn) : path();
}

/** Who looks at the board: the side one plays, if it is one. @returns {Stone | null} */
export const mySide = () => (view.state?.you.length === 1 ? view.state.you[0] : null);

/** Two people play, each on a screen of their own. */
export const isBetween = () => Boolean(view.state?.between);

/** Whether hints and analyses may be asked for. */
export const mayAsk = () => view.state?.advice !== false || isOver();

/** Whether the position on the screen has an end. */
export function lineOver() {
  const { state } = view;
  if (!state) return true;
  const stones = stonesAfter(state, path());
  return winningLine(state, stones) != null || stones.length + state.blocked.length >= state.width * state.height;
}
