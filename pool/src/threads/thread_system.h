// System: threads, locks, conditions and the clock of the operating system: POSIX and Windows.
#ifndef KIN_THREAD_SYSTEM_H
#define KIN_THREAD_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
typedef SRWLOCK kin__lock;
typedef CONDITION_VARIABLE kin__condition;
typedef HANDLE kin__thread;
typedef DWORD kin__process;
#else
#include <pthread.h>
#include <sys/types.h>
typedef pthread_mutex_t kin__lock;
typedef pthread_cond_t kin__condition;
typedef pthread_t kin__thread;
typedef pid_t kin__process;
#endif

// False if the system refuses. Both, or none, are initialised.
bool kin__system_init(kin__lock *lock, kin__condition *first, kin__condition *second);
void kin__system_release(kin__lock *lock, kin__condition *first, kin__condition *second);

void kin__lock_take(kin__lock *lock);
void kin__lock_give(kin__lock *lock);
void kin__condition_wait(kin__condition *condition, kin__lock *lock);
void kin__condition_wake_all(kin__condition *condition);

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
