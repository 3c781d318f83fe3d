// The reset of a world (RSY-13), and what its contexts' own reset reports (CTX-06).
#include "runtime/support/town_case.h"
#include "suites.h"

#include <stdio.h>
#include <string.h>

static people_context *people;
static char last_message[512];

static void begin(void)
{
    town_begin();
    people = town->contexts->people;
}

static people_entity named_citizen(int32_t years)
{
    people_entity entity = town_citizen(years);
    people_add_name(people, entity, (Name){"Ada"});
    people_add_purse(people, entity, (Purse){years * 10});
    people_add_step(people, entity, (Step){years, 0.5});
    return entity;
}

static void write_ages(town_world *world)
{
    for (uint32_t i = 0; i < 2; i++) {
        const Age *age = undertaker_left_age(world, i);
        log_write("%d ", age == NULL ? -1 : age->years);
    }
}

START_TEST(rsy_13_leave_is_called_with_all_members_and_their_last_values)
{
    named_citizen(7);
    named_citizen(8);
    town_world_update(town, 0);
    named_citizen(9); // has not entered
    town_do("Undertaker:leave", write_ages);
    town_listen("Registry Undertaker");
    ck_assert_int_eq(town_world_reset(town), KIN_OK);
    ck_assert_log("Registry:leave(1,2) Undertaker:leave(1,2) 7 8 ");
    ck_assert_uint_eq(people_entity_count(people), 0);
    ck_assert_uint_eq(kin_context_retained_count(&people->base), 0);
}
END_TEST

START_TEST(rsy_13_a_world_begins_again_after_its_reset)
{
    town_citizen(1);
    town_world_update(town, 0);
    ck_assert_int_eq(town_world_reset(town), KIN_OK);
    town_listen("Registry");
    town_world_update(town, 0);
    ck_assert_log("Registry:cleanup ");
    ck_assert_uint_eq(kin_entity_creation_index(town_citizen(2).id), 1);
    town_world_update(town, 0);
    ck_assert_log("Registry:enter(1) Registry:first_update(1) Registry:update(0,0,2) Registry:cleanup ");
}
END_TEST

START_TEST(rsy_13_inboxes_and_collectors_are_empty_after_the_reset)
{
    people_entity first = town_citizen(1);
    town_publish_gossip(town, (Gossip){1});
    town_publish_bell(town);
    people_destroy_entity(people, first);
    town_citizen(2);
    ck_assert_int_eq(town_world_reset(town), KIN_OK);
    town_listen("Crier Registry Undertaker Watch Lamps Patient Hurried");
    town_world_update(town, 0);
    ck_assert_log("Registry:cleanup ");
}
END_TEST

static void create_and_publish(town_world *world)
{
    people_entity entity = people_create_entity(world->contexts->people);
    people_add_age(world->contexts->people, entity, (Age){5});
    town_publish_greeting(world, (Greeting){.words = "hello"});
}

START_TEST(rsy_13_what_leave_creates_is_destroyed_without_being_reported)
{
    town_citizen(1);
    town_world_update(town, 0);
    town_do("Registry:leave", create_and_publish);
    town_listen("Registry Watch Lamps");
    ck_assert_int_eq(town_world_reset(town), KIN_OK);
    ck_assert_log("Registry:leave(1) ");
    town_world_update(town, 0);
    ck_assert_log("Registry:cleanup ");
    ck_assert_uint_eq(people_entity_count(people), 0);
}
END_TEST

START_TEST(rsy_13_a_disabled_system_gets_its_leave_in_its_next_turn)
{
    town_citizen(1);
    town_world_update(town, 0);
    kin_systems_set_enabled(town_world_systems(town), "Registry", false);
    town_listen("Registry");
    ck_assert_int_eq(town_world_reset(town), KIN_OK);
    town_citizen(2);
    ck_assert_log("");
    kin_systems_set_enabled(town_world_systems(town), "Registry", true);
    town_world_update(town, 0);
    ck_assert_log(
        "Registry:leave(1) Registry:enter(1) Registry:first_update(1) Registry:update(0,0,1) Registry:cleanup ");
}
END_TEST

static void remove_undertaker(town_world *world)
{
    ck_assert_int_eq(kin_systems_remove(town_world_systems(world), "Undertaker"), KIN_OK);
    write_ages(world);
}

// Undertaker is in a node of its own, in which nothing runs during a reset.
START_TEST(rsy_13_a_system_may_be_removed_by_its_own_leave)
{
    named_citizen(7);
    town_world_update(town, 0);
    town_do("Undertaker:leave", remove_undertaker);
    town_listen("Registry Undertaker");
    ck_assert_int_eq(town_world_reset(town), KIN_OK);
    ck_assert_log("Registry:leave(1) Undertaker:leave(1) 7 -1 ");
    named_citizen(8);
    town_world_update(town, 0);
    ck_assert_log("Registry:enter(1) Registry:first_update(1) Registry:update(0,0,1) Registry:cleanup ");
}
END_TEST

static void reset_inside(town_world *world)
{
    ck_assert_int_eq(town_world_reset(world), KIN_ERROR_INVALID);
}

static void reset_in_a_listener(const kin_change *change, void *user)
{
    (void)change, (void)user;
    reset_inside(town);
}

