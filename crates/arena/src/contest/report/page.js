// @ts-check
// Draws a report. Names and messages in the data come from strangers: every text goes through `h`, which makes text
// nodes of it, and nothing here ever parses markup.

const data = JSON.parse(document.getElementById('data')?.textContent ?? '{}');
const PAGE_SIZE = 50, FEW = 12;

// ---------------------------------------------------------------- words

const WORDS = {
  en: {
    standings: 'Standings', cross: 'Cross table', elo: 'Elo', colours: 'Colours', times: 'Time per move', openings: 'Openings',
    faults: 'Faults', games: 'Games', settings: 'Settings', result: 'Result', language: '中文', languageHint: 'Switch to Chinese',
    dark: 'Dark', light: 'Light', finished: 'Finished', running: 'Running', ofGames: ' of ', gamesPlayed: ' games',
    rank: '#', player: 'Player', points: 'Points', wins: 'Won', draws: 'Drawn', losses: 'Lost', score: 'Score',
    win: 'win', draw: 'draw', loss: 'loss', none: 'unfinished', black: 'Black', white: 'White', first: 'The side that begins scores',
    mean: 'Mean', p50: 'Median', p95: '95 %', max: 'Longest', turns: 'Turns', opening: 'Opening', stones: 'Stones',
    empty: 'empty board', asBlack: 'Black’s score', results: 'Results', more: 'more', ending: 'Ending', round: 'Round', plies: 'Stones', open: 'Open game',
    all: 'all', page: 'Page', previous: 'Previous page', next: 'Next page', nothing: 'No game matches.', noFaults: 'Nobody broke a rule, failed or was late.',
    noGames: 'No game has ended yet.', normalised: 'Normalised Elo', los: 'Likelihood of being stronger', pairs: 'Pairs by points',
    sprt: 'Sequential test', going: 'undecided', h0: 'H0 accepted: no such gain', h1: 'H1 accepted: the gain is there',
    oneGame: 'Game', game: 'Game', format: 'Format', length: 'Length', control: 'Time', cutoff: 'Cut-off', seed: 'Seed', worth: 'Win / draw / loss',
    toFirst: 'First', back: 'Back', forward: 'Next', toLast: 'Last', close: 'Close', earlier: 'Previous game', later: 'Next game',
    save: 'Save record', move: 'Move', given: 'opening', unknown: 'unknown', above: 'above ', below: 'below ', start: 'Start',
    keys: '← → Home End: moves. Page Up, Page Down: games. Esc: close.', board: 'Board', against: 'Row against column',
  },
  zh: {
    standings: '排名', cross: '对阵表', elo: '等级分', colours: '先后手', times: '每手用时', openings: '开局',
    faults: '犯规与故障', games: '对局', settings: '设置', result: '结果', language: 'English', languageHint: '切换到英文',
    dark: '深色', light: '浅色', finished: '已结束', running: '进行中', ofGames: ' / ', gamesPlayed: ' 局',
    rank: '名次', player: '选手', points: '积分', wins: '胜', draws: '和', losses: '负', score: '得分率',
    win: '胜', draw: '和棋', loss: '负', none: '未结束', black: '黑方', white: '白方', first: '先手方得分率',
    mean: '平均', p50: '中位', p95: '95 %', max: '最长', turns: '手数', opening: '开局', stones: '棋子',
    empty: '空棋盘', asBlack: '黑方得分率', results: '结果', more: '更多', ending: '终局方式', round: '轮次', plies: '子数', open: '打开对局',
    all: '全部', page: '页', previous: '上一页', next: '下一页', nothing: '没有符合条件的对局。', noFaults: '无人犯规、出错或超时。',
    noGames: '还没有结束的对局。', normalised: '归一化等级分', los: '更强的可能性', pairs: '各对局得分分布',
    sprt: '序贯检验', going: '未定', h0: '接受 H0：没有这样的提升', h1: '接受 H1：确有提升',
    oneGame: '对局', game: '棋种', format: '赛制', length: '局数', control: '用时', cutoff: '提前判定', seed: '随机种子', worth: '胜 / 和 / 负',
    toFirst: '开头', back: '后退', forward: '前进', toLast: '末尾', close: '关闭', earlier: '上一局', later: '下一局',
    save: '保存棋谱', move: '第', given: '开局', unknown: '未知', above: '高于 ', below: '低于 ', start: '开始',
    keys: '← → Home End：走子；Page Up、Page Down：换局；Esc：关闭。', board: '棋盘', against: '行对列',
  },
};

const ENDINGS = {
  line: ['line', '连成'], full: ['full board', '无处可下'], resigned: ['resigned', '认输'], illegal: ['illegal move', '落子违规'],
  stones: ['wrong number of stones', '子数不对'], 'after-end': ['moved after the end', '终局后落子'], 'out-of-turn': ['moved out of turn', '未轮到落子'],
  timeout: ['out of time', '超时'], crashed: ['crashed', '崩溃'], garbled: ['garbled answer', '回答无法理解'], 'not-started': ['could not start', '无法启动'],
  tampered: ['changed the board', '改动棋子'], adjudicated: ['adjudicated', '裁定'], unfinished: ['unfinished', '未结束'],
};

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
  } catch { return null; }
}

