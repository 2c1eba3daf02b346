// How tests solve puzzles: what the engine itself would play, on the board.
import { cell } from './help.mjs';

/** Asks the server about training, as the page does. */
export async function ask(url, name, more) {
  const when = { ms: Date.now(), day: new Date().toISOString().slice(0, 10) };
  const answer = await fetch(`${url}api/train`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ do: name, when, ...more }),
  });
  if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`);
  return answer.json();
}

/** Plays turn after turn on the board until the puzzle is solved. */
export async function solve(page, url, puzzle) {
  let moves = [];
  for (let turn = 0; turn < 12; turn += 1) {
    const { cells } = await ask(url, 'train_hint', { puzzle: puzzle.line, moves, step: 3 });
    for (const name of cells) await cell(page, name).click();
    const played = await ask(url, 'train_play', { puzzle: puzzle.line, moves, turn: cells });
    if (played.verdict === 'solved') return page.locator('[data-key="train-next"]:not(:disabled)').waitFor();
    moves = played.moves;
    const count = puzzle.moves.length + moves.length;
    await page.waitForFunction(n => document.querySelectorAll('.layer-stones .stone').length === n, count);
    await page.locator('.feedback.right').waitFor();
  }
  throw new Error(`${puzzle.line} has no end`);
}
