#include "Judge.h"

#include <algorithm>

namespace {

// How many stones like the one on (x, y) follow it in one direction.
int follow(int x, int y, int dx, int dy, int M, int N, const int *board) {
    const int who = board[x * N + y];
    int count = 0;
    for (x += dx, y += dy; x >= 0 && x < M && y >= 0 && y < N && board[x * N + y] == who; x += dx, y += dy) {
        count++;
    }
    return count;
}

bool wins(int who, int x, int y, int M, int N, const int *board) {
    const auto line = [&](int dx, int dy) {
        return 1 + follow(x, y, dx, dy, M, N, board) + follow(x, y, -dx, -dy, M, N, board) >= 4;
    };
    return board[x * N + y] == who && (line(0, 1) || line(1, 0) || line(1, 1) || line(1, -1));
}

}  // namespace

bool userWin(int x, int y, int M, int N, const int *board) {
    return wins(1, x, y, M, N, board);
}

bool computerWin(int x, int y, int M, int N, const int *board) {
    return wins(2, x, y, M, N, board);
}

bool isTie(int N, const int *top) {
    return std::all_of(top, top + N, [](int row) { return row == 0; });
}
