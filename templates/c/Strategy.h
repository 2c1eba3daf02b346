/* What the judge calls. Do not change these two declarations.
 * 裁判程序调用的接口，请勿修改。 */
#ifndef STRATEGY_H
#define STRATEGY_H

#include "Point.h"

/* Your move. The point must come from malloc: the judge hands it to clearPoint when it has read it.
 *
 *   M, N          rows and columns (9 to 12 each in the course)      棋盘的行数和列数
 *   top[y]        the highest stone of column y; M when it is empty, 0 when it is full. A stone in column y lands on
 *                 row top[y] - 1. The blocked cell is accounted for already.   各列的顶端，落子点是 top[y] - 1
 *   board         row by row from the top, board[x * N + y]: 0 empty (the blocked cell too), 1 the other side, 2 you
 *   lastX, lastY  where the other side has just played; -1 when you make the first move     对方上一步
 *   noX, noY      the blocked cell, on which nobody may play         障碍格，不可落子
 */
Point *getPoint(const int M, const int N, const int *top, const int *board,
                const int lastX, const int lastY, const int noX, const int noY);

/* Frees what getPoint gave. */
void clearPoint(Point *p);

#endif
