// Threads under the thread sanitizer, which detects shared data. Built apart from the other tests, as that sanitizer
// must instrument everything.
//
//   threads [SCENE]   plays all scenes, or one; fails if one differs
//   threads race sum  has a race, which the sanitizer must report; also `read` and `change`
#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    bool (*play)(void);
} scenes[] = {
    {"play", play_in_threads},       {"saves", save_in_threads},          {"pieces", share_pieces},
    {"refusals", refuse_in_threads}, {"queries", ask_in_threads},         {"pool", share_one_pool},
    {"commands", record_in_threads}, {"shared-saves", save_while_shared},
};

int main(int count, char **arguments)
{
    bool same = true;
    if (count > 2 && strcmp(arguments[1], "race") == 0)
        return plant_race(arguments[2]) ? EXIT_SUCCESS : EXIT_FAILURE;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        if (count > 1 && strcmp(arguments[1], scenes[i].name) != 0)
            continue;
        bool is_right = scenes[i].play();
        printf("%s: %s\n", scenes[i].name, is_right ? "the same" : "not the same");
        same = same && is_right;
    }
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
