// Contexts in threads of their own share nothing (DET-03).
#include "runtime/support/play.h"
#include "scenes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREAD_COUNT = 4, ROUNDS = 6, OPERATIONS = 600 };

static play expected[ROUNDS];

static void ignore(const kin_error *error, void *user)
{
    (void)error;
    (void)user;
}

static bool play_round(play *play, uint32_t round)
{
    kin_context_options options = {.on_error = ignore};
    cellar_context *cellar = cellar_context_create(&options);
    if (cellar == NULL)
        return false;
    play_run(play, cellar, round, OPERATIONS);
    cellar_context_destroy(cellar);
    return true;
}

// Returns its argument if the result equals that of one thread alone.
static void *play_all(void *argument)
{
    play *own = argument;
    for (uint32_t round = 0; round < ROUNDS; round++)
        if (!play_round(own, round) || strcmp(own->text, expected[round].text) != 0)
            return NULL;
    return own;
}

bool play_in_threads(void)
{
    pthread_t threads[THREAD_COUNT];
    static play plays[THREAD_COUNT];
    bool same = true;
    for (uint32_t round = 0; round < ROUNDS; round++)
        same = play_round(&expected[round], round) && same;
    for (uint32_t i = 0; i < THREAD_COUNT; i++)
        if (pthread_create(&threads[i], NULL, play_all, &plays[i]) != 0)
            return false;
    for (uint32_t i = 0; i < THREAD_COUNT; i++) {
        void *result = NULL;
        same = pthread_join(threads[i], &result) == 0 && result != NULL && same;
    }
    return same;
}
