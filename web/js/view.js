// The game on the screen: what the server said last, where in it one looks, and what one tries out. Plain state;
// `changed`
// draws it.
import { api, Refused } from './api.js';
import { Line } from './socket.js';
import { keysOf, keepKeys } from './prefs.js';
import { turnOf, stonesAfter, landing, winningLine, knownBoard, lineOf, shared, withLine } from './game.js';
import { announce, hush, toast, toastError } from './toast.js';
import { t, say, sideWords } from './words.js';
import { play as sound } from './sound.js';
import { mark } from './router.js';
import { info } from './info.js';

/** @typedef {import('./game.js').Stone} Stone */
/** @typedef {import('./game.js').Board} Board */
/** @typedef {import('./game.js').Variation} Variation */
/** @typedef {{ score: number, win_in?: number | null, chance?: number | null, cells: string[] }} Advice */
/** @typedef {{ depth: number, nodes: number, lines: Advice[] }} Info */
/**
 * @typedef {{ phase: 'open' | 'choose' | 'two' | 'decide', by: Stone, left: number }} Opening Where a swap2 opening
 * stands.
 */
/**
 * @typedef {Record<string, any> & Board & { swap2?: Opening | null, moves: string[], to_move: Stone, you: Stone[],
 * sides: any[] }} State
 */

export const view = {
  id: '',
  /** @type {State | null} */
  state: null,
  /** When the state came. */
  since: 0,
  /** @type {Line | null} */
  socket: null,
  up: true,
  /** A game not yet made: the first click makes it. @type {any} */
  draft: null,
  /** A record that is only shown. */
  still: false,
  /** @type {any} */
  record: null,
  /** Where one looks; null follows the game. @type {number | null} */
  ply: null,
  /**
   * A line that is not the game: its stones from the start, where it leaves the game, and where one looks.
   * @type {{ path: string[], from: number, at: number } | null}
   */
  explore: null,
  /** Lines that were tried out and that the server does not keep. @type {string[][]} */
  tried: [],
  analysing: false,
  /** @type {any} */
  analysis: null,
  /** @type {any} */
  review: null,
  /** @type {Info | null} */
  thinking: null,
  /** @type {string[]} */
  hint: [],
  /** A hint was asked for and is being thought of. */
  hinting: false,
  /** @type {string[]} */
  preview: [],
  threats: true,
  /** @type {string | null} */
  pending: null,
  /** @type {string | null} */
  tapped: null,
  /** The server is being asked for a game; a click in the meantime is its first stone. */
  making: false,
  /** @type {string | null} */
  wish: null,
  /** Where a shown record came from. */
  from: '',
};

/** @type {() => void} */
let drawing = () => {};
let waiting = 0;
/** @param {() => void} draw */
export const onChange = draw => {
  drawing = draw;
};

/** Many changes between two frames are drawn once. */
function changed() {
  waiting ||= requestAnimationFrame(() => {
    waiting = 0;
    drawing();
  });
}
export const redraw = () => changed();

export const total = () => view.state?.moves.length ?? 0;
export const isOver = () => (view.state?.verdict?.ending ?? 'unfinished') !== 'unfinished';
export const lookedAt = () => view.explore?.at ?? view.ply ?? total();
export const atEnd = () => !view.explore && view.ply == null;

/** The moves that lead to the position on the screen. @returns {string[]} */
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

/** Whether what is tried out is kept in the record. */
export const mayKeep = () => Boolean(view.state?.owner && !view.still && !view.draft && (isOver() || view.state.kept));

/**
 * The seat whose turn it is: in a swap2 opening not always that of the next stone's colour.
 * @param {State} state
 * @returns {Stone}
 */
export const actor = state => state.swap2?.by ?? state.to_move;

/** Whose stone a click would place, or null. @returns {Stone | null} */
export function clickable() {
  const { state } = view;
  if (!state) return null;
  if (!atEnd() || view.still || state.kept) return lineOver() ? null : turnOf(state, path().length).stone;
  return !isOver() && state.you.includes(actor(state)) ? state.to_move : null;
}

