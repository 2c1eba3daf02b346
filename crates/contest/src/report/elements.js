// @ts-check
// Parts of tables, and numbers. Names and messages in the data come from strangers: every text goes through `h` or `s`
// of web/js/dom.js, which stands before this file in the script, makes text nodes of it and never parses markup.

/** Seconds, to the thousandth. */
const seconds = value => `${value.toFixed(value < 10 ? 3 : 1)} s`;
const end = text => h('td', { class: 'end' }, text);
const named = player => {
  const name = data.players[player]?.name || '?';
  return h('span', { class: 'cut', title: name }, name);
};

/** A table in a box of its own, which scrolls when the screen is narrow. */
function table(heads, rows, className = '') {
  const head = h(
    'tr',
    {},
    heads.map(([text, kind]) => h('th', { scope: 'col', class: kind }, text)),
  );
  const body = h('table', { class: 'nums ' + className }, h('thead', {}, head), h('tbody', {}, rows));
  return h('div', { class: 'box', tabindex: '0', role: 'group' }, body);
}

function section(id, ...children) {
  return h(
    'section',
    { id, tabindex: '-1', 'aria-labelledby': id + '-title' },
    h('h2', { id: id + '-title' }, t(id)),
    ...children,
  );
}

function pager(page, count, size, go) {
  const last = Math.max(0, Math.ceil(count / size) - 1);
  if (last === 0) return null;
  const step = (to, label, sign) =>
    h('button', { type: 'button', disabled: to < 0 || to > last, 'aria-label': label, onclick: () => go(to) }, sign);
  return h(
    'div',
    { class: 'pager' },
    step(page - 1, t('previous'), '‹'),
    h('span', { class: 'num', 'aria-live': 'polite' }, `${t('page')} ${page + 1} / ${last + 1}`),
    step(page + 1, t('next'), '›'),
  );
}

const gamesOf = tally => tally.wins + tally.draws + tally.losses;
const shareOf = tally => (gamesOf(tally) ? (tally.wins + tally.draws / 2) / gamesOf(tally) : null);
const percent = share => (share == null ? '–' : (100 * share).toFixed(1) + ' %');
const signed = (n, digits = 1) => (n > 0 ? '+' : n < 0 ? '−' : '') + Math.abs(n).toFixed(digits);
const halves = n => (n % 1 ? (n > 1 ? Math.floor(n) : '') + '½' : String(n));
const counts = tally => `+${tally.wins} =${tally.draws} −${tally.losses}`;
const time = ms => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`);

function estimate({ value, low, high }) {
  if (value != null && low != null && high != null) return `${signed(value, 0)} ± ${((high - low) / 2).toFixed(0)}`;
  if (low != null) return t('above') + signed(low, 0);
  if (high != null) return t('below') + signed(high, 0);
  return t('unknown');
}

/** Wins, draws and losses as one bar. */
function share(tally) {
  const all = gamesOf(tally) || 1;
  const parts = [
    ['w', tally.wins],
    ['d', tally.draws],
    ['l', tally.losses],
  ];
  let x = 0;
  return s(
    'svg',
    { class: 'share', 'aria-hidden': 'true' },
    parts.map(([kind, n]) => {
      const rect = s('rect', { class: kind, x: `${(100 * x) / all}%`, y: 0, width: `${(100 * n) / all}%`, height: 10 });
      x += n;
      return rect;
    }),
  );
}

/** What the colours of bars mean. */
function barKey(...entries) {
  return h(
    'p',
    { class: 'key small soft' },
    entries.map(([word, colour]) => h('span', { class: colour }, t(word))),
  );
}
