/* Lianzi's stand-in: the course's template for Windows includes this header beside <conio.h>, for the console. */
#include "windows.h"
