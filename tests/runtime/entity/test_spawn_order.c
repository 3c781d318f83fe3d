// Spawning and applying with listeners that change the entity: the order of calls, and the result of a step that a
// listener makes impossible (CPY-04 to CPY-06).

#include "runtime/support/relay_case.h"
#include "runtime/support/support.h"
#include "suites.h"

static relay_entity made[4];

static void begin(void)
{
    relay_begin();
    for (int i = 0; i < 4; i++)
        made[i] = (relay_entity){7};
}

static void watch_all(void)
{
    relay_watch_context(KIN_ENTITY_CREATED, "created@", NULL);
    relay_watch(relay_all(RELAY_F), KIN_ADDED, "F+");
    relay_watch(relay_all(RELAY_C), KIN_ADDED, "C+=");
    relay_watch(relay_all(RELAY_A), KIN_ADDED, "A+=");
}

START_TEST(cpy_04_a_spawn_is_a_create_and_adds_by_ascending_id)
{
    watch_all();
    ck_assert_uint_ne(relay_spawn_trio(relay).id, 0);
    ck_assert_log("created@1 A+=-,1 C+=-,3 F+ ");
}
END_TEST

START_TEST(cpy_04_spawning_many_equals_spawning_that_many_times)
{
    C cs[2] = {{8}, {9}};
    watch_all();
    ck_assert_int_eq(relay_spawn_many_trio_with(relay, 2, &(relay_trio_values){.c = cs}, made), KIN_OK);
    ck_assert_log("created@1 A+=-,1 C+=-,8 F+ created@2 A+=-,1 C+=-,9 F+ ");
    ck_assert_uint_eq(kin_entity_creation_index(made[1].id), 2);
    ck_assert_int_eq(relay_spawn_many_trio(relay, 0, NULL), KIN_OK);
    ck_assert_log("");
}
END_TEST

static void add_c_to_the_second(const kin_change *change)
{
    if (kin_entity_creation_index(change->entity) == 2)
        relay_add_c(relay, relay_changed_entity(change), (C){4});
}

START_TEST(cpy_05_a_batch_that_a_listener_makes_impossible_is_undone_from_the_last_entity_on)
{
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED, "A+", add_c_to_the_second, 9);
    relay_watch(relay_all(RELAY_C), KIN_ADDED, "C+=");
    relay_watch(relay_all(RELAY_C), KIN_REMOVED, "C-=");
    ck_assert_int_eq(relay_spawn_many_trio(relay, 4, made), KIN_ERROR_HAS_COMPONENT);
    ck_assert_log("A+ C+=-,3 A+ C+=-,4 C-=4,- C-=3,- !HAS_COMPONENT ");
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(made[i].id, 0);
    ck_assert_uint_eq(relay_entity_count(relay), 0);
    ck_assert_uint_eq(kin_entity_slot(relay_spawn_trio(relay).id), 0);
    ck_assert_log("A+ C+=-,3 ");
}
END_TEST

static relay_entity first_of_batch;

static void destroy_the_first(const kin_change *change)
{
    if (kin_entity_creation_index(change->entity) == 1)
        first_of_batch = relay_changed_entity(change);
    if (kin_entity_creation_index(change->entity) != 3)
        return;
    relay_destroy_entity(relay, first_of_batch);
    relay_add_c(relay, relay_changed_entity(change), (C){4});
}

START_TEST(cpy_05_undoing_skips_entities_that_a_listener_has_destroyed)
{
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED, "A+", destroy_the_first, 9);
    relay_watch(relay_all(RELAY_F), KIN_REMOVED, "F-");
    ck_assert_int_eq(relay_spawn_many_trio(relay, 3, made), KIN_ERROR_HAS_COMPONENT);
    ck_assert_log("A+ A+ A+ F- F- !HAS_COMPONENT ");
    ck_assert_uint_eq(relay_entity_count(relay), 0);
}
END_TEST

static void reset_and_block(const kin_change *change)
{
    static int calls;
    calls++;
    if (calls == 2)
        ck_assert_int_eq(relay_context_reset(relay), KIN_OK);
    if (calls == 2)
        ck_assert_uint_eq(kin_entity_creation_index(relay_create_entity(relay).id), 1);
    (void)change;
}

// The entity that the listener creates has the handle that the first of the batch had before the reset.
START_TEST(cpy_05_undoing_leaves_entities_made_after_a_reset)
{
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED, "A+", reset_and_block, 2);
    ck_assert_int_eq(relay_spawn_many_trio(relay, 3, made), KIN_ERROR_NOT_ALIVE);
    ck_assert_log("A+ A+ !NOT_ALIVE ");
    ck_assert_uint_eq(relay_entity_count(relay), 1);
}
END_TEST

