// Bringing a game to the screen: a draft, a game of the server, a record.
import { api, Refused } from './api.js';
import { openLine } from './local/line.js';
import { view, change, clear, isStill, path, redraw, variations } from './view.js';
import { draftState, recordOf, recordState, withTried } from './states.js';
import { knownBoard } from './game.js';
import { receive } from './receive.js';
import { askAnalysis } from './ask.js';
import { keysOf, keepKeys } from './prefs.js';
import { hush, toast, toastError } from './toast.js';
import { t } from './words.js';
import { mark } from './router.js';
import { knows } from './info.js';

/** @import { Chance, GameRecord, NewGame } from './types.js' */

function leave() {
  view.socket?.close();
  clear();
  hush();
}

/** Shows an empty board whose first click makes the game. @param {NewGame} draft */
export async function showDraft(draft) {
  leave();
  view.draft = draft;
  const known = knownBoard(draft.game);
  if (known) view.state = draftState(known, draft);
  redraw();
  if (known) return;
  try {
    const board = await api.rules(draft.game);
    if (view.draft !== draft) return;
    // A board drawn at random stays the one that is on the screen.
    view.draft = { ...draft, game: board.game };
    view.state = draftState(board, view.draft);
  } catch (error) {
    toastError(error);
  }
  redraw();
}

/** Makes a game on the server and opens it. @param {NewGame} wanted @param {string | null} [firstCell] */
export async function makeGame(wanted, firstCell = null) {
  change({ making: true, wish: firstCell });
  try {
    const made = await api.newGame(wanted);
    keepKeys(made.id, { owner: made.owner, tokens: made.tokens });
    mark(`#/g/${made.id}`);
    openGame(made.id, view.wish);
    return made.id;
  } catch (error) {
    change({ making: false, wish: null });
    toastError(error);
    redraw();
    return null;
  }
}

/** @param {string} id @param {string | null} [pending] a cell to place as soon as the game is open */
export function openGame(id, pending = null) {
  const before = view.draft ? view.state : null;
  leave();
  change({ id, state: before, pending });
  connect();
  redraw();
}

/** (Re)opens the line, for instance when seats have changed. */
export function connect() {
  view.socket?.close();
  const { id } = view;
  view.socket = openLine(id, keysOf(id), {
    message: message => view.id === id && receive(message),
    status: (up, reached) => {
      if (view.id !== id) return;
      view.up = up;
      if (!up && (!reached || view.state?.id !== id)) findRecord(id);
      if (up && view.analysing) askAnalysis(true);
      redraw();
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

/** Shows a record that nobody plays on. @param {GameRecord} record @param {Chance[]} [chances] @param {string} [id] */
export async function showRecord(record, chances = [], id = '') {
  const board = knownBoard(record.game) ?? (await api.rules(record.game));
  leave();
  change({ id, record, state: recordState(board, record, chances) });
  redraw();
}

/** Does something that needs a game on the server: a draft is made, a record is kept, first. @param {() => void} act */
export async function onServer(act) {
  const { ply, explore, draft } = view;
  if (!isStill() && !draft) return act();
  const there = draft ? await makeGame(draft) : await keepRecord();
  if (!there) return;
  change({ ply, explore });
  act();
}

/** Keeps the record on the screen in the library, with what was tried out in it, and shows it from there. */
export async function keepRecord() {
  const { record, state } = view;
  if (!record || !state) return false;
  try {
    const lines = variations();
    const kept = await api.keep(withTried(record, lines));
    keepKeys(kept.id, { owner: kept.owner, tokens: [] });
    mark(`#/g/${kept.id}`);
    openGame(kept.id);
    view.state = { ...state, variations: lines };
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
  const [black, white] = state.sides;
  const setup = state.setup ? { setup: state.setup } : {};
  const record = { ...recordOf(state.game, [black.name, white.name], path()), ...setup };
  const sides = state.sides.map(({ player, name }) => ({
    player: !isStill() && player && knows(player) ? player : 'human',
    ...(name && name !== '?' && { name }),
  }));
  const watched = sides.every(side => side.player !== 'human');
  makeGame({ game: state.game, sides, control: {}, record, ...(watched && { pace_ms: 500 }) });
}
