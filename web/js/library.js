// The library: past games to search, open, export and delete, and a way in for files and pasted text.
import { h, put, button, filesField, keepFocus, stoneDot, written } from './dom.js';
import { api } from './api.js';
import { info } from './info.js';
import { download, writable } from './sharing.js';
import { keysOf, keepKeys, knownGames } from './prefs.js';
import { lookAtRecord, readPasted } from './loading.js';
import { toast, toastError } from './toast.js';
import { unpressed } from './view.js';
import { t, say, gameWords, listedName, resultWords } from './words.js';

/** @import { Entry, Filter, Found, Loaded, Stone } from './types.js' */

/** @type {Filter} */
const filter = { q: '', game: '', result: '', page: 0 };
/** Whether the games of everybody are listed, where the server shows them. */
let everybody = false;
/** @type {Found | null} */
let found = null;
/** @type {Loaded[]} */
let loaded = [];
/** How many games the files had. */
let count = 0;
const SHOWN = 200;
/** @type {HTMLElement} */
let root;
let sure = '';
let pasted = '';
let from = '';
let kind = '';

/** @param {Element} place */
export function mountLibrary(place) {
  root = h('div', { class: 'page library' });
  put(place, root);
  draw();
  search();
}

/** How often was asked: an answer to an earlier question may come later. */
let asked = 0;

async function search() {
  asked += 1;
  const question = asked;
  try {
    const all = everybody && info()?.library;
    const answer = await (all ? api.games(filter) : api.myGames({ ...filter, ids: knownGames() }));
    if (question !== asked) return;
    found = answer;
  } catch (error) {
    toastError(error);
  }
  unpressed(draw);
}

function draw() {
  if (!root.isConnected) return;
  keepFocus(root, () => put(root, h('h1', {}, t('library')), filters(), list(), importing()));
}

export const drawLibrary = draw;

/** @param {Partial<typeof filter>} change */
function set(change) {
  Object.assign(filter, { page: 0 }, change);
  search();
}

let typing = 0;
function filters() {
  const select = (
    /** @type {'game' | 'result'} */ name,
    /** @type {string} */ label,
    /** @type {string[][]} */ options,
  ) =>
    h(
      'label',
      {},
      t(label),
      h(
        'select',
        { 'data-key': `filter-${name}`, onchange: event => set({ [name]: written(event) }) },
        options.map(([value, words]) => h('option', { value, selected: filter[name] === value }, words)),
      ),
    );
  const type = (/** @type {Event} */ event) => {
    clearTimeout(typing);
    typing = window.setTimeout(() => set({ q: written(event).trim() }), 250);
  };
  const whose = (/** @type {boolean} */ all, /** @type {string} */ word) =>
    button(
      t(word),
      () => {
        everybody = all;
        set({});
      },
      { 'aria-pressed': String(everybody === all), 'data-key': word },
    );
  return h(
    'div',
    { class: 'filters' },
    info()?.library ? h('div', { class: 'segments' }, whose(false, 'myGames'), whose(true, 'allGames')) : null,
    h(
      'label',
      {},
      t('search'),
      h('input', { type: 'search', value: filter.q, maxlength: 40, 'data-key': 'filter-q', oninput: type }),
    ),
    select('game', 'gameName', [
      ['', t('any')],
      ...['gomoku', 'standard', 'renju', 'connect6', 'connect4'].map(name => [name, t(name)]),
    ]),
    select('result', 'result', [
      ['', t('any')],
      ['black', t('black')],
      ['white', t('white')],
      ['draw', t('draw')],
      ['none', t('unfinished')],
    ]),
  );
}

/** @param {number} created in milliseconds */
const when = created => new Date(created).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' });

/** Why no game is listed. */
function noneWord() {
  if (filter.q || filter.game || filter.result) return 'noneMatch';
  return everybody ? 'noGames' : 'noOwnGames';
}

function list() {
  if (!found) return h('p', { class: 'soft' }, '…');
  if (!found.games.length) return h('section', { class: 'sheet' }, h('p', { class: 'soft empty' }, t(noneWord())));
  const pages = Math.max(1, Math.ceil(found.total / 50));
  const turn = (/** @type {number} */ by, /** @type {string} */ word) =>
    button(
      t(word),
      () => {
        filter.page += by;
        search();
      },
      { disabled: filter.page + by < 0 || filter.page + by >= pages, 'data-key': word },
    );
  return h(
    'section',
    { class: 'sheet' },
    h('h2', {}, t(everybody ? 'allGames' : 'myGames')),
    h('p', { class: 'soft small' }, `${t('games', { n: found.total })}${everybody ? '' : ` · ${t('privateLibrary')}`}`),
    h('ul', { class: 'games' }, found.games.map(row)),
    pages > 1
      ? h(
          'div',
          { class: 'row end' },
          turn(-1, 'previous'),
          h('span', {}, t('page', { n: filter.page + 1, of: pages })),
          turn(1, 'next'),
        )
      : null,
  );
}

