// Group systems: entities that left and entered between two turns, the first update, and last values.
#include "runtime/support/town_case.h"
#include "suites.h"

#include <string.h>

static people_context *people;

static void begin(void)
{
    town_begin();
    people = town->contexts->people;
}

static void update(void)
{
    town_world_update(town, 0);
}

// A turn without a log.
static void turn(void)
{
    town_listen(NULL);
    update();
    town_listen("Registry");
}

// The other systems hold dead entities until their turn, and so their slots.
static void remove_others(void)
{
    for (const char *name = "Undertaker\0Watch\0Lamps\0"; *name != '\0'; name += strlen(name) + 1)
        kin_systems_remove(town_world_systems(town), name);
}

// ---- left and entered

START_TEST(rsy_11_enter_gets_the_new_members_by_ascending_slot)
{
    people_entity citizens[3];
    for (int i = 0; i < 3; i++)
        citizens[i] = people_create_entity(people);
    people_add_age(people, citizens[2], (Age){1});
    people_add_age(people, citizens[0], (Age){1});
    town_listen("Registry");
    update();
    ck_assert_log("Registry:enter(1,3) Registry:first_update(1,3) Registry:update(0,0,0) Registry:cleanup ");
}
END_TEST

START_TEST(rsy_11_leave_comes_before_enter_and_both_before_the_inbox_and_update)
{
    people_entity first = town_citizen(1);
    town_citizen(2);
    turn();
    town_publish_greeting(town, (Greeting){.words = "hello"});
    people_destroy_entity(people, first);
    town_citizen(3);
    update();
    ck_assert_log("Registry:leave(1) Registry:enter(3) Registry:greeting(hello) Registry:update(0,0,1) "
                  "Registry:cleanup ");
}
END_TEST

START_TEST(rsy_11_former_members_may_be_dead_and_are_reported_by_ascending_slot)
{
    people_entity citizens[4];
    for (int i = 0; i < 4; i++)
        citizens[i] = town_citizen(i);
    turn();
    people_destroy_entity(people, citizens[2]);
    people_remove_age(people, citizens[1]);
    people_set_asleep(people, citizens[0], true);
    update();
    ck_assert_log("Registry:leave(1,2,3) Registry:update(0,0,1) Registry:cleanup ");
}
END_TEST

START_TEST(rsy_11_opposite_changes_between_two_turns_cancel)
{
    people_entity stays = town_citizen(1);
    turn();
    people_remove_age(people, stays);
    people_add_age(people, stays, (Age){2});
    people_destroy_entity(people, town_citizen(3));
    update();
    ck_assert_log("Registry:update(0,0,1) Registry:cleanup ");
}
END_TEST

START_TEST(rsy_11_another_entity_in_the_same_slot_has_entered_and_the_former_left)
{
    remove_others();
    people_entity former = town_citizen(1);
    turn();
    people_destroy_entity(people, former);
    people_entity next = town_citizen(2);
    ck_assert_uint_eq(kin_entity_slot(former.id), kin_entity_slot(next.id));
    update();
    ck_assert_log("Registry:leave(1) Registry:enter(2) Registry:update(0,0,1) Registry:cleanup ");
}
END_TEST

START_TEST(rsy_11_a_reset_makes_all_leave_also_where_equal_handles_are_given_again)
{
    remove_others();
    people_entity former = town_citizen(1);
    town_citizen(2);
    turn();
    ck_assert_int_eq(people_context_reset(people), KIN_OK);
    ck_assert_uint_eq(town_citizen(3).id, former.id);
    update();
    ck_assert_log("Registry:leave(1,2) Registry:enter(1) Registry:update(0,0,1) Registry:cleanup ");
}
END_TEST

static const uint32_t crowds[] = {1, 63, 64, 65, 511, 512, 513, 1500};

START_TEST(rsy_11_many_entities_enter_and_leave)
{
    static people_entity crowd[1500];
    uint32_t count = crowds[_i];
    for (uint32_t i = 0; i < count; i++)
        crowd[i] = town_citizen(1);
    turn();
    for (uint32_t i = 0; i < count; i += 2)
        people_set_asleep(people, crowd[i], true);
    update();
    ck_assert_uint_eq(town_entity_count, (count + 1) / 2);
    ck_assert_ptr_nonnull(strstr(log_text(), count < 3 ? "Registry:leave(1) " : "Registry:leave(1,3"));
    ck_assert_ptr_null(strstr(log_text(), "enter"));
    town_listen("Registry");
    for (uint32_t i = 0; i < count; i += 2)
        people_set_asleep(people, crowd[i], false);
    update();
    ck_assert_uint_eq(town_entity_count, (count + 1) / 2);
    ck_assert_ptr_nonnull(strstr(log_text(), count < 3 ? "Registry:enter(1) " : "Registry:enter(1,3"));
    ck_assert_ptr_null(strstr(log_text(), "leave"));
}
END_TEST