function remember(key, value) {
  try { localStorage.setItem('lianzi-report-' + key, value); } catch { /* a page from a file may have no memory */ }
}

const t = key => WORDS[view.language][key];
const say = words => words[view.language];
const endingName = name => ENDINGS[name]?.[view.language === 'en' ? 0 : 1] ?? name;

// ---------------------------------------------------------------- making elements

const SVG = 'http://www.w3.org/2000/svg';

/** An element: attributes by name, listeners as `onclick`, children as nodes or as texts. */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat().filter(child => child != null && child !== false));
  return element;
}
const h = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const s = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const end = text => h('td', { class: 'end' }, text);
const dot = stone => h('span', { class: 'dot ' + stone, 'aria-hidden': 'true' });
const named = player => {
  const name = data.players[player]?.name || '?';
  return h('span', { class: 'cut', title: name }, name);
};

/** A table in a box of its own, which scrolls when the screen is narrow. */
function table(heads, rows, className = '') {
  const head = h('tr', {}, heads.map(([text, kind]) => h('th', { scope: 'col', class: kind }, text)));
  const body = h('table', { class: 'nums ' + className }, h('thead', {}, head), h('tbody', {}, rows));
  return h('div', { class: 'box', tabindex: '0', role: 'group' }, body);
}

function section(id, ...children) {
  return h('section', { id, tabindex: '-1', 'aria-labelledby': id + '-title' }, h('h2', { id: id + '-title' }, t(id)), ...children);
}

function pager(page, count, size, go) {
  const last = Math.max(0, Math.ceil(count / size) - 1);
  if (last === 0) return null;
  const step = (to, label, sign) => h('button', { type: 'button', disabled: to < 0 || to > last, 'aria-label': label, onclick: () => go(to) }, sign);
  return h('div', { class: 'pager' }, step(page - 1, t('previous'), '‹'),
    h('span', { class: 'num', 'aria-live': 'polite' }, `${t('page')} ${page + 1} / ${last + 1}`), step(page + 1, t('next'), '›'));
}

// ---------------------------------------------------------------- numbers

