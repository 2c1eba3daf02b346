// Choosing a new game: three pictures and quick choices first, everything else folded under "More".
import { h, put, button, dot, keepFocus, numberField, written } from './dom.js';
import { blockPicker } from './blockpicker.js';
import { gamePicker, gameName, boardOf, ruleOf } from './gamepick.js';
import { sidePicker, humanSide, engineSide, spec, valid } from './sides.js';
import { defaultEngine, levelsOf } from './info.js';
import { recall, remember } from './prefs.js';
import { view } from './view.js';
import { makeGame, showDraft } from './open.js';
import { openingRules } from './opening.js';
import { go, mark } from './router.js';
import { t } from './words.js';

/** @typedef {import('./sides.js').Side} Side */
/** @typedef {import('./gamepick.js').GameChoice} GameChoice */
/**
 * @typedef {{ game: GameChoice, sides: Side[], limit: 'none' | 'move' | 'game', perMove: number, perGame: number,
 * increment: number, series: number, pace: number, rule: string, more: boolean }} Choice
 */

/** @returns {Choice} */
const usual = () => ({
  game: { kind: 'gomoku', rule: 'gomoku', size: 15, width: 7, height: 6, random: false, blocked: [] },
  sides: [humanSide(), engineSide(defaultEngine())],
  limit: 'none',
  perMove: 30,
  perGame: 10,
  increment: 0,
  series: 1,
  pace: 500,
  rule: 'none',
  more: false,
});

/** @type {Choice | null} */
let choice = null;

/** What was chosen last, or the usual. @returns {Choice} */
function current() {
  const now = choice ?? { ...usual(), ...recall('choice', /** @type {Partial<Choice>} */ ({})) };
  now.sides = now.sides.map((/** @type {Side} */ side) => valid(side, ruleOf(now.game)));
  choice = now;
  return now;
}

/** Whether engines play each other. @param {Choice} from */
const watched = from => from.sides.every(side => side.player !== 'human');

/** The opening rule, if the game can begin by it. @param {Choice} from */
const ruleFor = ({ game, rule }) => (openingRules(game).includes(rule) ? rule : 'none');

/** The game's name with its opening rule. @param {Choice} from */
const nameOf = from => gameName(from.game) + (ruleFor(from) === 'none' ? '' : `+${ruleFor(from)}`);

