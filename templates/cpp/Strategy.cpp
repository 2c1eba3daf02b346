// A strategy to begin with: win if you can, block if you must, do not help the other side, and let random games decide
// among the rest. It is a start, not the goal. What usually comes next:
//   1. search deeper: alpha-beta with an evaluation of open threes, or a tree over the random games (UCT);
//   2. keep what you learned: static variables live as long as the game;
//   3. think about threats: a cell that wins for you and lies above an empty cell decides many endgames.
// You have 3 s a move. Stay well below, at 2 s or so: the machine that marks you may be slower than yours.
//
// 这是一个起点：能赢就赢，该堵就堵，不给对方垫脚，其余用随机对局决定。下一步可以尝试 alpha-beta 剪枝、UCT、
// 威胁分析。每步限时 3 秒，请远离上限（约 2 秒）。最终版本请去掉打印语句。
#include "Strategy.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include "Judge.h"

namespace {

constexpr int OTHER = 1, OWN = 2;

// Random games for each column, and when to stop in any case.
constexpr int GAMES = 2000;
constexpr auto TIME = std::chrono::milliseconds(1000);

class Game {
public:
    Game(int M, int N, const int *top, const int *board, int noX, int noY)
        : M(M), N(N), noX(noX), noY(noY), top(top, top + N), board(board, board + M * N) {}

    bool is_open(int y) const { return top[y] > 0; }
    int columns() const { return N; }

    // Drops a stone into an open column and says whether it wins.
    bool drop(int y, int who) {
        const int x = top[y] - 1;
        board[x * N + y] = who;
        // The next stone lands above the blocked cell.
        top[y] = (y == noY && x - 1 == noX) ? x - 1 : x;
        return who == OWN ? computerWin(x, y, M, N, board.data()) : userWin(x, y, M, N, board.data());
    }

    // A column in which this side wins at once, or -1.
    int winning_column(int who) const {
        for (int y = 0; y < N; y++) {
            if (is_open(y) && Game(*this).drop(y, who)) {
                return y;
            }
        }
        return -1;
    }

    // Whether our stone in this column lets the other side win at once, mostly on the cell above it.
    bool helps_other(int y) const {
        Game after(*this);
        after.drop(y, OWN);
        return after.winning_column(OTHER) >= 0;
    }

private:
    int M, N, noX, noY;
    std::vector<int> top, board;
};

// The same start gives the same game, which helps when you look for a bug.
std::minstd_rand source(1);

// Plays random stones to the end; `who` begins. 1 when we win, -1 when we lose, 0 for a draw.
int random_game(Game &game, std::vector<int> open, int who) {
    while (!open.empty()) {
        const std::size_t k = source() % open.size();
        if (game.drop(open[k], who)) {
            return who == OWN ? 1 : -1;
        }
        if (!game.is_open(open[k])) {
            open[k] = open.back();
            open.pop_back();
        }
        who = OWN + OTHER - who;
    }
    return 0;
}

std::vector<int> open_columns(const Game &game) {
    std::vector<int> open;
    for (int y = 0; y < game.columns(); y++) {
        if (game.is_open(y)) {
            open.push_back(y);
        }
    }
    return open;
}

// The column with the best random games; every column gets one in turn, so that all are fairly known when time is up.
int best_by_games(const Game &game, const std::vector<int> &columns) {
    std::vector<int> sum(columns.size(), 0);
    const auto end = std::chrono::steady_clock::now() + TIME;
    for (int n = 0; n < GAMES && std::chrono::steady_clock::now() < end; n++) {
        for (std::size_t k = 0; k < columns.size(); k++) {
            Game after(game);
            after.drop(columns[k], OWN);
            sum[k] += random_game(after, open_columns(after), OTHER);
        }
    }
    return columns[std::max_element(sum.begin(), sum.end()) - sum.begin()];
}

int choose(const Game &game) {
    for (int who : {OWN, OTHER}) {
        const int y = game.winning_column(who);
        if (y >= 0) {
            return y;
        }
    }
    const std::vector<int> open = open_columns(game);
    std::vector<int> safe;
    std::copy_if(open.begin(), open.end(), std::back_inserter(safe), [&](int y) { return !game.helps_other(y); });
    return safe.empty() ? open.front() : best_by_games(game, safe);
}

}  // namespace

extern "C" Point *getPoint(const int M, const int N, const int *top, const int *board,
                           const int /* lastX */, const int /* lastY */, const int noX, const int noY) {
    const int y = choose(Game(M, N, top, board, noX, noY));
    return new Point(top[y] - 1, y);
}

extern "C" void clearPoint(Point *p) {
    delete p;
}
