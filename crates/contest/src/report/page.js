// @ts-check
// Draws a report. All scripts of the page share one scope; this one is the last and starts everything.

const data = JSON.parse(document.getElementById('data')?.textContent ?? '{}');
const PAGE_SIZE = 50,
  FEW = 12;

/** What the reader chose, and where in the lists they are. */
const view = {
  language: remembered('language', ['en', 'zh']) ?? data.language,
  theme: remembered('theme', ['light', 'dark']),
  games: { page: 0, player: '', result: '', ending: '', opening: '' },
  pages: { faults: 0, openings: 0 },
};

function remembered(key, allowed) {
  try {
    const value = localStorage.getItem('lianzi-report-' + key);
    return allowed.includes(value) ? value : null;
  } catch {
    return null;
  }
}

function remember(key, value) {
  try {
    localStorage.setItem('lianzi-report-' + key, value);
  } catch {
    /* a page from a file may have no memory */
  }
}

/** Discs that fall are red and yellow, whatever the data calls the sides. */
const discs = data.boards.some(board => board.drop);
const OF_DISCS = { black: 'red', white: 'yellow', asBlack: 'asRed' };
const t = key => WORDS[view.language][(discs && OF_DISCS[key]) || key];
const sideDot = stone => dot(discs ? `${stone} disc` : stone);
const say = words => words[view.language];
const endingName = name => ENDINGS[name]?.[view.language === 'en' ? 0 : 1] ?? name;

function standingsSection() {
  const rows = data.standings.map(row =>
    h(
      'tr',
      {},
      h('td', {}, String(row.rank)),
      h('th', { scope: 'row' }, named(row.player)),
      end(halves(row.points)),
      end(String(gamesOf(row.tally))),
      end(String(row.tally.wins)),
      end(String(row.tally.draws)),
      end(String(row.tally.losses)),
      end(percent(shareOf(row.tally))),
      end(estimate(row.elo)),
      h('td', { class: row.faults ? 'end bad' : 'end' }, String(row.faults)),
    ),
  );
  const heads = [
    ['rank'],
    ['player'],
    ...['points', 'games', 'wins', 'draws', 'losses', 'score', 'elo', 'faults'].map(key => [key, 'end']),
  ];
  return section(
    'standings',
    table(
      heads.map(([key, kind]) => [t(key), kind]),
      rows,
    ),
  );
}

/** The end points of the Elo axis: everything with its error, rounded outwards to a step. */
function eloAxis(rows) {
  const known = rows
    .flatMap(({ elo }) => [elo.value, elo.low, elo.high])
    .filter(n => n != null)
    .concat(0);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const step = [10, 20, 50, 100, 200, 500, 1000, 2000].find(n => (high - low) / n <= 4) ?? 5000;
  const from = Math.floor(low / step) * step - (low < 0 ? 0 : step),
    to = Math.ceil(high / step) * step + (high > 0 ? 0 : step);
  const ticks = [];
  for (let n = from; n <= to; n += step) ticks.push(n);
  return { ticks, at: n => `${(100 * (n - from)) / (to - from)}%` };
}

function eloRow({ elo }, { ticks, at }) {
  const end = (value, unbounded) => (value == null ? unbounded : at(value));
  const marks = ticks.map(n => s('line', { x1: at(n), x2: at(n), y1: 0, y2: 30, class: n === 0 ? 'zero' : '' }));
  if (elo.low == null && elo.high == null) return s('svg', { 'aria-hidden': 'true' }, marks);
  const [left, right] = [end(elo.low, '0%'), end(elo.high, '100%')];
  const cap = (value, x) => (value == null ? null : s('line', { class: 'error', x1: x, x2: x, y1: 10, y2: 20 }));
  return s(
    'svg',
    { 'aria-hidden': 'true' },
    marks,
    s('line', {
      class: 'error',
      x1: left,
      x2: right,
      y1: 15,
      y2: 15,
      'stroke-dasharray': elo.value == null ? '4 4' : null,
    }),
    cap(elo.low, left),
    cap(elo.high, right),
    elo.value == null ? null : s('circle', { cx: at(elo.value), cy: 15, r: 5 }),
  );
}

