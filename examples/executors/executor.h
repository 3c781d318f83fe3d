// The executor that the program is linked with: pool.c, openmp.c, pthreadpool.c or tbb.cpp.
#ifndef EXECUTORS_EXECUTOR_H
#define EXECUTORS_EXECUTOR_H

#include <kin/executor.h>

KIN_BEGIN_DECLARATIONS

extern const char executor_name[];

// Returns an executor with so many threads; NULL if there is none.
const kin_executor *executor_begin(uint32_t threads);
void executor_end(void);

KIN_END_DECLARATIONS

#endif