static void grow_in_enter(town_world *world)
{
    if (people_entity_count(world->contexts->people) < 3)
        town_citizen(9);
}

START_TEST(rsy_11_an_entity_that_joins_during_a_turn_enters_in_the_next)
{
    town_do("Registry:enter", grow_in_enter);
    town_citizen(1);
    town_listen("Registry");
    update();
    ck_assert_log("Registry:enter(1) Registry:first_update(1,2) Registry:update(0,0,0) Registry:cleanup ");
    update();
    ck_assert_log("Registry:enter(2) Registry:update(0,0,1) Registry:cleanup ");
}
END_TEST

START_TEST(a_system_that_is_enabled_again_gets_the_changes_since_its_last_turn)
{
    people_entity gone = town_citizen(1);
    turn();
    kin_systems_set_enabled(town_world_systems(town), "Registry", false);
    people_destroy_entity(people, gone);
    update();
    town_citizen(2);
    update();
    kin_systems_set_enabled(town_world_systems(town), "Registry", true);
    ck_assert_log("");
    update();
    ck_assert_log("Registry:leave(1) Registry:enter(2) Registry:update(0,0,3) Registry:cleanup ");
}
END_TEST

// ---- the first update

START_TEST(rsy_11_update_and_first_update_are_skipped_while_the_group_is_empty)
{
    remove_others();
    town_listen("Registry");
    update();
    ck_assert_log("Registry:cleanup ");
    town_citizen(1);
    update();
    ck_assert_log("Registry:enter(1) Registry:first_update(1) Registry:update(0,0,1) Registry:cleanup ");
    people_destroy_all_entities(people);
    update();
    ck_assert_log("Registry:leave(1) Registry:cleanup ");
    town_citizen(2);
    update();
    ck_assert_log("Registry:enter(2) Registry:update(0,0,3) Registry:cleanup ");
}
END_TEST

static void destroy_all(town_world *world)
{
    people_destroy_all_entities(world->contexts->people);
}

START_TEST(rsy_11_a_first_update_that_empties_the_group_is_the_only_one)
{
    remove_others();
    town_do("Registry:first_update", destroy_all);
    town_citizen(1);
    town_listen("Registry");
    update();
    ck_assert_log("Registry:enter(1) Registry:first_update(1) Registry:cleanup ");
}
END_TEST

START_TEST(a_group_system_without_keep_subscribes_to_nothing)
{
    town_citizen(1);
    remove_others();
    ck_assert_uint_eq(kin__component_of(&people->base, PEOPLE_ASLEEP)->watchers, 0);
    ck_assert_uint_eq(kin__component_of(&people->base, PEOPLE_AGE)->watchers, 0);
    turn();
    ck_assert_uint_eq(kin__component_of(&people->base, PEOPLE_AGE)->watchers, 0);
}
END_TEST

START_TEST(arrays_that_the_game_holds_stay_as_they_are_in_an_update)
{
    uint32_t count = 0;
    town_citizen(1);
    const people_entity *held = people_citizens_entities(people, &count);
    town_citizen(2);
    update();
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(kin_entity_creation_index(held[0].id), 1);
    ck_assert_ptr_eq(held, people_citizens_entities(people, &count));
}
END_TEST

// ---- last values: Undertaker, for entities with Age, Name, Purse and Step

static people_entity named_citizen(int32_t years, const char *name)
{
    people_entity entity = town_citizen(years);
    people_add_name(people, entity, (Name){name});
    people_add_purse(people, entity, (Purse){years * 10});
    people_add_step(people, entity, (Step){years, years / 2.0});
    return entity;
}

