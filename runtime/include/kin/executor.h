/// Executors: how to run tasks at once, on threads that libkin does not start. <kin/pool.h> has one; an adapter to any
/// job system is a few lines.
///
///     static void step(void *work, uint32_t index);       // a task: one piece of the work
///
///     void *ticket = executor->submit(step, &work, count, executor->user);
///     if (ticket != NULL)
///         executor->wait(ticket, executor->user);          // step(&work, 0) … step(&work, count - 1) have returned
///     else
///         for (uint32_t i = 0; i < count; i++)              // nothing was begun
///             step(&work, i);
///
/// What an executor promises: it calls each index once, on any threads, in any order; and when `wait` returns, the
/// thread that called it sees what the tasks wrote. What its users promise: they wait once for each ticket, on the
/// thread that submitted; they submit nothing inside a task; and no task waits for another.
#ifndef KIN_EXECUTOR_H
#define KIN_EXECUTOR_H

#include <kin/platform.h>

KIN_BEGIN_DECLARATIONS

/// A task: does the part `index` of the work.
typedef void kin_task(void *work, uint32_t index);

/// An executor.
typedef struct kin_executor {
    /// The number of threads that may run tasks at once, including the thread that waits. Below 2 it need not be asked.
    uint32_t threads;
    /// Begins to call task(work, i) for each i below `count`. Returns a ticket for `wait`; NULL: nothing was begun, and
    /// the caller runs the tasks itself.
    void *(*submit)(kin_task *task, void *work, uint32_t count, void *user);
    /// Returns when all tasks of the ticket have returned; it may run some itself.
    void (*wait)(void *ticket, void *user);
    /// Returns the time in nanoseconds since any moment, on any thread. NULL: the executor has no clock.
    uint64_t (*now)(void *user);
    /// Passed to the functions.
    void *user;
} kin_executor;

KIN_END_DECLARATIONS

#endif
