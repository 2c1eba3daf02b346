// Sharing a game: links to watch and to a position, an invitation with a code to scan, files, and what the game is.
import { h, button, written } from './dom.js';
import { icon } from './icons.js';
import { view, path, redraw, unpressed } from './view.js';
import { connect, keepRecord, showRecord } from './open.js';
import { boardName } from './rulename.js';
import { recordOf } from './states.js';
import { send } from './ask.js';
import { api } from './api.js';
import { info } from './info.js';
import { openDialog, isOpen } from './dialog.js';
import { keysOf, keepKeys, recall, remember, withOneSeat } from './prefs.js';
import { toast, toastError } from './toast.js';
import { controlWords } from './status.js';
import { gameWords, sideWords, stoneName, t } from './words.js';
import { isOwn } from './local/where.js';

let format = 'sgf';

export function openSaving() {
  // What a format cannot hold is not offered: only those that write this game are.
  const formats = writable(view.state?.game ?? '');
  const choose = (/** @type {Event} */ event) => {
    format = written(event);
  };
  if (!formats.includes(format)) format = formats[0] ?? 'json';
  const save = async () => {
    if (view.record && !view.id && !(await keepRecord())) return;
    download(view.id, format);
  };
  openDialog(
    'saving',
    t('save'),
    h(
      'div',
      { class: 'row' },
      h(
        'select',
        { 'aria-label': t('format'), 'data-key': 'format', onchange: choose },
        formats.map(name => h('option', { value: name, selected: name === format }, name)),
      ),
      button([icon('save'), t('saveFile')], save, { class: 'primary', 'data-key': 'save' }),
    ),
  );
}

/** Formats that can hold a game. @param {string} game */
export function writable(game) {
  const all = info()?.formats ?? ['json', 'sgf'];
  const kind = game.split(/[:/]/)[0];
  // Two are for columns that discs fall in, and one is only read.
  const falling = ['columns', 'csv'];
  return all.filter(name => name !== 'renlib' && (kind === 'connect4' || !falling.includes(name)));
}

/** Saves a game's file; a format that cannot hold it says so in words. @param {string} id @param {string} format */
export async function download(id, format) {
  try {
    const answer = await api.file(id, format);
    if (!answer.ok) return toast(await answer.json());
    const name =
      /filename="?([^";]+)"?/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? `${id}.${format}`;
    const url = URL.createObjectURL(await answer.blob());
    h('a', { href: url, download: name }).click();
    // A busy browser begins to save it seconds later.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (error) {
    toastError(error);
  }
}

/** Whether an address leads to this machine only. @param {string} address */
const isLoopback = address => /^https?:\/\/(localhost|127\.|\[::1\])/.test(address);

/** Addresses under which a friend may reach this server. */
function addresses() {
  const others = info()?.addresses ?? [];
  const here = location.origin;
  return [...new Set(isLoopback(here) ? [...others, here] : [here, ...others])];
}

let address = '';

/** @param {string} hash */
const link = hash => `${address || addresses()[0]}${location.pathname}${hash}`;

export function openSharing() {
  const { state, id } = view;
  if (!state) return;
  address ||= addresses()[0];
  const moves = () => link(`#/m/${encodeURIComponent(boardName(state.game))}/${path().join('')}`);
  const inviting = invitation();
  openDialog('sharing', t(inviting ? 'inviteTitle' : 'share'), [
    inviting,
    h(
      'div',
      { class: 'row' },
      id && !isOwn(id)
        ? button([icon('eye'), t('watchLink')], () => copy(link(`#/g/${id}`)), { 'data-key': 'watch' })
        : null,
      state.setup ? null : button([icon('link'), t('positionLink')], () => copy(moves()), { 'data-key': 'position' }),
    ),
  ]);
}

