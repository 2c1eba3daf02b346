// Choosing the cells that nobody may play on.
import { h, s } from './dom.js';
import { cellAt } from './game.js';
import { UNIT, allCells, front, ground } from './board.js';

/**
 * A small board on which cells are blocked and freed by a click.
 * @param {import('./board.js').Ground} board
 * @param {(blocked: string[]) => void} changed
 * @param {(cell: string, blocked: boolean) => string} label
 */
export function blockPicker(board, changed, label) {
  const { viewBox, parts } = ground(board, false);
  const spots = allCells(board).map(({ x, y }) => {
    const cell = cellAt(x, y);
    const on = board.blocked.includes(cell);
    const flip = () => changed(on ? board.blocked.filter(one => one !== cell) : [...board.blocked, cell]);
    const key = (/** @type {KeyboardEvent} */ event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (!step && event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      if (!step) return flip();
      const to = cellAt(x + step[0], y + step[1]);
      const next = /** @type {SVGElement} */ (event.currentTarget).parentElement?.querySelector(
        `[data-key="block-${to}"]`,
      );
      if (next instanceof SVGElement) next.focus();
    };
    return s('rect', {
      class: 'cell',
      role: 'checkbox',
      'aria-checked': String(on),
      'aria-label': label(cell, on),
      // One stop for the keyboard; arrows move on the board.
      tabindex: x === 0 && y === 0 ? '0' : '-1',
      'data-key': `block-${cell}`,
      x: x * UNIT,
      y: (board.height - 1 - y) * UNIT,
      width: UNIT,
      height: UNIT,
      onclick: flip,
      onkeydown: key,
    });
  });
  return h(
    'div',
    { class: 'picker' },
    s('svg', { class: `board small${board.drop ? ' drop' : ''}`, viewBox }, parts, front(board, false), spots),
  );
}
