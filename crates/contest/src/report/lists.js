// @ts-check
// The long lists: openings, faults and games, a page at a time.

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
  keepPlace(() => {
    const made = make();
    document.getElementById(id)?.replaceWith(made);
    return made;
  });
}

/** Changes a part of the page and gives the focus back to the button that had it, or to the part. */
function keepPlace(change) {
  const label = document.activeElement?.getAttribute('aria-label');
  const part = change();
  const again = Array.from(part.querySelectorAll('button[aria-label]:not(:disabled)')).find(
    button => button.getAttribute('aria-label') === label,
  );
  (again ?? part).focus({ preventScroll: true });
}

function openingResults(opening) {
  const shown = opening.games.slice(0, 4).map(n => {
    const game = data.games[n];
    const hint = `${t('open')} ${label(game)}: ${data.players[game.seats[0]].name} – ${data.players[game.seats[1]].name}`;
    return h(
      'button',
      {
        class: 'link num',
        type: 'button',
        'aria-label': `${hint}, ${RESULT[outcome(game)]}`,
        title: hint,
        onclick: () => openGame(n),
      },
      RESULT[outcome(game)],
    );
  });
  const rest = opening.games.length - shown.length;
  const more =
    rest > 0 &&
    h(
      'button',
      { class: 'link', type: 'button', onclick: () => filterGames({ opening: opening.index }) },
      `+${rest} ${t('more')}`,
    );
  return h(
    'td',
    {},
    shown.flatMap((button, n) => (n ? ['  ', button] : [button])),
    more ? ['  ', more] : [],
  );
}

function openingRow(opening) {
  const stones = stonesAt({ board: opening.board, moves: opening.stones }, Infinity);
  const names = stones.map(stone => stone.cell).join(' ') || t('empty');
  const first = data.games[opening.games[0]];
  const picture = h(
    'button',
    {
      class: 'thumb',
      type: 'button',
      'aria-label': `${t('opening')} ${opening.index + 1}: ${names}`,
      onclick: () => openGame(opening.games[0], first.given),
    },
    drawBoard(data.boards[opening.board], stones, { label: names, names: false }),
  );
  return h(
    'tr',
    {},
    h('td', {}, String(opening.index + 1)),
    h('td', {}, picture),
    h('td', { class: 'wide small' }, names),
    openingResults(opening),
    end(percent(shareOf(opening.black))),
    end(counts(opening.black)),
  );
}

function openingsSection() {
  const page = view.pages.openings,
    from = page * FEW;
  const heads = [['rank'], ['board'], ['stones'], ['results'], ['asBlack', 'end'], ['games', 'end']].map(
    ([key, kind]) => [key === 'rank' ? '#' : t(key), kind],
  );
  return section(
    'openings',
    table(heads, data.openings.slice(from, from + FEW).map(openingRow)),
    pager(page, data.openings.length, FEW, to => turnPage('openings', to)),
  );
}

function faultSummary() {
  const kinds = [...new Set(data.faults.map(fault => fault.ending))];
  const guilty = [...new Set(data.faults.map(fault => fault.player))].sort((a, b) => a - b);
  const count = (player, kind) => data.faults.filter(fault => fault.player === player && fault.ending === kind).length;
  return table(
    [[t('player')], ...kinds.map(kind => [endingName(kind), 'end'])],
    guilty.map(player =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, named(player)),
        kinds.map(kind => end(String(count(player, kind) || '·'))),
      ),
    ),
  );
}

function faultCard(fault) {
  const game = data.games[fault.game],
    words = say(data.words[game.words]),
    last = plies(game);
  const stones = stonesAt(game, last);
  const drawn = drawBoard(data.boards[game.board], stones, {
    label: words,
    foul: fault.at,
    lastTurn: stones.at(-1)?.turn,
    names: false,
  });
  return h(
    'button',
    { class: 'card', type: 'button', onclick: () => openGame(fault.game) },
    drawn,
    h(
      'span',
      {},
      h('b', { class: 'name' }, data.players[fault.player]?.name || '?'),
      h('span', { class: 'soft' }, ` · ${t('oneGame')} ${label(game)}`),
    ),
    h('span', { class: 'text small' }, words),
  );
}

