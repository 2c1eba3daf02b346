// @ts-check
// Boards of the report, drawn with the page's own hand: web/js/board.js stands before this file in the script.

/** The stones of a game after `ply` moves, with the turn each belongs to; those of a set-up to none. */
const stonesAt = (game, ply) =>
  stonesAfter({ ...data.boards[game.board], setup: game.setup }, cells(game.moves).slice(0, ply));

/** The drawing of a board with stones on it. */
function drawBoard(board, stones, { label, line = [], lastTurn = -2, foul = null, names = true }) {
  const dots = stones.filter(stone => stone.turn === lastTurn).map(({ cell }) => dotOn(board, cell));
  const fouls = cells(foul ?? '').map(cell => s('circle', { class: 'foul', ...middle(board, at(cell)), r: 9.4 }));
  return picture(board, stones, label, [rings(board, line), dots, fouls], names);
}