function lineOver() {
  const { state } = view;
  if (!state) return true;
  const stones = stonesAfter(state, path());
  return winningLine(state, stones) != null || stones.length + state.blocked.length >= state.width * state.height;
}

function reset() {
  view.socket?.close();
  Object.assign(view, {
    id: '',
    state: null,
    socket: null,
    up: true,
    draft: null,
    still: false,
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
    pending: null,
    tapped: null,
    making: false,
    wish: null,
    from: '',
  });
  hush();
}

/** Shows an empty board whose first click makes the game. @param {any} draft a NewGame */
export async function showDraft(draft) {
  reset();
  view.draft = draft;
  const known = knownBoard(draft.game);
  if (known) view.state = draftState(known, draft);
  changed();
  if (known) return;
  try {
    const board = await api.rules(draft.game);
    // A board drawn at random stays the one that is on the screen.
    if (view.draft === draft) view.state = draftState(board, (view.draft = { ...draft, game: board.game }));
  } catch (error) {
    toastError(error);
  }
  changed();
}

/** @param {Board} board @param {any} draft @returns {State} */
function draftState(board, draft) {
  const sides = draft.sides.map((/** @type {any} */ side) => ({
    ...side,
    human: side.player === 'human',
    thinking: false,
  }));
  const you = /** @type {Stone[]} */ (['black', 'white'].filter((_, n) => sides[n].human));
  const face = { used_ms: 0, turn_ms: 0, left_ms: null };
  const series = draft.series > 1 ? { length: draft.series, wins: [0, 0], draws: 0, game: 1, over: false } : null;
  return {
    ...board,
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
    you,
    owner: true,
    clocks: [face, face],
    running: false,
    series,
    swap2: draft.swap2 ? { phase: 'open', by: 'black', left: 3 } : null,
  };
}

/** Makes a game on the server and opens it. @param {any} wanted a NewGame @param {string | null} [firstCell] */
export async function makeGame(wanted, firstCell = null) {
  Object.assign(view, { making: true, wish: firstCell });
  try {
    const made = await api.newGame(wanted);
    keepKeys(made.id, { owner: made.owner, tokens: made.tokens });
    mark(`#/g/${made.id}`);
    openGame(made.id, view.wish);
    return made.id;
  } catch (error) {
    Object.assign(view, { making: false, wish: null });
    toastError(error);
    changed();
    return null;
  }
}

/** @param {string} id @param {string | null} [pending] a cell to place as soon as the game is open */
export function openGame(id, pending = null) {
  const before = view.draft ? view.state : null;
  reset();
  Object.assign(view, { id, state: before, pending });
  connect();
  changed();
}

/** (Re)opens the line, for instance when seats have changed. */
export function connect() {
  view.socket?.close();
  const { id } = view;
  view.socket = new Line(id, keysOf(id), {
    message: message => view.id === id && receive(message),
    status: (up, reached) => {
      if (view.id !== id) return;
      view.up = up;
      if (!up && (!reached || view.state?.id !== id)) findRecord(id);
      if (up && view.analysing) askAnalysis(true);
      changed();
    },
  });
}

/** The line does not open: perhaps there is no such game, or it can only be shown. @param {string} id */
async function findRecord(id) {
  try {
    const { record, chances, live } = await api.game(id);
    if (view.id !== id || view.state?.id === id || live) return;
    showRecord(record, chances, id);
  } catch (error) {
    if (view.id !== id || !(error instanceof Refused) || error.status !== 404) return;
    view.socket?.close();
    toast(t('notHere'));
  }
}

/**
 * Shows a record that nobody plays on.
 * @param {any} record
 * @param {(number | null)[]} [chances]
 * @param {string} [id]
 */