START_TEST(cpy_05_a_spawn_is_refused_when_a_listener_destroys_its_entity)
{
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED, "A+", destroy_it, 1);
    ck_assert_uint_eq(relay_spawn_trio(relay).id, 0);
    ck_assert_log("A+ !NOT_ALIVE ");
    relay_watch_and(relay_all(RELAY_F), KIN_ADDED, "F+", destroy_it, 1);
    ck_assert_uint_ne(relay_spawn_trio(relay).id, 0); // it was complete
    ck_assert_log("A+ F+ ");
    ck_assert_uint_eq(relay_entity_count(relay), 0);
}
END_TEST

static void reset(const kin_change *change)
{
    (void)change;
    ck_assert_int_eq(relay_context_reset(relay), KIN_OK);
}

START_TEST(cpy_05_a_reset_in_a_listener_ends_the_batch)
{
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED, "A+", reset, 1);
    ck_assert_int_eq(relay_spawn_many_trio(relay, 3, made), KIN_ERROR_NOT_ALIVE);
    ck_assert_log("A+ !NOT_ALIVE ");
    ck_assert_uint_eq(relay_entity_count(relay), 0);
    ck_assert_uint_eq(kin_entity_slot(relay_spawn_trio(relay).id), 0);
    ck_assert_log("A+ ");
}
END_TEST

static void spawn_another(const kin_change *change)
{
    (void)change;
    ck_assert_int_eq(relay_spawn_many_trio(relay, 600, NULL), KIN_OK);
}

// The entities of the inner spawn take the slots that were chosen for the next entities of the outer one.
START_TEST(cpy_05_spawning_inside_a_spawn_takes_the_slots_that_come_next)
{
    relay_watch_and(relay_all(RELAY_F), KIN_ADDED, "F", spawn_another, 1);
    ck_assert_int_eq(relay_spawn_many_trio(relay, 3, made), KIN_OK);
    ck_assert_uint_eq(kin_entity_slot(made[0].id), 0);
    ck_assert_uint_eq(kin_entity_slot(made[1].id), 601);
    ck_assert_uint_eq(kin_entity_creation_index(made[2].id), 603);
    ck_assert_uint_eq(relay_entity_count(relay), 603);
    log_begin();
}
END_TEST

static void create_another(const kin_change *change)
{
    (void)change;
    relay_create_entity(relay);
}

START_TEST(ent_10_a_limit_that_a_listener_reaches_ends_the_call)
{
    relay_end();
    relay_begin_with(&(kin_context_options){.max_entities = 3});
    relay_watch_and(relay_all(RELAY_F), KIN_ADDED, "F", create_another, 2);
    ck_assert_int_eq(relay_spawn_many_trio(relay, 3, made), KIN_ERROR_LIMIT);
    ck_assert_log("F F !LIMIT !LIMIT ");
    ck_assert_uint_eq(relay_entity_count(relay), 1); // the one that the listener created
    ck_assert(made[0].id == 0 && made[1].id == 0 && made[2].id == 0);
}
END_TEST

static void spawn_and_apply(const kin_change *change)
{
    relay_entity single = relay_spawn_single(relay);
    ck_assert_uint_eq(kin_entity_slot(single.id), 512);
    ck_assert_int_eq(relay_apply_trio(relay, single), KIN_OK);
    ck_assert_int_eq(relay_spawn_many_single(relay, 2, made), KIN_OK);
    ck_assert(relay_has_a(relay, single) && relay_entity_is_alive(relay, relay_changed_entity(change)));
}

START_TEST(cpy_04_listeners_may_spawn_and_apply)
{
    relay_watch_and(relay_all(RELAY_F), KIN_ADDED, "F+", spawn_and_apply, 1);
    ck_assert_uint_ne(relay_spawn_trio(relay).id, 0);
    ck_assert_log("F+ F+ ");
    ck_assert_uint_eq(kin_entity_slot(made[1].id), 514);
}
END_TEST

// ---- applying

START_TEST(cpy_06_parts_are_replaced_or_added_by_ascending_id)
{
    relay_entity one = relay_entity_with_a(7);
    watch_all();
    relay_watch(relay_all(RELAY_A), KIN_MODIFIED, "A~=");
    ck_assert_int_eq(relay_apply_trio(relay, one), KIN_OK);
    ck_assert_log("A+=-,1 A~=7,1 C+=-,3 F+ ");
    ck_assert_int_eq(relay_apply_trio(relay, one), KIN_OK); // a flag that is set is not reported again
    ck_assert_log("A+=-,1 A~=1,1 C+=-,3 ");
}
END_TEST