/** The choice as the server reads it. @param {Choice} from @returns {import('./types.js').NewGame} */
function wanted(from) {
  const control =
    from.limit === 'move'
      ? { per_move_ms: from.perMove * 1000 }
      : from.limit === 'game'
        ? { per_game_ms: from.perGame * 60_000, ...(from.increment && { increment_ms: from.increment * 1000 }) }
        : {};
  const sides = from.sides.map(side => ({
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
  return wanted(from.sides.some(side => side.player === 'human') ? from : usual());
}

/** @type {HTMLDialogElement | null} */
let dialog = null;

/** Draws the window again, if it is open: the server has said who plays. */
export const drawNewGame = () => dialog?.open && draw();

export function openNewGame() {
  dialog ??= document.body.appendChild(
    h('dialog', { class: 'new', onclick: (/** @type {Event} */ event) => event.target === dialog && dialog?.close() }),
  );
  draw();
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

/** @param {Partial<Choice>} change */
function set(change) {
  choice = { ...current(), ...change };
  draw();
}

function draw() {
  const from = current();
  const box = /** @type {HTMLDialogElement} */ (dialog);
  box.setAttribute('aria-label', t('newGame'));
  // The browser tells of a toggle later than it shows it.
  const unfolded = box.querySelector('details')?.open ?? from.more;
  keepFocus(box, () =>
    put(
      box,
      h(
        'form',
        { method: 'dialog', onsubmit: start },
        h(
          'div',
          { class: 'head' },
          h('h2', {}, t('newGame')),
          button('×', () => box.close(), { class: 'plain', 'aria-label': t('close') }),
        ),
        gamePicker(from.game, game => set({ game })),
        presets(from),
        h(
          'details',
          {
            open: unfolded,
            ontoggle: event => {
              current().more = /** @type {HTMLDetailsElement} */ (event.target).open;
            },
          },
          h('summary', { 'data-key': 'more' }, t('more')),
          more(from),
        ),
        h(
          'div',
          { class: 'foot' },
          button(t('cancel'), () => box.close()),
          h('button', { type: 'submit', class: 'primary', 'data-key': 'start' }, t('start')),
        ),
      ),
    ),
  );
}

/** @param {SubmitEvent} event */
async function start(event) {
  event.preventDefault();
  const from = current();
  remember('choice', from);
  dialog?.close();
  const draft = wanted(from);
  // A person who begins may still change their mind: the game is made with the first stone.
  const waits = from.sides[0].player === 'human' && from.sides[1].player !== 'human' && from.limit === 'none';
  mark('#/');
  go('#/');
  // A board drawn at random is shown before it is played on: the draft then names it.
  await showDraft(draft);
  if (!waits && view.draft && (await makeGame(view.draft))) go(location.hash);
}

/** @param {Choice} from */
function presets(from) {
  const engine = from.sides.find(side => side.player !== 'human') ?? engineSide(defaultEngine());
  const human = from.sides.find(side => side.player === 'human') ?? humanSide();
  const people = from.sides.map(side => side.player === 'human');
  /** @type {[string, Side[], boolean][]} */
  const ways = [
    ['youBlack', [human, engine], people[0] && !people[1]],
    ['youWhite', [engine, human], !people[0] && people[1]],
    ['twoPeople', [human, { ...humanSide() }], people[0] && people[1]],
    [
      'watchEngines',
      [engine, from.sides[0].player !== 'human' ? (from.sides[1].player !== 'human' ? from.sides[1] : engine) : engine],
      !people[0] && !people[1],
    ],
  ];
  return h(
    'fieldset',
    {},
    h('legend', {}, t('whoPlays')),
    h(
      'div',
      { class: 'chips' },
      ways.map(([word, sides, on]) =>
        button(t(word), () => set({ sides }), { 'aria-pressed': String(on), 'data-key': word }),
      ),
    ),
    levels(from),
  );
}

/** @param {Choice} from */
function levels(from) {
  const at = from.sides.findIndex(side => side.player !== 'human');
  if (at < 0 || !levelsOf(from.sides[at].player) || from.sides[at].by !== 'level') return null;
  const value = from.sides[at].value;
  const change = (/** @type {number} */ level) =>
    set({ sides: from.sides.map(side => (side.by === 'level' ? { ...side, value: level } : side)) });
  return h(
    'label',
    { class: 'field' },
    h('span', { class: 'label' }, `${t('levelWord')} ${value}`),
    h('input', {
      type: 'range',
      min: 1,
      max: 10,
      value,
      'data-key': 'level',
      onchange: event => change(Number(written(event))),
    }),
  );
}

/** @param {Choice} from */
function more(from) {
  const side = (/** @type {number} */ n) =>
    sidePicker(from.sides[n], next => set({ sides: from.sides.map((one, i) => (i === n ? next : one)) }), {
      key: `side${n}`,
      game: ruleOf(from.game),
      label: [dot(n ? 'white' : 'black'), t(n ? 'white' : 'black')],
      named: true,
    });
  return [
    side(0),
    side(1),
    h(
      'div',
      { class: 'field' },
      h('span', { class: 'label' }),
      button(t('swapSides'), () => set({ sides: [from.sides[1], from.sides[0]] }), { 'data-key': 'swap-two' }),
    ),
    opening(from),
    timing(from),
    watched(from) ? pacing(from) : null,
    seriesField(from),
    blocking(from),
  ];
}

/** @param {Choice} from */
function opening(from) {
  return h(
    'div',
    { class: 'field' },
    h('span', { class: 'label' }, t('opening')),
    h(
      'select',
      { 'data-key': 'rule', 'aria-label': t('opening'), onchange: event => set({ rule: written(event) }) },
      ...openingRules(from.game).map(rule =>
        h('option', { value: rule, selected: rule === ruleFor(from) }, t(`rule-${rule}`)),
      ),
    ),
  );
}

/** @param {Choice} from */
function timing(from) {
  const number = (
    /** @type {'perMove' | 'perGame' | 'increment'} */ name,
    /** @type {number} */ min,
    /** @type {number} */ max,
    /** @type {number} */ step,
  ) =>
    h(
      'label',
      { class: 'row' },
      numberField(from[name], { min, max, step, key: name }, value => set({ [name]: value })),
      t(name),
    );
  return h(
    'div',
    { class: 'field' },
    h('span', { class: 'label' }, t('timeControl')),
    h(
      'div',
      { class: 'row' },
      h(
        'select',
        {
          'aria-label': t('timeControl'),
          'data-key': 'limit',
          onchange: event => set({ limit: /** @type {Choice['limit']} */ (written(event)) }),
        },
        [
          ['none', 'noLimit'],
          ['move', 'perMove'],
          ['game', 'perGame'],
        ].map(([value, word]) => h('option', { value, selected: value === from.limit }, t(word))),
      ),
      from.limit === 'move' ? number('perMove', 0.5, 86400, 0.5) : null,
      from.limit === 'game' ? [number('perGame', 0.1, 1440, 0.1), number('increment', 0, 3600, 1)] : null,
    ),
  );
}

/** How slowly engines play each other, so that one can follow. @param {Choice} from */
function pacing(from) {
  return h(
    'div',
    { class: 'field' },
    h('span', { class: 'label' }, t('pace')),
    h(
      'select',
      {
        'aria-label': t('pace'),
        'data-key': 'pace',
        onchange: event => set({ pace: Number(written(event)) }),
      },
      [0, 500, 1000, 2000, 5000].map(ms =>
        h('option', { value: ms, selected: ms === from.pace }, ms ? t('paceOf', { s: ms / 1000 }) : t('paceNone')),
      ),
    ),
  );
}

/** @param {Choice} from */
function seriesField(from) {
  return h(
    'div',
    { class: 'field' },
    h('span', { class: 'label' }, t('series')),
    h(
      'select',
      {
        'aria-label': t('series'),
        'data-key': 'series',
        onchange: event => set({ series: Number(written(event)) }),
      },
      [1, 3, 5, 7, 9, 15, 21].map(n =>
        h('option', { value: n, selected: n === from.series }, n === 1 ? t('singleGame') : t('bestOfN', { n })),
      ),
    ),
  );
}

/** @param {Choice} from */
function blocking(from) {
  if (from.game.random && from.game.kind === 'connect4') return null;
  const change = (/** @type {string[]} */ blocked) => set({ game: { ...from.game, blocked } });
  return h(
    'div',
    { class: 'field top' },
    h('span', { class: 'label' }, t('blockedCells')),
    h(
      'div',
      {},
      h(
        'p',
        { class: 'soft small' },
        t('blockedHelp'),
        ' ',
        from.game.blocked.length
          ? button(t('clearAll'), () => change([]), { class: 'link', 'data-key': 'clear' })
          : null,
      ),
      blockPicker(boardOf(from.game), change, (cell, on) => t('cellIs', { cell, what: t(on ? 'blocked' : 'empty') })),
    ),
  );
}
