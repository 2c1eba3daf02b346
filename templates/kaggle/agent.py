"""An agent for Kaggle's ConnectX to begin with: alpha-beta, deeper and deeper up to five plies or half of the time. It is
a start, not the goal. What usually comes next:
  1. a table of positions seen, and the best column of the last depth tried first;
  2. a board of bits: one number for each side, and a win is found by four shifts;
  3. threats: a cell that wins for you and lies above an empty cell decides many endgames.
The last function of this file is the agent: keep it last.

这是一个起点：逐层加深的 alpha-beta 搜索，最多五层。下一步可以尝试置换表、位棋盘、威胁分析。文件中最后一个函数是参赛函数，
请保持在最后。
"""

import time

DEEPEST = 5
WIN = 1_000_000


class TimeIsUp(Exception):
    pass


def open_columns(board, columns):
    """Columns that are not full, the middle ones first: they are good more often, and alpha-beta likes that."""
    order = sorted(range(columns), key=lambda column: abs(2 * column + 1 - columns))
    return [column for column in order if board[column] == 0]


def landing(board, columns, column):
    """The lowest free cell of a column, as an index into the board."""
    cell = column
    while cell + columns < len(board) and board[cell + columns] == 0:
        cell += columns
    return cell


def wins(board, columns, rows, inarow, cell):
    """Whether the stone on this cell stands in a row that wins."""
    mark, row, column = board[cell], cell // columns, cell % columns

    def follow(dr, dc):
        r, c, count = row + dr, column + dc, 0
        while 0 <= r < rows and 0 <= c < columns and board[r * columns + c] == mark:
            r, c, count = r + dr, c + dc, count + 1
        return count

    return any(1 + follow(dr, dc) + follow(-dr, -dc) >= inarow for dr, dc in [(0, 1), (1, 0), (1, 1), (1, -1)])


def windows(columns, rows, inarow):
    """All places for a row, as lists of cells."""
    for row in range(rows):
        for column in range(columns):
            for dr, dc in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                end_row, end_column = row + (inarow - 1) * dr, column + (inarow - 1) * dc
                if 0 <= end_row < rows and 0 <= end_column < columns:
                    yield [(row + k * dr) * columns + column + k * dc for k in range(inarow)]


def evaluate(board, places, mark):
    """What the rows that are still possible promise: more stones count much more."""
    total = 0
    for place in places:
        stones = [board[cell] for cell in place]
        own = stones.count(mark)
        theirs = stones.count(3 - mark)
        if own and not theirs:
            total += 4**own
        elif theirs and not own:
            total -= 4**theirs
    return total


def search(board, game, mark, depth, alpha, beta):
    """What the position is worth to `mark`, who is to move, and the best column."""
    columns, rows, inarow, places, deadline = game
    if time.monotonic() > deadline:
        raise TimeIsUp
    best = None
    for column in open_columns(board, columns):
        cell = landing(board, columns, column)
        board[cell] = mark
        if wins(board, columns, rows, inarow, cell):
            value = WIN + depth  # the sooner the better
        elif depth == 1:
            value = evaluate(board, places, mark)
        else:
            value = -search(board, game, 3 - mark, depth - 1, -beta, -alpha)[0]
        board[cell] = 0
        if best is None or value > best[0]:
            best = (value, column)
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return best or (0, None)  # a full board is a draw


def agent(observation, configuration):
    """Your move: a column, from 0.

    observation.board: row by row from the top; 0 empty, 1 and 2 the marks of the sides
    observation.mark: which of them is yours
    configuration.columns, .rows, .inarow: the game
    """
    deadline = time.monotonic() + configuration.actTimeout / 2
    columns, rows, inarow = configuration.columns, configuration.rows, configuration.inarow
    game = (columns, rows, inarow, list(windows(columns, rows, inarow)), deadline)
    best = open_columns(observation.board, columns)[0]
    try:
        for depth in range(1, DEEPEST + 1):
            best = search(list(observation.board), game, observation.mark, depth, -2 * WIN, 2 * WIN)[1]
    except TimeIsUp:
        pass  # what the last whole depth found stands
    return best