export async function showRecord(record, chances = [], id = '') {
  const board = knownBoard(record.game) ?? (await api.rules(record.game));
  reset();
  Object.assign(view, { id, still: true, record });
  const moves = record.moves.map((/** @type {any} */ move) => move.cell ?? move);
  const face = { used_ms: 0, turn_ms: 0, left_ms: null };
  const base = { ...board, setup: record.setup ?? null };
  const stones = stonesAfter(base, moves);
  const next = turnOf(base, moves.length);
  view.state = {
    ...base,
    moves,
    times: record.moves.map((/** @type {any} */ move) => move.time_ms ?? null),
    evals: record.moves.map((/** @type {any} */ move) => move.eval ?? null),
    chances,
    variations: linesOf(record),
    undone: 0,
    to_move: next.stone,
    stones_left: next.left,
    forbidden: [],
    winning_line: winningLine(base, stones),
    verdict: record.verdict ?? { ending: 'unfinished' },
    words: null,
    sides: (record.sides ?? [{}, {}]).map((/** @type {any} */ side) => ({
      name: side.name || '?',
      player: side.name || '?',
      human: false,
      thinking: false,
    })),
    you: [],
    owner: false,
    clocks: [face, face],
    running: false,
    series: null,
  };
  changed();
}

/** The lines of a record, as cells. @param {any} record @returns {Variation[]} */
const linesOf = record =>
  (record.variations ?? []).map((/** @type {any} */ line) => ({
    ...line,
    moves: line.moves.map((/** @type {any} */ move) => move.cell ?? move),
  }));

/** A record with what was tried out in it. @param {any} record @param {Variation[]} lines */
const withTried = (record, lines) => ({
  ...record,
  variations: lines.map((line, n) => ({
    ...line,
    moves: line.moves.map((cell, i) => record.variations?.[n]?.moves[i] ?? { cell }),
  })),
});

/** @param {any} message */
function receive(message) {
  if (message.type === 'state') return takeState(message);
  if (message.type === 'error') {
    view.hinting = false;
    toast(message);
  } else if (message.type === 'thinking') view.thinking = message.info;
  else if (message.type === 'review') takeReview(message);
  else if (message.type === 'hint') takeHint(message);
  else if (message.type === 'analysis' && view.analysing && String(message.moves) === String(path()))
    view.analysis = message;
  else return;
  changed();
}

/** @param {any} message */
function takeReview(message) {
  view.review = message;
  // The server thinks of one thing at a time for a page; the position comes again when the review is over.
  if (message.done) askAnalysis(true);
}

/** @param {any} message */
function takeHint(message) {
  Object.assign(view, { hint: message.turn, hinting: false });
  announce(`${t('hint')}: ${message.turn.join(' ')}`);
  askAnalysis(true);
}

/** @param {State} state */
function takeState(state) {
  const before = view.state?.id === state.id ? view.state : null;
  Object.assign(view, { state, since: performance.now(), thinking: null, up: true });
  const same =
    before && before.moves.length === state.moves.length && before.moves.every((cell, n) => cell === state.moves[n]);
  if (!same) moved(before, state);
  keepOwner(state);
  if (view.ply != null && view.ply >= state.moves.length) view.ply = null;
  if (view.explore && view.explore.from > state.moves.length) view.explore = null;
  const ended = state.verdict.ending !== 'unfinished';
  if (ended && before && before.verdict.ending === 'unfinished') {
    announce(say(state.words));
    sound('end');
  }
  if (before?.swap2 && !state.swap2 && !ended) tellSides(state);
  const { pending } = view;
  view.pending = null;
  if (pending && state.you.includes(actor(state))) send({ type: 'place', cell: pending, ply: state.moves.length });
  askAnalysis();
  changed();
}

/** The sides are settled. @param {State} state */
function tellSides({ you, sides }) {
  toast(
    you.length === 1
      ? t('youAre', { side: t(you[0]) })
      : t('sidesAre', { black: sideWords(sides[0]), white: sideWords(sides[1]) }),
  );
}