const gamesOf = tally => tally.wins + tally.draws + tally.losses;
const shareOf = tally => gamesOf(tally) ? (tally.wins + tally.draws / 2) / gamesOf(tally) : null;
const percent = share => share == null ? '–' : (100 * share).toFixed(1) + ' %';
const signed = (n, digits = 1) => (n > 0 ? '+' : n < 0 ? '−' : '') + Math.abs(n).toFixed(digits);
const halves = n => n % 1 ? (n > 1 ? Math.floor(n) : '') + '½' : String(n);
const counts = tally => `+${tally.wins} =${tally.draws} −${tally.losses}`;
const time = ms => ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`;

function estimate({ value, low, high }) {
  if (value != null && low != null && high != null) return `${signed(value, 0)} ± ${((high - low) / 2).toFixed(0)}`;
  if (low != null) return t('above') + signed(low, 0);
  if (high != null) return t('below') + signed(high, 0);
  return t('unknown');
}

/** Wins, draws and losses as one bar. */
function share(tally) {
  const all = gamesOf(tally) || 1;
  const parts = [['w', tally.wins], ['d', tally.draws], ['l', tally.losses]];
  let x = 0;
  return s('svg', { class: 'share', 'aria-hidden': 'true' }, parts.map(([kind, n]) => {
    const rect = s('rect', { class: kind, x: `${100 * x / all}%`, y: 0, width: `${100 * n / all}%`, height: 10 });
    x += n;
    return rect;
  }));
}

/** What the colours of bars mean. */
function barKey(...entries) {
  return h('p', { class: 'key small soft' }, entries.map(([word, colour]) => h('span', { class: colour }, t(word))));
}

// ---------------------------------------------------------------- tables

function standingsSection() {
  const rows = data.standings.map(row => h('tr', {},
    h('td', {}, String(row.rank)), h('th', { scope: 'row' }, named(row.player)), end(halves(row.points)), end(String(gamesOf(row.tally))),
    end(String(row.tally.wins)), end(String(row.tally.draws)), end(String(row.tally.losses)), end(percent(shareOf(row.tally))),
    end(estimate(row.elo)), h('td', { class: row.faults ? 'end bad' : 'end' }, String(row.faults))));
  const heads = [['rank'], ['player'], ...['points', 'games', 'wins', 'draws', 'losses', 'score', 'elo', 'faults'].map(key => [key, 'end'])];
  return section('standings', table(heads.map(([key, kind]) => [t(key), kind]), rows));
}

/** The end points of the Elo axis: everything with its error, rounded outwards to a step. */
function eloAxis(rows) {
  const known = rows.flatMap(({ elo }) => [elo.value, elo.low, elo.high]).filter(n => n != null).concat(0);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const step = [10, 20, 50, 100, 200, 500, 1000, 2000].find(n => (high - low) / n <= 4) ?? 5000;
  const from = Math.floor(low / step) * step - (low < 0 ? 0 : step), to = Math.ceil(high / step) * step + (high > 0 ? 0 : step);
  const ticks = [];
  for (let n = from; n <= to; n += step) ticks.push(n);
  return { ticks, at: n => `${100 * (n - from) / (to - from)}%` };
}

function eloRow({ elo }, { ticks, at }) {
  const end = (value, unbounded) => value == null ? unbounded : at(value);
  const marks = ticks.map(n => s('line', { x1: at(n), x2: at(n), y1: 0, y2: 30, class: n === 0 ? 'zero' : '' }));
  if (elo.low == null && elo.high == null) return s('svg', { 'aria-hidden': 'true' }, marks);
  const [left, right] = [end(elo.low, '0%'), end(elo.high, '100%')];
  const cap = (value, x) => value == null ? null : s('line', { class: 'error', x1: x, x2: x, y1: 10, y2: 20 });
  return s('svg', { 'aria-hidden': 'true' }, marks, s('line', { class: 'error', x1: left, x2: right, y1: 15, y2: 15, 'stroke-dasharray': elo.value == null ? '4 4' : null }),
    cap(elo.low, left), cap(elo.high, right), elo.value == null ? null : s('circle', { cx: at(elo.value), cy: 15, r: 5 }));
}

function eloSection() {
  if (!data.standings.length) return null;
  const axis = eloAxis(data.standings);
  const rows = data.standings.flatMap(row => [named(row.player), eloRow(row, axis), h('span', { class: 'num' }, estimate(row.elo))]);
  const labels = s('svg', { 'aria-hidden': 'true' }, axis.ticks.map(n => s('text', { x: axis.at(n), y: 18, 'text-anchor': 'middle' }, n ? signed(n, 0) : '0')));
  return section('elo', h('div', { class: 'elo' }, rows, h('span'), labels, h('span', { class: 'last' })));
}

function crossSection() {
  if (data.players.length < 3) return null;
  const order = data.standings.map(row => row.player);
  const cell = (me, other) => {
    const tally = data.cross[me][other];
    if (me === other) return h('td', { class: 'self' });
    return gamesOf(tally) ? h('td', {}, halves(tally.wins + tally.draws / 2), h('small', {}, counts(tally))) : h('td', { class: 'soft' }, '·');
  };
  const rows = order.map(me => h('tr', {}, h('th', { scope: 'row' }, named(me)), order.map(other => cell(me, other))));
  return section('cross', h('p', { class: 'soft small' }, t('against')), table([[''], ...order.map(player => [named(player)])], rows, 'cross'));
}

function coloursSection() {
  const row = (player, stone, tally) => h('tr', {}, h('th', { scope: 'row' }, named(player)), h('td', {}, dot(stone), t(stone)),
    end(percent(shareOf(tally))), end(counts(tally)), h('td', {}, share(tally)));
  const rows = data.colours.players.flatMap(([black, white], player) => [row(player, 'black', black), row(player, 'white', white)]);
  const { first } = data.colours;
  return section('colours', h('p', {}, `${t('first')} `, h('b', { class: 'num' }, percent(shareOf(first))), ` (${counts(first)})`), share(first),
    table([[t('player')], [''], [t('score'), 'end'], [t('games'), 'end'], ['']], rows), barKey(['wins', 'w'], ['draws', 'd'], ['losses', 'l']));
}

function timesSection() {
  const longest = Math.max(1, ...data.times.map(row => row.max));
  const bar = row => s('svg', { class: 'share', 'aria-hidden': 'true' }, s('rect', { class: 'd', width: `${100 * row.max / longest}%`, height: 10 }),
    s('rect', { class: 'w', width: `${100 * row.p50 / longest}%`, height: 10 }));
  const rows = data.times.map((row, player) => h('tr', {}, h('th', { scope: 'row' }, named(player)),
    ['mean', 'p50', 'p95', 'max'].map(key => end(row.turns ? time(row[key]) : '–')), end(String(row.turns)), h('td', {}, row.turns ? bar(row) : null)));
  return section('times', table([[t('player')], ...['mean', 'p50', 'p95', 'max', 'turns'].map(key => [t(key), 'end']), ['']], rows),
    barKey(['p50', 'w'], ['max', 'd']));
}

// ---------------------------------------------------------------- a match of two

function pentanomial(pairs) {
  const most = Math.max(1, ...pairs);
  return h('div', { class: 'penta num' }, pairs.map((n, index) => h('div', {}, String(n),
    s('svg', { 'aria-hidden': 'true' }, s('rect', { x: '20%', width: '60%', y: 64 - 62 * n / most, height: 2 + 62 * n / most, rx: 2 })),
    h('span', { class: 'soft' }, halves(index / 2)))));
}

function sprtLine({ test, llr, lower, upper, accepted }) {
  const at = n => `${Math.min(100, Math.max(0, 100 * (n - lower) / (upper - lower)))}%`;
  const verdict = accepted ? t(accepted.toLowerCase()) : t('going');
  return h('div', {}, h('h3', {}, `${t('sprt')} [${test.elo0}, ${test.elo1}]`),
    h('p', { class: 'num' }, `LLR ${llr.toFixed(2)} (${lower.toFixed(2)}, ${upper.toFixed(2)}) · `, h('b', {}, verdict)),
    s('svg', { class: 'scale', 'aria-hidden': 'true' }, s('line', { class: 'track', x1: 0, x2: '100%', y1: 12, y2: 12 }),
      s('circle', { cx: at(llr), cy: 12, r: 7 }), s('text', { x: 0, y: 38 }, 'H0'), s('text', { x: '100%', y: 38, 'text-anchor': 'end' }, 'H1')));
}

function resultSection() {
  const { duel } = data;
  if (!duel) return null;
  const { games, pairs } = duel.results;
  const points = (wins, draws) => halves(wins + draws / 2);
  const name = player => h('span', { class: 'name' }, data.players[player].name || '?');
  const fact = (key, value) => h('div', {}, h('dt', {}, t(key)), h('dd', { class: 'num' }, value));
  return section('result',
    h('div', { class: 'versus' }, name(0), h('b', { class: 'num' }, `${points(games.wins, games.draws)} : ${points(games.losses, games.draws)}`), name(1)),
    share(games), h('dl', { class: 'facts' }, fact('elo', estimate(duel.elo)), fact('normalised', estimate(duel.normalised)),
      fact('los', percent(duel.superiority)), fact('games', counts(games))),
    h('div', { class: 'two' }, h('div', {}, h('h3', {}, t('pairs')), pentanomial(pairs)), duel.sprt && sprtLine(duel.sprt)));
}

// ---------------------------------------------------------------- boards

const UNIT = 20;
const column = n => n < 26 ? String.fromCharCode(97 + n) : 'a' + String.fromCharCode(97 + n - 26);

/** The cells of a string such as `h8i10`. */
function cells(text) {
  return Array.from(text.matchAll(/([a-z]+)(\d+)/g), ([name, letters, row]) => {
    const digits = Array.from(letters, letter => letter.charCodeAt(0) - 97);
    return { name, x: digits.length === 1 ? digits[0] : 26 * (digits[0] + 1) + digits[1], y: Number(row) - 1 };
  });
}

/** Who placed stone `n` of a game, and which turn it belongs to. */
function turnOf(game, n) {
  const board = data.boards[game.board];
  const begins = game.setup?.to_move ?? 'black', first = game.setup?.stones_left ?? board.first_turn;
  const turn = n < first ? 0 : 1 + Math.floor((n - first) / board.per_turn);
  return { turn, stone: (turn % 2 === 0) === (begins === 'black') ? 'black' : 'white' };
}

/** The stones of a game after `ply` moves, with the turn each belongs to; those of a set-up to none. */
function stonesAt(game, ply) {
  const setup = (game.setup?.stones ?? []).map(({ stone, cell }) => ({ ...cells(cell)[0], stone, turn: -1 }));
  return setup.concat(cells(game.moves).slice(0, ply).map((cell, n) => ({ ...cell, ...turnOf(game, n) })));
}

function starPoints({ width, height }) {
  const along = n => n < 9 ? [] : n < 13 ? [2, n - 3] : [3, n - 4];
  const middle = n => n % 2 && n >= 9 ? [(n - 1) / 2] : [];
  const pairs = (xs, ys) => xs.flatMap(x => ys.map(y => ({ x, y })));
  const sides = width >= 19 && height >= 19 ? [...pairs(along(width), middle(height)), ...pairs(middle(width), along(height))] : [];
  return [...pairs(along(width), along(height)), ...pairs(middle(width), middle(height)), ...sides];
}

/** A place on the drawing: the middle of a cell. */
const placed = (board, { x, y }) => ({ cx: (x + .5) * UNIT, cy: (board.height - y - .5) * UNIT });

function gridLines(board) {
  const { width, height } = board, half = UNIT / 2;
  const across = Array.from({ length: height }, (_, y) => `M${half} ${(y + .5) * UNIT}H${(width - .5) * UNIT}`);
  const down = Array.from({ length: width }, (_, x) => `M${(x + .5) * UNIT} ${half}V${(height - .5) * UNIT}`);
  return [s('path', { class: 'grid', d: across.concat(down).join('') }), ...starPoints(board).map(cell => s('circle', { class: 'star', ...placed(board, cell), r: 2 }))];
}

function holes(board) {
  const all = Array.from({ length: board.width * board.height }, (_, n) => ({ x: n % board.width, y: Math.floor(n / board.width) }));
  return all.map(cell => s('circle', { class: 'hole', ...placed(board, cell), r: 8.6 }));
}

function coordinates({ width, height }) {
  const text = (x, y, name) => s('text', { class: 'coord', x, y }, name);
  return [...Array.from({ length: width }, (_, x) => text((x + .5) * UNIT, height * UNIT + 7, column(x))),
    ...Array.from({ length: height }, (_, y) => text(-7, (height - y - .5) * UNIT, String(y + 1)))];
}

function redCross(board, cell) {
  const { cx, cy } = placed(board, cell), r = 5.5;
  return s('path', { class: 'cross', d: `M${cx - r} ${cy - r}L${cx + r} ${cy + r}M${cx + r} ${cy - r}L${cx - r} ${cy + r}` });
}

function winBar(board, line) {
  if (line.length === 0) return null;
  const [from, to] = [placed(board, line[0]), placed(board, line[line.length - 1])];
  return s('line', { class: 'win', x1: from.cx, y1: from.cy, x2: to.cx, y2: to.cy });
}

/** The drawing of a board with stones on it. */
function drawBoard(board, stones, { label, line = [], lastTurn = -2, foul = null, names = true }) {
  const [width, height, edge] = [board.width * UNIT, board.height * UNIT, names ? 14 : 2];
  const right = names ? 4 : 2;
  const ringed = line.length ? [] : stones.filter(stone => stone.turn === lastTurn);
  return s('svg', { class: 'board', viewBox: `${-edge} ${-right} ${width + edge + right} ${height + edge + right}`, role: 'img', 'aria-label': label },
    s('rect', { class: 'wood', x: -edge, y: -right, width: width + edge + right, height: height + edge + right, rx: 4 }),
    board.drop ? holes(board) : gridLines(board), names ? coordinates(board) : [],
    cells(board.blocked).map(cell => redCross(board, cell)),
    stones.map(stone => s('circle', { class: 'stone', ...placed(board, stone), r: 8.6, fill: `url(#${stone.stone})` })),
    ringed.map(stone => s('circle', { class: 'ring', ...placed(board, stone), r: 4 })),
    foul ? cells(foul).map(cell => s('circle', { class: 'foul', ...placed(board, cell), r: 9.4 })) : [], winBar(board, line));
}

