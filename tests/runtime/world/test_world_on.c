// Worlds over contexts that exist (WLD-05).
#include "runtime/support/town_case.h"
#include "suites.h"

#include <stdlib.h>

static town_contexts *contexts;
static guard contexts_memory;

static void begin(void)
{
    kin_context_options options = {.allocator = guard_begin(&contexts_memory), .on_error = log_error};
    town_begin();
    town_world_destroy(town);
    town = NULL;
    contexts = town_contexts_create(&options);
    ck_assert_ptr_nonnull(contexts);
}

static void end(void)
{
    town_end();
    town_contexts_destroy(contexts);
    guard_end(&contexts_memory);
}

static void create_town(void)
{
    kin_context_options options = {.allocator = {.allocate = NULL}, .on_error = log_error};
    town = town_world_create_on(contexts, &options, NULL);
    ck_assert_ptr_nonnull(town);
}

static void destroy_town(void)
{
    town_world_destroy(town);
    town = NULL;
}

static people_entity citizen(int32_t years)
{
    people_entity entity = people_create_entity(contexts->people);
    ck_assert_int_eq(people_add_age(contexts->people, entity, (Age){years}), KIN_OK);
    return entity;
}

static void count_people(town_world *world)
{
    log_write("people(%u) ", (unsigned)people_entity_count(world->contexts->people));
}

START_TEST(wld_05_initialize_sees_what_the_contexts_already_have)
{
    citizen(1);
    town_do("Mayor:initialize", count_people);
    town_listen("Mayor");
    create_town();
    ck_assert_log("Mayor:initialize people(1) Mayor:start ");
    ck_assert_ptr_eq(town->contexts, contexts);
}
END_TEST

START_TEST(wld_05_the_contexts_outlive_the_world_and_a_second_world_begins_afresh)
{
    people_entity ada = citizen(1);
    create_town();
    town_world_update(town, 0.5);
    destroy_town();
    ck_assert_int_eq(people_get_age(contexts->people, ada)->years, 3);
    create_town();
    town_listen("Registry");
    town_world_update(town, 0.25);
    ck_assert_log("Registry:enter(1) Registry:first_update(1) Registry:update(0.25,0.25,0) Registry:cleanup ");
}
END_TEST

START_TEST(wld_05_nothing_destroys_the_contexts_while_a_world_is_on_them)
{
    create_town();
    town_contexts_destroy(contexts);
    people_context_destroy(contexts->people);
    ck_assert_log("!INVALID !INVALID ");
    citizen(1);
    town_world_update(town, 0.25);
}
END_TEST

START_TEST(wld_05_contexts_are_in_one_world_at_a_time)
{
    kin_context_options options = {.on_error = log_error};
    create_town();
    ck_assert_ptr_null(town_world_create_on(contexts, &options, NULL));
    ck_assert_log("!INVALID ");
    destroy_town();
    town_world *other = town_world_create(&options, NULL);
    ck_assert_ptr_null(town_world_create_on(other->contexts, &options, NULL));
    ck_assert_log("!INVALID ");
    town_world_destroy(other);
    create_town();
}
END_TEST

START_TEST(wld_05_missing_contexts_and_invalid_options_are_refused)
{
    kin_context_options options = {.on_error = log_error};
    town_contexts incomplete = {.people = contexts->people};
    ck_assert_ptr_null(town_world_create_on(NULL, &options, NULL));
    ck_assert_ptr_null(town_world_create_on(&incomplete, &options, NULL));
    guard half;
    options.allocator = guard_begin(&half);
    options.allocator.release = NULL;
    ck_assert_ptr_null(town_world_create_on(contexts, &options, NULL));
    guard_end(&half);
    ck_assert_log("!INVALID !INVALID !INVALID ");
    create_town();
}
END_TEST

// What a program does that loads a world from a shared library which was compiled from another schema.
START_TEST(wld_05_contexts_of_another_layout_are_refused)
{
    kin_context_info other = people_info;
    kin_context_options options = {.on_error = log_error};
    other.stamp++;
    contexts->people->base.info = &other;
    ck_assert_ptr_null(town_world_create_on(contexts, &options, NULL));
    ck_assert_log("!INVALID ");
    contexts->people->base.info = &people_info;
    create_town();
}
END_TEST