function eloSection() {
  if (!data.standings.length) return null;
  const axis = eloAxis(data.standings);
  const rows = data.standings.flatMap(row => [
    named(row.player),
    eloRow(row, axis),
    h('span', { class: 'num' }, estimate(row.elo)),
  ]);
  const labels = s(
    'svg',
    { 'aria-hidden': 'true' },
    axis.ticks.map(n => s('text', { x: axis.at(n), y: 18, 'text-anchor': 'middle' }, n ? signed(n, 0) : '0')),
  );
  return section('elo', h('div', { class: 'elo' }, rows, h('span'), labels, h('span', { class: 'last' })));
}

function crossSection() {
  if (data.players.length < 3) return null;
  const order = data.standings.map(row => row.player);
  const cell = (me, other) => {
    const tally = data.cross[me][other];
    if (me === other) return h('td', { class: 'self' });
    return gamesOf(tally)
      ? h('td', {}, halves(tally.wins + tally.draws / 2), h('small', {}, counts(tally)))
      : h('td', { class: 'soft' }, '·');
  };
  const rows = order.map(me =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, named(me)),
      order.map(other => cell(me, other)),
    ),
  );
  return section(
    'cross',
    h('p', { class: 'soft small' }, t('against')),
    table([[''], ...order.map(player => [named(player)])], rows, 'cross'),
  );
}

function coloursSection() {
  const row = (player, stone, tally) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, named(player)),
      h('td', {}, sideDot(stone), t(stone)),
      end(percent(shareOf(tally))),
      end(counts(tally)),
      h('td', {}, share(tally)),
    );
  const rows = data.colours.players.flatMap(([black, white], player) => [
    row(player, 'black', black),
    row(player, 'white', white),
  ]);
  const { first } = data.colours;
  return section(
    'colours',
    h('p', {}, `${t('first')} `, h('b', { class: 'num' }, percent(shareOf(first))), ` (${counts(first)})`),
    share(first),
    table([[t('player')], [''], [t('score'), 'end'], [t('games'), 'end'], ['']], rows),
    barKey(['wins', 'w'], ['draws', 'd'], ['losses', 'l']),
  );
}

function timesSection() {
  const longest = Math.max(1, ...data.times.map(row => row.max));
  const measured = data.cpu.some(row => row.turns);
  const cpu = row => [end(row.turns ? seconds(row.seconds) : '–'), end(row.turns ? seconds(row.per_turn) : '–')];
  const bar = row =>
    s(
      'svg',
      { class: 'share', 'aria-hidden': 'true' },
      s('rect', { class: 'd', width: `${(100 * row.max) / longest}%`, height: 10 }),
      s('rect', { class: 'w', width: `${(100 * row.p50) / longest}%`, height: 10 }),
    );
  const rows = data.times.map((row, player) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, named(player)),
      ['mean', 'p50', 'p95', 'max'].map(key => end(row.turns ? time(row[key]) : '–')),
      end(String(row.turns)),
      measured ? cpu(data.cpu[player]) : [],
      h('td', {}, row.turns ? bar(row) : null),
    ),
  );
  return section(
    'times',
    table(
      [
        [t('player')],
        ...['mean', 'p50', 'p95', 'max', 'turns', ...(measured ? ['cpu', 'cpuMean'] : [])].map(key => [t(key), 'end']),
        [''],
      ],
      rows,
    ),
    barKey(['p50', 'w'], ['max', 'd']),
  );
}

// ---- a match of two

function pentanomial(pairs) {
  const most = Math.max(1, ...pairs);
  return h(
    'div',
    { class: 'penta num' },
    pairs.map((n, index) =>
      h(
        'div',
        {},
        String(n),
        s(
          'svg',
          { 'aria-hidden': 'true' },
          s('rect', { x: '20%', width: '60%', y: 64 - (62 * n) / most, height: 2 + (62 * n) / most, rx: 2 }),
        ),
        h('span', { class: 'soft' }, halves(index / 2)),
      ),
    ),
  );
}

function sprtLine({ test, llr, lower, upper, accepted }) {
  const at = n => `${Math.min(100, Math.max(0, (100 * (n - lower)) / (upper - lower)))}%`;
  const verdict = accepted ? t(accepted.toLowerCase()) : t('going');
  return h(
    'div',
    {},
    h('h3', {}, `${t('sprt')} [${test.elo0}, ${test.elo1}]`),
    h(
      'p',
      { class: 'num' },
      `LLR ${signed(llr, 2)} (${signed(lower, 2)}, ${signed(upper, 2)}) · `,
      h('b', {}, verdict),
    ),
    s(
      'svg',
      { class: 'scale', 'aria-hidden': 'true' },
      s('line', { class: 'track', x1: 0, x2: '100%', y1: 12, y2: 12 }),
      s('circle', { cx: at(llr), cy: 12, r: 7 }),
      s('text', { x: 0, y: 38 }, 'H0'),
      s('text', { x: '100%', y: 38, 'text-anchor': 'end' }, 'H1'),
    ),
  );
}

