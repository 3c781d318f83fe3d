#define _POSIX_C_SOURCE 199309L // the monotonic clock

#include "base/clock.h"

#include <time.h>

enum { SECOND = 1000000000 };

#if defined(_WIN32)
// Declared here because windows.h would define its macros too. Every program links kernel32.
__declspec(dllimport) int __stdcall QueryPerformanceCounter(int64_t *count);
__declspec(dllimport) int __stdcall QueryPerformanceFrequency(int64_t *counts_per_second);

uint64_t kin__clock_read(void)
{
    int64_t count = 0, each_second = 1;
    QueryPerformanceFrequency(&each_second);
    QueryPerformanceCounter(&count);
    return (uint64_t)(count / each_second * SECOND + count % each_second * SECOND / each_second);
}
#else
uint64_t kin__clock_read(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}
#endif