START_TEST(wld_05_contexts_may_come_from_different_calls)
{
    kin_context_options options = {.on_error = log_error};
    people_context *people = people_context_create(&options);
    town_contexts mixed = {.people = people, .houses = contexts->houses};
    town_world *world = town_world_create_on(&mixed, &options, NULL);
    ck_assert_ptr_nonnull(world);
    town_world_update(world, 1);
    town_world_destroy(world);
    people_context_destroy(people);
    ck_assert_log("");
}
END_TEST

START_TEST(wld_05_without_memory_the_contexts_stay_as_they_are)
{
    people_entity ada = citizen(7);
    guard memory;
    kin_context_options options = {.allocator = guard_begin(&memory), .on_error = log_error};
    town_world *world = NULL;
    for (uint32_t i = 1; world == NULL; i++) {
        log_begin();
        guard_fail(&memory, i, false);
        world = town_world_create_on(contexts, &options, NULL);
        guard_fail(&memory, 0, false);
        if (world == NULL)
            ck_assert_log("!NO_MEMORY ");
        ck_assert_int_eq(people_get_age(contexts->people, ada)->years, 7);
    }
    town_world_destroy(world);
    guard_end(&memory);
    ck_assert(kin_context_memory(&contexts->people->base).collectors.used == 0);
}
END_TEST

START_TEST(wld_05_a_reset_of_the_world_resets_the_contexts)
{
    citizen(1);
    create_town();
    ck_assert_int_eq(town_world_reset(town), KIN_OK);
    ck_assert_uint_eq(people_entity_count(contexts->people), 0);
}
END_TEST

static town_world *made_inside;

static void make_inside(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
    kin_context_options options = {.on_error = log_error};
    made_inside = town_world_create_on(contexts, &options, NULL);
    town_world_destroy(made_inside); // refused: a listener runs
}

START_TEST(wld_05_a_world_can_be_made_inside_a_listener_and_not_destroyed_there)
{
    if (getenv("KIN_SWEEP_COUNTS") != NULL)
        return; // the sweep would refuse the world's requests as if they were those of the change
    kin_subscription subscription =
        kin_group_subscribe(people_citizens_group(contexts->people), KIN_ADDED, make_inside, NULL);
    citizen(1);
    kin_unsubscribe(subscription);
    ck_assert_log("!INVALID ");
    ck_assert_ptr_nonnull(made_inside);
    town_listen("Registry");
    town_world_update(made_inside, 0);
    ck_assert_log("Registry:enter(1) Registry:first_update(1) Registry:update(0,0,0) Registry:cleanup ");
    town_world_destroy(made_inside);
}
END_TEST

Suite *runtime_world_on_suite(void)
{
    Suite *suite = suite_create("runtime_world_on");
    TCase *tests = tcase_create("world_on");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, wld_05_initialize_sees_what_the_contexts_already_have);
    tcase_add_test(tests, wld_05_the_contexts_outlive_the_world_and_a_second_world_begins_afresh);
    tcase_add_test(tests, wld_05_nothing_destroys_the_contexts_while_a_world_is_on_them);
    tcase_add_test(tests, wld_05_contexts_are_in_one_world_at_a_time);
    tcase_add_test(tests, wld_05_missing_contexts_and_invalid_options_are_refused);
    tcase_add_test(tests, wld_05_contexts_of_another_layout_are_refused);
    tcase_add_test(tests, wld_05_contexts_may_come_from_different_calls);
    tcase_add_test(tests, wld_05_without_memory_the_contexts_stay_as_they_are);
    tcase_add_test(tests, wld_05_a_reset_of_the_world_resets_the_contexts);
    tcase_add_test(tests, wld_05_a_world_can_be_made_inside_a_listener_and_not_destroyed_there);
    suite_add_tcase(suite, tests);
    return suite;
}
