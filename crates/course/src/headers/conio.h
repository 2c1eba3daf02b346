/* Lianzi's stand-in for the console of Windows: what is printed there goes where all that a strategy prints goes. */
#ifndef LIANZI_CONIO_H
#define LIANZI_CONIO_H
#include <stdarg.h>
#include <stdio.h>

static inline int _cprintf(const char *format, ...) {
    va_list rest;
    int printed;
    va_start(rest, format);
    printed = vfprintf(stderr, format, rest);
    va_end(rest);
    return printed;
}
static inline int _cputs(const char *text) { return fputs(text, stderr); }
static inline int _putch(int c) { return fputc(c, stderr); }
/* Nobody sits at a keyboard. */
static inline int _kbhit(void) { return 0; }
static inline int _getch(void) { return 0; }
static inline int _getche(void) { return 0; }
#endif
