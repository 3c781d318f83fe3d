// Idle: what a job costs that does nothing, and a program beside that keeps a processor busy.
#ifndef KIN_BENCH_IDLE_H
#define KIN_BENCH_IDLE_H

#include <kin/executor.h>
#include <sys/types.h>

// Return the microseconds of an empty job: one after the other, and after threads have fallen asleep.
double idle_spinning(const kin_executor *executor);
double idle_sleeping(const kin_executor *executor);

// A process that computes on the last processor until it is ended; 0: none.
typedef pid_t busy_process;
busy_process busy_begin(void);
void busy_end(busy_process process);

#endif
