/* The course's two functions. What is declared so first keeps its name, however it is defined later. */
#ifdef __cplusplus
struct Point;
extern "C" Point *getPoint(const int M, const int N, const int *top, const int *board, const int lastX,
                           const int lastY, const int noX, const int noY);
extern "C" void clearPoint(Point *p);
#endif
