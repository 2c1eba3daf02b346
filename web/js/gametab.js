// The game tab: what is played, saving, sharing, inviting.
import { h, button, written } from './dom.js';
import { view, path, isOver, isStill } from './view.js';
import { connect, showRecord, keepRecord, playOn } from './open.js';
import { recordOf } from './states.js';
import { api } from './api.js';
import { info } from './info.js';
import { keysOf, keepKeys } from './prefs.js';
import { toast, toastError } from './toast.js';
import { isOwn } from './local/where.js';
import { t, gameWords, sideWords } from './words.js';

let format = 'sgf';

/** @param {() => void} redraw */
export function gameTab(redraw) {
  const { state } = view;
  if (!state) return [];
  const fact = (/** @type {string} */ word, /** @type {string} */ text) => [h('dt', {}, t(word)), h('dd', {}, text)];
  return [
    h(
      'dl',
      { class: 'facts' },
      fact('gameName', gameWords(state.game)),
      fact('black', sideWords(state.sides[0])),
      fact('white', sideWords(state.sides[1])),
      view.record?.comment ? fact('comment', view.record.comment) : [],
    ),
    view.id ? saving() : null,
    !state.you.length && !isOver() ? button(t('goOn'), playOn, { 'data-key': 'go-on' }) : null,
    isStill() ? button(t('keep'), keepRecord, { 'data-key': 'keep' }) : null,
    sharing(redraw),
  ];
}

function saving() {
  const formats = info()?.formats ?? ['json', 'sgf'];
  const select = h(
    'select',
    {
      'aria-label': t('format'),
      'data-key': 'format',
      onchange: event => {
        format = written(event);
      },
    },
    formats.map(name => h('option', { value: name, selected: name === format }, name)),
  );
  return h(
    'div',
    { class: 'row' },
    h('span', {}, t('save')),
    select,
    button(t('saveFile'), () => download(view.id, format), { 'data-key': 'save' }),
  );
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
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  } catch (error) {
    toastError(error);
  }
}

/** @param {string} hash */
const link = hash => `${location.origin}${location.pathname}${hash}`;

/** @param {() => void} redraw */
function sharing(redraw) {
  const { state, id } = view;
  if (!state) return null;
  const moves = () => link(`#/m/${encodeURIComponent(state.game)}/${path().join('')}`);
  return h(
    'div',
    { class: 'stack' },
    h('h3', {}, t('share')),
    h(
      'div',
      { class: 'row' },
      id && !isOwn(id) ? button(t('watchLink'), () => copy(link(`#/g/${id}`)), { 'data-key': 'watch' }) : null,
      state.setup ? null : button(t('positionLink'), () => copy(moves()), { 'data-key': 'position' }),
    ),
    inviting(redraw),
  );
}

/** Gives one of the two seats away; this browser then keeps only the other. @param {() => void} redraw */
function inviting(redraw) {
  const { state, id } = view;
  const keys = keysOf(id);
  const address = (/** @type {string} */ seat) => link(`#/g/${id}?seat=${seat}`);
  if (id && keys.invited) return invitation(address(keys.invited));
  const both = keys.tokens?.every(Boolean) && keys.tokens.length === 2 && state?.sides.every(side => side.human);
  if (!both || !state || !id) return null;
  const give = (/** @type {number} */ kept) => {
    const invited = keys.tokens?.[1 - kept] ?? '';
    keepKeys(id, {
      ...keys,
      invited,
      tokens: kept ? [null, keys.tokens?.[1] ?? null] : [keys.tokens?.[0] ?? null, null],
    });
    copy(address(invited));
    connect();
    redraw();
  };
  return [
    h('h3', {}, t('invite')),
    h(
      'div',
      { class: 'row' },
      h('span', {}, t('keepSide')),
      button(t('black'), () => give(0), { 'data-key': 'keep-black' }),
      button(t('white'), () => give(1), { 'data-key': 'keep-white' }),
    ),
  ];
}

/** @param {string} url */
function invitation(url) {
  const side = view.state?.you[0];
  return [
    h('h3', {}, t('invite')),
    h('p', { class: 'soft small' }, t('inviteWords', { side: side ? t(side) : '' })),
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
      button(t('copy'), () => copy(url), { 'data-key': 'copy' }),
    ),
  ];
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
