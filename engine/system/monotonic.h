/* The clock of a search. */
#ifndef GAKUSHI_CLOCK_H
#define GAKUSHI_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds of a clock that never goes back: that of Python's time.perf_counter_ns, for callers say by it when they
 * asked. */
#if defined(_WIN32)
/* Declared here, for <windows.h> makes macros of `near` and other words of ours. */
__declspec(dllimport) int __stdcall QueryPerformanceCounter(int64_t *ticks);
__declspec(dllimport) int __stdcall QueryPerformanceFrequency(int64_t *ticks);

static inline int64_t clock_ns(void)
{
    int64_t ticks, a_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&a_second);
    return ticks / a_second * 1000000000 + ticks % a_second * 1000000000 / a_second;
}
#elif defined(__APPLE__)
static inline int64_t clock_ns(void) { return (int64_t)clock_gettime_nsec_np(CLOCK_UPTIME_RAW); }
#else
static inline int64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
#endif

#endif
