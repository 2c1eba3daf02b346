// Bringing a game to the screen: a draft, a game of the server, a record.
import { api, Refused } from './api.js';
import { openLine } from './local/line.js';
import { view, change, clear, isStill, path, redraw, variations } from './view.js';
import { draftState, recordOf, recordState, withTried } from './states.js';
import { knownBoard } from './game.js';
import { boardName } from './rulename.js';
import { receive } from './receive.js';
import { askAnalysis } from './ask.js';
import { keysOf, keepKeys, recall, remember, settings, withOneSeat } from './prefs.js';
import { hush, toast, toastError } from './toast.js';
import { t } from './words.js';
import { go, mark, route } from './router.js';
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

/**
 * Makes a game on the server and opens it.
 * @param {NewGame} wanted
 * @param {string | null} [firstCell]
 * @param {number} [kept] the only seat that stays here: the other one is a friend's from the beginning
 */
export async function makeGame(wanted, firstCell = null, kept) {
  change({ making: true, sent: firstCell ? [{ cell: firstCell, ply: 0, at: performance.now() }] : [] });
  redraw();
  try {
    const made = await api.newGame(settings().instant ? { ...wanted, instant: true } : wanted);
    const keys = { owner: made.owner, tokens: made.tokens };
    keepKeys(made.id, kept === undefined ? keys : withOneSeat(keys, kept));
    mark(`#/g/${made.id}`);
    openGame(made.id);
    return made.id;
  } catch (error) {
    change({ making: false, sent: [] });
    toastError(error);
    redraw();
    return null;
  }
}

/** Opens a game; stones that were placed while it was made go with it. @param {string} id */
export function openGame(id) {
  const before = view.draft ? view.state : null;
  const sent = view.making ? view.sent : [];
  leave();
  change({ id, state: before, sent, again: sent.length > 0 });
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
      if (!up) view.again = true;
      if (!up && (!reached || view.state?.id !== id)) findRecord(id);
      if (up) askAnalysis(true);
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
    // The front page must not lead back to what is gone.
    if (recall('unfinished', '') === id) remember('unfinished', null);
    leave();
    if (route().id !== id) return;
    // Nor does a step back; old words go when one moves, these come after.
    mark('#/');
    addEventListener('hashchange', () => toast(t('notHere')), { once: true });
    go('#/');
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
  // Sides are settled in a line that goes on: its opening rule has nothing to say any more.
  const game = boardName(state.game);
  const record = { ...recordOf(game, [black.name, white.name], path()), ...setup };
  const sides = state.sides.map(({ player, name }) => ({
    player: !isStill() && player && knows(player) ? player : 'human',
    ...(name && name !== '?' && { name }),
  }));
  const watched = sides.every(side => side.player !== 'human');
  makeGame({ game, sides, control: {}, record, ...(watched && { pace_ms: 500 }) });
}

/** The game on the screen as one to be made anew. @returns {NewGame | null} */
export function sameGame() {
  const { state, draft } = view;
  if (draft) return draft;
  if (!state) return null;
  const sides = state.sides.map(({ player, name, human }) => ({
    player,
    ...(human && name && name !== 'human' && { name }),
  }));
  const watched = state.sides.every(side => !side.human);
  return { game: state.game, sides, control: state.control ?? {}, ...(watched && { pace_ms: 500 }) };
}

/** Begins anew: the game under way stays where it is, and one word leads back to it. */
export async function startAnew() {
  const [wanted, old] = [sameGame(), view.id];
  if (!wanted) return;
  mark('#/');
  remember('unfinished', null);
  await showDraft(wanted);
  if (old) toast(t('restarted'), { words: t('takeItBack'), act: () => go(`#/g/${old}`) });
}