/** @param {Entry} game */
function row(game) {
  const owner = keysOf(game.id).owner;
  const remove = () => {
    if (sure !== game.id) {
      sure = game.id;
      return draw();
    }
    api
      .deleteGame(game.id, owner ?? '')
      .then(() => {
        keepKeys(game.id, null);
        toast(t('deleted'));
        search();
      })
      .catch(toastError);
  };
  const player = (/** @type {Stone} */ stone) =>
    h('span', { class: 'name' }, stoneDot(game.game, stone), listedName(game, stone));
  return h(
    'li',
    {},
    h(
      'a',
      { href: `#/g/${game.id}`, class: 'open' },
      h('span', { class: 'pair' }, player('black'), player('white')),
      h(
        'span',
        { class: 'facts-line' },
        `${gameWords(game.game)} · `,
        h('span', { class: `outcome ${game.outcome}` }, resultWords(game)),
        ` · ${t('stones', { n: game.plies })} · ${when(game.created)}`,
      ),
    ),
    h(
      'span',
      { class: 'row' },
      h(
        'select',
        {
          'aria-label': t('export'),
          'data-key': `export-${game.id}`,
          onchange: event => {
            if (written(event)) download(game.id, written(event));
            /** @type {HTMLSelectElement} */ (event.target).value = '';
          },
        },
        h('option', { value: '' }, t('export')),
        writable(game.game).map(name => h('option', { value: name }, name)),
      ),
      owner
        ? button(sure === game.id ? t('reallyDelete') : t('delete'), remove, { 'data-key': `delete-${game.id}` })
        : null,
    ),
  );
}

/** As what a file is read, where it does not say so itself. */
function readAs() {
  const formats = ['', ...(info()?.formats ?? [])];
  return [
    h(
      'label',
      {},
      t('format'),
      ' ',
      h(
        'select',
        {
          'data-key': 'from',
          onchange: event => {
            from = written(event);
          },
        },
        formats.map(name => h('option', { value: name, selected: name === from }, name || t('automatic'))),
      ),
    ),
    h(
      'label',
      {},
      t('gameName'),
      ' ',
      h('input', {
        value: kind,
        placeholder: t('automatic'),
        size: 14,
        'data-key': 'as',
        oninput: event => {
          kind = written(event).trim();
        },
      }),
    ),
  ];
}

function importing() {
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    readFiles(Array.from(event.dataTransfer?.files ?? []));
  };
  const file = filesField(readFiles);
  return h(
    'section',
    { class: 'sheet importing', ondragover: (/** @type {Event} */ event) => event.preventDefault(), ondrop: drop },
    h('h2', {}, t('importTitle')),
    h('p', { class: 'soft' }, t('importHelp')),
    file,
    h(
      'textarea',
      {
        rows: 3,
        'aria-label': t('paste'),
        placeholder: t('paste'),
        'data-key': 'paste',
        oninput: event => {
          pasted = written(event);
        },
      },
      pasted,
    ),
    h(
      'div',
      { class: 'row' },
      button(t('read'), () => readPasted(pasted, readFiles), { class: 'primary', 'data-key': 'read' }),
      button(t('chooseFiles'), () => file.click(), { 'data-key': 'files' }),
      readAs(),
    ),
    loaded.length
      ? [
          h(
            'p',
            { class: 'soft small' },
            count > Math.min(loaded.length, SHOWN)
              ? t('foundMore', { n: count, shown: Math.min(loaded.length, SHOWN) })
              : t('found', { n: count }),
          ),
          h('ul', { class: 'games' }, loaded.slice(0, SHOWN).map(loadedRow)),
        ]
      : null,
  );
}

/** @param {File[]} files */
async function readFiles(files) {
  [loaded, count] = [[], 0];
  // The games of another file go at once, lest a quick click keep one of them.
  draw();
  for (const file of files) {
    try {
      const { games, total } = await api.read(file, { name: file.name, from, game: kind });
      loaded.push(...games);
      count += total;
    } catch (error) {
      toastError(error);
    }
  }
  draw();
}

/** @param {Loaded} one @param {number} n */
function loadedRow({ record, chances, problem }, n) {
  const look = () => lookAtRecord(record, chances, '#/library').catch(toastError);
  const keep = () =>
    api
      .keep(record)
      .then(kept => {
        keepKeys(kept.id, { owner: kept.owner, tokens: [] });
        toast(t('keptWords'));
        search();
      })
      .catch(toastError);
  const [black, white] = record.sides;
  return h(
    'li',
    {},
    h(
      'span',
      { class: 'open' },
      h(
        'span',
        { class: 'pair' },
        h('span', { class: 'name' }, stoneDot(record.game, 'black'), black.name || '?'),
        h('span', { class: 'name' }, stoneDot(record.game, 'white'), white.name || '?'),
      ),
      h('span', { class: 'facts-line' }, `${gameWords(record.game)} · ${t('stones', { n: record.moves.length })}`),
      problem ? h('span', { class: 'problem' }, `${t('problem')}: ${say(problem)}`) : null,
    ),
    h(
      'span',
      { class: 'row' },
      button(t('open'), look, { 'data-key': `look-${n}` }),
      button(t('keep'), keep, { 'data-key': `keep-${n}` }),
    ),
  );
}