// ---------------------------------------------------------------- openings, faults, games

const label = game => `${game.id.encounter + 1}.${game.id.game + 1}`;
const outcome = game => game.verdict.outcome ?? 'none';
const RESULT = { black: '1 : 0', white: '0 : 1', draw: '½ : ½', none: '–' };
const plies = game => cells(game.moves).length;

/** Draws a list again after a step of its pager, and keeps the reader where they are. */
function turnPage(name, page) {
  view.pages[name] = page;
  redraw(name, { faults: faultsSection, openings: openingsSection }[name]);
}

function redraw(id, make) {
  keepFocus(() => {
    const made = make();
    document.getElementById(id)?.replaceWith(made);
    return made;
  });
}

/** Changes a part of the page and gives the focus back to the button that had it, or to the part. */
function keepFocus(change) {
  const label = document.activeElement?.getAttribute('aria-label');
  const part = change();
  const again = Array.from(part.querySelectorAll('button[aria-label]:not(:disabled)')).find(button => button.getAttribute('aria-label') === label);
  (again ?? part).focus({ preventScroll: true });
}

function openingResults(opening) {
  const shown = opening.games.slice(0, 4).map(n => {
    const game = data.games[n];
    const hint = `${t('open')} ${label(game)}: ${data.players[game.seats[0]].name} – ${data.players[game.seats[1]].name}`;
    return h('button', { class: 'link num', type: 'button', 'aria-label': `${hint}, ${RESULT[outcome(game)]}`, title: hint, onclick: () => openGame(n) }, RESULT[outcome(game)]);
  });
  const rest = opening.games.length - shown.length;
  const more = rest > 0 && h('button', { class: 'link', type: 'button', onclick: () => filterGames({ opening: opening.index }) }, `+${rest} ${t('more')}`);
  return h('td', {}, shown.flatMap((button, n) => n ? ['  ', button] : [button]), more ? ['  ', more] : []);
}