/** The other seat as a link, if there is one to give away or it was given. */
function invitation() {
  const { state, id } = view;
  const keys = keysOf(id);
  if (!id || !state) return null;
  if (keys.invited) return invited(link(`#/g/${id}?seat=${keys.invited}`));
  const both = keys.tokens?.every(Boolean) && keys.tokens.length === 2 && state.sides.every(side => side.human);
  if (!both) return null;
  const keep = (/** @type {number} */ kept, /** @type {string} */ word) =>
    button(
      stoneName(state, word),
      () => {
        giveAway(kept);
        openSharing();
      },
      { 'data-key': `keep-${word}` },
    );
  return h(
    'div',
    { class: 'stack' },
    h('h3', {}, t('invite')),
    h('div', { class: 'row' }, h('span', {}, t('keepSide')), keep(0, 'black'), keep(1, 'white')),
  );
}

/** Gives the other seat away; this browser then keeps only one. @param {number} kept */
export function giveAway(kept) {
  const { id } = view;
  keepKeys(id, withOneSeat(keysOf(id), kept));
  connect();
  tellName();
  redraw();
}

/** The friend is to see who invites. */
export function tellName() {
  const name = recall('name', '');
  if (name) send({ type: 'name', name });
}

/** @param {string} url */
function invited(url) {
  const side = view.state?.you[0];
  const all = addresses();
  return h(
    'div',
    { class: 'invite' },
    h('img', { class: 'qr', src: `/api/qr?text=${encodeURIComponent(url)}`, alt: t('qrOf'), width: 168, height: 168 }),
    h(
      'div',
      { class: 'stack' },
      h('p', { class: 'soft' }, t('inviteWords', { side: side && view.state ? stoneName(view.state, side) : '' })),
      h(
        'div',
        { class: 'row' },
        h('input', {
          class: 'wide',
          readonly: true,
          value: url,
          'aria-label': t('invite'),
          'data-key': 'invite-link',
          onfocus: event => /** @type {HTMLInputElement} */ (event.target).select(),
        }),
        button(t('copy'), () => copy(url), { class: 'primary', 'data-key': 'copy' }),
      ),
      all.length > 1
        ? h(
            'label',
            { class: 'stack' },
            h('span', { class: 'small soft' }, t('reachable')),
            h(
              'select',
              {
                'data-key': 'address',
                onchange: event => {
                  address = written(event);
                  openSharing();
                },
              },
              all.map(one => h('option', { value: one, selected: one === address }, one)),
            ),
          )
        : null,
      isLoopback(url) ? h('p', { class: 'warning' }, t('loopback')) : null,
      nameField(),
    ),
  );
}

/** What the friend calls one. */
function nameField() {
  return h(
    'label',
    { class: 'stack' },
    h('span', { class: 'small soft' }, t('nameFor')),
    h('input', {
      maxlength: 40,
      value: recall('name', ''),
      placeholder: t('yourName'),
      'data-key': 'my-name',
      onchange: event => {
        const name = written(event).trim();
        remember('name', name);
        if (name) send({ type: 'name', name });
      },
    }),
  );
}

/** The window follows what happens in the game. */
export const drawSharing = () => unpressed(() => isOpen('sharing') && openSharing());

/** What is played, with its comment. */
export function openAbout() {
  const { state, record } = view;
  if (!state) return;
  const fact = (/** @type {string} */ word, /** @type {string} */ text) => [h('dt', {}, word), h('dd', {}, text)];
  openDialog(
    'about',
    t('gameInfo'),
    h(
      'dl',
      { class: 'facts' },
      fact(t('gameName'), gameWords(state.game)),
      fact(t('boardSize'), `${state.width}×${state.height}`),
      fact(stoneName(state, 'black'), sideWords(state.sides[0])),
      fact(stoneName(state, 'white'), sideWords(state.sides[1])),
      fact(t('timeControl'), controlWords(state.control)),
      record?.comment ? fact(t('comment'), record.comment) : [],
    ),
  );
}

/** @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('copied'));
  } catch {
    // Without https a browser gives no clipboard; the text is shown to be copied by hand.
    toast(`${t('copyHere')}: ${text}`);
  }
}

/** Opens a position from a link that holds its moves. @param {string} game @param {string[]} moves */
export async function openMoves(game, moves) {
  const record = recordOf(game, [t('black'), t('white')], moves);
  await showRecord(record).catch(toastError);
}
