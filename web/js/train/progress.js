// Progress that goes out as a file and comes in again, and the class that sees it.
import { h, button, put } from '../dom.js';
import { icon } from '../icons.js';
import { openDialog, openMenu, closeDialog } from '../dialog.js';
import { api } from '../api.js';
import { info } from '../info.js';
import { ask, join, leaveClass, membership, progress } from '../learner.js';
import { refresh } from './training.js';
import { alone } from '../local/alone.js';
import { toast, toastError } from '../toast.js';
import { redraw } from '../view.js';
import { t } from '../words.js';

/** @import { Learner } from '../types.js' */

/** Saves the progress as a file. */
async function save() {
  const kept = (await progress()) ?? { format: 'lianzi-progress', version: 1 };
  const url = URL.createObjectURL(new Blob([JSON.stringify(kept)], { type: 'application/json' }));
  h('a', { href: url, download: 'lianzi-progress.json' }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {File} file */
async function read(file) {
  try {
    await ask('train_import', { text: await file.text() });
    toast(t('progressRead'));
    await refresh();
  } catch (error) {
    toastError(error);
  }
}

function load() {
  const field = h('input', { type: 'file', accept: '.json,application/json' });
  field.addEventListener('change', () => field.files?.[0] && read(field.files[0]));
  field.click();
}

/** Whether this server keeps a class. */
const hasClass = () => !alone() && Boolean(info()?.class);

export const progressMenu = () =>
  button([t('progress'), icon('more')], event => open(/** @type {HTMLElement} */ (event.currentTarget)), {
    class: 'plain progress-menu',
    'aria-haspopup': 'menu',
    'data-key': 'progress-menu',
  });

/** @param {HTMLElement} at */
const open = at =>
  openMenu(at, [
    { key: 'progress-save', icon: 'save', words: t('exportProgress'), act: save },
    { key: 'progress-load', icon: 'load', words: t('importProgress'), act: load },
    ...(hasClass() ? [null, { key: 'class', icon: 'people', words: t('class'), act: openClass }] : []),
  ]);

/** The learner's name in the class, and the teacher's door. */
function openClass() {
  const member = membership();
  const name = h('input', {
    type: 'text',
    maxlength: 60,
    autocomplete: 'name',
    'data-key': 'class-name',
    class: 'wide',
  });
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!name.value.trim()) return;
    join(name.value.trim()).then(openClass, toastError);
  };
  const leave = () => {
    leaveClass();
    openClass();
    redraw();
  };
  openDialog('class', t('class'), [
    member
      ? h(
          'div',
          { class: 'stack' },
          h('p', {}, t('inClass', { name: member.name })),
          button(t('leaveClass'), leave, { 'data-key': 'class-leave' }),
        )
      : h(
          'form',
          { class: 'stack', onsubmit: enter },
          h('p', { class: 'soft' }, t('classAbout')),
          h('label', { class: 'stack' }, t('className'), name),
          h('button', { type: 'submit', class: 'primary', 'data-key': 'class-join' }, t('joinClass')),
        ),
    teacherDoor(),
  ]);
}

function teacherDoor() {
  const secret = h('input', { type: 'password', autocomplete: 'off', 'data-key': 'keeper', class: 'wide' });
  const found = h('div', { class: 'box' });
  const show = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const { learners } = await api.learners(secret.value.trim());
      put(found, learners.length ? table(learners) : h('p', { class: 'soft' }, t('nobodyYet')));
    } catch (error) {
      closeDialog('class');
      toastError(error);
    }
  };
  return h(
    'details',
    {},
    h('summary', {}, t('teacher')),
    h(
      'form',
      { class: 'stack', onsubmit: show },
      h('label', { class: 'stack' }, t('keeperSecret'), secret),
      h('button', { type: 'submit', 'data-key': 'class-show' }, t('showClass')),
    ),
    found,
  );
}

/** Everybody who learns here. @param {Learner[]} learners */
function table(learners) {
  const heads = ['learnerName', 'rating', 'learnerSolved', 'learnerLessons', 'learnerDays', 'learnerSeen'];
  const cells = (/** @type {Learner} */ { name, seen, summary }) => [
    name,
    Math.round(summary.rating),
    `${summary.solved}/${summary.tried}`,
    Object.values(summary.lessons).flat().length,
    summary.days.now,
    seen,
  ];
  return h(
    'table',
    { 'data-key': 'class-table' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        heads.map(head => h('th', {}, t(head))),
      ),
    ),
    h(
      'tbody',
      {},
      learners.map(one =>
        h(
          'tr',
          {},
          cells(one).map(value => h('td', {}, value)),
        ),
      ),
    ),
  );
}