function faultsSection() {
  if (!data.faults.length) return section('faults', h('p', { class: 'soft' }, t('noFaults')));
  const page = view.pages.faults,
    from = page * FEW;
  return section(
    'faults',
    faultSummary(),
    h('h3', {}),
    h('div', { class: 'cards' }, data.faults.slice(from, from + FEW).map(faultCard)),
    pager(page, data.faults.length, FEW, to => turnPage('faults', to)),
  );
}

/** The indexes of the games that pass the filters. */
function chosenGames() {
  const { player, result, ending, opening } = view.games;
  const passes = game =>
    (player === '' || game.seats.includes(Number(player))) &&
    (ending === '' || game.verdict.ending === ending) &&
    (opening === '' || game.opening === Number(opening)) &&
    (result === '' || resultFor(game, player) === result);
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
  const list = options.map(([value, text]) =>
    h('option', { value, selected: String(value) === String(view.games[key]) }, text),
  );
  const changed = event => {
    filterGames({ [key]: event.target.value, ...(key === 'player' && { result: '' }) });
    document.getElementById('filter-' + key)?.focus();
  };
  return h(
    'label',
    {},
    t(word),
    h('select', { id: 'filter-' + key, onchange: changed }, h('option', { value: '' }, t('all')), list),
  );
}

function gameTools() {
  const results = view.games.player === '' ? ['black', 'white', 'draw', 'none'] : ['win', 'loss', 'draw', 'none'];
  const named = key =>
    view.games.player === '' && (key === 'black' || key === 'white') ? `${t(key)} ${RESULT[key]}` : t(key);
  const endings = [...new Set(data.games.map(game => game.verdict.ending))];
  const { opening } = view.games;
  return h(
    'div',
    { class: 'tools' },
    select(
      'player',
      'player',
      data.players.map((player, n) => [n, player.name]),
    ),
    select(
      'result',
      'result',
      results.map(key => [key, named(key)]),
    ),
    select(
      'ending',
      'ending',
      endings.map(name => [name, endingName(name)]),
    ),
    opening !== '' &&
      h(
        'button',
        { type: 'button', onclick: () => filterGames({ opening: '' }) },
        `${t('opening')} ${Number(opening) + 1} ✕`,
      ),
  );
}

function gameLine(n) {
  const game = data.games[n],
    [black, white] = game.seats;
  const go = h(
    'button',
    {
      class: 'link num',
      type: 'button',
      'aria-label': `${t('open')} ${label(game)}`,
      onclick: event => {
        event.stopPropagation();
        openGame(n);
      },
    },
    label(game),
  );
  return h(
    'tr',
    { class: 'open', onclick: () => openGame(n) },
    h('td', {}, go),
    h('td', {}, RESULT[outcome(game)]),
    h('td', {}, sideDot('black'), named(black)),
    h('td', {}, sideDot('white'), named(white)),
    h('td', { class: game.verdict.blame ? 'bad' : '' }, endingName(game.verdict.ending)),
    end(String(plies(game))),
    end(String(game.round + 1)),
  );
}

function gamesSection() {
  const chosen = chosenGames(),
    { page } = view.games,
    from = page * PAGE_SIZE;
  const go = to => {
    view.games.page = to;
    redraw('games', gamesSection);
  };
  const heads = [
    ['#'],
    [t('result')],
    [t('black')],
    [t('white')],
    [t('ending')],
    [t('plies'), 'end'],
    [t('round'), 'end'],
  ];
  const list = chosen.length
    ? table(heads, chosen.slice(from, from + PAGE_SIZE).map(gameLine))
    : h('p', { class: 'soft' }, t('nothing'));
  return section('games', gameTools(), list, pager(page, chosen.length, PAGE_SIZE, go));
}

function settingsSection() {
  const { settings } = data;
  const entry = (key, value) => value && h('div', {}, h('dt', {}, t(key)), h('dd', {}, value));
  const rows = data.players.map(player =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, h('span', { class: 'cut', title: player.name }, player.name)),
      h('td', { class: 'wide' }, h('code', {}, player.spec)),
    ),
  );
  return section(
    'settings',
    h(
      'dl',
      { class: 'facts plain' },
      entry('game', settings.game),
      ...['format', 'length', 'control', 'openings', 'cutoff'].map(
        key => settings[key] && entry(key, say(settings[key])),
      ),
      entry('worth', settings.points),
      entry('seed', settings.seed),
    ),
    h('h3', {}),
    table([[t('player')], ['']], rows),
  );
}
