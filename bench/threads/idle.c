#include "idle.h"

#include "turns.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SPINS = 1001, SLEEPS = 101, TASKS = 4 };

static void do_nothing(void *work, uint32_t index)
{
    (void)work;
    (void)index;
}

static double time_job(const kin_executor *executor)
{
    double start = turns_now();
    void *ticket = executor->submit(do_nothing, NULL, TASKS, executor->user);
    if (ticket != NULL)
        executor->wait(ticket, executor->user);
    return (turns_now() - start) / 1e3;
}

double idle_spinning(const kin_executor *executor)
{
    static double times[SPINS];
    for (uint32_t i = 0; i < SPINS; i++)
        times[i] = time_job(executor);
    return turns_median(times, SPINS);
}

double idle_sleeping(const kin_executor *executor)
{
    static double times[SLEEPS];
    for (uint32_t i = 0; i < SLEEPS; i++) {
        nanosleep(&(struct timespec){0, 3000000}, NULL);
        times[i] = time_job(executor);
    }
    return turns_median(times, SLEEPS);
}

busy_process busy_begin(void)
{
    cpu_set_t processors;
    volatile uint32_t count = 0;
    pid_t child = fork();
    if (child != 0)
        return child > 0 ? child : 0;
    CPU_ZERO(&processors);
    CPU_SET((size_t)turns_processors() - 1, &processors);
    sched_setaffinity(0, sizeof processors, &processors);
    for (pid_t parent = getppid(); getppid() == parent;) // ends with the bench, too
        for (uint32_t i = 0; i < 1000000; i++)
            count = count + 1;
    _exit(EXIT_SUCCESS);
}

void busy_end(busy_process process)
{
    if (process == 0)
        return;
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
}
