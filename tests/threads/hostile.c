#include "hostile.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_TASKS = 1024 };

typedef struct order {
    kin_task *task;
    void *work;
    uint32_t index;
    bool sleeps;
} order;

// One job at a time.
static order orders[MOST_TASKS];
static uint32_t order_count;
static uint32_t seed = 1;

static uint32_t next_random(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8;
}

static void take(kin_task *task, void *work, uint32_t count, bool sleeps)
{
    if (count > MOST_TASKS) {
        puts("too many tasks for a hostile executor");
        exit(EXIT_FAILURE);
    }
    order_count = count;
    for (uint32_t i = 0; i < count; i++)
        orders[i] = (order){task, work, i, sleeps};
}

static void shuffle(void)
{
    for (uint32_t i = order_count; i > 1; i--) {
        uint32_t other = next_random() % i;
        order kept = orders[i - 1];
        orders[i - 1] = orders[other];
        orders[other] = kept;
    }
}

static void *carry_out(void *given)
{
    const order *own = given;
    if (own->sleeps)
        nanosleep(&(struct timespec){0, (long)(own->index * 7919 % 400) * 1000}, NULL);
    own->task(own->work, own->index);
    return NULL;
}

static pthread_t begin_thread(order *given)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, carry_out, given) == 0)
        return thread;
    puts("no thread for a hostile executor");
    exit(EXIT_FAILURE);
}

static void *submit_backwards(kin_task *task, void *work, uint32_t count, void *user)
{
    (void)user;
    for (uint32_t i = count; i-- > 0;)
        task(work, i);
    return orders;
}

static void *submit_shuffled(kin_task *task, void *work, uint32_t count, void *user)
{
    (void)user;
    take(task, work, count, false);
    shuffle();
    for (uint32_t i = 0; i < order_count; i++)
        carry_out(&orders[i]);
    return orders;
}

static void *submit_scattered(kin_task *task, void *work, uint32_t count, void *user)
{
    (void)user;
    take(task, work, count, false);
    shuffle();
    for (uint32_t i = 0; i < order_count; i++)
        pthread_join(begin_thread(&orders[i]), NULL);
    return orders;
}

static pthread_t threads[MOST_TASKS];

static void *submit_crowd(kin_task *task, void *work, uint32_t count, void *user)
{
    (void)user;
    take(task, work, count, true);
    for (uint32_t i = 0; i < order_count; i++)
        threads[i] = begin_thread(&orders[i]);
    return threads;
}

static void *refuse(kin_task *task, void *work, uint32_t count, void *user)
{
    (void)task;
    (void)work;
    (void)count;
    (void)user;
    return NULL;
}

static void wait(void *ticket, void *user)
{
    (void)user;
    for (uint32_t i = 0; ticket == threads && i < order_count; i++)
        pthread_join(threads[i], NULL);
}

const kin_executor hostile_executors[HOSTILE_COUNT] = {
    {.threads = 2, .submit = submit_backwards, .wait = wait}, {.threads = 2, .submit = submit_shuffled, .wait = wait},
    {.threads = 2, .submit = submit_scattered, .wait = wait}, {.threads = 16, .submit = submit_crowd, .wait = wait},
    {.threads = 2, .submit = refuse, .wait = wait},
};

void run_tasks(const kin_executor *executor, kin_task *task, void *work, uint32_t count)
{
    void *ticket = executor == NULL ? NULL : executor->submit(task, work, count, executor->user);
    if (ticket != NULL)
        executor->wait(ticket, executor->user);
    for (uint32_t i = 0; ticket == NULL && i < count; i++)
        task(work, i);
}
