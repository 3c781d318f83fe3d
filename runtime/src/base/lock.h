// Locks that are held briefly, such as for an allocation: waiting threads do not sleep. Without atomics in the
// compiler, one thread uses them.
#ifndef KIN_SRC_LOCK_H
#define KIN_SRC_LOCK_H

#ifdef __STDC_NO_ATOMICS__
typedef int kin__lock;
#else
#include <stdatomic.h>
typedef atomic_flag kin__lock;
#endif

static inline void kin__lock_init(kin__lock *lock)
{
#ifdef __STDC_NO_ATOMICS__
    *lock = 0;
#else
    atomic_flag_clear(lock);
#endif
}

static inline void kin__lock_acquire(kin__lock *lock)
{
#ifdef __STDC_NO_ATOMICS__
    *lock = 1;
#else
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire)) {
    }
#endif
}

static inline void kin__lock_release(kin__lock *lock)
{
#ifdef __STDC_NO_ATOMICS__
    *lock = 0;
#else
    atomic_flag_clear_explicit(lock, memory_order_release);
#endif
}

#endif
