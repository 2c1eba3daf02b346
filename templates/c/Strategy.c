/* A strategy to begin with: win if you can, block if you must, do not help the other side, and let random games decide
 * among the rest. It is a start, not the goal. What usually comes next:
 *   1. search deeper: alpha-beta with an evaluation of open threes, or a tree over the random games (UCT);
 *   2. keep what you learned: static variables live as long as the game;
 *   3. think about threats: a cell that wins for you and lies above an empty cell decides many endgames.
 * You have 3 s a move. Stay well below, at 2 s or so: the machine that marks you may be slower than yours.
 *
 * 这是一个起点：能赢就赢，该堵就堵，不给对方垫脚，其余用随机对局决定。下一步可以尝试 alpha-beta 剪枝、UCT、
 * 威胁分析。每步限时 3 秒，请远离上限（约 2 秒）。最终版本请去掉打印语句。
 */
#include "Strategy.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "Judge.h"

enum { LARGEST = 32, OTHER = 1, OWN = 2 };

/* Random games for each column, and when to stop in any case. */
static const int GAMES = 2000;
static const double SECONDS = 1.0;

typedef struct Game {
    int M, N, noX, noY;
    int top[LARGEST];
    int board[LARGEST * LARGEST];
} Game;

/* Drops a stone into an open column and says on which row it lies. */
static int drop(Game *game, int y, int who) {
    const int x = game->top[y] - 1;
    game->board[x * game->N + y] = who;
    game->top[y] = x;
    if (y == game->noY && x - 1 == game->noX) {
        game->top[y] = x - 1; /* the next stone lands above the blocked cell */
    }
    return x;
}

static void take_back(Game *game, int y, int x, int top) {
    game->board[x * game->N + y] = 0;
    game->top[y] = top;
}

/* Whether this side's stone on (x, y) has won. */
static bool won(const Game *game, int x, int y, int who) {
    return who == OWN ? computerWin(x, y, game->M, game->N, game->board)
                      : userWin(x, y, game->M, game->N, game->board);
}

/* Whether a stone in this column wins at once. */
static bool wins_at(Game *game, int y, int who) {
    const int top = game->top[y];
    if (top == 0) {
        return false;
    }
    const int x = drop(game, y, who);
    const bool wins = won(game, x, y, who);
    take_back(game, y, x, top);
    return wins;
}

/* A column in which this side wins at once, or -1. */
static int winning_column(Game *game, int who) {
    for (int y = 0; y < game->N; y++) {
        if (wins_at(game, y, who)) {
            return y;
        }
    }
    return -1;
}

/* Whether our stone in this column lets the other side win at once, mostly on the cell above it. */
static bool helps_other(Game *game, int y) {
    const int top = game->top[y];
    const int x = drop(game, y, OWN);
    const bool helps = winning_column(game, OTHER) >= 0;
    take_back(game, y, x, top);
    return helps;
}

/* Small and fast random numbers (xorshift). The same start gives the same game, which helps when you look for a bug. */
static uint32_t state = 2463534242u;

static int below(int bound) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (int)(((uint64_t)state * (uint64_t)bound) >> 32);
}

/* Plays random stones to the end; `who` begins. 1 when we win, -1 when we lose, 0 for a draw. */
static int random_game(Game *game, int who) {
    int open[LARGEST], count = 0;
    for (int y = 0; y < game->N; y++) {
        if (game->top[y] > 0) {
            open[count++] = y;
        }
    }
    while (count > 0) {
        const int k = below(count), y = open[k];
        const int x = drop(game, y, who);
        if (won(game, x, y, who)) {
            return who == OWN ? 1 : -1;
        }
        if (game->top[y] == 0) {
            open[k] = open[--count];
        }
        who = OWN + OTHER - who;
    }
    return 0;
}

/* Seconds on the wall. clock() counts only what this program used, which a busy machine makes less. */
static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The column with the best random games; every column gets one in turn, so that all are fairly known when time is up. */
static int best_by_games(const Game *game, const int *columns, int count) {
    int sum[LARGEST] = {0};
    const double end = now() + SECONDS;
    for (int n = 0; n < GAMES && now() < end; n++) {
        for (int k = 0; k < count; k++) {
            Game after = *game;
            drop(&after, columns[k], OWN);
            sum[k] += random_game(&after, OTHER);
        }
    }
    int best = 0;
    for (int k = 1; k < count; k++) {
        if (sum[k] > sum[best]) {
            best = k;
        }
    }
    return columns[best];
}

static int choose(Game *game) {
    int y = winning_column(game, OWN);
    if (y < 0) {
        y = winning_column(game, OTHER);
    }
    if (y >= 0) {
        return y;
    }
    int open[LARGEST], safe[LARGEST], opens = 0, safes = 0;
    for (y = 0; y < game->N; y++) {
        if (game->top[y] > 0) {
            open[opens++] = y;
            if (!helps_other(game, y)) {
                safe[safes++] = y;
            }
        }
    }
    return safes > 0 ? best_by_games(game, safe, safes) : open[0];
}

Point *getPoint(const int M, const int N, const int *top, const int *board,
                const int lastX, const int lastY, const int noX, const int noY) {
    (void)lastX;
    (void)lastY;
    Game game = {.M = M, .N = N, .noX = noX, .noY = noY};
    memcpy(game.top, top, sizeof(int) * (size_t)N);
    memcpy(game.board, board, sizeof(int) * (size_t)M * (size_t)N);

    Point *point = malloc(sizeof *point);
    point->y = choose(&game);
    point->x = top[point->y] - 1;
    return point;
}

void clearPoint(Point *p) {
    free(p);
}