static void add_c(const kin_change *change)
{
    relay_add_c(relay, relay_changed_entity(change), (C){4});
}

static void remove_c(const kin_change *change)
{
    relay_remove_c(relay, relay_changed_entity(change));
}

static void clear_f(const kin_change *change)
{
    relay_set_f(relay, relay_changed_entity(change), false);
}

START_TEST(cpy_06_components_that_a_listener_adds_or_removes_are_replaced_or_added)
{
    relay_entity one = relay_create_entity(relay);
    relay_set_f(relay, one, true);
    kin_subscription adder = relay_watch_and(relay_all(RELAY_A), KIN_ADDED, "A+", add_c, 1);
    relay_watch_and(relay_all(RELAY_C), KIN_MODIFIED, "C~=", clear_f, 1);
    ck_assert_int_eq(relay_apply_trio(relay, one), KIN_OK);
    ck_assert_log("A+ C~=4,3 ");
    ck_assert(relay_is_f(relay, one));
    kin_unsubscribe(adder);
    relay_watch_and(relay_all(RELAY_A), KIN_MODIFIED, "A~", remove_c, 1);
    relay_watch(relay_all(RELAY_C), KIN_ADDED, "C+=");
    ck_assert_int_eq(relay_apply_trio(relay, one), KIN_OK);
    ck_assert_log("A~ C+=-,3 ");
}
END_TEST

static void set_f(const kin_change *change)
{
    relay_set_f(relay, relay_changed_entity(change), true);
}

START_TEST(flg_02_a_flag_that_a_listener_sets_before_its_turn_is_not_reported_again)
{
    relay_entity one = relay_create_entity(relay);
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED, "A+", set_f, 1);
    relay_watch(relay_all(RELAY_F), KIN_ADDED, "F+");
    relay_watch(relay_all(RELAY_F), KIN_MODIFIED, "F~");
    ck_assert_int_eq(relay_apply_trio(relay, one), KIN_OK);
    ck_assert_log("A+ F+ ");
}
END_TEST

START_TEST(cpy_06_an_entity_that_a_listener_destroys_gets_no_more)
{
    relay_entity one = relay_create_entity(relay);
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED, "A+", destroy_it, 1);
    ck_assert_int_eq(relay_apply_trio(relay, one), KIN_ERROR_NOT_ALIVE);
    ck_assert_log("A+ !NOT_ALIVE ");
    ck_assert_uint_eq(relay_entity_count(relay), 0);
}
END_TEST

Suite *runtime_spawn_order_suite(void)
{
    Suite *suite = suite_create("runtime_spawn_order");
    TCase *spawning = tcase_create("spawning");
    tcase_add_checked_fixture(spawning, begin, relay_end);
    tcase_add_test(spawning, cpy_04_a_spawn_is_a_create_and_adds_by_ascending_id);
    tcase_add_test(spawning, cpy_04_spawning_many_equals_spawning_that_many_times);
    tcase_add_test(spawning, cpy_05_a_batch_that_a_listener_makes_impossible_is_undone_from_the_last_entity_on);
    tcase_add_test(spawning, cpy_05_undoing_skips_entities_that_a_listener_has_destroyed);
    tcase_add_test(spawning, cpy_05_undoing_leaves_entities_made_after_a_reset);
    tcase_add_test(spawning, cpy_05_a_spawn_is_refused_when_a_listener_destroys_its_entity);
    tcase_add_test(spawning, cpy_05_a_reset_in_a_listener_ends_the_batch);
    tcase_add_test(spawning, cpy_05_spawning_inside_a_spawn_takes_the_slots_that_come_next);
    tcase_add_test(spawning, cpy_04_listeners_may_spawn_and_apply);
    tcase_add_test(spawning, ent_10_a_limit_that_a_listener_reaches_ends_the_call);
    suite_add_tcase(suite, spawning);
    TCase *applying = tcase_create("applying");
    tcase_add_checked_fixture(applying, begin, relay_end);
    tcase_add_test(applying, cpy_06_parts_are_replaced_or_added_by_ascending_id);
    tcase_add_test(applying, cpy_06_components_that_a_listener_adds_or_removes_are_replaced_or_added);
    tcase_add_test(applying, flg_02_a_flag_that_a_listener_sets_before_its_turn_is_not_reported_again);
    tcase_add_test(applying, cpy_06_an_entity_that_a_listener_destroys_gets_no_more);
    suite_add_tcase(suite, applying);
    return suite;
}
