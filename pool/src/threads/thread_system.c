#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif

#include "threads/threads.h"

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

#include <limits.h>
#include <process.h>

bool kin__semaphore_init(kin__semaphore *semaphore)
{
    *semaphore = CreateSemaphoreA(NULL, 0, LONG_MAX, NULL);
    return *semaphore != NULL;
}

void kin__semaphore_release(kin__semaphore *semaphore)
{
    CloseHandle(*semaphore);
}

void kin__semaphore_give(kin__semaphore *semaphore)
{
    ReleaseSemaphore(*semaphore, 1, NULL);
}

void kin__semaphore_take(kin__semaphore *semaphore)
{
    WaitForSingleObject(*semaphore, INFINITE);
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

#ifdef __APPLE__

bool kin__semaphore_init(kin__semaphore *semaphore)
{
    *semaphore = dispatch_semaphore_create(0);
    return *semaphore != NULL;
}

void kin__semaphore_release(kin__semaphore *semaphore)
{
    dispatch_release(*semaphore);
}

void kin__semaphore_give(kin__semaphore *semaphore)
{
    dispatch_semaphore_signal(*semaphore);
}

void kin__semaphore_take(kin__semaphore *semaphore)
{
    dispatch_semaphore_wait(*semaphore, DISPATCH_TIME_FOREVER);
}

#else

bool kin__semaphore_init(kin__semaphore *semaphore)
{
    return sem_init(semaphore, 0, 0) == 0;
}

void kin__semaphore_release(kin__semaphore *semaphore)
{
    sem_destroy(semaphore);
}

void kin__semaphore_give(kin__semaphore *semaphore)
{
    sem_post(semaphore);
}

void kin__semaphore_take(kin__semaphore *semaphore)
{
    while (sem_wait(semaphore) != 0) // a signal interrupted it
        continue;
}

#endif

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
    if (count <= 0)
        return 1;
    return (uint32_t)count;
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