/** The game before this one stays in the library, and its owner the same. @param {State} state */
function keepOwner(state) {
  const { owner } = keysOf(state.id);
  if (state.before && owner && !keysOf(state.before).owner) keepKeys(state.before, { owner, tokens: [] });
}

/** @param {State | null} before @param {State} state */
function moved(before, state) {
  Object.assign(view, { hint: [], hinting: !before && view.hinting, tapped: null });
  const grown = before && state.moves.length > before.moves.length;
  if (!grown) {
    Object.assign(view, { review: null, explore: before ? null : view.explore, tried: before ? [] : view.tried });
    return;
  }
  const fresh = state.moves
    .slice(before.moves.length)
    .map((cell, n) => t('placed', { side: t(turnOf(state, before.moves.length + n).stone), cell }));
  announce(fresh.join(', '));
  hush();
  sound('stone');
}

/** Sends, or says that the line is down. @param {any} message */
export function send(message) {
  if (view.still || !view.socket) return toast(t(view.draft ? 'noGameYet' : 'onlyShown'));
  if (!view.socket.send(message)) toast(t('offline'));
}

/**
 * What a click or Enter on a cell does.
 * @param {string} aimed
 * @param {boolean} touch
 * @param {number} size of a cell on the screen
 */
export function pick(aimed, touch, size) {
  const { state } = view;
  if (!state) return;
  const taken = new Set(stonesAfter(state, path()).map(stone => stone.cell));
  const free = !atEnd() || view.still || state.kept;
  if (free && lineOver()) return toast(t('lineOver'));
  if (!free && isOver()) return toast(t('gameOver'));
  const cell = landing(state, taken, aimed);
  if (!cell) return toast(refusal(state, aimed, taken));
  if (free) return tryOut(cell);
  if (!state.you.includes(actor(state)))
    return toast(state.you.length ? t('notYours', { side: t(actor(state)) }) : t('watchingOnly'));
  if (state.forbidden.includes(cell)) return toast(t('forbiddenCell', { cell }));
  if (touch && size < 23 && !state.drop && view.tapped !== cell) {
    view.tapped = cell;
    toast(t('tapAgain', { cell }));
    return changed();
  }
  view.tapped = null;
  if (view.making) view.wish = cell;
  else if (view.draft) makeGame(view.draft, cell);
  else if (!view.pending) send({ type: 'place', cell, ply: state.moves.length });
}

/** @param {State} state @param {string} cell @param {Set<string>} taken */
function refusal(state, cell, taken) {
  if (state.drop) return t('columnFull', { c: cell.replace(/\d+/, '') });
  return taken.has(cell) ? t('taken', { cell }) : t('blockedCell', { cell });
}

/** @param {string} cell */
function tryOut(cell) {
  const [next, at] = [[...path(), cell], lookedAt() + 1];
  const ahead = (view.explore?.path ?? view.state?.moves ?? [])[at - 1];
  sound('stone');
  // The move that was played anyway is a step along the line, not a new one.
  if (ahead === cell) return jump(at);
  keepLine(next);
  const known =
    variations()
      .map((_, n) => fullLine(n + 1))
      .find(line => shared(line, next) === at) ?? next;
  view.explore = { path: known, from: shared(view.state?.moves ?? [], next), at };
  announce(t('placed', { side: t(turnOf(/** @type {State} */ (view.state), at - 1).stone), cell }));
  look();
}

/** @param {string[]} line */
function keepLine(line) {
  if (mayKeep()) send({ type: 'keep', moves: line });
  else view.tried.push(line);
}

/** @param {number} number */
export const fullLine = number => lineOf(view.state?.moves ?? [], variations(), number);

/** Looks at a line that was tried out before. @param {number} number @param {number} at */
export function openLine(number, at) {
  const line = fullLine(number);
  view.explore = { path: line, from: shared(view.state?.moves ?? [], line), at };
  look();
}

/** Forgets a line that is kept. @param {number} number */
export function forgetLine(number) {
  leaveLine();
  send({ type: 'forget', line: number });
}

