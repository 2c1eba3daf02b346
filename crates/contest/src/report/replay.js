// @ts-check
// One game, move by move, in a dialog.

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
  try {
    history.replaceState(null, '', hash);
  } catch {
    /* some browsers refuse this for files */
  }
}

function stepGame(by) {
  const chosen = chosenGames(),
    at = chosen.indexOf(shown.game);
  const next = at < 0 ? shown.game + by : chosen[at + by];
  if (data.games[next]) openGame(next);
}

function moveList(game) {
  const all = stonesAt({ ...game, setup: game.setup && { ...game.setup, stones: [] } }, Infinity);
  return h(
    'ol',
    { class: 'moves', tabindex: '-1' },
    all.map((stone, n) => {
      const score = game.scores?.[n] != null ? signed(game.scores[n], 0) : '';
      const more =
        n < game.given
          ? t('given')
          : [score, game.times?.[n] != null ? time(game.times[n]) : ''].filter(Boolean).join(' · ');
      return h(
        'li',
        {},
        h(
          'button',
          { type: 'button', tabindex: '-1', onclick: () => showPly(n + 1) },
          h('i', {}, String(n + 1)),
          sideDot(stone.stone),
          stone.cell,
          h('span', { class: 'more' }, more),
        ),
      );
    }),
  );
}

function replayControls(count) {
  // Drawn, since many systems have no letters for these signs.
  const sign = d => s('svg', { class: 'sign', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d }));
  const button = (word, d, to) =>
    h('button', { type: 'button', 'aria-label': t(word), title: t(word), onclick: () => showPly(to()) }, sign(d));
  return [
    h(
      'div',
      { class: 'row' },
      button('toFirst', 'M2 2h2v12H2zM14 2v12L5 8z', () => 0),
      button('back', 'M12 2v12L3 8z', () => shown.ply - 1),
      button('forward', 'M4 2v12l9-6z', () => shown.ply + 1),
      button('toLast', 'M12 2h2v12h-2zM2 2v12l9-6z', () => count),
    ),
    h('input', {
      type: 'range',
      min: 0,
      max: count,
      value: shown.ply,
      'aria-label': t('move'),
      oninput: event => showPly(Number(event.target.value)),
    }),
  ];
}

function drawReplay() {
  const game = data.games[shown.game],
    count = plies(game);
  keepPlace(() => {
    dialog.replaceChildren(...replayParts(game, count));
    return dialog;
  });
  dialog.setAttribute('aria-labelledby', 'replay-title');
}

function replayParts(game, count) {
  const other = (word, sign, by) =>
    h('button', { type: 'button', 'aria-label': t(word), title: t(word), onclick: () => stepGame(by) }, sign);
  const seat = (stone, n) =>
    h('div', {}, sideDot(stone), h('span', { class: 'name' }, data.players[game.seats[n]]?.name || '?'));
  const remark = game.comment ? h('div', { class: 'small soft name' }, game.comment) : null;
  const said = game.said
    ? h(
        'details',
        { class: 'small' },
        h('summary', {}, t('said')),
        h('pre', { class: 'said', tabindex: '0' }, game.said),
      )
    : null;
  return [
    h(
      'div',
      { class: 'head' },
      h('h2', { id: 'replay-title' }, `${t('oneGame')} ${label(game)}`),
      other('earlier', '‹', -1),
      other('later', '›', 1),
      h('button', { type: 'button', onclick: () => dialog.close() }, t('close')),
    ),
    h(
      'div',
      { class: 'replay' },
      h('div', { class: 'stage' }),
      h(
        'div',
        { class: 'side' },
        h('div', {}, seat('black', 0), seat('white', 1)),
        h('div', { class: 'text' }, h('div', { class: 'verdict' }, say(data.words[game.words])), remark, said),
        replayControls(count),
        h('div', { class: 'soft small num', 'aria-live': 'polite', id: 'ply' }),
        h('pre', { class: 'said small', id: 'thought', 'aria-label': t('thought'), tabindex: '0', hidden: true }),
        moveList(game),
        h('div', {}, h('button', { type: 'button', onclick: () => saveRecord(game) }, t('save'))),
        h('div', { class: 'soft small keys' }, t('keys')),
      ),
    ),
  ];
}

function showPly(ply) {
  const game = data.games[shown.game],
    count = plies(game);
  shown.ply = Math.max(0, Math.min(count, ply));
  const stones = stonesAt(game, shown.ply),
    last = stones.at(-1),
    atEnd = shown.ply === count;
  const words = shown.ply === 0 ? t('start') : `${shown.ply} / ${count} · ${t(last.stone)} ${last.cell}`;
  const fault = atEnd && data.faults.find(fault => fault.game === shown.game);
  dialog.querySelector('.stage')?.replaceChildren(
    drawBoard(data.boards[game.board], stones, {
      label: words,
      lastTurn: last?.turn,
      foul: fault ? fault.at : null,
      line: atEnd && game.line ? cells(game.line) : [],
    }),
  );
  const text = dialog.querySelector('#ply'),
    slider = dialog.querySelector('input');
  if (text) text.textContent = words;
  const thought = /** @type {HTMLElement | null} */ (dialog.querySelector('#thought'));
  if (thought) {
    thought.textContent = upright(game.thoughts?.[shown.ply] ?? '');
    thought.hidden = !thought.textContent;
  }
  if (slider) slider.value = String(shown.ply);
  markMove();
}

function markMove() {
  dialog.querySelector('.moves [aria-current]')?.removeAttribute('aria-current');
  const list = /** @type {HTMLElement | null} */ (dialog.querySelector('.moves'));
  const button = list?.querySelectorAll('button')[shown.ply - 1];
  button?.setAttribute('aria-current', 'true');
  // Only the list scrolls: scrollIntoView would move the whole dialog on a phone.
  if (list && button) list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
}

const KEYS = {
  ArrowLeft: () => showPly(shown.ply - 1),
  ArrowRight: () => showPly(shown.ply + 1),
  Home: () => showPly(0),
  End: () => showPly(Infinity),
  PageUp: () => stepGame(-1),
  PageDown: () => stepGame(1),
};

dialog.addEventListener('keydown', event => {
  const act = event.ctrlKey || event.altKey || event.metaKey ? null : KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
dialog.addEventListener('click', event => {
  if (event.target === dialog) dialog.close();
});
dialog.addEventListener('close', () => mark('#games'));

/** The game in our own format, as the rest of the program reads it. */
function recordOf(game) {
  const moves = cells(game.moves).map((cell, n) => ({
    cell,
    ...(game.times?.[n] != null && { time_ms: game.times[n] }),
    ...(game.scores?.[n] != null && { eval: { score: game.scores[n] } }),
    ...(game.thoughts?.[n + 1] && { comment: game.thoughts[n + 1] }),
  }));
  return {
    format: 'lianzi-game',
    version: 1,
    game: data.boards[game.board].game,
    ...(game.setup && { setup: game.setup }),
    sides: game.seats.map((n, side) => ({
      name: data.players[n].name,
      ...(game.said && game.verdict.blame === ['black', 'white'][side] && { said: game.said }),
    })),
    moves,
    ...(game.given && { opening: game.given }),
    verdict: game.verdict,
    ...(game.comment && { comment: game.comment }),
  };
}

function saveRecord(game) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(recordOf(game)) + '\n'], { type: 'application/json' }));
  h('a', { href: url, download: `game-${label(game)}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
