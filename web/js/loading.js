// Games from files and from the clipboard: read by the server, looked at, kept.
import { h, button, filesField, written } from './dom.js';
import { icon } from './icons.js';
import { api } from './api.js';
import { closeDialog, isOpen, openDialog } from './dialog.js';
import { showRecord } from './open.js';
import { go } from './router.js';
import { remember } from './prefs.js';
import { view } from './view.js';
import { toast, toastError } from './toast.js';
import { gameWords, say, t } from './words.js';

/** @import { Chance, GameRecord, Loaded } from './types.js' */

const SHOWN = 50;
/** @type {Loaded[]} */
let loaded = [];
let pasted = '';

/**
 * Looks at a record; the address then finds it again after a reload.
 * @param {GameRecord} record
 * @param {Chance[]} chances
 * @param {string} [from] where it came from
 */
export async function lookAtRecord(record, chances, from = '') {
  await showRecord(record, chances);
  view.from = from;
  remember('look', { record, chances, from });
  go('#/look');
}

/** Reads what was pasted as if it were a file. @param {string} text @param {(files: File[]) => void} read */
export function readPasted(text, read) {
  if (text.trim()) read([new File([text], '')]);
  else toast(t('nothingPasted'));
}

/** @param {File[]} files */
async function read(files) {
  loaded = [];
  for (const file of files) {
    try {
      const { games } = await api.read(file, { name: file.name });
      loaded.push(...games);
    } catch (error) {
      toastError(error);
    }
  }
  const [only] = loaded;
  if (loaded.length === 1 && !only.problem) {
    closeDialog('loading');
    pasted = '';
    return lookAtRecord(only.record, only.chances).catch(toastError);
  }
  // What was read before is not offered again.
  if (loaded.length || isOpen('loading')) openLoading();
}

export function openLoading() {
  const file = filesField(read, { 'data-key': 'load-file' });
  openDialog('loading', t('loadGame'), [
    file,
    h('p', { class: 'soft' }, t('importHelp')),
    h(
      'textarea',
      {
        rows: 4,
        'aria-label': t('paste'),
        placeholder: t('paste'),
        'data-key': 'load-paste',
        oninput: event => {
          pasted = written(event);
        },
      },
      pasted,
    ),
    h(
      'div',
      { class: 'row' },
      button([icon('load'), t('chooseFiles')], () => file.click(), { 'data-key': 'load-choose' }),
      button(t('read'), () => readPasted(pasted, read), { class: 'primary', 'data-key': 'load-read' }),
    ),
    loaded.length
      ? h(
          'ul',
          { class: 'games' },
          loaded.slice(0, SHOWN).map(({ record, chances, problem }, n) =>
            h(
              'li',
              {},
              button(
                [
                  h('b', {}, record.sides.map(side => side.name || '?').join(' – ')),
                  h(
                    'span',
                    { class: 'facts-line' },
                    `${gameWords(record.game)} · ${t('stones', { n: record.moves.length })}`,
                  ),
                  problem ? h('span', { class: 'problem' }, say(problem)) : null,
                ],
                () => {
                  closeDialog('loading');
                  lookAtRecord(record, chances).catch(toastError);
                },
                { class: 'open', 'data-key': `load-${n}` },
              ),
            ),
          ),
        )
      : null,
  ]);
}

/** A file that is dropped on the board is opened there. @param {HTMLElement} root */
export function readDropped(root) {
  root.addEventListener('dragover', event => {
    event.preventDefault();
    if (!root.hasAttribute('data-drop')) toast(t('dropHere'));
    root.setAttribute('data-drop', '');
  });
  root.addEventListener('dragleave', () => root.removeAttribute('data-drop'));
  root.addEventListener('drop', event => {
    event.preventDefault();
    root.removeAttribute('data-drop');
    read(Array.from(event.dataTransfer?.files ?? []));
  });
}
