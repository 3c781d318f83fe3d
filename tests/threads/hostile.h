// Hostile executors: they keep the promises of <kin/executor.h>, each in a way that no sensible one would.
#ifndef KIN_TESTS_THREADS_HOSTILE_H
#define KIN_TESTS_THREADS_HOSTILE_H

#include <kin/executor.h>

enum { HOSTILE_SCATTERED = 2, HOSTILE_CROWD = 3, HOSTILE_COUNT = 5 };

// The last task first; in random order; each on a new thread, one at a time; all at once, each on a new thread that
// sleeps first; and one that refuses.
extern const kin_executor hostile_executors[HOSTILE_COUNT];

// Runs the tasks by an executor, or in order on this thread if it is NULL or refuses.
void run_tasks(const kin_executor *executor, kin_task *task, void *work, uint32_t count);

#endif
