/* Monotonic time, for the search. */
#ifndef GAKUSHI_MONOTONIC_H
#define GAKUSHI_MONOTONIC_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds, never decreasing. The same time as Python's time.perf_counter_ns, by which callers give the start of a
 * search. */
#if defined(_WIN32)
/* Declared here because <windows.h> defines macros for `near` and other names that we use. */
__declspec(dllimport) int __stdcall QueryPerformanceCounter(int64_t *ticks);
__declspec(dllimport) int __stdcall QueryPerformanceFrequency(int64_t *ticks);

static inline int64_t monotonic_ns(void)
{
    int64_t ticks, a_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&a_second);
    return ticks / a_second * 1000000000 + ticks % a_second * 1000000000 / a_second;
}
#elif defined(__APPLE__)
static inline int64_t monotonic_ns(void) { return (int64_t)clock_gettime_nsec_np(CLOCK_UPTIME_RAW); }
#else
static inline int64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
#endif

#endif
