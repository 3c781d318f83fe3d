// Worlds at random (SNP-01): after a restore the same calls write the same, and lead to the same state.
//
// A moment is a snapshot and the number from which the operations after it follow. The test returns to any of the last
// six, plays some operations, returns again and repeats them.
#include "runtime/support/twice_case.h"
#include "suites.h"

#include <stdio.h>
#include <stdlib.h>

enum { RING_SIZE = 6, LONGEST = 40, PLAYED_SIZE = 1 << 16 };

static struct {
    kin_snapshot *snapshot;
    uint64_t number;
} ring[RING_SIZE];

static uint64_t number;
static bool resets;
static char played[PLAYED_SIZE];

static uint32_t random_below(uint32_t end)
{
    number = number * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(number >> 33) % end;
}

static const char *const names[] = {"Mayor", "Registry", "Undertaker", "Watch",  "Lamps",   "Patient",
                                    "Crier", "Strict",   "Hurried",    "market", "evening", "noon"};

static people_entity any_citizen(void)
{
    uint32_t count = 0;
    const people_entity *entities = people_entities(people, &count);
    return count == 0 ? (people_entity){0} : entities[random_below(count)];
}

// ---- operations

static void op_update(void)
{
    static const double deltas[] = {0, 0.05, 0.1, 0.25, 3};
    town_world_update(town, deltas[random_below(5)]);
}

static void op_create(void)
{
    if (random_below(3) > 0)
        named_citizen((int32_t)random_below(50));
    else
        town_citizen((int32_t)random_below(50));
}

static void op_destroy(void)
{
    people_entity entity = any_citizen();
    if (entity.id != 0 && kin_entity_creation_index(entity.id) > 1)
        people_destroy_entity(people, entity);
}

static void op_name(void)
{
    static const char *const texts[] = {"Ada", "Grace", "Barbara", "Radia and a longer name than those of the others"};
    people_entity entity = any_citizen();
    if (entity.id == 0)
        return;
    if (people_has_name(people, entity) && random_below(2) == 0)
        people_remove_name(people, entity);
    else if (people_has_name(people, entity))
        people_replace_name(people, entity, (Name){texts[random_below(4)]});
    else
        people_add_name(people, entity, (Name){texts[random_below(4)]});
}

static void op_sleep(void)
{
    people_entity entity = any_citizen();
    if (entity.id != 0)
        people_set_asleep(people, entity, random_below(2) == 0);
}

static void op_ghost(void)
{
    people_entity entity = any_citizen();
    if (entity.id != 0 && kin_entity_creation_index(entity.id) > 1 && random_below(4) == 0)
        people_set_ghost(people, entity, true);
}

static void op_rings(void)
{
    people_entity entity = any_citizen();
    if (entity.id == 0)
        return;
    if (people_has_rings(people, entity))
        people_remove_rings(people, entity);
    else
        people_add_rings(people, entity, (Rings){(int32_t)random_below(9)});
}

static void op_stash(void)
{
    people_entity entity = any_citizen();
    if (entity.id == 0)
        return;
    if (people_has_purse(people, entity))
        people_stash_purse(people, entity);
    else if (people_has_stashed_purse(people, entity))
        people_restore_purse(people, entity);
}

static void op_house(void)
{
    uint32_t count = 0;
    const houses_entity *entities = houses_entities(houses, &count);
    if (count > 5)
        houses_destroy_entity(houses, entities[random_below(count)]);
    else
        houses_add_roof(houses, houses_create_entity(houses), (Roof){1});
    entities = houses_entities(houses, &count);
    if (count > 0)
        houses_set_lit(houses, entities[random_below(count)], random_below(2) == 0);
}

static void op_publish(void)
{
    switch (random_below(3)) {
    case 0:
        town_publish_bell(town);
        return;
    case 1:
        town_publish_gossip(town, (Gossip){random_below(100)});
        return;
    default:
        town_publish_greeting(town, (Greeting){.from = any_citizen(), .words = "good day"});
    }
}

static void op_enable(void)
{
    kin_systems *systems = town_world_systems(town);
    uint32_t which = random_below(14);
    if (which < 12)
        kin_systems_set_enabled(systems, names[which], random_below(3) > 0);
    else if (which == 12)
        kin_systems_activate_reactive(systems);
    else if (random_below(3) == 0)
        kin_systems_deactivate_reactive(systems);
}

static void op_time(void)
{
    switch (random_below(4)) {
    case 0:
        town_world_push_time(town, (kin_tick){random_below(3), random_below(9), random_below(4)});
        return;
    case 1:
        town_world_pop_time(town);
        return;
    case 2:
        town_world_set_time(town, random_below(1000));
        return;
    default:
        town_world_draw(town);
    }
}

static void op_retain(void)
{
    static int owner;
    people_entity entity = any_citizen();
    if (entity.id == 0)
        return;
    log_write("%d ", people_retain_entity(people, entity, &owner));
    if (random_below(2) == 0)
        log_write("%d ", people_release_entity(people, entity, &owner));
}

static void op_reset(void)
{
    if (resets && random_below(10) == 0)
        log_write("%d ", town_world_reset(town));
    else if (resets && random_below(10) == 0)
        log_write("%d ", people_context_reset(people));
}

static void (*const operations[])(void) = {op_update, op_update, op_update, op_create,  op_create,  op_destroy,
                                           op_name,   op_sleep,  op_ghost,  op_rings,   op_stash,   op_house,
                                           op_enable, op_time,   op_retain, op_publish, op_publish, op_reset};

// ---- moments

static void go_on(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        operations[random_below(sizeof operations / sizeof *operations)]();
}

static void save_at(uint32_t place)
{
    kin_status status = town_world_save(town, &ring[place].snapshot);
    ck_assert_int_eq(status, KIN_OK);
    ring[place].number = number;
}

static void return_to(uint32_t place)
{
    ck_assert_int_eq(town_world_restore(town, ring[place].snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    number = ring[place].number;
}

static void play_from(uint32_t place, uint32_t count, kin_snapshot **after)
{
    return_to(place);
    listen_to_all();
    go_on(count);
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
    number = (uint64_t)_i + 1;
    resets = _i % 2 == 1;
    memset(ring, 0, sizeof ring);
    people_entity first = town_citizen(1);
    if (!resets)
        people_add_any_rings_listener(people, first, on_rings, NULL);
    for (uint32_t i = 0; i < RING_SIZE; i++)
        save_at(i);
    for (uint32_t round = 0; round < rounds(); round++) {
        log_begin();
        go_on(random_below(LONGEST));
        save_at(round % RING_SIZE);
        uint64_t next = number;
        return_and_repeat((uint32_t)(next / 7 % RING_SIZE), (uint32_t)(next / 64 % LONGEST));
        number = next + round;
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