function openingRow(opening) {
  const stones = stonesAt({ board: opening.board, moves: opening.stones }, Infinity);
  const names = stones.map(stone => stone.name).join(' ') || t('empty');
  const first = data.games[opening.games[0]];
  const picture = h('button', { class: 'thumb', type: 'button', 'aria-label': `${t('opening')} ${opening.index + 1}: ${names}`, onclick: () => openGame(opening.games[0], first.given) },
    drawBoard(data.boards[opening.board], stones, { label: names, names: false }));
  return h('tr', {}, h('td', {}, String(opening.index + 1)), h('td', {}, picture), h('td', { class: 'wide small' }, names),
    openingResults(opening), end(percent(shareOf(opening.black))), end(counts(opening.black)));
}

function openingsSection() {
  const page = view.pages.openings, from = page * FEW;
  const heads = [['rank'], ['board'], ['stones'], ['results'], ['asBlack', 'end'], ['games', 'end']].map(([key, kind]) => [key === 'rank' ? '#' : t(key), kind]);
  return section('openings', table(heads, data.openings.slice(from, from + FEW).map(openingRow)),
    pager(page, data.openings.length, FEW, to => turnPage('openings', to)));
}

function faultSummary() {
  const kinds = [...new Set(data.faults.map(fault => fault.ending))];
  const guilty = [...new Set(data.faults.map(fault => fault.player))].sort((a, b) => a - b);
  const count = (player, kind) => data.faults.filter(fault => fault.player === player && fault.ending === kind).length;
  return table([[t('player')], ...kinds.map(kind => [endingName(kind), 'end'])],
    guilty.map(player => h('tr', {}, h('th', { scope: 'row' }, named(player)), kinds.map(kind => end(String(count(player, kind) || '·'))))));
}

