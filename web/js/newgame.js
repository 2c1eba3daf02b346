// Choosing a new game: the game, whom one plays, how strong, and what else is in sight; the rest is folded.
import { h, put, button, dot, keepFocus, numberField, written } from './dom.js';
import { icon } from './icons.js';
import { blockPicker } from './blockpicker.js';
import { alter, current, drawLots, nameOf, ruleFor, seats, sideOf, wanted, watched } from './choice.js';
import { gameCards, boardChoice, gameName, boardOf, ruleOf } from './gamepick.js';
import { openingRules } from './opening.js';
import { sidePicker, engineSide, spec } from './sides.js';
import { defaultEngine } from './info.js';
import { remember } from './prefs.js';
import { view, unpressed } from './view.js';
import { makeGame, showDraft } from './open.js';
import { go, mark } from './router.js';
import { openSharing, tellName } from './sharing.js';
import { resultsAt } from './tallies.js';
import { controlWords } from './status.js';
import { alone } from './local/alone.js';
import { allLevels, gameWords, levelName, playerWords, say, stoneName, t } from './words.js';

/** @typedef {import('./sides.js').Side} Side */
/** @typedef {import('./choice.js').Choice} Choice */

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
  alter(change);
  // A number that was typed is told by the press on the next button.
  unpressed(draw);
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
          button(icon('close'), () => box.close(), { class: 'plain round', 'aria-label': t('close') }),
        ),
        h(
          'div',
          { class: 'inside' },
          gameCards(from.game, game => set({ game })),
          rivals(from),
          strength(from),
          grid(from),
          fold(from, unfolded),
        ),
        h(
          'div',
          { class: 'foot' },
          h('span', { class: 'summary' }, summary(from)),
          button(t('cancel'), () => box.close(), { class: 'quiet' }),
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
  drawLots();
  remember('new-game', from);
  dialog?.close();
  const draft = wanted(from);
  // A person who begins may still change their mind: the game is made with the first stone.
  const waits = from.who === 'computer' && sideOf(from) === 'black' && from.limit === 'none';
  mark('#/');
  remember('unfinished', null);
  go('#/');
  // A board drawn at random is shown before it is played on: the draft then names it.
  await showDraft(draft);
  // Clocks run once both seats were taken: nobody's is while one writes to a friend.
  const kept = from.who === 'friend' ? Number(sideOf(from) === 'white') : undefined;
  if (waits || !view.draft || !(await makeGame(view.draft, null, kept))) return;
  if (from.who === 'friend') {
    tellName();
    openSharing();
  }
  go(location.hash);
}

/** Whom one plays. @param {Choice} from */
function rivals(from) {
  /** @type {[Choice['who'], string, string, string, string][]} */
  const all = [
    ['computer', 'computer', 'chip', 'computer', 'computerLine'],
    ['friend', 'friend', 'link', 'aFriend', 'friendLine'],
    ['two', 'twoPeople', 'people', 'twoPeople', 'twoLine'],
  ];
  // A friend elsewhere needs a server between the two.
  const ways = all.filter(([who]) => who !== 'friend' || !alone());
  return h(
    'div',
    { class: 'rivals', role: 'group', 'aria-label': t('whoPlays') },
    ways.map(([who, key, sign, word, line]) =>
      h(
        'button',
        {
          type: 'button',
          class: 'rival',
          'aria-pressed': String(from.who === who),
          'data-key': key,
          onclick: () => set({ who }),
        },
        icon(sign),
        h('span', {}, h('b', {}, t(word)), h('small', {}, t(line))),
      ),
    ),
  );
}

/** The levels by name; the line below says what they are like. @param {Choice} from */
function strength(from) {
  if (from.who !== 'computer') return null;
  const played = resultsAt(gameName(from.game), from.level);
  const won = played.filter(Boolean).length;
  const about = say(allLevels().find(one => one.level === from.level)?.about);
  return [
    h(
      'div',
      { class: 'levels', role: 'group', 'aria-label': t('strength') },
      allLevels().map(({ level }) =>
        h(
          'button',
          {
            type: 'button',
            'aria-pressed': String(level === from.level),
            'data-key': `level-${level}`,
            onclick: () => set({ level }),
          },
          h('b', {}, String(level)),
          h('small', {}, levelName(level)),
        ),
      ),
    ),
    h(
      'p',
      { class: 'about-level' },
      h('b', {}, levelName(from.level)),
      about ? ` · ${about}` : '',
      played.length ? ` ${t('wonHere', { n: won, m: played.length })}` : '',
    ),
  ];
}