static void write_last(town_world *world)
{
    for (uint32_t i = 0; i < 3; i++) {
        const Age *age = undertaker_left_age(world, i);
        const Name *name = undertaker_left_name(world, i);
        const Purse *purse = undertaker_left_purse(world, i);
        const Step *step = undertaker_left_step(world, i);
        log_write("%d,%s,%d,%d,%g ", age == NULL ? -1 : age->years, name == NULL ? "-" : name->text,
                  purse == NULL ? -1 : purse->coins, step == NULL ? -1 : step->x, step == NULL ? -1 : step->y);
    }
}

static void watch_undertaker(void)
{
    town_do("Undertaker:leave", write_last);
    town_listen("Undertaker");
}

START_TEST(rsy_11_leave_can_read_the_last_values_of_destroyed_entities)
{
    people_entity first = named_citizen(1, "Ada"), second = named_citizen(2, "Bob");
    update();
    watch_undertaker();
    people_replace_age(people, first, (Age){7});
    people_replace_name(people, second, (Name){"Robert"});
    people_destroy_entity(people, first);
    people_destroy_entity(people, second);
    update();
    ck_assert_log("Undertaker:leave(1,2) 7,Ada,10,1,0.5 2,Robert,20,2,1 -1,-,-1,-1,-1 ");
    ck_assert_uint_eq(kin_context_retained_count(&people->base), 0);
}
END_TEST

START_TEST(rsy_11_a_former_member_that_is_alive_has_its_last_values_and_its_other_components)
{
    people_entity entity = named_citizen(1, "Ada");
    update();
    watch_undertaker();
    people_replace_purse(people, entity, (Purse){3});
    people_remove_name(people, entity);
    people_replace_age(people, entity, (Age){50});
    update();
    ck_assert_log("Undertaker:leave(1) 50,Ada,3,1,0.5 -1,-,-1,-1,-1 -1,-,-1,-1,-1 ");
}
END_TEST

START_TEST(an_entity_with_stashed_values_leaves_with_them_and_enters_with_them_again)
{
    people_entity entity = named_citizen(1, "Ada");
    update();
    watch_undertaker();
    people_stash_name(people, entity);
    people_stash_purse(people, entity);
    people_stash_step(people, entity);
    update();
    ck_assert_log("Undertaker:leave(1) 1,Ada,10,1,0.5 -1,-,-1,-1,-1 -1,-,-1,-1,-1 ");
    people_restore_name(people, entity);
    people_restore_purse(people, entity);
    people_restore_step(people, entity);
    update();
    ck_assert_log("Undertaker:enter(1) ");
    ck_assert_str_eq(people_get_name(people, entity)->text, "Ada");
    people_stash_name(people, entity);
    people_restore_name(people, entity);
    people_destroy_entity(people, entity);
    update();
    ck_assert_log("Undertaker:leave(1) 1,Ada,10,1,0.5 -1,-,-1,-1,-1 -1,-,-1,-1,-1 ");
}
END_TEST

START_TEST(last_values_can_be_read_in_leave_alone)
{
    people_entity entity = named_citizen(1, "Ada");
    update();
    people_destroy_entity(people, entity);
    ck_assert_ptr_null(undertaker_left_age(town, 0));
    update();
    ck_assert_ptr_null(undertaker_left_age(town, 0));
    ck_assert_ptr_null(undertaker_left_step(town, 0));
}
END_TEST

static void destroy_two(town_world *world)
{
    (void)world;
    people_destroy_entity(people, people_entity_of((kin_entity)2 << 24 | 1));
}

START_TEST(rsy_11_a_member_lost_during_leave_leaves_in_the_next_turn_with_its_last_values)
{
    people_entity first = named_citizen(1, "Ada");
    named_citizen(2, "Bob");
    update();
    town_do("Undertaker:leave(1)", destroy_two);
    watch_undertaker();
    people_destroy_entity(people, first);
    update();
    ck_assert_log("Undertaker:leave(1) 1,Ada,10,1,0.5 -1,-,-1,-1,-1 -1,-,-1,-1,-1 ");
    update();
    ck_assert_log("Undertaker:leave(2) 2,Bob,20,2,1 -1,-,-1,-1,-1 -1,-,-1,-1,-1 ");
}
END_TEST