function faultCard(fault) {
  const game = data.games[fault.game], words = say(data.words[game.words]), last = plies(game);
  const stones = stonesAt(game, last);
  const drawn = drawBoard(data.boards[game.board], stones, { label: words, foul: fault.at, lastTurn: stones.at(-1)?.turn, names: false });
  return h('button', { class: 'card', type: 'button', onclick: () => openGame(fault.game) }, drawn,
    h('span', {}, h('b', { class: 'name' }, data.players[fault.player]?.name || '?'), h('span', { class: 'soft' }, ` · ${t('oneGame')} ${label(game)}`)),
    h('span', { class: 'text small' }, words));
}

function faultsSection() {
  if (!data.faults.length) return section('faults', h('p', { class: 'soft' }, t('noFaults')));
  const page = view.pages.faults, from = page * FEW;
  return section('faults', faultSummary(), h('h3', {}), h('div', { class: 'cards' }, data.faults.slice(from, from + FEW).map(faultCard)),
    pager(page, data.faults.length, FEW, to => turnPage('faults', to)));
}

/** The indexes of the games that pass the filters. */
function chosenGames() {
  const { player, result, ending, opening } = view.games;
  const passes = game => (player === '' || game.seats.includes(Number(player))) && (ending === '' || game.verdict.ending === ending)
    && (opening === '' || game.opening === Number(opening)) && (result === '' || resultFor(game, player) === result);
  return Array.from(data.games.keys()).filter(n => passes(data.games[n]));
}

/** With a player chosen, results are theirs; else they are the colours'. */
function resultFor(game, player) {
  const won = outcome(game);
  if (player === '' || (won !== 'black' && won !== 'white')) return won;
  return game.seats[won === 'black' ? 0 : 1] === Number(player) ? 'win' : 'loss';
}

function filterGames(change) {
  Object.assign(view.games, { page: 0 }, change);
  redraw('games', gamesSection);
  if ('opening' in change && change.opening !== '') document.getElementById('games')?.scrollIntoView();
}

function select(key, word, options) {
  const list = options.map(([value, text]) => h('option', { value, selected: String(value) === String(view.games[key]) }, text));
  const changed = event => { filterGames({ [key]: event.target.value, ...(key === 'player' && { result: '' }) }); document.getElementById('filter-' + key)?.focus(); };
  return h('label', {}, t(word), h('select', { id: 'filter-' + key, onchange: changed }, h('option', { value: '' }, t('all')), list));
}

function gameTools() {
  const results = view.games.player === '' ? ['black', 'white', 'draw', 'none'] : ['win', 'loss', 'draw', 'none'];
  const named = key => view.games.player === '' && (key === 'black' || key === 'white') ? `${t(key)} ${RESULT[key]}` : t(key);
  const endings = [...new Set(data.games.map(game => game.verdict.ending))];
  const { opening } = view.games;
  return h('div', { class: 'tools' }, select('player', 'player', data.players.map((player, n) => [n, player.name])),
    select('result', 'result', results.map(key => [key, named(key)])), select('ending', 'ending', endings.map(name => [name, endingName(name)])),
    opening !== '' && h('button', { type: 'button', onclick: () => filterGames({ opening: '' }) }, `${t('opening')} ${Number(opening) + 1} ✕`));
}

function gameLine(n) {
  const game = data.games[n], [black, white] = game.seats;
  const go = h('button', { class: 'link num', type: 'button', 'aria-label': `${t('open')} ${label(game)}`, onclick: event => { event.stopPropagation(); openGame(n); } }, label(game));
  return h('tr', { class: 'open', onclick: () => openGame(n) }, h('td', {}, go), h('td', {}, String(game.round + 1)), h('td', {}, dot('black'), named(black)),
    h('td', {}, dot('white'), named(white)), h('td', {}, RESULT[outcome(game)]),
    h('td', { class: game.verdict.blame ? 'bad' : '' }, endingName(game.verdict.ending)), end(String(plies(game))));
}