static void update_and_destroy(town_world *world)
{
    town_world_update(world, 0);
    town_world_destroy(world);
    ck_assert_int_eq(town_world_reset(world), KIN_ERROR_INVALID);
}

START_TEST(rsy_13_a_reset_from_inside_is_refused)
{
    town_listen("");
    town_do("Mayor:execute", reset_inside);
    town_world_update(town, 0);
    ck_assert_log("!INVALID ");
    kin_context_subscribe(&people->base, KIN_ENTITY_CREATED, reset_in_a_listener, NULL);
    town_citizen(1);
    ck_assert_log("!INVALID ");
    town_world_update(town, 0);
    ck_assert_log("!INVALID ");
    town_do("Registry:leave", update_and_destroy);
    ck_assert_int_eq(town_world_reset(town), KIN_OK);
    ck_assert_log("!INVALID !INVALID !INVALID ");
}
END_TEST

START_TEST(rsy_13_a_world_may_be_reset_twice_and_without_a_system)
{
    town_citizen(1);
    town_world_update(town, 0);
    ck_assert_int_eq(town_world_reset(town), KIN_OK);
    ck_assert_int_eq(town_world_reset(town), KIN_OK);
    kin_systems_remove(town_world_systems(town), "Registry");
    town_citizen(1);
    ck_assert_int_eq(town_world_reset(town), KIN_OK);
}
END_TEST

START_TEST(err_01_a_reset_without_memory_changes_nothing)
{
    for (uint64_t number = 1;; number++) {
        town_end();
        begin();
        named_citizen(1);
        named_citizen(2);
        town_world_update(town, 0);
        town_listen("Registry Undertaker");
        guard_fail(&town_memory, number, true);
        kin_status status = town_world_reset(town);
        guard_fail(&town_memory, 0, false);
        if (status == KIN_OK)
            break;
        ck_assert_int_eq(status, KIN_ERROR_NO_MEMORY);
        ck_assert_log("!NO_MEMORY ");
        ck_assert_uint_eq(people_entity_count(people), 2);
        ck_assert_uint_lt(number, 50);
    }
    ck_assert_log("Registry:leave(1,2) Undertaker:leave(1,2) ");
}
END_TEST

static void keep_message(const kin_error *error, void *user)
{
    (void)user;
    snprintf(last_message, sizeof last_message, "%s", error->message);
}

START_TEST(ret_07_a_reset_names_the_systems_whose_collectors_hold_entities)
{
    town_end();
    kin_context_options options = town_options();
    options.on_error = keep_message;
    town = town_world_create(&options, NULL);
    people = town->contexts->people;
    kin_systems_set_enabled(town_world_systems(town), "Watch", false);
    kin_systems_set_enabled(town_world_systems(town), "Lamps", false);
    people_entity entity = named_citizen(1);
    people_remove_purse(people, entity);
    people_remove_name(people, entity);
    ck_assert_int_eq(town_contexts_reset(town->contexts), KIN_ERROR_RETAINED);
    ck_assert_str_eq(last_message,
                     "people: cannot release all entities in a reset: 1 destroyed entity is still held, the first of "
                     "them entity 1 in slot 0 by the collector of Undertaker, the collector of Undertaker, the "
                     "collector of Undertaker and 1 more; release them and clear collectors");
    ck_assert_int_eq(town_world_reset(town), KIN_OK);
    ck_assert_int_eq(town_contexts_reset(town->contexts), KIN_OK);
}
END_TEST

START_TEST(rsy_13_owners_of_the_user_are_reported_and_the_world_is_reset)
{
    people_entity entity = town_citizen(1);
    ck_assert_int_eq(people_retain_entity(people, entity, &people), KIN_OK);
    town_world_update(town, 0);
    town_listen("");
    ck_assert_int_eq(town_world_reset(town), KIN_ERROR_RETAINED);
    ck_assert_log("!RETAINED ");
    ck_assert_uint_eq(people_entity_count(people), 0);
    people_release_entity(people, entity, &people);
    ck_assert_int_eq(town_world_reset(NULL), KIN_ERROR_INVALID);
}
END_TEST

Suite *runtime_world_reset_suite(void)
{
    Suite *suite = suite_create("runtime_world_reset");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, begin, town_end);
    tcase_add_test(rules, rsy_13_leave_is_called_with_all_members_and_their_last_values);
    tcase_add_test(rules, rsy_13_a_world_begins_again_after_its_reset);
    tcase_add_test(rules, rsy_13_inboxes_and_collectors_are_empty_after_the_reset);
    tcase_add_test(rules, rsy_13_what_leave_creates_is_destroyed_without_being_reported);
    tcase_add_test(rules, rsy_13_a_disabled_system_gets_its_leave_in_its_next_turn);
    tcase_add_test(rules, rsy_13_a_system_may_be_removed_by_its_own_leave);
    tcase_add_test(rules, rsy_13_a_reset_from_inside_is_refused);
    tcase_add_test(rules, rsy_13_a_world_may_be_reset_twice_and_without_a_system);
    tcase_add_test(rules, rsy_13_owners_of_the_user_are_reported_and_the_world_is_reset);
    tcase_add_test(rules, err_01_a_reset_without_memory_changes_nothing);
    tcase_add_test(rules, ret_07_a_reset_names_the_systems_whose_collectors_hold_entities);
    suite_add_tcase(suite, rules);
    return suite;
}