export function leaveLine() {
  if (!view.explore) return;
  view.ply = view.explore.from;
  view.explore = null;
  if (view.ply >= total()) view.ply = null;
  look();
}

/** Looks at the position after `ply` stones. @param {number} ply */
export function jump(ply) {
  const explore = view.explore;
  if (explore && ply > explore.from) {
    explore.at = Math.min(explore.path.length, ply);
  } else {
    view.explore = null;
    const to = Math.max(0, ply);
    view.ply = to >= total() ? null : to;
    const last = path().length;
    announce(
      last
        ? t('placed', {
            side: t(turnOf(/** @type {State} */ (view.state), last - 1).stone),
            cell: `${path()[last - 1]} (${last})`,
          })
        : t('beginning'),
    );
  }
  look();
}

/** Looks at the game itself, not at a line that leaves it. @param {number} ply */
export function jumpGame(ply) {
  view.explore = null;
  jump(ply);
}

function look() {
  view.hint = [];
  view.preview = [];
  view.tapped = null;
  askAnalysis();
  changed();
}

/** Does something that needs a game on the server: a draft is made, a record is kept, first. @param {() => void} act */
export async function onServer(act) {
  if (!view.still && !view.draft) return act();
  const ply = view.ply;
  const { explore, draft } = view;
  if (draft) {
    if (!(await makeGame(draft))) return;
  } else if (!(await keepRecord())) return;
  Object.assign(view, { ply, explore });
  act();
}

/** Asks for the engine's move; it takes a moment, and the button says so. */
export const askHint = () =>
  onServer(() => {
    view.hinting = !isOver();
    send({ type: 'hint' });
    changed();
  });

/** Keeps the record on the screen in the library, with what was tried out in it, and shows it from there. */
export async function keepRecord() {
  try {
    const kept = await api.keep(withTried(view.record, variations()));
    keepKeys(kept.id, { owner: kept.owner, tokens: [] });
    const state = { .../** @type {State} */ (view.state), variations: variations() };
    mark(`#/g/${kept.id}`);
    openGame(kept.id);
    view.state = state;
    toast(t('keptWords'));
    return true;
  } catch (error) {
    toastError(error);
    return false;
  }
}

/** A new game that goes on from the position on the screen, with the same players where the server has them. */
export function playOn() {
  const { state } = view;
  if (!state) return;
  const known = (/** @type {string} */ player) =>
    info()?.engines.includes(player.split('@')[0]) || info()?.players.some(one => one.player === player);
  const sides = state.sides.map(({ player, name }) => ({
    player: !view.still && player && known(player) ? player : 'human',
    ...(name && name !== '?' && { name }),
  }));
  const record = {
    format: 'lianzi-game',
    version: 1,
    game: state.game,
    ...(state.setup && { setup: state.setup }),
    sides: state.sides.map(({ name }) => ({ name: name ?? '' })),
    moves: path().map(cell => ({ cell })),
    verdict: { ending: 'unfinished' },
  };
  makeGame({
    game: state.game,
    sides,
    control: {},
    record,
    ...(sides.every(side => side.player !== 'human') && { pace_ms: 500 }),
  });
}

let asked = '';

/** Turns the engine on or off for the position on the screen. @param {boolean} on */
export function analyse(on) {
  if (on && (view.still || view.draft)) return onServer(() => analyse(true));
  view.analysing = on;
  view.analysis = null;
  view.preview = [];
  if (on) askAnalysis(true);
  else send({ type: 'analyse', moves: null });
  changed();
}

/** Asks about the position on the screen, once. @param {boolean} [again] */
function askAnalysis(again = false) {
  const { state } = view;
  if (!view.analysing || !state) return;
  const moves = path();
  const key = `${view.id} ${moves}`;
  if (key === asked && !again && view.analysis) return;
  asked = key;
  view.analysis = null;
  if (lineOver()) return;
  send({ type: 'analyse', moves, lines: state.drop ? state.width : 5 });
}
