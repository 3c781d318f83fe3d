// Clock: nanoseconds since a fixed moment; it never goes back.
#ifndef KIN_INSPECT_CLOCK_H
#define KIN_INSPECT_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t kin__inspect_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
