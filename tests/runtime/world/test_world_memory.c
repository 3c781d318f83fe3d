// Worlds without memory: each request that a call makes fails once.
#include "runtime/support/town_case.h"
#include "suites.h"

#include <string.h>

// Counts how often a text is in the log.
static uint32_t times_written(const char *text)
{
    uint32_t count = 0;
    for (const char *at = strstr(log_text(), text); at != NULL; at = strstr(at + 1, text))
        count++;
    return count;
}

// One request fails; in the second run of the test, also all later ones.
START_TEST(err_01_err_02_a_world_that_cannot_be_made_whole_is_not_made_and_says_so_once)
{
    guard memory;
    kin_context_options options = {.allocator = guard_begin(&memory), .on_error = log_error};
    town_world *made = NULL;
    for (uint64_t number = 1; made == NULL; number++) {
        town_listen("Mayor Registry Lamps");
        guard_fail(&memory, number, _i == 1);
        made = town_world_create(&options, NULL);
        if (made != NULL)
            break;
        ck_assert(guard_has_failed(&memory));
        ck_assert_log("!NO_MEMORY ");
        ck_assert_uint_eq(memory.block_count, 0);
    }
    ck_assert(!guard_has_failed(&memory));
    town_world_destroy(made);
    guard_end(&memory);
}
END_TEST

START_TEST(err_01_a_message_that_cannot_be_stored_is_reported_and_reaches_the_others)
{
    for (uint64_t number = 1;; number++) {
        town_end();
        town_begin();
        kin_systems_remove(town_world_systems(town), "Hurried");
        town_listen("Patient Strict");
        guard_fail(&town_memory, number, false);
        town_publish_gossip(town, (Gossip){1});
        bool failed = guard_has_failed(&town_memory);
        guard_fail(&town_memory, 0, false);
        ck_assert_uint_eq(times_written("!NO_MEMORY "), failed);
        town_publish_gossip(town, (Gossip){2});
        town_world_update(town, 0);
        ck_assert_uint_eq(times_written("gossip(1)"), failed ? 1 : 2);
        ck_assert_uint_eq(times_written("gossip(2)"), 2);
        if (!failed)
            break;
    }
}
END_TEST

static void make_citizens(uint32_t count)
{
    people_context *people = town->contexts->people;
    for (uint32_t i = 0; i < count; i++) {
        people_entity entity = town_citizen(1);
        people_add_name(people, entity, (Name){"Ada"});
        people_add_purse(people, entity, (Purse){1});
        people_add_step(people, entity, (Step){1, 1});
    }
}

// A system without memory for its beginning begins in the next update, complete.
START_TEST(err_01_a_turn_without_memory_waits_with_all_its_reports)
{
    for (uint64_t number = 1;; number++) {
        town_end();
        town_begin();
        make_citizens(20);
        town_world_update(town, 0);
        make_citizens(600);
        people_destroy_entity(town->contexts->people, people_entity_of((kin_entity)3 << 24 | 2));
        town_publish_greeting(town, (Greeting){.words = "hello"});
        town_listen("Registry Undertaker");
        guard_fail(&town_memory, number, false);
        town_world_update(town, 0);
        bool failed = guard_has_failed(&town_memory);
        guard_fail(&town_memory, 0, false);
        ck_assert_uint_eq(times_written("!NO_MEMORY "), failed);
        town_world_update(town, 0);
        ck_assert_uint_eq(times_written("Registry:leave(3) "), 1);
        ck_assert_uint_eq(times_written("Registry:enter(21"), 1);
        ck_assert_uint_eq(times_written("Registry:greeting(hello) "), 1);
        ck_assert_uint_eq(times_written("Undertaker:leave(3) "), 1);
        if (!failed)
            break;
        ck_assert_uint_lt(number, 100);
    }
}
END_TEST

START_TEST(err_01_a_group_that_cannot_be_listed_is_not_drawn)
{
    uint64_t tried = 0;
    for (uint64_t number = 1;; number++) {
        town_end();
        town_begin();
        town_citizen(1);
        town_listen("Registry");
        guard_fail(&town_memory, number, false);
        town_world_draw(town);
        bool failed = guard_has_failed(&town_memory);
        guard_fail(&town_memory, 0, false);
        ck_assert_uint_eq(times_written("!NO_MEMORY "), failed);
        ck_assert_uint_eq(times_written("Registry:draw(1) "), !failed);
        if (!failed)
            break;
        tried++;
    }
    ck_assert_uint_gt(tried, 0);
}
END_TEST

static void make_many(town_world *world)
{
    (void)world;
    make_citizens(100);
    guard_fail(&town_memory, 1, false);
}

START_TEST(err_01_a_first_update_without_memory_for_its_members_comes_in_the_next_update)
{
    town_citizen(1);
    town_do("Registry:enter(1)", make_many);
    town_listen("Registry");
    town_world_update(town, 0);
    guard_fail(&town_memory, 0, false);
    ck_assert_log("Registry:enter(1) !NO_MEMORY Registry:cleanup ");
    town_world_update(town, 0);
    ck_assert_uint_eq(times_written("Registry:first_update(1,2"), 1);
    ck_assert_uint_eq(times_written("Registry:update"), 1);
}
END_TEST

Suite *runtime_world_memory_suite(void)
{
    Suite *suite = suite_create("runtime_world_memory");
    TCase *tests = tcase_create("world_memory");
    tcase_add_checked_fixture(tests, town_begin, town_end);
    tcase_add_loop_test(tests, err_01_err_02_a_world_that_cannot_be_made_whole_is_not_made_and_says_so_once, 0, 2);
    tcase_add_test(tests, err_01_a_message_that_cannot_be_stored_is_reported_and_reaches_the_others);
    tcase_add_test(tests, err_01_a_turn_without_memory_waits_with_all_its_reports);
    tcase_add_test(tests, err_01_a_group_that_cannot_be_listed_is_not_drawn);
    tcase_add_test(tests, err_01_a_first_update_without_memory_for_its_members_comes_in_the_next_update);
    suite_add_tcase(suite, tests);
    return suite;
}
