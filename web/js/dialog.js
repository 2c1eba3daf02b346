// Windows over the page, and the menu of rare things.
import { h, put, button, keepFocus } from './dom.js';
import { icon } from './icons.js';
import { t } from './words.js';

/** @import { Child } from './types.js' */

/** @type {Map<string, HTMLDialogElement>} */
const made = new Map();

/** A window by its kind, which is made once. @param {string} kind */
function dialogOf(kind) {
  const known = made.get(kind);
  if (known) return known;
  const dialog = h('dialog', {
    class: kind,
    onclick: (/** @type {Event} */ event) => event.target === dialog && dialog.close(),
  });
  document.body.append(dialog);
  made.set(kind, dialog);
  return dialog;
}

/**
 * Opens a window, or draws it again if it is open.
 * @param {string} kind
 * @param {string} title
 * @param {Child} inside
 * @param {Child} [foot]
 */
export function openDialog(kind, title, inside, foot = null) {
  const dialog = dialogOf(kind);
  dialog.setAttribute('aria-label', title);
  keepFocus(dialog, () =>
    put(
      dialog,
      h(
        'div',
        { class: 'head' },
        h('h2', {}, title),
        button(icon('close'), () => dialog.close(), { class: 'plain round', 'aria-label': t('close') }),
      ),
      h('div', { class: 'inside' }, inside),
      foot ? h('div', { class: 'foot' }, foot) : null,
    ),
  );
  if (!dialog.open) dialog.showModal();
  return dialog;
}

/** @param {string} kind */
export const closeDialog = kind => made.get(kind)?.close();
/** @param {string} kind */
export const isOpen = kind => Boolean(made.get(kind)?.open);

/**
 * @typedef {{ key: string, words: string, icon: string, act?: () => void, href?: string, on?: boolean, off?:
 * boolean, sure?: string | null }} Item `sure` asks: only a second press acts.
 */

/** @type {HTMLElement | null} */
let menu = null;

/**
 * A list of things to do, beside the button that was pressed.
 * @param {HTMLElement} at
 * @param {(Item | null)[]} items
 */
export function openMenu(at, items) {
  closeMenu();
  const entry = (/** @type {Item} */ item) => {
    const words = h('span', {}, item.words);
    const inside = [icon(item.icon), words, item.on ? icon('check') : null];
    const attributes = { role: 'menuitem', class: 'menu-item', 'data-key': item.key, tabindex: '-1' };
    if (item.href) return h('a', { ...attributes, href: item.href, onclick: closeMenu }, inside);
    let sure = !item.sure;
    const act = () => {
      if (sure) {
        closeMenu();
        item.act?.();
      } else put(words, item.sure);
      sure = true;
    };
    return h('button', { type: 'button', ...attributes, disabled: item.off, onclick: act }, inside);
  };
  const list = h(
    'div',
    { class: 'menu', role: 'menu', popover: 'auto', onkeydown: event => step(event, list) },
    items.map(item => (item ? entry(item) : h('hr'))),
  );
  menu = list;
  document.body.append(list);
  list.showPopover();
  place(list, at);
  list.addEventListener('toggle', event => /** @type {ToggleEvent} */ (event).newState === 'closed' && list.remove());
  /** @type {HTMLElement | null} */ (list.querySelector('[role=menuitem]:not(:disabled)'))?.focus();
}

function closeMenu() {
  menu?.remove();
  menu = null;
}

/** Above or below its button, inside the window. @param {HTMLElement} list @param {HTMLElement} at */
function place(list, at) {
  const [button, box] = [at.getBoundingClientRect(), list.getBoundingClientRect()];
  const left = Math.max(8, Math.min(button.right - box.width, innerWidth - box.width - 8));
  const below = button.bottom + 8 + box.height <= innerHeight;
  const top = below ? button.bottom + 8 : Math.max(8, button.top - box.height - 8);
  list.style.left = `${left}px`;
  list.style.top = `${top}px`;
}

/** @param {KeyboardEvent} event @param {HTMLElement} list */
function step(event, list) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  event.stopPropagation();
  const all = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role=menuitem]:not(:disabled)')]);
  const now = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  all[(now + by + all.length) % all.length]?.focus();
}