function resultSection() {
  const { duel } = data;
  if (!duel) return null;
  const { games, pairs } = duel.results;
  const points = (wins, draws) => halves(wins + draws / 2);
  const name = player => h('span', { class: 'name' }, data.players[player].name || '?');
  const fact = (key, value) => h('div', {}, h('dt', {}, t(key)), h('dd', { class: 'num' }, value));
  return section(
    'result',
    h(
      'div',
      { class: 'versus' },
      name(0),
      h('b', { class: 'num' }, `${points(games.wins, games.draws)} : ${points(games.losses, games.draws)}`),
      name(1),
    ),
    share(games),
    h('p', { class: 'soft small' }, t('seenBy'), name(0)),
    h(
      'dl',
      { class: 'facts' },
      fact('elo', estimate(duel.elo)),
      fact('normalised', estimate(duel.normalised)),
      fact('los', percent(duel.superiority)),
      fact('games', counts(games)),
    ),
    h(
      'div',
      { class: 'two' },
      h('div', {}, h('h3', {}, t('pairs')), pentanomial(pairs)),
      duel.sprt && sprtLine(duel.sprt),
    ),
  );
}

// ---- the page

const systemDark = matchMedia('(prefers-color-scheme: dark)');
const theme = () => view.theme ?? (systemDark.matches ? 'dark' : 'light');

function choose(key, value) {
  view[key] = value;
  remember(key, value);
  draw();
  document.getElementById('choose-' + key)?.focus();
}

function topBar(sections) {
  const links = sections.map(part => h('a', { href: '#' + part.id }, t(part.id)));
  const other = theme() === 'dark' ? 'light' : 'dark';
  return h(
    'header',
    { class: 'bar' },
    h('nav', {}, links),
    h('button', { type: 'button', id: 'choose-theme', onclick: () => choose('theme', other) }, t(other)),
    h(
      'button',
      {
        type: 'button',
        id: 'choose-language',
        'aria-label': t('languageHint'),
        onclick: () => choose('language', view.language === 'en' ? 'zh' : 'en'),
      },
      t('language'),
    ),
  );
}

function headline() {
  const total = data.finished || !data.planned ? '' : t('ofGames') + data.planned;
  const state = `${t(data.finished ? 'finished' : 'running')} · ${data.games.length}${total}${t('gamesPlayed')}`;
  return h(
    'div',
    {},
    h('h1', { class: 'name' }, data.title),
    h('p', { class: 'soft' }, `${data.settings.game} · ${say(data.settings.control)} · ${state}`),
    data.caveats.length
      ? h(
          'ul',
          { class: 'caveats', role: 'alert' },
          data.caveats.map(words => h('li', {}, say(words))),
        )
      : null,
  );
}

function draw() {
  document.documentElement.lang = view.language === 'zh' ? 'zh-CN' : 'en';
  document.documentElement.dataset.theme = theme();
  document.title = data.title;
  const makers = data.games.length
    ? [
        resultSection,
        standingsSection,
        eloSection,
        crossSection,
        coloursSection,
        timesSection,
        openingsSection,
        faultsSection,
        gamesSection,
        settingsSection,
      ]
    : [settingsSection];
  const sections = makers.map(make => make()).filter(part => part != null);
  const waiting = data.games.length ? [] : [h('p', { class: 'soft' }, t('noGames'))];
  document.getElementById('page')?.replaceChildren(topBar(sections), h('main', {}, headline(), waiting, sections));
  if (dialog.open) {
    drawReplay();
    showPly(shown.ply);
  }
}

systemDark.addEventListener('change', draw);
document.body.append(defs());
draw();
// An address may also name the move to open the game at: #game-3.1@17.
const [address, ply] = location.hash.split('@');
const wanted = address.startsWith('#game-') ? data.games.findIndex(game => `#game-${label(game)}` === address) : -1;
if (wanted >= 0) openGame(wanted, ply ? Number(ply) : Infinity);