/**
 * A row of choices of which one holds.
 * @param {string} word
 * @param {string} name
 * @param {[string, import('./types.js').Child][]} all
 * @param {string} now
 * @param {(value: string) => void} choose
 */
const segments = (word, name, all, now, choose) =>
  h(
    'div',
    { class: 'choice', role: 'group', 'aria-label': t(word) },
    h('span', { class: 'label' }, t(word)),
    h(
      'div',
      { class: 'segments' },
      all.map(([value, inside]) =>
        button(inside, () => choose(value), { 'aria-pressed': String(value === now), 'data-key': `${name}-${value}` }),
      ),
    ),
  );

/** Clocks that are offered: minutes a game and seconds added a move. */
const CLOCKS = [
  [3, 2],
  [5, 3],
  [10, 5],
];

/** @param {Choice} from */
function clock(from) {
  const named = CLOCKS.find(([m, more]) => from.limit === 'game' && m === from.perGame && more === from.increment);
  const now = from.ownClock ? 'other' : from.limit === 'none' ? 'none' : named ? named.join('+') : 'other';
  const choose = (/** @type {string} */ value) => {
    if (value === 'none') return set({ limit: 'none', ownClock: false });
    if (value === 'other') return set({ limit: from.limit === 'none' ? 'game' : from.limit, ownClock: true });
    const [perGame, increment] = value.split('+').map(Number);
    set({ limit: 'game', perGame, increment, ownClock: false });
  };
  const names = CLOCKS.map(one => one.join('+'));
  return segments(
    'clockWord',
    'clock',
    [
      ['none', t('noClock')],
      ...names.map(name => /** @type {[string, string]} */ ([name, name])),
      ['other', t('otherClock')],
    ],
    now,
    choose,
  );
}

/** @param {Choice} from @param {string} rule */
const ruleWords = (from, rule) => t(`rule-${rule}${rule === 'none' && from.game.kind === 'connect4' ? '-disc' : ''}`);

/** How the players find fair sides. @param {Choice} from */
const opening = from =>
  h(
    'label',
    { class: 'choice' },
    h('span', { class: 'label' }, t('openingRule')),
    h(
      'select',
      { 'data-key': 'rule', onchange: event => set({ rule: written(event) }) },
      openingRules(from.game).map(rule =>
        h('option', { value: rule, selected: rule === ruleFor(from) }, ruleWords(from, rule)),
      ),
    ),
  );

/** The colour of a side, seen and named. @param {Choice} from @param {'black' | 'white'} stone */
function stoneLabel(from, stone) {
  const drop = from.game.kind === 'connect4';
  return [dot(drop ? `${stone} disc` : stone), stoneName({ drop }, stone)];
}

/** @param {Choice} from */
function grid(from) {
  /** @type {[string, import('./types.js').Child][]} */
  const sides = [
    ['black', stoneLabel(from, 'black')],
    ['random', t('randomSide')],
    ['white', stoneLabel(from, 'white')],
  ];
  const choosesSide = from.who === 'computer' || from.who === 'friend';
  return h(
    'div',
    { class: 'choices' },
    choosesSide
      ? segments('youPlay', 'side', sides, from.side, side => set({ side: /** @type {Choice['side']} */ (side) }))
      : null,
    clock(from),
    opening(from),
    h(
      'div',
      { class: 'choice' },
      h('span', { class: 'label' }, t('boardAndLine')),
      h(
        'div',
        { class: 'row nowrap' },
        boardChoice(from.game, game => set({ game })),
      ),
    ),
    from.ownClock && from.limit !== 'none' ? timing(from) : null,
  );
}

/** Whether cells can be blocked. @param {Choice} from */
const blocks = ({ game }) => game.kind === 'connect4' && !game.random;

/** @param {Choice} from @param {boolean} open */
function fold(from, open) {
  const toggled = (/** @type {Event} */ event) => {
    current().more = /** @type {HTMLDetailsElement} */ (event.target).open;
  };
  return h(
    'details',
    { open, ontoggle: toggled },
    h('summary', { 'data-key': 'more' }, t(blocks(from) ? 'advancedBlocked' : 'advanced')),
    more(from),
  );
}

