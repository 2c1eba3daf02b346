// The strips above and below the panel: who plays, what they do just now, and their clock.
import { h, put, renew, s, attr } from './dom.js';
import { drawStone } from './board.js';
import { icon } from './icons.js';
import { view, actor, isOver, total } from './view.js';
import { index, turnOf } from './game.js';
import { faceNow, leftWords, alarm } from './clocks.js';
import { roleWords } from './opening.js';
import { controlWords, seriesWords } from './status.js';
import { gameWords, sideName, sideTag, stoneName, t } from './words.js';
import { kindOf } from './game.js';

/** @import { State, Stone } from './types.js' */

/** The stone of a side as a picture. @param {{ drop: boolean }} game @param {string} stone */
export const stonePicture = (game, stone) =>
  s(
    'svg',
    { class: `board seat${game.drop ? ' drop' : ''}`, viewBox: '-1 -1 22.500 22.500', 'aria-hidden': 'true' },
    drawStone({ width: 1, height: 1, blocked: [], drop: game.drop }, { cell: 'a1', stone }),
  );

/** Who sits below: the reader, or whoever has Black. @param {State | null} state @returns {[Stone, Stone]} top first */
export const seating = state =>
  state?.you.length === 1 && state.you[0] === 'white' ? ['black', 'white'] : ['white', 'black'];

/** The last turn of a side and how long it took. @param {State} state @param {Stone} stone */
function lastTurn(state, stone) {
  const own = state.moves.map((_, n) => n).filter(n => turnOf(state, n).stone === stone);
  const last = own.at(-1);
  if (last == null) return '';
  const { turn } = turnOf(state, last);
  const cells = own.filter(n => turnOf(state, n).turn === turn).map(n => state.moves[n]);
  const ms = state.times[last];
  const time = ms == null || ms < 50 ? '' : ` · ${(ms / 1000).toFixed(1)} ${t('seconds')}`;
  return cells.join(' ') + time;
}

/** What a side does just now. @param {State} state @param {Stone} stone */
function doing(state, stone) {
  const { outcome } = state.verdict;
  if (isOver() && outcome) {
    if (outcome === 'draw') return h('span', { class: 'now' }, t('drawShort'));
    const won = outcome === stone;
    return h(
      'span',
      { class: `now ${won ? 'won' : ''}` },
      won ? icon('check') : null,
      t(won ? 'wonShort' : 'lostShort'),
    );
  }
  const side = state.sides[index(stone)];
  if (side.thinking)
    return h(
      'span',
      { class: 'now' },
      h('span', { class: 'spinner' }),
      h('span', { 'data-thinks': stone }, t('thinkingNow')),
    );
  if (actor(state) !== stone || isOver()) return h('span', { class: 'now quiet' }, lastTurn(state, stone));
  const left = turnOf(state, total()).left;
  const pips =
    state.per_turn > 1 && !state.opening && total() > 0
      ? h('span', { class: 'pips' }, h('i', { class: left === 1 ? 'done' : '' }), h('i'))
      : null;
  const mine = state.you.length === 1 && state.you[0] === stone;
  if (!state.you.length && !mine) return h('span', { class: 'now' }, t('moveOf'));
  const words = h('span', { class: 'now-words' }, t(mine ? 'yourMove' : 'moveOf'));
  return h('span', { class: 'now turn' }, pips ?? h('i', { class: 'bead' }), words);
}

/**
 * What stands below the name; which game it is, only once.
 * @param {State} state
 * @param {Stone} stone
 * @param {boolean} below
 */
function about(state, stone, below) {
  const mine = state.you.includes(stone) && (below || state.you.length === 1);
  const facts =
    mine || (state.you.length === 0 && below) ? [gameWords(kindOf(state.game)), controlWords(state.control)] : [];
  const name = stoneName(state, stone);
  const known = sideName(state, stone) === name;
  const awaited = state.you.length === 1 && !mine && state.sides[index(stone)].human && !state.between && !isOver();
  if (awaited) return t('invited');
  const [who, game] = [[known ? '' : name, roleWords(state, stone)], facts].map(all => all.filter(Boolean).join(' · '));
  return [who, game ? h('span', { class: 'game-facts' }, who ? ' · ' : '', game) : null];
}

/** @param {HTMLElement} strip @param {Stone} stone @param {boolean} below */
export function drawStrip(strip, stone, below) {
  const { state } = view;
  if (!state) return put(strip);
  const side = state.sides[index(stone)];
  const active = !isOver() && actor(state) === stone;
  const won = isOver() && state.verdict.outcome === stone;
  const clock = state.control?.per_move_ms || state.control?.per_game_ms || state.clocks[index(stone)].left_ms != null;
  // A clock leaves room for one word.
  const tag = side.human ? '' : sideTag(side, Boolean(clock));
  attr(strip, {
    class: `strip ${below ? 'below' : 'above'} ${active || won ? 'active' : 'idle'}${clock ? ' clocked' : ''}`,
    'aria-current': active ? 'true' : null,
    'data-side': stone,
  });
  renew(
    strip,
    stonePicture(state, stone),
    h(
      'div',
      { class: 'who' },
      h(
        'div',
        { class: 'who-line' },
        h('span', { class: 'name' }, sideName(state, stone)),
        tag ? h('span', { class: 'tag' }, tag) : null,
        state.between && side.here === false ? h('span', { class: 'tag warn' }, t('away')) : null,
        !view.up && below ? h('span', { class: 'tag warn down' }, t('offlineTag')) : null,
      ),
      h('small', {}, below && state.series ? seriesWords(state) : about(state, stone, below)),
    ),
    doing(state, stone),
    clock ? h('b', { class: 'clock', 'data-clock': index(stone) }) : null,
  );
}

/** Moves the clocks and the time of thinking on. @param {Element} panel */
export function tick(panel) {
  const { state } = view;
  if (!state) return;
  for (const n of [0, 1]) {
    const stone = n ? 'white' : 'black';
    const ticking = Boolean(state.running && !isOver() && state.to_move === stone);
    const face = faceNow(state.clocks[n], ticking, view.since);
    // Whose time ran out has none, whatever the last message said.
    const out = state.verdict.ending === 'timeout' && state.verdict.blame === stone;
    const clock = panel.querySelector(`[data-clock="${n}"]`);
    if (clock && face.left != null) {
      clock.textContent = leftWords(out ? 0 : face.left);
      attr(clock, { class: `clock ${ticking || out ? alarm(out ? 0 : face.left) : ''}` });
    }
    const thinks = panel.querySelector(`[data-thinks="${stone}"]`);
    const seconds = Math.floor(face.turn / 1000);
    if (thinks) thinks.textContent = seconds > 0 && !clock ? t('thinkingFor', { n: seconds }) : t('thinkingNow');
  }
}
