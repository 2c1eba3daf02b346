// Choosing who plays: a person, an engine with a strength, or a program the server knows.
import { h, numberField, written } from './dom.js';
import { info, plays, defaultEngine, levelsOf } from './info.js';
import { t, playerWords } from './words.js';

/** @typedef {{ player: string, by: 'level' | 'time' | 'nodes' | 'plain', value: number, name?: string }} Side */

/** @param {string} player @param {number} [level] @returns {Side} */
export const engineSide = (player, level = 5) =>
  levelsOf(player) ? { player, by: 'level', value: level } : { player, by: 'plain', value: 1 };
/** @returns {Side} */
export const humanSide = () => ({ player: 'human', by: 'plain', value: 1 });

/** The player's name as the server reads it. @param {Side} side */
export function spec({ player, by, value }) {
  const engines = info()?.engines;
  if (player === 'human' || by === 'plain' || (engines && !engines.includes(player))) return player;
  return `${player}@${by === 'level' ? `level=${value}` : by === 'time' ? `time=${value}s` : `nodes=${value}`}`;
}

/**
 * A side that was remembered but that this server does not have, or that plays another game, becomes its usual engine.
 * @param {Side} side
 * @param {string} game
 */
export const valid = (side, game) =>
  side.player === 'human' || plays(side.player, game) ? side : engineSide(defaultEngine());

/** @param {boolean} people @param {string} game */
function players(people, game) {
  const offered = info();
  const engines = offered?.engines ?? [defaultEngine()];
  const programs = (offered?.players ?? []).filter(({ player }) => player !== 'human' && !engines.includes(player));
  return [
    ...(people ? [{ value: 'human', words: t('human') }] : []),
    ...engines.filter(value => plays(value, game)).map(value => ({ value, words: playerWords(value) })),
    ...programs.filter(({ player }) => plays(player, game)).map(({ player, name }) => ({ value: player, words: name })),
  ];
}

/** @param {Side} side @param {string} key */
function strengths(side, key, /** @type {(side: Side) => void} */ changed) {
  if (side.player === 'human' || !(info()?.engines ?? []).includes(side.player)) return [];
  /** @type {Side['by'][]} */
  const ways = ['level', 'plain', 'time', 'nodes'];
  const had = ways.filter(way => way !== 'level' || levelsOf(side.player));
  const words = { level: t('byLevel'), plain: t('engineDefault'), time: t('byTime'), nodes: t('byNodes') };
  const usual = { level: 5, plain: 1, time: 1, nodes: 10000 };
  const choose = (/** @type {Side['by']} */ by) => changed({ ...side, by, value: usual[by] });
  const way = (/** @type {Event} */ event) => choose(/** @type {Side['by']} */ (written(event)));
  const [min, max, step] = {
    level: [1, levelsOf(side.player), 1],
    time: [0.1, 3600, 0.1],
    nodes: [1, 1e9, 1],
    plain: [1, 1, 1],
  }[side.by];
  return [
    h(
      'select',
      { 'aria-label': t('strength'), 'data-key': `${key}-by`, onchange: way },
      had.map(value => h('option', { value, selected: value === side.by }, words[value])),
    ),
    side.by === 'plain'
      ? null
      : numberField(side.value, { min, max, step, key: `${key}-value`, label: words[side.by] }, value =>
          changed({ ...side, value }),
        ),
  ];
}

/**
 * @param {Side} side
 * @param {(side: Side) => void} changed
 * @param {{ key: string, label: import('./types.js').Child, game: string, people?: boolean, named?: boolean }} how
 */
export function sidePicker(side, changed, { key, label, game, people = true, named = false }) {
  const choose = (/** @type {Event} */ event) =>
    changed(written(event) === 'human' ? { ...humanSide(), name: side.name } : engineSide(written(event)));
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
        players(people, game).map(({ value, words }) => h('option', { value, selected: value === side.player }, words)),
      ),
      strengths(side, key, changed),
      named && side.player === 'human'
        ? h('input', {
            maxlength: 40,
            placeholder: t('name'),
            'aria-label': t('name'),
            'data-key': `${key}-name`,
            value: side.name ?? '',
            onchange: event => changed({ ...side, name: written(event).trim() }),
          })
        : null,
    ),
  );
}
