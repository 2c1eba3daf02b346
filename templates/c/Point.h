/* A cell of the board: x is the row counted from the top, y the column, both from 0.
 * 棋盘上的一点：x 是从上往下数的行，y 是列，都从 0 开始。 */
#ifndef POINT_H
#define POINT_H

typedef struct Point {
    int x;
    int y;
} Point;

#endif
