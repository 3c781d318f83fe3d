// The runtime against the rules, by random operations: every package in every mix, each with a seed of its own.
//
// KIN_MODEL_OPERATIONS says how many operations all games take together, KIN_MODEL_SEED which ones. KIN_MODEL_PACKAGE
// plays one package only, KIN_MODEL_TURNS only some turns of a game, which it prints, KIN_MODEL_INNER only the first
// operations inside the last of them; KIN_MODEL_HERE plays without another process, for debuggers.

#include "model/game/play.h"
#include "runtime/support/environment.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { MIXES = 5 };

static const model_mix mixes[MIXES] = {
    // Few entities, in slots around the ends of words and chunks.
    {"spread", {.first_creation_index = 1, .max_entities = 2000}, 48, 20, true, 20, 4, 40, 1, 6},
    // Limits: of entities, of creation indices, of depth.
    {"narrow", {.first_creation_index = ((uint64_t)1 << 40) - 400, .max_entities = 12}, 24, 16, false, 20, 4, 40, 4, 4},
    // Holders are only counted.
    {"counted", {.fast_retain = true, .first_creation_index = 1, .max_entities = 24}, 40, 18, false, 20, 5, 40, 1, 4},
    // Listeners nest deeply.
    {"deep", {.first_creation_index = 7, .max_entities = 30}, 30, 16, false, 30, 8, 60, 3, 4},
    // Several chunks.
    {"crowded", {.first_creation_index = 1, .max_entities = 2400}, 1400, 1100, false, 10, 3, 12, 0, 120},
};

// All turns but those in the list are left out; NULL without a list.
static bool *read_turns(const char *list, uint64_t *turns)
{
    bool *left_out = NULL;
    for (const char *at = list; at != NULL && *at != '\0';) {
        char *end = NULL;
        uint64_t turn = strtoull(at, &end, 10);
        left_out = realloc(left_out, (size_t)turn + 1);
        memset(left_out + *turns, true, (size_t)(turn + 1 - *turns));
        left_out[turn] = false;
        *turns = turn + 1;
        at = *end == ',' ? end + 1 : end;
    }
    return left_out;
}

static void play_with(const model_mix *mix, int package, const char *suite, uint32_t moment_percent)
{
    const char *only = getenv("KIN_MODEL_PACKAGE");
    if (only != NULL && strcmp(only, model_packages[package].name) != 0)
        return;
    model_matcher matchers[MODEL_MATCHER_LIMIT];
    uint64_t seed = environment_number("KIN_MODEL_SEED", 1);
    model_package drawn = model_draw_matchers(&model_packages[package], seed, matchers);
    model_game game = {.package = &drawn, .mix = mix, .seed = seed, .suite = suite, .moment_percent = moment_percent};
    bool *left_out = read_turns(getenv("KIN_MODEL_TURNS"), &game.turns);
    game.operations = environment_number("KIN_MODEL_OPERATIONS", 2000000) / (MIXES * MODEL_PACKAGES);
    game.last_inner = (uint32_t)environment_number("KIN_MODEL_INNER", 0);
    game.left_out = left_out;
    model_outcome outcome = {0};
    if (getenv("KIN_MODEL_HERE") != NULL)
        play_here(&game, VOICE_ALL, &outcome);
    else
        outcome.different = !model_play(&game);
    free(left_out);
    ck_assert_msg(!outcome.different, "the runtime does not do what the rules say");
}

static void play(const model_mix *mix, int package)
{
    play_with(mix, package, "runtime_model", 0);
}

// SNP-01, SNP-03, SNP-13 to SNP-19: with snapshots every few operations, in every mix.
static void play_with_moments(int number)
{
    const model_mix *mix = &mixes[number / MODEL_PACKAGES];
    play_with(mix, number % MODEL_PACKAGES, "runtime_snapshot_model", mix->population > 200 ? 2 : 8);
}

START_TEST(the_runtime_does_what_the_rules_say_around_the_ends_of_words_and_chunks)
{
    play(&mixes[0], _i);
}
END_TEST

START_TEST(the_runtime_does_what_the_rules_say_at_its_limits)
{
    play(&mixes[1], _i);
}
END_TEST

START_TEST(the_runtime_does_what_the_rules_say_when_holders_are_counted)
{
    play(&mixes[2], _i);
}
END_TEST

START_TEST(the_runtime_does_what_the_rules_say_deep_inside_listeners)
{
    play(&mixes[3], _i);
}
END_TEST

START_TEST(the_runtime_does_what_the_rules_say_with_many_entities)
{
    play(&mixes[4], _i);
}
END_TEST

START_TEST(snp_01_what_is_played_again_after_a_restore_is_the_same)
{
    play_with_moments(_i);
}
END_TEST

#define ADD(number, test)                                                                                              \
    do {                                                                                                               \
        TCase *tests = tcase_create(mixes[number].name);                                                               \
        tcase_set_timeout(tests, 1200);                                                                                \
        tcase_add_loop_test(tests, test, 0, MODEL_PACKAGES);                                                           \
        suite_add_tcase(suite, tests);                                                                                 \
    } while (false)

Suite *model_suite(void)
{
    Suite *suite = suite_create("runtime_model");
    ADD(0, the_runtime_does_what_the_rules_say_around_the_ends_of_words_and_chunks);
    ADD(1, the_runtime_does_what_the_rules_say_at_its_limits);
    ADD(2, the_runtime_does_what_the_rules_say_when_holders_are_counted);
    ADD(3, the_runtime_does_what_the_rules_say_deep_inside_listeners);
    ADD(4, the_runtime_does_what_the_rules_say_with_many_entities);
    return suite;
}

Suite *snapshot_model_suite(void)
{
    Suite *suite = suite_create("runtime_snapshot_model");
    for (int number = 0; number < MIXES; number++) {
        TCase *tests = tcase_create(mixes[number].name);
        tcase_set_timeout(tests, 1200);
        tcase_add_loop_test(tests, snp_01_what_is_played_again_after_a_restore_is_the_same, number * MODEL_PACKAGES,
                            (number + 1) * MODEL_PACKAGES);
        suite_add_tcase(suite, tests);
    }
    return suite;
}
