// Looking around: steps through the game, lines that leave it, and stones that are tried out.
import { view, change, fullLine, lookedAt, mayKeep, path, redraw, total, variations } from './view.js';
import { askAnalysis, send } from './ask.js';
import { stoneWords } from './news.js';
import { shared } from './lines.js';
import { play } from './sound.js';
import { announce } from './toast.js';
import { t } from './words.js';

function look() {
  change({ hint: [], preview: [], aimed: null });
  askAnalysis();
  redraw();
}

/** Looks at the position after `ply` stones. @param {number} ply */
export function jump(ply) {
  const { explore, state } = view;
  if (explore && ply > explore.from) {
    explore.at = Math.min(explore.path.length, ply);
  } else {
    const to = Math.max(0, ply);
    change({ explore: null, ply: to >= total() ? null : to });
    const last = path().length;
    announce(state && last ? stoneWords(state, last - 1, `${path()[last - 1]} (${last})`) : t('beginning'));
  }
  look();
}

/** Looks at the game itself, not at a line that leaves it. @param {number} ply */
export function jumpGame(ply) {
  view.explore = null;
  jump(ply);
}

/** Looks at a line that was tried out before. @param {number} number @param {number} at */
export function openLine(number, at) {
  const line = fullLine(number);
  view.explore = { path: line, from: shared(view.state?.moves ?? [], line), at };
  look();
}

export function leaveLine() {
  if (!view.explore) return;
  const { from } = view.explore;
  change({ explore: null, ply: from >= total() ? null : from });
  look();
}

/** Forgets a line that is kept. @param {number} number */
export function forgetLine(number) {
  leaveLine();
  send({ type: 'forget', line: number });
}

/** Places a stone that is not in the game. @param {string} cell */
export function tryOut(cell) {
  const { state } = view;
  if (!state) return;
  const [next, at] = [[...path(), cell], lookedAt() + 1];
  const ahead = (view.explore?.path ?? state.moves)[at - 1];
  play('stone');
  // The move that was played anyway is a step along the line, not a new one.
  if (ahead === cell) return jump(at);
  keepLine(next);
  const lines = variations().map((_, n) => fullLine(n + 1));
  const known = lines.find(line => shared(line, next) === at) ?? next;
  view.explore = { path: known, from: shared(state.moves, next), at };
  announce(stoneWords(state, at - 1, cell));
  look();
}

/** @param {string[]} line */
function keepLine(line) {
  if (mayKeep()) send({ type: 'keep', moves: line });
  else view.tried.push(line);
}
