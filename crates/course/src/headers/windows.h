/* Lianzi's stand-in for what strategies take from Windows: names for numbers, clocks, and a console that is not there. */
#ifndef LIANZI_WINDOWS_H
#define LIANZI_WINDOWS_H
#include <stddef.h>
#include <stdint.h>
#include <time.h>

typedef unsigned char BYTE;
typedef unsigned short WORD;
typedef uint32_t DWORD;
typedef int32_t LONG;
typedef uint32_t ULONG;
typedef int64_t LONGLONG;
typedef uint64_t ULONGLONG;
typedef int BOOL;
typedef unsigned int UINT;
typedef void *HANDLE, *HINSTANCE, *HMODULE, *LPVOID, *PVOID;
typedef union {
    struct {
        DWORD LowPart;
        LONG HighPart;
    } u;
    LONGLONG QuadPart;
} LARGE_INTEGER;

#define TRUE 1
#define FALSE 0
#define WINAPI
#define APIENTRY
#define CALLBACK
#define _In_
#define _Out_
#define _Inout_
#define _T(text) text
#define __forceinline inline
#define DLL_PROCESS_DETACH 0
#define DLL_PROCESS_ATTACH 1
#define DLL_THREAD_ATTACH 2
#define DLL_THREAD_DETACH 3

static inline LONGLONG lianzi_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (LONGLONG)now.tv_sec * 1000000000 + now.tv_nsec;
}
static inline ULONGLONG GetTickCount64(void) { return (ULONGLONG)(lianzi_nanoseconds() / 1000000); }
static inline DWORD GetTickCount(void) { return (DWORD)GetTickCount64(); }
static inline DWORD timeGetTime(void) { return GetTickCount(); }
static inline BOOL QueryPerformanceCounter(LARGE_INTEGER *count) {
    count->QuadPart = lianzi_nanoseconds();
    return TRUE;
}
static inline BOOL QueryPerformanceFrequency(LARGE_INTEGER *frequency) {
    frequency->QuadPart = 1000000000;
    return TRUE;
}
static inline void Sleep(DWORD milliseconds) {
    struct timespec time;
    time.tv_sec = milliseconds / 1000;
    time.tv_nsec = (long)(milliseconds % 1000) * 1000000;
    nanosleep(&time, NULL);
}
#ifdef __cplusplus
/* There they are macros. */
#include <algorithm>
using std::max;
using std::min;
#endif
static inline BOOL AllocConsole(void) { return TRUE; }
static inline BOOL FreeConsole(void) { return TRUE; }
#endif
