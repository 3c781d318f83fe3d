// threads: runs the tasks of jobs on a pool of threads
//
// thread_pool.c has the jobs: their shares, the threads that take from them, and the thread that waits. This header has
// what it needs of the operating system, which is POSIX, macOS or Windows: threads, semaphores and a clock.
#ifndef KIN_SRC_THREADS_H
#define KIN_SRC_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
typedef HANDLE kin__semaphore;
typedef HANDLE kin__thread;
typedef DWORD kin__process;
#else
#include <pthread.h>
#include <sys/types.h>
#ifdef __APPLE__
#include <dispatch/dispatch.h>
typedef dispatch_semaphore_t kin__semaphore;
#else
#include <semaphore.h>
typedef sem_t kin__semaphore;
#endif
typedef pthread_t kin__thread;
typedef pid_t kin__process;
#endif

// False if the system refuses. The count is 0 at first.
bool kin__semaphore_init(kin__semaphore *semaphore);
void kin__semaphore_release(kin__semaphore *semaphore);

// Adds 1 to the count. Waits for no other thread, whatever they are doing.
void kin__semaphore_give(kin__semaphore *semaphore);
// Waits until the count is not 0, then subtracts 1.
void kin__semaphore_take(kin__semaphore *semaphore);

// Starts a thread that calls `run` and ends with it. False if the system refuses.
bool kin__thread_start(kin__thread *thread, void (*run)(void *user), void *user);
void kin__thread_join(kin__thread thread);

uint32_t kin__system_processors(void);
kin__process kin__system_process(void); // differs after a fork
uint64_t kin__system_now(void);         // nanoseconds

// Tells the processor that the thread waits actively.
static inline void kin__system_pause(void)
{
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    __builtin_ia32_pause();
#elif defined(__GNUC__) && defined(__aarch64__)
    __asm__ volatile("yield");
#elif defined(_WIN32)
    YieldProcessor();
#endif
}

#endif
