// Choosing who plays: a person, an engine with a strength, or a program the server knows.
import { h } from './dom.js';
import { info, plays, defaultEngine } from './info.js';
import { t, playerWords } from './words.js';

/** @typedef {{ player: string, by: 'level' | 'time' | 'nodes' | 'plain', value: number, name?: string }} Side */

/** Engines whose strength is a level; the others think for a time or for a number of positions. */
export const hasLevels = (/** @type {string} */ player) => player === 'strong';

/** @param {string} player @param {number} [level] @returns {Side} */
export const engineSide = (player, level = 5) =>
  hasLevels(player) ? { player, by: 'level', value: level } : { player, by: 'plain', value: 1 };
/** @returns {Side} */
export const humanSide = () => ({ player: 'human', by: 'plain', value: 1 });

/** The player's name as the server reads it. @param {Side} side */
export function spec({ player, by, value }) {
  if (player === 'human' || by === 'plain' || !info()?.engines.includes(player)) return player;
  return `${player}@${by === 'level' ? `level=${value}` : by === 'time' ? `time=${value}s` : `nodes=${value}`}`;
}

/**
 * A side that was remembered but that this server does not have, or that plays another game, becomes its usual engine.
 * @param {Side} side
 * @param {string} kind of game
 */
export function valid(side, kind) {
  const offered = info();
  if (!offered || side.player === 'human') return side;
  const there = offered.engines.includes(side.player) || offered.players.some(one => one.player === side.player);
  return there && plays(side.player, kind) ? side : engineSide(defaultEngine());
}

/** @param {boolean} people @param {string} kind of game */
function players(people, kind) {
  const offered = info();
  const engines = offered?.engines ?? [defaultEngine()];
  const programs = (offered?.players ?? []).filter(({ player }) => player !== 'human' && !engines.includes(player));
  return [
    ...(people ? [{ value: 'human', words: t('human') }] : []),
    ...engines.filter(value => plays(value, kind)).map(value => ({ value, words: playerWords(value) })),
    ...programs.map(({ player, name }) => ({ value: player, words: name })),
  ];
}

/** @param {Side} side @param {string} key */
function strengths(side, key, /** @type {(side: Side) => void} */ changed) {
  if (side.player === 'human' || !(info()?.engines ?? []).includes(side.player)) return [];
  const ways = [...(hasLevels(side.player) ? ['level'] : []), 'plain', 'time', 'nodes'];
  const words = { level: t('byLevel'), plain: t('asIs'), time: t('byTime'), nodes: t('byNodes') };
  const usual = { level: 5, plain: 1, time: 1, nodes: 10000 };
  const way = (/** @type {any} */ event) =>
    changed({ ...side, by: event.target.value, value: usual[/** @type {keyof usual} */ (event.target.value)] });
  const limits = { level: [1, 10, 1], time: [0.1, 3600, 0.1], nodes: [1, 1e9, 1], plain: [1, 1, 1] }[side.by];
  return [
    h(
      'select',
      { 'aria-label': t('strength'), 'data-key': `${key}-by`, onchange: way },
      ways.map(value => h('option', { value, selected: value === side.by }, words[/** @type {keyof words} */ (value)])),
    ),
    side.by === 'plain'
      ? null
      : h('input', {
          type: 'number',
          class: 'short',
          min: limits[0],
          max: limits[1],
          step: limits[2],
          value: side.value,
          'aria-label': words[side.by],
          'data-key': `${key}-value`,
          onchange: (/** @type {any} */ event) =>
            changed({
              ...side,
              value: Math.min(limits[1], Math.max(limits[0], Number(event.target.value) || limits[0])),
            }),
        }),
  ];
}

/**
 * @param {Side} side
 * @param {(side: Side) => void} changed
 * @param {{ key: string, label: any, kind: string, people?: boolean, named?: boolean }} how
 */
export function sidePicker(side, changed, { key, label, kind, people = true, named = false }) {
  const choose = (/** @type {any} */ event) =>
    changed(event.target.value === 'human' ? { ...humanSide(), name: side.name } : engineSide(event.target.value));
  return h(
    'div',
    { class: 'field' },
    h('span', { class: 'label' }, label),
    h(
      'div',
      { class: 'row' },
      h(
        'select',
        { 'aria-label': t('player'), 'data-key': `${key}-who`, onchange: choose },
        players(people, kind).map(({ value, words }) => h('option', { value, selected: value === side.player }, words)),
      ),
      strengths(side, key, changed),
      named && side.player === 'human'
        ? h('input', {
            maxlength: 40,
            placeholder: t('name'),
            'aria-label': t('name'),
            'data-key': `${key}-name`,
            value: side.name ?? '',
            onchange: (/** @type {any} */ event) => changed({ ...side, name: event.target.value.trim() }),
          })
        : null,
    ),
  );
}
