// Elements. Names and comments come from strangers: every text becomes a text node, and nothing here parses markup.

/** @import { Attributes, Child, Value } from './types.js' */

const SVG = 'http://www.w3.org/2000/svg';

/** A text whose direction marks show as such, lest a stranger's text turn our own words around. */
const upright = (/** @type {string} */ text) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

/** What has a listener. @type {WeakSet<Element>} */
const heard = new WeakSet();

/**
 * Attributes by name, listeners as `onclick`, children as nodes or texts; null and false are left out.
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {E}
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
      heard.add(element);
    } else if (value !== false && value != null) element.setAttribute(name, value === true ? '' : String(value));
  }
  put(element, ...children);
  return element;
}

/** What of this is there to be seen. @param {Child[]} children @returns {(Node | string)[]} */
const present = children =>
  children.flatMap(child => {
    if (Array.isArray(child)) return present(child);
    if (child == null || child === false) return [];
    return [child instanceof Node ? child : upright(String(child))];
  });

/** Replaces what is inside an element, if that changes it. @param {Element} element @param {...Child} children */
export function put(element, ...children) {
  const wanted = present(children);
  const same = wanted.length === element.childNodes.length && wanted.every((one, n) => one === element.childNodes[n]);
  if (!same) element.replaceChildren(...wanted);
}

/**
 * Makes what is inside an element look like these, with as little as possible for the browser to do: what looks the
 * same stays, with its listeners, so these must ask for what they need when they are called. What has no listeners is
 * changed into what is wanted, what has is replaced. A child that is somewhere on the page already is taken itself.
 * @param {Element} element
 * @param {...Child} children
 */
export function renew(element, ...children) {
  const old = Array.from(element.childNodes);
  const wanted = present(children).map(child => (child instanceof Node ? child : new Text(child)));
  const isFree = (/** @type {number} */ n) => old[n] && !wanted[n].parentNode && !wanted.includes(old[n]);
  const kept = wanted.map((child, n) => (isFree(n) ? turned(old[n], child) : child));
  for (const one of old) if (!kept.includes(one)) one.remove();
  for (const [n, one] of kept.entries()) {
    const there = element.childNodes[n] ?? null;
    if (there !== one) element.insertBefore(one, there);
  }
}

/** What was there if it can be turned into what is wanted, else that. @param {ChildNode} old @param {Node} wanted */
function turned(old, wanted) {
  if (old.isEqualNode(wanted)) return old;
  if (old instanceof Text && wanted instanceof Text) {
    old.data = wanted.data;
    return old;
  }
  if (!(old instanceof Element && wanted instanceof Element) || old.tagName !== wanted.tagName) return wanted;
  if (heard.has(old) || heard.has(wanted)) return wanted;
  for (const { name } of Array.from(old.attributes)) if (!wanted.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of wanted.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const inside = Array.from(wanted.childNodes);
  wanted.replaceChildren();
  renew(old, inside);
  return old;
}

/**
 * An element of HTML.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export const h = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/**
 * An element of SVG.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export const s = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** What was written or chosen. @param {Event} event */
export const written = event => /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value;

/** Whether a box was ticked. @param {Event} event */
export const ticked = event => /** @type {HTMLInputElement} */ (event.target).checked;

/**
 * Sets attributes, and removes those that are null.
 * @param {Element} element
 * @param {Record<string, Value>} attributes
 */
export function attr(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value == null || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value))
      element.setAttribute(name, value === true ? '' : String(value));
  }
}

/** The element with this id, which the page surely has. @param {string} id */
export const byId = id => /** @type {HTMLElement} */ (document.getElementById(id));

/** A drawn sign: many systems lack letters for these. @param {string} d */
export const sign = d => s('svg', { class: 'sign', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d }));

/** A small round stone for lists. @param {string} stone */
export const dot = stone => h('span', { class: `dot ${stone}`, 'aria-hidden': 'true' });

/** The colour of a side of a game, by the game's name. @param {string} game @param {string} stone */
export const stoneDot = (game, stone) => dot(game.startsWith('connect4') ? `${stone} disc` : stone);

/**
 * A button with words.
 * @param {Child} words
 * @param {(event: MouseEvent) => void} act
 * @param {Attributes} [attributes]
 */
export const button = (words, act, attributes = {}) =>
  h('button', { type: 'button', onclick: act, ...attributes }, words);

/**
 * A field for a number; what is written there is brought within its bounds, and whole where steps are.
 * @param {number} value
 * @param {{ min: number, max: number, step?: number, key: string, label?: string }} how
 * @param {(value: number) => void} changed
 */
export function numberField(value, { min, max, step = 1, key, label }, changed) {
  const read = (/** @type {Event} */ event) => {
    const number = Number(written(event)) || min;
    return Math.min(max, Math.max(min, step < 1 ? number : step * Math.round(number / step)));
  };
  const attributes = { type: 'number', class: 'short', min, max, step, value, 'data-key': key, 'aria-label': label };
  return h('input', { ...attributes, onchange: event => changed(read(event)) });
}

/**
 * What asks for files, unseen: a button clicks it.
 * @param {(files: File[]) => void} read
 * @param {Attributes} [attributes]
 */
export function filesField(read, attributes = {}) {
  /** @type {HTMLInputElement} */
  const field = h('input', {
    type: 'file',
    multiple: true,
    class: 'unseen',
    tabindex: -1,
    'aria-hidden': 'true',
    ...attributes,
    onchange: () => read(Array.from(field.files ?? [])),
  });
  return field;
}

/**
 * Only the list scrolls, not the page.
 * @param {Element} list
 * @param {Element} row
 * @param {number} [below] what should be seen below it
 */
export function bringIntoSight(list, row, below = 0) {
  const [box, all] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  const over = box.bottom + below - all.bottom;
  if (over > 0 && all.height > box.height + below) list.scrollTop += over;
  else if (box.top < all.top) list.scrollTop -= all.top - box.top;
}

/** Keeps the keyboard's place while a part of the page is drawn anew. @param {Element} root @param {() => void} draw */
export function keepFocus(root, draw) {
  const active = document.activeElement;
  const key = active && root.contains(active) ? active.getAttribute('data-key') : null;
  draw();
  if (!key) return;
  const again = root.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (again instanceof HTMLElement && document.activeElement !== again) again.focus({ preventScroll: true });
}