function gamesSection() {
  const chosen = chosenGames(), { page } = view.games, from = page * PAGE_SIZE;
  const go = to => { view.games.page = to; redraw('games', gamesSection); };
  const heads = [['#'], [t('round')], [t('black')], [t('white')], [t('result')], [t('ending')], [t('plies'), 'end']];
  const list = chosen.length ? table(heads, chosen.slice(from, from + PAGE_SIZE).map(gameLine)) : h('p', { class: 'soft' }, t('nothing'));
  return section('games', gameTools(), list, pager(page, chosen.length, PAGE_SIZE, go));
}

function settingsSection() {
  const { settings } = data;
  const entry = (key, value) => value && h('div', {}, h('dt', {}, t(key)), h('dd', {}, value));
  const rows = data.players.map(player => h('tr', {}, h('th', { scope: 'row' }, h('span', { class: 'cut', title: player.name }, player.name)), h('td', { class: 'wide' }, h('code', {}, player.spec))));
  return section('settings', h('dl', { class: 'facts plain' }, entry('game', settings.game),
    ...['format', 'length', 'control', 'openings', 'cutoff'].map(key => settings[key] && entry(key, say(settings[key]))), entry('worth', settings.points), entry('seed', settings.seed)),
    h('h3', {}), table([[t('player')], ['']], rows));
}

// ---------------------------------------------------------------- replay

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('replay'));
dialog.tabIndex = -1;
const shown = { game: -1, ply: 0 };

function openGame(n, ply = Infinity) {
  shown.game = n;
  shown.ply = Math.min(ply, plies(data.games[n]));
  drawReplay();
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  showPly(shown.ply);
  mark(`#game-${label(data.games[n])}`);
}

/** Keeps the open game in the address, so that a reload or a link finds it again. */
function mark(hash) {
  try { history.replaceState(null, '', hash); } catch { /* some browsers refuse this for files */ }
}

function stepGame(by) {
  const chosen = chosenGames(), at = chosen.indexOf(shown.game);
  const next = at < 0 ? shown.game + by : chosen[at + by];
  if (data.games[next]) openGame(next);
}

function moveList(game) {
  const all = stonesAt({ ...game, setup: game.setup && { ...game.setup, stones: [] } }, Infinity);
  return h('ol', { class: 'moves', tabindex: '-1' }, all.map((stone, n) => {
    const score = game.scores?.[n] != null ? signed(game.scores[n], 0) : '';
    const more = n < game.given ? t('given') : [score, game.times?.[n] != null ? time(game.times[n]) : ''].filter(Boolean).join(' · ');
    return h('li', {}, h('button', { type: 'button', tabindex: '-1', onclick: () => showPly(n + 1) }, h('i', {}, String(n + 1)), dot(stone.stone), stone.name, h('span', { class: 'more' }, more)));
  }));
}

function replayControls(count) {
  // Drawn, since many systems have no letters for these signs.
  const sign = d => s('svg', { class: 'sign', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d }));
  const button = (word, d, to) => h('button', { type: 'button', 'aria-label': t(word), title: t(word), onclick: () => showPly(to()) }, sign(d));
  return [h('div', { class: 'row' }, button('toFirst', 'M2 2h2v12H2zM14 2v12L5 8z', () => 0), button('back', 'M12 2v12L3 8z', () => shown.ply - 1),
    button('forward', 'M4 2v12l9-6z', () => shown.ply + 1), button('toLast', 'M12 2h2v12h-2zM2 2v12l9-6z', () => count)),
  h('input', { type: 'range', min: 0, max: count, value: shown.ply, 'aria-label': t('move'), oninput: event => showPly(Number(event.target.value)) })];
}

function drawReplay() {
  const game = data.games[shown.game], count = plies(game);
  keepFocus(() => {
    dialog.replaceChildren(...replayParts(game, count));
    return dialog;
  });
  dialog.setAttribute('aria-labelledby', 'replay-title');
}

function replayParts(game, count) {
  const other = (word, sign, by) => h('button', { type: 'button', 'aria-label': t(word), title: t(word), onclick: () => stepGame(by) }, sign);
  const seat = (stone, n) => h('div', {}, dot(stone), h('span', { class: 'name' }, data.players[game.seats[n]]?.name || '?'));
  const remark = game.comment ? h('div', { class: 'small soft name' }, game.comment) : null;
  return [
    h('div', { class: 'head' }, h('h2', { id: 'replay-title' }, `${t('oneGame')} ${label(game)}`), other('earlier', '‹', -1), other('later', '›', 1),
      h('button', { type: 'button', onclick: () => dialog.close() }, t('close'))),
    h('div', { class: 'replay' }, h('div', { class: 'stage' }), h('div', { class: 'side' }, h('div', {}, seat('black', 0), seat('white', 1)),
      h('div', { class: 'text' }, h('div', { class: 'verdict' }, say(data.words[game.words])), remark), replayControls(count),
      h('div', { class: 'soft small num', 'aria-live': 'polite', id: 'ply' }), moveList(game),
      h('div', {}, h('button', { type: 'button', onclick: () => saveRecord(game) }, t('save'))), h('div', { class: 'soft small keys' }, t('keys')))),
  ];
}