/** @param {Choice} from */
function more(from) {
  const [black, white] = seats(from);
  const side = (/** @type {number} */ n) => {
    const now = n ? white : black;
    const pick = (/** @type {Side} */ next) =>
      set({ who: followed(n ? [black, next] : [next, white]), sides: n ? [black, next] : [next, white] });
    return sidePicker(now, pick, {
      key: `side${n}`,
      game: ruleOf(from.game),
      label: stoneLabel(from, n ? 'white' : 'black'),
      named: true,
    });
  };
  const engines = () => set({ who: 'other', sides: [engineSide(defaultEngine()), engineSide(defaultEngine())] });
  return h(
    'div',
    { class: 'fold' },
    side(0),
    side(1),
    h(
      'div',
      { class: 'field' },
      h('span', { class: 'label' }),
      h(
        'div',
        { class: 'row' },
        button([icon('swap'), t('swapSides')], () => set({ who: 'other', sides: [white, black] }), {
          'data-key': 'swap-two',
        }),
        button([icon('eye'), t('watchEngines')], engines, {
          'data-key': 'watchEngines',
          'aria-pressed': String(watched(from)),
        }),
      ),
    ),
    watched(from) ? pacing(from) : null,
    seriesField(from),
    blocks(from) ? blocking(from) : null,
  );
}

/** Two people stay two people when one gets a name. @param {Side[]} sides @returns {Choice['who']} */
const followed = sides => (sides.every(side => side.player === 'human') ? 'two' : 'other');

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
    { class: 'choice across row' },
    h(
      'select',
      {
        'aria-label': t('timeControl'),
        'data-key': 'limit',
        onchange: event => set({ limit: /** @type {Choice['limit']} */ (written(event)) }),
      },
      [
        ['game', 'perGame'],
        ['move', 'perMove'],
      ].map(([value, word]) => h('option', { value, selected: value === from.limit }, t(word))),
    ),
    from.limit === 'move' ? number('perMove', 0.5, 86400, 0.5) : null,
    from.limit === 'game' ? [number('perGame', 0.1, 1440, 0.1), number('increment', 0, 3600, 1)] : null,
  );
}

/**
 * @param {string} word
 * @param {string} key
 * @param {[number, string][]} all
 * @param {number} now
 * @param {(n: number) => void} act
 */
const numbers = (word, key, all, now, act) =>
  h(
    'div',
    { class: 'field' },
    h('span', { class: 'label' }, t(word)),
    h(
      'select',
      { 'aria-label': t(word), 'data-key': key, onchange: event => act(Number(written(event))) },
      all.map(([value, words]) => h('option', { value, selected: value === now }, words)),
    ),
  );

/** How slowly engines play each other, so that one can follow. @param {Choice} from */
const pacing = from =>
  numbers(
    'pace',
    'pace',
    [0, 500, 1000, 2000, 5000].map(ms => [ms, ms ? t('paceOf', { s: ms / 1000 }) : t('paceNone')]),
    from.pace,
    pace => set({ pace }),
  );

/** @param {Choice} from */
const seriesField = from =>
  numbers(
    'series',
    'series',
    [1, 3, 5, 7, 9, 15, 21].map(n => [n, n === 1 ? t('singleGame') : t('bestOfN', { n })]),
    from.series,
    series => set({ series }),
  );

/** @param {Choice} from */
function blocking(from) {
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

/** The choice in one sentence. @param {Choice} from */
function summary(from) {
  const game = nameOf(from);
  const coloured = { drop: from.game.kind === 'connect4' };
  const [black, white] = seats(from).map(side => playerWords(spec(side)));
  const who = {
    computer: t('againstLevel', { name: levelName(from.level) }),
    friend: t('withFriend'),
    two: t('twoPeople'),
    other: t('watchTwo', { a: black, b: white }),
  }[from.who];
  const side =
    from.who === 'computer' || from.who === 'friend'
      ? t('youPlaySide', { side: from.side === 'random' ? t('randomSide') : stoneName(coloured, from.side) })
      : '';
  return [gameWords(game), who, side, controlWords(wanted(from).control)].filter(Boolean).join(t('comma'));
}