START_TEST(what_was_lost_while_the_system_was_disabled_has_no_last_value)
{
    kin_systems *systems = town_world_systems(town);
    kin_systems_remove(systems, "Watch");
    kin_systems_remove(systems, "Lamps");
    people_entity former = named_citizen(1, "Ada");
    update();
    kin_systems_set_enabled(systems, "Undertaker", false);
    people_destroy_entity(people, former);
    kin_systems_set_enabled(systems, "Undertaker", true);
    people_entity next = named_citizen(2, "Bob");
    ck_assert_uint_eq(kin_entity_slot(former.id), kin_entity_slot(next.id));
    people_destroy_entity(people, next);
    watch_undertaker();
    update();
    ck_assert_log("Undertaker:leave(1) -1,-,-1,-1,-1 -1,-,-1,-1,-1 -1,-,-1,-1,-1 ");
}
END_TEST

START_TEST(rsy_11_an_entity_with_the_handle_of_a_member_from_before_a_reset_is_not_taken_for_that_member)
{
    kin_systems *systems = town_world_systems(town);
    kin_systems_remove(systems, "Watch");
    kin_systems_remove(systems, "Lamps");
    people_entity former = named_citizen(1, "Ada");
    update();
    kin_systems_set_enabled(systems, "Undertaker", false);
    ck_assert_int_eq(people_context_reset(people), KIN_OK);
    kin_systems_set_enabled(systems, "Undertaker", true);
    ck_assert_uint_eq(named_citizen(2, "Bob").id, former.id);
    watch_undertaker();
    update();
    ck_assert_log("Undertaker:leave(1) -1,-,-1,-1,-1 -1,-,-1,-1,-1 -1,-,-1,-1,-1 Undertaker:enter(1) ");
}
END_TEST

START_TEST(an_entity_that_loses_a_component_outside_of_the_group_is_released_at_the_turn)
{
    update();
    people_destroy_entity(people, town_citizen(1));
    ck_assert_uint_eq(kin_context_retained_count(&people->base), 1);
    update();
    ck_assert_uint_eq(kin_context_retained_count(&people->base), 0);
}
END_TEST

Suite *runtime_world_group_suite(void)
{
    Suite *suite = suite_create("runtime_world_group");
    TCase *tests = tcase_create("world_group");
    tcase_add_checked_fixture(tests, begin, town_end);
    tcase_add_test(tests, rsy_11_enter_gets_the_new_members_by_ascending_slot);
    tcase_add_test(tests, rsy_11_leave_comes_before_enter_and_both_before_the_inbox_and_update);
    tcase_add_test(tests, rsy_11_former_members_may_be_dead_and_are_reported_by_ascending_slot);
    tcase_add_test(tests, rsy_11_opposite_changes_between_two_turns_cancel);
    tcase_add_test(tests, rsy_11_another_entity_in_the_same_slot_has_entered_and_the_former_left);
    tcase_add_test(tests, rsy_11_a_reset_makes_all_leave_also_where_equal_handles_are_given_again);
    tcase_add_loop_test(tests, rsy_11_many_entities_enter_and_leave, 0, sizeof crowds / sizeof *crowds);
    tcase_add_test(tests, rsy_11_an_entity_that_joins_during_a_turn_enters_in_the_next);
    tcase_add_test(tests, a_system_that_is_enabled_again_gets_the_changes_since_its_last_turn);
    tcase_add_test(tests, rsy_11_update_and_first_update_are_skipped_while_the_group_is_empty);
    tcase_add_test(tests, rsy_11_a_first_update_that_empties_the_group_is_the_only_one);
    tcase_add_test(tests, a_group_system_without_keep_subscribes_to_nothing);
    tcase_add_test(tests, arrays_that_the_game_holds_stay_as_they_are_in_an_update);
    tcase_add_test(tests, rsy_11_leave_can_read_the_last_values_of_destroyed_entities);
    tcase_add_test(tests, rsy_11_a_former_member_that_is_alive_has_its_last_values_and_its_other_components);
    tcase_add_test(tests, an_entity_with_stashed_values_leaves_with_them_and_enters_with_them_again);
    tcase_add_test(tests, last_values_can_be_read_in_leave_alone);
    tcase_add_test(tests, rsy_11_a_member_lost_during_leave_leaves_in_the_next_turn_with_its_last_values);
    tcase_add_test(tests, what_was_lost_while_the_system_was_disabled_has_no_last_value);
    tcase_add_test(tests,
                   rsy_11_an_entity_with_the_handle_of_a_member_from_before_a_reset_is_not_taken_for_that_member);
    tcase_add_test(tests, an_entity_that_loses_a_component_outside_of_the_group_is_released_at_the_turn);
    suite_add_tcase(suite, tests);
    return suite;
}