function showPly(ply) {
  const game = data.games[shown.game], count = plies(game);
  shown.ply = Math.max(0, Math.min(count, ply));
  const stones = stonesAt(game, shown.ply), last = stones.at(-1), atEnd = shown.ply === count;
  const words = shown.ply === 0 ? t('start') : `${shown.ply} / ${count} · ${t(last.stone)} ${last.name}`;
  const fault = atEnd && data.faults.find(fault => fault.game === shown.game);
  dialog.querySelector('.stage')?.replaceChildren(drawBoard(data.boards[game.board], stones, {
    label: words, lastTurn: last?.turn, foul: fault ? fault.at : null, line: atEnd && game.line ? cells(game.line) : [],
  }));
  const text = dialog.querySelector('#ply'), slider = dialog.querySelector('input');
  if (text) text.textContent = words;
  if (slider) slider.value = String(shown.ply);
  markMove();
}

function markMove() {
  dialog.querySelector('.moves [aria-current]')?.removeAttribute('aria-current');
  const list = dialog.querySelector('.moves'), button = list?.querySelectorAll('button')[shown.ply - 1];
  button?.setAttribute('aria-current', 'true');
  // Only the list scrolls: scrollIntoView would move the whole dialog on a phone.
  if (list && button) list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
}

const KEYS = {
  ArrowLeft: () => showPly(shown.ply - 1), ArrowRight: () => showPly(shown.ply + 1), Home: () => showPly(0), End: () => showPly(Infinity),
  PageUp: () => stepGame(-1), PageDown: () => stepGame(1),
};

dialog.addEventListener('keydown', event => {
  const act = event.ctrlKey || event.altKey || event.metaKey ? null : KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
dialog.addEventListener('click', event => { if (event.target === dialog) dialog.close(); });
dialog.addEventListener('close', () => mark('#games'));

/** The game in our own format, as the rest of the program reads it. */
function recordOf(game) {
  const moves = cells(game.moves).map(({ name }, n) => ({
    cell: name, ...(game.times?.[n] != null && { time_ms: game.times[n] }), ...(game.scores?.[n] != null && { eval: { score: game.scores[n] } }),
  }));
  return { format: 'lianzi-game', version: 1, game: data.boards[game.board].game, ...(game.setup && { setup: game.setup }),
    sides: game.seats.map(n => ({ name: data.players[n].name })), moves, ...(game.given && { opening: game.given }), verdict: game.verdict, ...(game.comment && { comment: game.comment }) };
}

function saveRecord(game) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(recordOf(game)) + '\n'], { type: 'application/json' }));
  h('a', { href: url, download: `game-${label(game)}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// ---------------------------------------------------------------- the page

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
  return h('header', { class: 'bar' }, h('nav', {}, links),
    h('button', { type: 'button', id: 'choose-theme', onclick: () => choose('theme', other) }, t(other)),
    h('button', { type: 'button', id: 'choose-language', 'aria-label': t('languageHint'), onclick: () => choose('language', view.language === 'en' ? 'zh' : 'en') }, t('language')));
}

function headline() {
  const total = data.finished || !data.planned ? '' : t('ofGames') + data.planned;
  const state = `${t(data.finished ? 'finished' : 'running')} · ${data.games.length}${total}${t('gamesPlayed')}`;
  return h('div', {}, h('h1', { class: 'name' }, data.title), h('p', { class: 'soft' }, `${data.settings.game} · ${say(data.settings.control)} · ${state}`));
}

function draw() {
  document.documentElement.lang = view.language === 'zh' ? 'zh-CN' : 'en';
  document.documentElement.dataset.theme = theme();
  document.title = data.title;
  const makers = data.games.length ? [resultSection, standingsSection, eloSection, crossSection, coloursSection, timesSection, openingsSection, faultsSection, gamesSection, settingsSection] : [settingsSection];
  const sections = makers.map(make => make()).filter(part => part != null);
  const waiting = data.games.length ? [] : [h('p', { class: 'soft' }, t('noGames'))];
  document.getElementById('page')?.replaceChildren(topBar(sections), h('main', {}, headline(), waiting, sections));
  if (dialog.open) { drawReplay(); showPly(shown.ply); }
}

systemDark.addEventListener('change', draw);
draw();
const wanted = location.hash.startsWith('#game-') ? data.games.findIndex(game => `#game-${label(game)}` === location.hash) : -1;
if (wanted >= 0) openGame(wanted);
