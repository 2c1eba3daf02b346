// Choosing a game, its size and its rule: for new games and for the arena.
import { h, numberField, written } from './dom.js';
import { icon } from './icons.js';
import { cross, picture } from './board.js';
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

/**
 * What a card of a game shows: its size, Black's stones and White's.
 * @type {Record<string, [number, number, string, string]>}
 */
const PICTURES = {
  gomoku: [7, 7, 'b2 c3 d4 e5 f6', 'c4 d5 d3 e4'],
  renju: [7, 7, 'd6 d5 e4 f4', 'c6 e5 c3 e3'],
  connect6: [9, 9, 'b2 d4 e5 f6 g7 h8', 'd5 e6 d3 f4 g4 e4'],
  connect4: [7, 6, 'b1 c1 e1 d2 e2', 'd1 c2 d3 f1'],
};

/** @param {string} kind */
function preview(kind) {
  const [width, height, black, white] = PICTURES[kind];
  const board = { width, height, blocked: [], drop: kind === 'connect4' };
  const side = (/** @type {string} */ cells, /** @type {string} */ stone) =>
    cells.split(' ').map(cell => ({ cell, stone }));
  const mark = kind === 'renju' ? [cross(board, 'd4', 'cross', 4)] : [];
  return picture(board, [...side(black, 'black'), ...side(white, 'white')], t(kind), mark);
}

/** The card a choice belongs to. @param {GameChoice} choice */
const cardOf = choice => (choice.kind === 'gomoku' && choice.rule === 'renju' ? 'renju' : choice.kind);

/** The four games as cards. @param {GameChoice} choice @param {(choice: GameChoice) => void} changed */
export function gameCards(choice, changed) {
  const pick = (/** @type {string} */ card) => {
    const kind = card === 'renju' ? 'gomoku' : card;
    const rule = card === 'renju' ? 'renju' : 'gomoku';
    changed({ ...choice, kind, rule, blocked: [], size: kind === 'connect6' ? 19 : 15, random: false });
  };
  return h(
    'div',
    { class: 'kinds', role: 'group', 'aria-label': t('chooseGame') },
    Object.keys(PICTURES).map(card =>
      h(
        'button',
        {
          type: 'button',
          class: 'kind',
          'aria-pressed': String(card === cardOf(choice)),
          'data-key': `kind-${card}`,
          onclick: () => pick(card),
        },
        preview(card),
        h('b', {}, t(card)),
        h('small', {}, t(`${card}Line`)),
        card === cardOf(choice) ? h('span', { class: 'chosen' }, icon('check')) : null,
      ),
    ),
  );
}

/** Size and line of the board. @param {GameChoice} choice @param {(choice: GameChoice) => void} changed */
export function boardChoice(choice, changed) {
  return [
    choice.kind === 'connect4' ? dropSize(choice, changed) : squareSize(choice, changed),
    choice.kind === 'gomoku' && choice.rule !== 'renju' ? lineRule(choice, changed) : null,
  ];
}

/** @param {GameChoice} choice @param {(choice: GameChoice) => void} changed */
const squareSize = (choice, changed) =>
  h(
    'select',
    {
      'aria-label': t('boardSize'),
      'data-key': 'size',
      onchange: event => changed({ ...choice, size: Number(written(event)), blocked: [] }),
    },
    SIZES[/** @type {'gomoku' | 'connect6'} */ (choice.kind)].map(size =>
      h('option', { value: size, selected: size === choice.size }, `${size}×${size}`),
    ),
  );

/** @param {GameChoice} choice @param {(choice: GameChoice) => void} changed */
function dropSize(choice, changed) {
  const { width, height, random } = choice;
  const usual = DROPS.some(([w, tall]) => w === width && tall === height);
  const now = random ? 'random' : usual ? `${width}x${height}` : 'other';
  const set = (/** @type {string} */ value) => {
    if (value === 'random') return changed({ ...choice, random: true, blocked: [] });
    const [w, tall] = value === 'other' ? [8, 8] : value.split('x').map(Number);
    changed({ ...choice, width: w, height: tall, random: false, blocked: [] });
  };
  const side = (/** @type {'width' | 'height'} */ name) =>
    numberField(choice[name], { min: 4, max: 31, key: name, label: t(name) }, value =>
      changed({ ...choice, random: false, blocked: [], [name]: value }),
    );
  return [
    h(
      'select',
      { 'aria-label': t('boardSize'), 'data-key': 'size', class: 'wide', onchange: event => set(written(event)) },
      DROPS.map(([w, tall]) =>
        h('option', { value: `${w}x${tall}`, selected: now === `${w}x${tall}` }, `${w}×${tall}`),
      ),
      h('option', { value: 'random', selected: now === 'random' }, t('randomBoard')),
      h('option', { value: 'other', selected: now === 'other' }, t('otherClock')),
    ),
    now === 'other' ? h('span', { class: 'sides' }, side('width'), '×', side('height')) : null,
  ];
}

/** @param {GameChoice} choice @param {(choice: GameChoice) => void} changed */
const lineRule = (choice, changed) =>
  h(
    'select',
    {
      'aria-label': t('rule'),
      class: 'wide',
      'data-key': 'line-rule',
      onchange: event => changed({ ...choice, rule: written(event) }),
    },
    [
      ['gomoku', 'lineFree'],
      ['standard', 'lineExact'],
    ].map(([rule, word]) => h('option', { value: rule, selected: rule === choice.rule }, t(word))),
  );
