/// A pool of threads, the default executor. It is a library of its own, libkin_pool, which needs no other part of Kin:
///
///     kin_executor *pool = kin_pool_create(0);
///     void *ticket = pool->submit(step, &work, count, pool->user); // see <kin/executor.h>
///     ...
///     kin_pool_destroy(pool);
///
/// A job ends when its tasks have ended, whether or not all threads took part: one that is descheduled holds up only
/// the tasks that it began. Each thread begins with the same share of a job every time, so that what it wrote in the
/// job before is still in its cache; then it helps the others. A thread without a job waits actively for 50
/// microseconds, then sleeps. No thread starts or ends between create and destroy.
///
/// Several threads may use one pool. While it runs the job of one, `submit` refuses those of others, and they run their
/// tasks themselves; so do tasks that submit a job. After a fork the child has no threads: its jobs run where they are
/// submitted. `now` is the monotonic clock.
#ifndef KIN_POOL_H
#define KIN_POOL_H

#include <kin/executor.h>

KIN_BEGIN_DECLARATIONS

/// The most threads of one pool.
enum { KIN_POOL_MAX_THREADS = 4096 };

/// Creates a pool of `threads`, including the thread that waits for a job; 0: as many as there are processors. Returns
/// NULL for more than KIN_POOL_MAX_THREADS, when out of memory, and when the system refuses a thread. Cost: starts the
/// threads.
KIN_API kin_executor *kin_pool_create(uint32_t threads);

/// Ends the threads and frees the pool. NULL is allowed. No job is running. Cost: waits for the threads to end.
KIN_API void kin_pool_destroy(kin_executor *pool);

KIN_END_DECLARATIONS

#endif
