// Who has won. Only lines through (x, y), the last stone, are looked at: an older line would have ended the game before.
// 胜负判断。只检查经过最后一子 (x, y) 的直线。
#ifndef JUDGE_H
#define JUDGE_H

// Whether the other side (1) has four in a row through (x, y).
bool userWin(int x, int y, int M, int N, const int *board);

// Whether you (2) have.
bool computerWin(int x, int y, int M, int N, const int *board);

// Whether no column is open. Ask this only after the two above: the last stone can still win.
// 先判断胜负，再判断平局。
bool isTie(int N, const int *top);

#endif
