// Choosing a game, its size and its rule: for new games and for the arena.
import { h, button, numberField } from './dom.js';
import { picture } from './board.js';
import { knownBoard } from './game.js';
import { t } from './words.js';

/** @import { Board } from './types.js' */
/**
 * @typedef {{ kind: string, rule: string, size: number, width: number, height: number, random: boolean, blocked:
 * string[] }} GameChoice
 */

const SIZES = { gomoku: [9, 13, 15, 19], connect6: [15, 19] };
const DROPS = [
  [7, 6],
  [8, 7],
  [9, 10],
];

/** The game's name as the server reads it. @param {GameChoice} choice */
export function gameName({ kind, rule, size, width, height, random, blocked }) {
  if (kind === 'connect4' && random) return 'connect4:random';
  const suffix = blocked.length ? `/${blocked.join(',')}` : '';
  if (kind === 'connect4') return `connect4${width === 7 && height === 6 ? '' : `:${width}x${height}`}${suffix}`;
  return `${ruleOf({ kind, rule })}${size === (kind === 'connect6' ? 19 : 15) ? '' : `:${size}`}${suffix}`;
}

/** The game without its size: what players play or do not play. @param {Pick<GameChoice, 'kind' | 'rule'>} choice */
export const ruleOf = ({ kind, rule }) => (kind === 'gomoku' ? rule : kind);

/** The board of a game that is not drawn at random. @param {GameChoice} choice */
export const boardOf = choice => /** @type {Board} */ (knownBoard(gameName({ ...choice, random: false })));

/** @type {Record<string, [number, number, string[], string[]]>} */
const PICTURES = {
  gomoku: [9, 9, ['e5', 'd4', 'f6', 'g7', 'c5'], ['d6', 'e6', 'h8', 'e7']],
  connect6: [9, 9, ['e5', 'f6', 'd4', 'g4', 'f5', 'c3'], ['d5', 'e6', 'c6', 'f3', 'e4', 'd7']],
  connect4: [7, 6, ['d1', 'c1', 'e1', 'd3', 'e2'], ['d2', 'c2', 'f1', 'e3', 'c3']],
};

/** @param {string} kind */
function preview(kind) {
  const [width, height, black, white] = PICTURES[kind];
  const stones = [...black.map(cell => ({ cell, stone: 'black' })), ...white.map(cell => ({ cell, stone: 'white' }))];
  return picture({ width, height, blocked: [], drop: kind === 'connect4' }, stones, t(kind));
}

/** @param {GameChoice} choice @param {(choice: GameChoice) => void} changed */
export function gamePicker(choice, changed) {
  const kinds = ['gomoku', 'connect6', 'connect4'];
  const pick = (/** @type {string} */ kind) =>
    changed({ ...choice, kind, blocked: [], size: kind === 'connect6' ? 19 : 15, random: false });
  return h(
    'fieldset',
    {},
    h('legend', {}, t('chooseGame')),
    h(
      'div',
      { class: 'kinds' },
      kinds.map(kind =>
        h(
          'button',
          {
            type: 'button',
            class: 'kind',
            'aria-pressed': String(kind === choice.kind),
            'data-key': `kind-${kind}`,
            onclick: () => pick(kind),
          },
          preview(kind),
          h('b', {}, t(kind)),
          h('small', {}, t(`${kind}Line`)),
        ),
      ),
    ),
    choice.kind === 'connect4' ? dropSizes(choice, changed) : squareSizes(choice, changed),
    choice.kind === 'gomoku' ? rules(choice, changed) : null,
  );
}

/** @param {GameChoice} choice @param {(choice: GameChoice) => void} changed */
function squareSizes(choice, changed) {
  const sizes = SIZES[/** @type {'gomoku' | 'connect6'} */ (choice.kind)];
  const set = (/** @type {number} */ size) => changed({ ...choice, size, blocked: [] });
  return h(
    'div',
    { class: 'chips' },
    sizes.map(size =>
      button(`${size}×${size}`, () => set(size), {
        'aria-pressed': String(size === choice.size),
        'data-key': `size-${size}`,
      }),
    ),
  );
}

/** @param {GameChoice} choice @param {(choice: GameChoice) => void} changed */
function dropSizes(choice, changed) {
  const side = (/** @type {'width' | 'height'} */ name) =>
    numberField(choice[name], { min: 4, max: 31, key: name, label: t(name) }, value =>
      changed({ ...choice, random: false, blocked: [], [name]: value }),
    );
  return [
    h(
      'div',
      { class: 'chips' },
      DROPS.map(([width, height]) =>
        button(`${width}×${height}`, () => changed({ ...choice, width, height, random: false, blocked: [] }), {
          'aria-pressed': String(!choice.random && width === choice.width && height === choice.height),
          'data-key': `size-${width}x${height}`,
        }),
      ),
      h('span', { class: 'sides' }, side('width'), '×', side('height')),
    ),
    h(
      'div',
      { class: 'chips' },
      button(t('randomBoard'), () => changed({ ...choice, random: !choice.random, blocked: [] }), {
        'aria-pressed': String(choice.random),
        'data-key': 'random',
      }),
    ),
  ];
}

/** @param {GameChoice} choice @param {(choice: GameChoice) => void} changed */
function rules(choice, changed) {
  return h(
    'div',
    { class: 'chips' },
    [
      ['gomoku', 'free'],
      ['standard', 'exact'],
      ['renju', 'renjuRule'],
    ].map(([rule, word]) =>
      button(t(word), () => changed({ ...choice, rule }), {
        'aria-pressed': String(rule === choice.rule),
        'data-key': `rule-${rule}`,
      }),
    ),
  );
}
