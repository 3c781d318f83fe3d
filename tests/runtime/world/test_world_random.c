// Worlds at random (SNP-01): after a restore the same calls write the same, and lead to the same state.
//
// A moment is a snapshot and the number from which the operations after it follow. The test returns to any of the last
// six, plays some operations, returns again and repeats them.
#include "runtime/support/town_random.h"
#include "suites.h"

#include <stdio.h>
#include <stdlib.h>

enum { RING_SIZE = 6, LONGEST = 40, PLAYED_SIZE = 1 << 16 };

static struct {
    kin_snapshot *snapshot;
    uint64_t number;
} ring[RING_SIZE];

static char played[PLAYED_SIZE];

// ---- moments

static void save_at(uint32_t place)
{
    kin_status status = town_world_save(town, &ring[place].snapshot);
    ck_assert_int_eq(status, KIN_OK);
    ring[place].number = town_random_number;
}

static void return_to(uint32_t place)
{
    ck_assert_int_eq(town_world_restore(town, ring[place].snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    town_random_number = ring[place].number;
}

static void play_from(uint32_t place, uint32_t count, kin_snapshot **after)
{
    return_to(place);
    listen_to_all();
    town_random_go_on(count);
    ck_assert_int_eq(town_world_save(town, after), KIN_OK);
}

static bool write_difference(const kin_difference *difference, void *user)
{
    char text[256];
    (void)user;
    kin_difference_describe(difference, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return true;
}

static void return_and_repeat(uint32_t place, uint32_t count)
{
    kin_snapshot *once = NULL, *twice = NULL;
    play_from(place, count, &once);
    ck_assert_uint_lt(strlen(log_text()), sizeof played);
    strcpy(played, log_text());
    play_from(place, count, &twice);
    ck_assert_str_eq(log_text(), played);
    ck_assert_uint_eq(kin_snapshot_compare(once, twice, write_difference, NULL), 0);
    ck_assert(kin_snapshot_hash(once) == kin_snapshot_hash(twice));
    kin_snapshot_destroy(once);
    kin_snapshot_destroy(twice);
}

static void on_rings(people_context *context, people_entity entity, const Rings *value, void *user)
{
    (void)context, (void)user;
    log_write("Rings(%d,%d) ", (int)kin_entity_creation_index(entity.id), (int)value->count);
}

static uint32_t rounds(void)
{
    return getenv("KIN_SWEEP_COUNTS") != NULL ? 3 : 400;
}

START_TEST(snp_01_after_a_restore_the_same_calls_do_the_same)
{
    town_random_number = (uint64_t)_i + 1;
    town_random_resets = _i % 2 == 1;
    town_random_retains = true;
    memset(ring, 0, sizeof ring);
    people_entity first = town_citizen(1);
    if (!town_random_resets)
        people_add_any_rings_listener(people, first, on_rings, NULL);
    for (uint32_t i = 0; i < RING_SIZE; i++)
        save_at(i);
    for (uint32_t round = 0; round < rounds(); round++) {
        log_begin();
        town_random_go_on(town_random_below(LONGEST));
        save_at(round % RING_SIZE);
        uint64_t next = town_random_number;
        return_and_repeat((uint32_t)(next / 7 % RING_SIZE), (uint32_t)(next / 64 % LONGEST));
        town_random_number = next + round;
    }
    for (uint32_t i = 0; i < RING_SIZE; i++)
        kin_snapshot_destroy(ring[i].snapshot);
}
END_TEST

Suite *runtime_world_random_suite(void)
{
    Suite *suite = suite_create("runtime_world_random");
    TCase *cases = tcase_create("world random");
    tcase_add_checked_fixture(cases, twice_begin, twice_end);
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, snp_01_after_a_restore_the_same_calls_do_the_same, 0, 6);
    suite_add_tcase(suite, cases);
    return suite;
}
