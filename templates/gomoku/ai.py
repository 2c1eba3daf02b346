"""A Gomoku strategy to begin with: make five if you can, stop five if you must, and otherwise play the cell whose
lines promise most. It is a start, not the goal. What usually comes next:
  1. look ahead: alpha-beta over the best few cells of `candidates`;
  2. tell an open three from a closed one, and a four from a double threat;
  3. forced wins: fours first, then threes.
You have minutes a move, but a search that doubles its time with every ply gets there soon: watch the clock.

这是一个起点：能成五就成五，该堵就堵，否则选连线价值最高的点。下一步可以尝试 alpha-beta 剪枝、棋型识别（活三、冲四）、
连续冲四取胜。请注意每步时限。文件名必须是 学号.py，并定义 ai(List_me, List_enemy, List_all)。
"""

DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]

# What a window of five cells is worth that holds so many stones of one side and none of the other.
OWN = [0, 1, 10, 100, 1000, 100000]
ENEMY = [0, 1, 9, 90, 5000, 0]


def ai(List_me, List_enemy, List_all):
    """Your move: a tuple (x, y) that is in List_all and free.

    List_me, List_enemy: your stones and the other side's, in playing order   己方、对方的棋子，按落子顺序
    List_all: every cell of the board   棋盘上所有的点（15×15，某些版本是 16×16）
    """
    me, enemy, board = set(List_me), set(List_enemy), set(List_all)
    if not me and not enemy:
        return middle(board)
    return max(candidates(me | enemy, board), key=lambda cell: value(cell, me, enemy, board))


def middle(board):
    side = max(x for x, _ in board)
    return ((side + 1) // 2, (side + 1) // 2)


def candidates(stones, board):
    """Free cells at most two steps from a stone; all free ones if there are none."""
    steps = range(-2, 3)
    near = {(x + dx, y + dy) for x, y in stones for dx in steps for dy in steps}
    # Sorted, so that the same position always gets the same answer.
    return sorted((near & board) - stones) or sorted(board - stones)


def value(cell, me, enemy, board):
    """What the windows of five through a cell promise us, and what they promise the other side."""
    total = 0
    for window in windows(cell, board):
        own = sum(other in me for other in window)
        theirs = sum(other in enemy for other in window)
        if not theirs:
            total += OWN[own + 1]
        if not own:
            total += ENEMY[theirs]
    return total


def windows(cell, board):
    """Every five cells in a row that contain this one and lie on the board."""
    x, y = cell
    for dx, dy in DIRECTIONS:
        for start in range(-4, 1):
            window = [(x + (start + k) * dx, y + (start + k) * dy) for k in range(5)]
            if all(other in board for other in window):
                yield window
