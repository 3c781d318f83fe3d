// Clocks in nanoseconds: the time since a fixed moment, and the processor time of a thread. Neither goes back.
#ifndef KIN_INSPECT_CLOCK_H
#define KIN_INSPECT_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t kin__read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t kin__inspect_now(void)
{
    return kin__read_clock(CLOCK_MONOTONIC);
}

// Processor time of the calling thread: time in which the system runs other threads does not count.
static inline uint64_t kin__inspect_worked(void)
{
    return kin__read_clock(CLOCK_THREAD_CPUTIME_ID);
}

#endif
