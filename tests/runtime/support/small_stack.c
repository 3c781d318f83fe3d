#include "small_stack.h"

#include <check.h>
#include <pthread.h>
#include <stddef.h>

static void *run(void *function)
{
    (*(void (**)(void))function)();
    return NULL;
}

void run_on_small_stack(void (*function)(void))
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
    ck_assert_int_eq(pthread_create(&thread, &attributes, run, (void *)&function), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}
