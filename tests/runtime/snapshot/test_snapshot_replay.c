// Snapshots of contexts of many schemas: what is done again after a restore gives the same results, whatever was done
// in between. KIN_STEPS says how many rounds are played.
#include "entity/entity.h"
#include "runtime/snapshot/replay.h"
#include "runtime/support/case.h"
#include "runtime/support/environment.h"
#include "suites.h"

#include <kin/snapshot.h>

#include <stdlib.h>

enum { ROUNDS = 60, RING = 5, SEEDS = 4, STEPS = 120 };

static kin_context *context;

typedef kin_context *make_context(const kin_context_options *options);

// The packages name some of their components alike, so their headers are not included together. A context begins with
// its base.
#define MAKER(name)                                                                                                    \
    typedef struct name##_context name##_context;                                                                      \
    name##_context *name##_context_create(const kin_context_options *options);                                         \
    static kin_context *make_##name(const kin_context_options *options)                                                \
    {                                                                                                                  \
        void *made = name##_context_create(options);                                                                   \
        ck_assert_ptr_nonnull(made);                                                                                   \
        return made;                                                                                                   \
    }

MAKER(closet)
MAKER(land)
MAKER(salon)
MAKER(hall)
MAKER(plaza)
MAKER(shop)

static make_context *const makers[] = {make_closet, make_land, make_salon, make_hall, make_plaza, make_shop};
enum { MAKERS = sizeof makers / sizeof *makers };

// A moment of the ring: the state of the replay at the save, and what can be seen then and a while after it.
typedef struct moment {
    kin_snapshot *snapshot;
    replay replay;
    uint64_t seen, digest, seen_after;
} moment;

static moment ring[RING];

static void save(moment *moment, replay *replay)
{
    ck_assert_int_eq(kin__context_save(context, &moment->snapshot), KIN_OK);
    moment->replay = *replay;
    moment->seen = replay_look(replay);
    moment->digest = replay_play(replay, STEPS);
    moment->seen_after = replay_look(replay);
}

static void go_back(const moment *moment, replay *replay)
{
    ck_assert_int_eq(kin__context_restore(context, moment->snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert(kin__context_is_valid(context));
    *replay = moment->replay;
    ck_assert_uint_eq(replay_look(replay), moment->seen);
    ck_assert_uint_eq(replay_play(replay, STEPS), moment->digest);
    ck_assert_uint_eq(replay_look(replay), moment->seen_after);
    ck_assert(kin__context_is_valid(context));
}

static uint32_t rounds(void)
{
    return getenv("KIN_SWEEP_COUNTS") != NULL ? 2 : (uint32_t)environment_steps(ROUNDS, 1);
}

START_TEST(snp_01_what_is_done_again_after_a_restore_gives_the_same)
{
    uint64_t seed = environment_seed((uint32_t)_i / MAKERS, SEEDS), state = seed;
    kin_context_options options = {
        .allocator = guard_begin(&memory), .on_error = ignore_error, .hash_seed = seed, .fast_retain = seed % 4 == 3};
    replay replay;
    context = makers[_i % MAKERS](&options);
    replay_begin(&replay, context, seed + 1);
    replay.most = seed % 2 == 0 ? REPLAY_KNOWN : 8;
    for (uint32_t round = 0; round < rounds(); round++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        moment *moment = &ring[(state >> 40) % RING];
        if (moment->snapshot == NULL || (state >> 34) % 2 == 0)
            save(moment, &replay);
        else
            go_back(moment, &replay);
        if ((state >> 50) % 8 == 0)
            kin_context_trim(context);
    }
    for (uint32_t i = 0; i < RING; i++) {
        kin_snapshot_destroy(ring[i].snapshot);
        ring[i] = (moment){0};
    }
    ck_assert(kin__context_is_valid(context));
    kin__context_destroy(context);
    guard_end(&memory);
}
END_TEST

Suite *runtime_snapshot_replay_suite(void)
{
    Suite *suite = suite_create("runtime_snapshot_replay");
    TCase *tests = tcase_create("replay");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, snp_01_what_is_done_again_after_a_restore_gives_the_same, 0, SEEDS * MAKERS);
    suite_add_tcase(suite, tests);
    return suite;
}
