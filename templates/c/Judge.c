#include "Judge.h"

/* How many stones like the one on (x, y) follow it in one direction. */
static int follow(int x, int y, int dx, int dy, int M, int N, const int *board) {
    const int who = board[x * N + y];
    int count = 0;
    for (x += dx, y += dy; x >= 0 && x < M && y >= 0 && y < N && board[x * N + y] == who; x += dx, y += dy) {
        count++;
    }
    return count;
}

static bool wins(int who, int x, int y, int M, int N, const int *board) {
    static const int direction[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    if (board[x * N + y] != who) {
        return false;
    }
    for (int d = 0; d < 4; d++) {
        const int dx = direction[d][0], dy = direction[d][1];
        if (1 + follow(x, y, dx, dy, M, N, board) + follow(x, y, -dx, -dy, M, N, board) >= 4) {
            return true;
        }
    }
    return false;
}

bool userWin(int x, int y, int M, int N, const int *board) {
    return wins(1, x, y, M, N, board);
}

bool computerWin(int x, int y, int M, int N, const int *board) {
    return wins(2, x, y, M, N, board);
}

bool isTie(int N, const int *top) {
    for (int y = 0; y < N; y++) {
        if (top[y] > 0) {
            return false;
        }
    }
    return true;
}
