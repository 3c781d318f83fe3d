// Determinism, chapter 19 of the rules. tests/test_threads.c tests that threads do not disturb each other.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "runtime/support/play.h"
#include "suites.h"

#include <check.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { OPERATIONS = 800 };

static play plays[2];

static cellar_context *make_with(kin_allocator allocator, uint64_t hash_seed)
{
    kin_context_options options = {.allocator = allocator, .on_error = ignore_error, .hash_seed = hash_seed};
    cellar_context *made = cellar_context_create(&options);
    ck_assert_ptr_nonnull(made);
    return made;
}

static cellar_context *make(kin_allocator allocator)
{
    return make_with(allocator, 0);
}

static void play_in(play *play, kin_allocator allocator, uint64_t seed)
{
    cellar_context *cellar = make(allocator);
    play_run(play, cellar, seed, OPERATIONS);
    ck_assert(kin__context_is_valid(&cellar->base));
    cellar_context_destroy(cellar);
}

START_TEST(det_01_the_same_calls_give_the_same_whatever_the_addresses_and_the_locale)
{
    play_in(&plays[0], guard_begin(&memory), (uint64_t)_i);
    guard_end(&memory);
    void *shift = malloc((size_t)_i * 4096 + 24);
    setlocale(LC_ALL, _i % 2 == 0 ? "" : "C.UTF-8");
    play_in(&plays[1], (kin_allocator){0}, (uint64_t)_i);
    setlocale(LC_ALL, "C");
    free(shift);
    ck_assert_str_eq(plays[0].text, plays[1].text);
    ck_assert_uint_gt(plays[0].size, OPERATIONS);
}
END_TEST

START_TEST(det_01_the_same_calls_give_the_same_with_every_hash_seed)
{
    kin_context_usage usages[2];
    for (int i = 0; i < 2; i++) {
        uint64_t seed = i == 0 ? 1 : (uint64_t)_i * UINT64_C(0x9E3779B97F4A7C15);
        cellar_context *cellar = make_with(guard_begin(&memory), seed);
        play_run(&plays[i], cellar, 4, OPERATIONS);
        usages[i] = kin_context_memory(&cellar->base);
        cellar_context_destroy(cellar);
        guard_end(&memory);
    }
    ck_assert_str_eq(plays[0].text, plays[1].text);
    ck_assert_uint_eq(usages[0].total.used, usages[1].total.used);
    ck_assert_uint_eq(usages[0].total.allocated, usages[1].total.allocated);
}
END_TEST

START_TEST(det_01_other_calls_give_something_else)
{
    play_in(&plays[0], (kin_allocator){0}, 1);
    play_in(&plays[1], (kin_allocator){0}, 2);
    ck_assert_str_ne(plays[0].text, plays[1].text);
}
END_TEST

// Releases what was retained, which the reset would report otherwise.
static void release_all(cellar_context *cellar, const void *owner)
{
    for (uint64_t index = 1; index < OPERATIONS; index++)
        for (uint64_t slot = 0; slot < 512; slot++)
            cellar_release_entity(cellar, cellar_entity_of(index << 24 | slot), owner);
}

START_TEST(det_02_after_a_reset_the_same_calls_give_what_they_give_in_a_new_context)
{
    cellar_context *cellar = make(guard_begin(&memory));
    play_run(&plays[0], cellar, 77, OPERATIONS);
    release_all(cellar, &plays[0]);
    ck_assert_int_eq(cellar_context_reset(cellar), KIN_OK);
    play_run(&plays[0], cellar, (uint64_t)_i, OPERATIONS);
    cellar_context_destroy(cellar);
    guard_end(&memory);
    play_in(&plays[1], (kin_allocator){0}, (uint64_t)_i);
    ck_assert_str_eq(plays[0].text, plays[1].text);
}
END_TEST

START_TEST(det_03_contexts_that_are_played_in_turns_share_nothing)
{
    cellar_context *one = make((kin_allocator){0}), *other = make(guard_begin(&memory));
    play_run(&plays[0], other, 5, OPERATIONS); // leaves many entities there
    play_run(&plays[0], one, 6, OPERATIONS);
    cellar_context_destroy(other);
    cellar_context_destroy(one);
    guard_end(&memory);
    play_in(&plays[1], (kin_allocator){0}, 6);
    ck_assert_str_eq(plays[0].text, plays[1].text);
}
END_TEST

Suite *runtime_determinism_suite(void)
{
    Suite *suite = suite_create("runtime_determinism");
    TCase *tests = tcase_create("rules");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, det_01_the_same_calls_give_the_same_whatever_the_addresses_and_the_locale, 1, 6);
    tcase_add_loop_test(tests, det_01_the_same_calls_give_the_same_with_every_hash_seed, 0, 6);
    tcase_add_test(tests, det_01_other_calls_give_something_else);
    tcase_add_loop_test(tests, det_02_after_a_reset_the_same_calls_give_what_they_give_in_a_new_context, 1, 6);
    tcase_add_test(tests, det_03_contexts_that_are_played_in_turns_share_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
