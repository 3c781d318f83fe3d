#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif

#include "threads/thread_system.h"

#include <stdlib.h>

// What a new thread is to call.
typedef struct start {
    void (*run)(void *user);
    void *user;
} start;

static void run_and_free(start *given)
{
    start copy = *given;
    free(given);
    copy.run(copy.user);
}

#ifdef _WIN32

#include <process.h>

bool kin__system_init(kin__lock *lock, kin__condition *first, kin__condition *second)
{
    InitializeSRWLock(lock);
    InitializeConditionVariable(first);
    InitializeConditionVariable(second);
    return true;
}

void kin__system_release(kin__lock *lock, kin__condition *first, kin__condition *second)
{
    (void)lock, (void)first, (void)second;
}

void kin__lock_take(kin__lock *lock)
{
    AcquireSRWLockExclusive(lock);
}

void kin__lock_give(kin__lock *lock)
{
    ReleaseSRWLockExclusive(lock);
}

void kin__condition_wait(kin__condition *condition, kin__lock *lock)
{
    SleepConditionVariableSRW(condition, lock, INFINITE, 0);
}

void kin__condition_wake_all(kin__condition *condition)
{
    WakeAllConditionVariable(condition);
}

static unsigned __stdcall begin(void *given)
{
    run_and_free(given);
    return 0;
}

static bool start_thread(kin__thread *thread, start *given)
{
    *thread = (HANDLE)_beginthreadex(NULL, 0, begin, given, 0, NULL);
    return *thread != NULL;
}

void kin__thread_join(kin__thread thread)
{
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

uint32_t kin__system_processors(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors;
}

kin__process kin__system_process(void)
{
    return GetCurrentProcessId();
}

// In two parts, as the product of the count and 10^9 does not fit.
uint64_t kin__system_now(void)
{
    LARGE_INTEGER frequency, count;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&count);
    uint64_t seconds = (uint64_t)(count.QuadPart / frequency.QuadPart);
    uint64_t rest = (uint64_t)(count.QuadPart % frequency.QuadPart);
    return seconds * 1000000000 + rest * 1000000000 / (uint64_t)frequency.QuadPart;
}

#else

#include <time.h>
#include <unistd.h>

bool kin__system_init(kin__lock *lock, kin__condition *first, kin__condition *second)
{
    if (pthread_mutex_init(lock, NULL) != 0)
        return false;
    if (pthread_cond_init(first, NULL) != 0) {
        pthread_mutex_destroy(lock);
        return false;
    }
    if (pthread_cond_init(second, NULL) == 0)
        return true;
    pthread_cond_destroy(first);
    pthread_mutex_destroy(lock);
    return false;
}

void kin__system_release(kin__lock *lock, kin__condition *first, kin__condition *second)
{
    pthread_mutex_destroy(lock);
    pthread_cond_destroy(first);
    pthread_cond_destroy(second);
}

void kin__lock_take(kin__lock *lock)
{
    pthread_mutex_lock(lock);
}

void kin__lock_give(kin__lock *lock)
{
    pthread_mutex_unlock(lock);
}

void kin__condition_wait(kin__condition *condition, kin__lock *lock)
{
    pthread_cond_wait(condition, lock);
}

void kin__condition_wake_all(kin__condition *condition)
{
    pthread_cond_broadcast(condition);
}

static void *begin(void *given)
{
    run_and_free(given);
    return NULL;
}

static bool start_thread(kin__thread *thread, start *given)
{
    return pthread_create(thread, NULL, begin, given) == 0;
}

void kin__thread_join(kin__thread thread)
{
    pthread_join(thread, NULL);
}

uint32_t kin__system_processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

kin__process kin__system_process(void)
{
    return getpid();
}

uint64_t kin__system_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

#endif

bool kin__thread_start(kin__thread *thread, void (*run)(void *user), void *user)
{
    start *given = malloc(sizeof *given);
    if (given == NULL)
        return false;
    *given = (start){run, user};
    if (start_thread(thread, given))
        return true;
    free(given);
    return false;
}
