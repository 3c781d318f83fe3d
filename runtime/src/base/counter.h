// Counters: numbers that several threads may count up at once. Without atomics in the compiler, one thread may.
#ifndef KIN_SRC_COUNTER_H
#define KIN_SRC_COUNTER_H

#include <stdint.h>

#ifdef __STDC_NO_ATOMICS__
typedef uint_least32_t kin__counter;
#else
#include <stdatomic.h>
typedef atomic_uint_least32_t kin__counter;
#endif

static inline void kin__counter_add(kin__counter *counter)
{
#ifdef __STDC_NO_ATOMICS__
    ++*counter;
#else
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
#endif
}

// Returns the number and sets it to 0. No other thread is counting.
static inline uint32_t kin__counter_take(kin__counter *counter)
{
    uint32_t count = *counter;
    *counter = 0;
    return count;
}

#endif
