// What a new game is to be: the last choice, who sits where by it, and how the server reads it.
import { gameName, ruleOf } from './gamepick.js';
import { openingRules } from './opening.js';
import { humanSide, engineSide, spec, valid } from './sides.js';
import { defaultEngine } from './info.js';
import { recall } from './prefs.js';

/** @typedef {import('./sides.js').Side} Side */
/** @typedef {import('./gamepick.js').GameChoice} GameChoice */
/**
 * @typedef {object} Choice
 * @property {GameChoice} game
 * @property {'computer' | 'friend' | 'two' | 'other'} who
 * @property {number} level
 * @property {'black' | 'random' | 'white'} side
 * @property {Side[]} sides who plays if it is somebody else
 * @property {'none' | 'move' | 'game'} limit
 * @property {number} perMove
 * @property {number} perGame
 * @property {number} increment
 * @property {boolean} ownClock whether the clock is written by hand
 * @property {number} series
 * @property {number} pace
 * @property {string} rule the opening rule
 * @property {boolean} more
 */

/** @returns {Choice} */
const usual = () => ({
  game: { kind: 'gomoku', rule: 'gomoku', size: 15, width: 7, height: 6, random: false, blocked: [] },
  who: 'computer',
  level: 5,
  side: 'black',
  sides: [humanSide(), engineSide(defaultEngine())],
  limit: 'none',
  perMove: 30,
  perGame: 10,
  increment: 0,
  ownClock: false,
  series: 1,
  pace: 500,
  rule: 'none',
  more: false,
});

/** @type {Choice | null} */
let choice = null;

/** What was chosen last, or the usual. @returns {Choice} */
export function current() {
  const now = choice ?? { ...usual(), ...recall('new-game', /** @type {Partial<Choice>} */ ({})) };
  now.sides = now.sides.map((/** @type {Side} */ side) => valid(side, ruleOf(now.game)));
  choice = now;
  return now;
}

/** @param {Partial<Choice>} change */
export function alter(change) {
  choice = { ...current(), ...change };
}

/** Who sits where. @param {Choice} from @returns {Side[]} */
export function seats(from) {
  if (from.who === 'other') return from.sides;
  const named = (/** @type {number} */ n) => ({ ...humanSide(), name: from.sides[n].name });
  if (from.who !== 'computer') return [named(0), named(1)];
  const engine = { ...engineSide(defaultEngine(), from.level) };
  const me = { ...humanSide(), name: from.sides.find(side => side.player === 'human')?.name };
  return sideOf(from) === 'black' ? [me, engine] : [engine, me];
}

/** A side that is left to chance is drawn once for each game. */
let drawn = '';
export function drawLots() {
  drawn = Math.random() < 0.5 ? 'black' : 'white';
}
/** @param {Choice} from */
export const sideOf = from => (from.side === 'random' ? drawn || 'black' : from.side);

/** The opening rule, if the game can begin by it. @param {Choice} from */
export const ruleFor = ({ game, rule }) => (openingRules(game).includes(rule) ? rule : 'none');

/** The game's name with its opening rule. @param {Choice} from */
export const nameOf = from => gameName(from.game) + (ruleFor(from) === 'none' ? '' : `+${ruleFor(from)}`);

/** Whether engines play each other. @param {Choice} from */
export const watched = from => seats(from).every(side => side.player !== 'human');

/** The choice as the server reads it. @param {Choice} from @returns {import('./types.js').NewGame} */
export function wanted(from) {
  const control =
    from.limit === 'move'
      ? { per_move_ms: from.perMove * 1000 }
      : from.limit === 'game'
        ? { per_game_ms: from.perGame * 60_000, ...(from.increment && { increment_ms: from.increment * 1000 }) }
        : {};
  const sides = seats(from).map(side => ({
    player: spec(side),
    ...(side.player === 'human' && side.name && { name: side.name }),
  }));
  return {
    game: nameOf(from),
    sides,
    control,
    ...(from.series > 1 && { series: from.series }),
    ...(watched(from) && { pace_ms: from.pace }),
  };
}

/** The board that greets: what was played last if a person takes part, else the usual. */
export function readyDraft() {
  const from = current();
  return wanted(!watched(from) && from.who !== 'friend' ? from : usual());
}
