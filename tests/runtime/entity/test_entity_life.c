// Entities from their creation to their end: creation indices, being alive, and the last two events (ENT-02, ENT-05,
// ENT-06, ENT-16, ENT-17). test_entity.c and test_life.c have the events between.
#include "runtime/support/relay_case.h"
#include "suites.h"

#include <check.h>
#include <pair/pair.h>

static relay_entity one;

static void begin(void)
{
    relay_begin_with(&(kin_context_options){.first_creation_index = 7});
    one = relay_entity_with_a(1);
}

static uint64_t index_of(relay_entity entity)
{
    return kin_entity_creation_index(entity.id);
}

static relay_entity made;

static void make_another(const kin_change *change)
{
    (void)change;
    made = relay_create_entity(relay);
}

START_TEST(ent_02_creation_indices_are_counted_up_however_an_entity_is_made)
{
    ck_assert_uint_eq(index_of(one), 7);
    ck_assert_uint_eq(index_of(relay_clone_entity(relay, one)), 8);
    relay_destroy_entity(relay, one);
    ck_assert_uint_eq(index_of(relay_create_entity(relay)), 9);
    relay_watch_and(relay_all(RELAY_B), KIN_ADDED, "B+", make_another, 1);
    relay_add_b(relay, relay_create_entity(relay), (B){1});
    ck_assert_uint_eq(index_of(made), 11);
    ck_assert_uint_eq(index_of(relay_create_entity(relay)), 12);
    ck_assert_log("B+ ");
}
END_TEST

START_TEST(ent_02_a_refused_creation_takes_no_index)
{
    relay_end();
    relay_begin_with(&(kin_context_options){.max_entities = 2});
    one = relay_create_entity(relay);
    relay_entity other = relay_create_entity(relay);
    ck_assert_uint_eq(relay_create_entity(relay).id, 0);
    ck_assert_uint_eq(relay_clone_entity(relay, one).id, 0);
    relay_destroy_entity(relay, one);
    ck_assert_uint_eq(relay_clone_entity(relay, one).id, 0);
    ck_assert_log("!LIMIT !LIMIT !NOT_ALIVE ");
    ck_assert(index_of(one) == 1 && index_of(other) == 2);
    ck_assert_uint_eq(index_of(relay_create_entity(relay)), 3);
}
END_TEST

START_TEST(ent_05_generic_functions_cannot_detect_the_handle_of_another_context)
{
    pair_contexts *pair = pair_contexts_create(NULL);
    left_entity left = left_create_entity(pair->left);
    right_entity right = right_create_entity(pair->right);
    right_set_bent(pair->right, right, true);
    ck_assert_uint_eq(left.id, right.id);
    ck_assert(kin_entity_is_alive(&pair->right->base, left.id));
    ck_assert(kin_has(&pair->right->base, left.id, RIGHT_BENT));
    ck_assert(!left_is_bent(pair->left, left));
    pair_contexts_destroy(pair);
}
END_TEST

static void ask(const kin_change *change)
{
    relay_entity entity = relay_changed_entity(change);
    log_write("%d%d ", relay_entity_is_alive(relay, entity), kin_entity_is_alive(&relay->base, entity.id));
}

static void watch_all(void)
{
    relay_watch_context(KIN_ENTITY_CREATED, "created", ask);
    relay_watch_context(KIN_ENTITY_WILL_BE_DESTROYED, "will", ask);
    relay_watch_and(relay_all(RELAY_A), KIN_REMOVED, "A-", ask, 9);
    relay_watch_context(KIN_ENTITY_WAS_DESTROYED, "was", ask);
}

START_TEST(ent_06_it_is_alive_from_its_creation_until_its_destruction_begins)
{
    watch_all();
    relay_entity entity = relay_entity_with_a(3);
    ck_assert(relay_entity_is_alive(relay, entity));
    relay_watch_entity(entity, KIN_COMPONENT_REMOVED, "own-", ask);
    relay_watch_entity(entity, KIN_ENTITY_DESTROYED, "destroyed", ask);
    relay_watch_entity(entity, KIN_ENTITY_RELEASED, "released", ask);
    relay_destroy_entity(relay, entity);
    ck_assert_log("created 11 will 11 A- 00 own- 00 destroyed 00 was 00 released 00 ");
    ck_assert(!relay_entity_is_alive(relay, entity));
}
END_TEST

static relay_entity held;

// Listeners of a dead, held entity: those of changes are removed, and new ones are refused.
static void subscribe_to_the_dead(const kin_change *change)
{
    relay_watch_entity(relay_changed_entity(change), KIN_ENTITY_RELEASED, "never", NULL);
}

START_TEST(ent_16_after_destroyed_only_subscriptions_of_released_are_left)
{
    relay_watch_entity(one, KIN_COMPONENT_ADDED, "own+", NULL);
    kin_subscription destroyed = relay_watch_entity(one, KIN_ENTITY_DESTROYED, "destroyed", subscribe_to_the_dead);
    kin_subscription released = relay_watch_entity(one, KIN_ENTITY_RELEASED, "released", NULL);
    relay_retain_entity(relay, one, &held);
    relay_destroy_entity(relay, one);
    ck_assert_log("destroyed !NOT_ALIVE ");
    kin_unsubscribe(destroyed); // has ended already: does nothing
    relay_release_entity(relay, one, &held);
    ck_assert_log("released ");
    kin_unsubscribe(released);
    relay_entity next = relay_create_entity(relay);
    ck_assert_uint_eq(kin_entity_slot(next.id), kin_entity_slot(one.id));
    relay_add_a(relay, next, (A){2});
    relay_destroy_entity(relay, next);
    ck_assert_log("");
}
END_TEST

START_TEST(ent_17_was_destroyed_comes_after_the_entitys_own_and_before_released)
{
    relay_watch_context(KIN_ENTITY_WAS_DESTROYED, "was@", NULL);
    relay_watch_entity(one, KIN_ENTITY_RELEASED, "released", NULL);
    relay_watch_entity(one, KIN_ENTITY_DESTROYED, "destroyed", NULL);
    relay_watch(relay_all(RELAY_A), KIN_REMOVED, "A-");
    relay_destroy_entity(relay, one);
    ck_assert_log("A- destroyed was@7 released ");
    held = relay_create_entity(relay);
    relay_retain_entity(relay, held, &one);
    relay_destroy_entity(relay, held);
    ck_assert_log("was@8 "); // also for a held entity
    relay_release_entity(relay, held, &one);
    ck_assert_log("");
}
END_TEST

Suite *runtime_entity_life_suite(void)
{
    Suite *suite = suite_create("runtime_entity_life");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, begin, relay_end);
    tcase_add_test(rules, ent_02_creation_indices_are_counted_up_however_an_entity_is_made);
    tcase_add_test(rules, ent_02_a_refused_creation_takes_no_index);
    tcase_add_test(rules, ent_05_generic_functions_cannot_detect_the_handle_of_another_context);
    tcase_add_test(rules, ent_06_it_is_alive_from_its_creation_until_its_destruction_begins);
    tcase_add_test(rules, ent_16_after_destroyed_only_subscriptions_of_released_are_left);
    tcase_add_test(rules, ent_17_was_destroyed_comes_after_the_entitys_own_and_before_released);
    suite_add_tcase(suite, rules);
    return suite;
}
