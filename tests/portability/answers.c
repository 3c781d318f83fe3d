// Prints the results of a few hundred operations: the same text on every machine (DET-01).

#include "runtime/support/play.h"

#include <stdio.h>

enum { SEEDS = 6, OPERATIONS = 1500 };

static void ignore(const kin_error *error, void *user)
{
    (void)error;
    (void)user;
}

int main(void)
{
    static play play;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cellar_context *cellar = cellar_context_create(&(kin_context_options){.on_error = ignore});
        if (cellar == NULL)
            return 1;
        play = (struct play){.size = 0};
        play_run(&play, cellar, seed, OPERATIONS);
        cellar_context_destroy(cellar);
        puts(play.text);
    }
    return 0;
}
