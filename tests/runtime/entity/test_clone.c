// Clones (CPY-01, CPY-02, CPY-05) and the removal of several components at once (CMP-08, CMP-09).

#include "runtime/support/relay_case.h"
#include "runtime/support/support.h"
#include "suites.h"

#include <attic/attic.h>
#include <solo/solo.h>

#include <string.h>

static relay_entity one;

static void begin(void)
{
    relay_begin();
    one = relay_entity_with_a(1);
    relay_add_c(relay, one, (C){3});
    relay_set_f(relay, one, true);
}

static void change_the_source(const kin_change *change)
{
    (void)change;
    relay_replace_c(relay, one, (C){9});
    relay_set_f(relay, one, false);
}

START_TEST(cpy_01_a_clone_is_a_create_and_adds_in_order_with_the_values_of_the_beginning)
{
    relay_watch_context(KIN_ENTITY_CREATED, "created@", change_the_source);
    relay_watch(relay_all(RELAY_F), KIN_ADDED, "F+");
    relay_watch(relay_all(RELAY_C), KIN_ADDED, "C+=");
    relay_watch(relay_all(RELAY_A), KIN_ADDED, "A+=");
    relay_entity clone = relay_clone_entity(relay, one);
    ck_assert_log("created@2 C+=-,9 A+=-,1 C+=-,3 F+ ");
    ck_assert_int_eq(relay_get_c(relay, clone)->value, 3);
    ck_assert(relay_is_f(relay, clone) && !relay_is_f(relay, one) && !relay_has_b(relay, clone));
}
END_TEST

START_TEST(cpy_01_an_empty_entity_has_an_empty_clone)
{
    relay_entity empty = relay_create_entity(relay), clone = relay_clone_entity(relay, empty);
    ck_assert(relay_entity_is_alive(relay, clone) && !relay_entity_equals(empty, clone));
    ck_assert_uint_eq(relay_entity_count(relay), 3);
}
END_TEST

static void never(const kin_change *change, void *user)
{
    (void)user;
    ck_abort_msg("a listener of the source was notified of entity %u", (unsigned)kin_entity_slot(change->entity));
}

START_TEST(cpy_02_unique_components_listeners_and_holders_are_left_out)
{
    solo_context *solo = solo_context_create(NULL);
    Score score = score_default();
    solo_entity carrier = solo_set_unique_score(solo, score);
    solo_set_paused(solo, carrier, true);
    solo_add_place(solo, carrier, (Place){7});
    solo_retain_entity(solo, carrier, NULL);
    for (int event = KIN_COMPONENT_ADDED; event <= KIN_ENTITY_RELEASED; event++)
        kin_entity_subscribe(&solo->base, carrier.id, (kin_entity_event)event, never, NULL);
    solo_entity clone = solo_clone_entity(solo, carrier);
    solo_replace_place(solo, clone, (Place){7});
    ck_assert(!solo_has_score(solo, clone) && !solo_is_paused(solo, clone));
    ck_assert_int_eq(solo_get_place(solo, clone)->x, 7);
    ck_assert(solo_entity_equals(solo_unique_score_entity(solo), carrier));
    solo_destroy_entity(solo, clone);
    ck_assert_uint_eq(kin_context_retained_count(&solo->base), 0);
    solo_context_destroy(solo);
}
END_TEST

// The new entity then has the handle of the clone.
static void reset_and_create(const kin_change *change)
{
    static bool done;
    if (done)
        return;
    done = true;
    ck_assert_int_eq(relay_context_reset(relay), KIN_OK);
    while (relay_create_entity(relay).id != change->entity)
        continue;
}

START_TEST(cpy_05_a_reset_that_gives_the_handle_out_again_ends_the_clone)
{
    relay_watch_context(KIN_ENTITY_CREATED, "created", reset_and_create);
    ck_assert_uint_eq(relay_clone_entity(relay, one).id, 0);
    ck_assert_log("created created created !NOT_ALIVE ");
    ck_assert_uint_eq(kin_group_count(relay_all(RELAY_C)), 0);
}
END_TEST

START_TEST(ent_08_a_dead_source_is_refused)
{
    relay_destroy_entity(relay, one);
    ck_assert_uint_eq(relay_clone_entity(relay, one).id, 0);
    ck_assert_log("!NOT_ALIVE ");
}
END_TEST

static void add_c(const kin_change *change)
{
    relay_add_c(relay, relay_changed_entity(change), (C){4});
}

START_TEST(cpy_05_a_step_that_a_listener_makes_impossible_ends_the_clone)
{
    kin_subscription first = relay_watch_context(KIN_ENTITY_CREATED, "created", add_c);
    ck_assert_uint_eq(relay_clone_entity(relay, one).id, 0);
    ck_assert_log("created !HAS_COMPONENT ");
    kin_unsubscribe(first);
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED, "A+", destroy_it, 1);
    ck_assert_uint_eq(relay_clone_entity(relay, one).id, 0);
    ck_assert_log("A+ !NOT_ALIVE ");
    ck_assert_uint_eq(relay_entity_count(relay), 1);
}
END_TEST

START_TEST(err_01_a_clone_without_memory_changes_nothing)
{
    relay_entity filler[511];
    for (uint32_t i = 0; i < 511; i++)
        filler[i] = relay_create_entity(relay);
    kin_status last = KIN_ERROR_NO_MEMORY;
    uint64_t request = 0;
    while (last != KIN_OK && request < 50) {
        guard_fail(&relay_memory, ++request, true);
        last = relay_clone_entity(relay, one).id != 0 ? KIN_OK : KIN_ERROR_NO_MEMORY;
        guard_fail(&relay_memory, 0, false);
        ck_assert_uint_eq(relay_entity_count(relay), last == KIN_OK ? 513 : 512);
    }
    ck_assert_uint_ge(request, 4);
    ck_assert_uint_eq(kin_entity_creation_index(relay_create_entity(relay).id), 514);
    relay_destroy_entity(relay, filler[0]);
}
END_TEST

// Boxed values are allocated before strings; the requests of the strings fail one after the other.
START_TEST(err_01_a_clone_without_memory_gives_every_box_back_once)
{
    kin_component_info components[ATTIC_COMPONENT_COUNT];
    memcpy(components, attic_info.components, sizeof components);
    components[ATTIC_NAME].is_boxed = true;
    kin_context_info info = attic_info;
    info.components = components;
    guard memory;
    error_log errors = {0};
    kin_context_options options = {
        .allocator = guard_begin(&memory), .on_error = error_log_append, .error_user = &errors};
    kin_context *context = kin__context_create(&info, &options, sizeof(attic_context));
    kin_entity source = kin__entity_create(context), clone = 0;
    kin__component_add_fast(context, source, ATTIC_NAME, &(Name){.value = "one"});
    for (uint64_t request = 1; clone == 0; request++) {
        guard_fail(&memory, request, false);
        clone = kin__entity_clone_fast(context, source);
        guard_fail(&memory, 0, false);
        if (clone == 0)
            ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
    }
    ck_assert(kin_has(context, clone, ATTIC_NAME));
    kin__context_destroy(context);
    guard_end(&memory);
}
END_TEST

START_TEST(cmp_08_remove_all_walks_the_ids_upward)
{
    relay_watch(relay_all(RELAY_F), KIN_REMOVED, "F-");
    relay_watch(relay_all(RELAY_C), KIN_REMOVED, "C-=");
    relay_watch(relay_all(RELAY_A), KIN_REMOVED, "A-=");
    ck_assert_int_eq(relay_remove_all_components(relay, one), KIN_OK);
    ck_assert_log("A-=1,- C-=3,- F- ");
    ck_assert(relay_entity_is_alive(relay, one));
    ck_assert_int_eq(relay_remove_all_components(relay, one), KIN_OK);
    ck_assert_log("");
}
END_TEST

static void add_behind_and_ahead(const kin_change *change)
{
    relay_add_a(relay, relay_changed_entity(change), (A){5});
    relay_set_g(relay, relay_changed_entity(change), true);
}

START_TEST(cmp_08_a_component_added_before_the_position_of_the_walk_stays_and_one_after_it_is_removed)
{
    relay_watch_and(relay_all(RELAY_C), KIN_REMOVED, "C-", add_behind_and_ahead, 1);
    relay_watch(relay_all(RELAY_G), KIN_REMOVED, "G-");
    relay_remove_all_components(relay, one);
    ck_assert_log("C- G- ");
    ck_assert(relay_has_a(relay, one) && !relay_is_g(relay, one));
}
END_TEST

START_TEST(cmp_08_the_walk_ends_when_the_entity_is_destroyed)
{
    relay_watch_and(relay_all(RELAY_A), KIN_REMOVED, "A-", destroy_it, 1);
    ck_assert_int_eq(relay_remove_all_components(relay, one), KIN_OK);
    ck_assert(!relay_entity_is_alive(relay, one));
    ck_assert_int_eq(relay_remove_all_components(relay, one), KIN_ERROR_NOT_ALIVE);
    ck_assert_log("A- !NOT_ALIVE ");
}
END_TEST

START_TEST(cmp_09_only_components_of_the_rule_are_removed_and_missing_ones_skipped)
{
    kin_rule rule = KIN_ALL(RELAY_F, RELAY_B, RELAY_A, RELAY_F);
    relay_watch(relay_all(RELAY_F), KIN_REMOVED, "F-");
    relay_watch(relay_all(RELAY_A), KIN_REMOVED, "A-");
    ck_assert_int_eq(kin_remove_components(&relay->base, one.id, rule), KIN_OK);
    ck_assert_log("A- F- ");
    ck_assert(relay_has_c(relay, one));
    ck_assert_int_eq(kin_remove_components(&relay->base, one.id, (kin_rule){.kind = KIN_RULE_ALL}), KIN_ERROR_INVALID);
    rule = KIN_ALL(RELAY_COMPONENT_COUNT);
    ck_assert_int_eq(kin_remove_components(&relay->base, one.id, rule), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_remove_components(&relay->base, 0, rule), KIN_ERROR_NOT_ALIVE);
    ck_assert_log("!INVALID !INVALID !NOT_ALIVE ");
}
END_TEST

// ---- what a clone leaves out

static void check_omission(kin_clone_omission omission, kin_component_id component, kin_clone_reason reason)
{
    ck_assert_uint_eq(omission.component, component);
    ck_assert_int_eq(omission.reason, reason);
}

START_TEST(cpy_08_the_report_names_what_a_clone_leaves_out_and_why)
{
    kin_clone_omission left_out[4] = {{0}};
    solo_context *solo = solo_context_create(NULL);
    solo_entity carrier = solo_set_unique_score(solo, score_default());
    solo_set_paused(solo, carrier, true);
    solo_add_place(solo, carrier, (Place){7});
    ck_assert_uint_eq(kin_clone_report(&solo->base, carrier.id, left_out, 4), 2);
    check_omission(left_out[0], SOLO_PAUSED, KIN_CLONE_UNIQUE);
    check_omission(left_out[1], SOLO_SCORE, KIN_CLONE_UNIQUE);
    solo_entity clone = solo_clone_entity(solo, carrier);
    ck_assert_uint_eq(kin_clone_report(&solo->base, clone.id, left_out, 4), 0);
    solo_context_destroy(solo);

    attic_context *attic = attic_context_create(NULL);
    attic_entity chest = attic_create_entity(attic);
    attic_add_name(attic, chest, (Name){.value = "oak"});
    attic_add_coin(attic, chest, (Coin){0});
    ck_assert_uint_eq(kin_clone_report(&attic->base, chest.id, left_out, 4), 1);
    check_omission(left_out[0], ATTIC_COIN, KIN_CLONE_OPAQUE);
    attic_context_destroy(attic);
}
END_TEST

START_TEST(cpy_08_the_report_counts_what_does_not_fit_and_knows_dead_entities)
{
    kin_clone_omission left_out[2] = {{0}, {.component = 9}};
    solo_context *solo = solo_context_create(NULL);
    solo_entity carrier = solo_set_unique_score(solo, score_default());
    solo_set_paused(solo, carrier, true);
    ck_assert_uint_eq(kin_clone_report(&solo->base, carrier.id, left_out, 1), 2);
    check_omission(left_out[0], SOLO_PAUSED, KIN_CLONE_UNIQUE);
    ck_assert_uint_eq(left_out[1].component, 9);
    ck_assert_uint_eq(kin_clone_report(&solo->base, carrier.id, NULL, 0), 2);
    solo_destroy_entity(solo, carrier);
    ck_assert_uint_eq(kin_clone_report(&solo->base, carrier.id, left_out, 2), 0);
    ck_assert_uint_eq(kin_clone_report(&solo->base, 0, left_out, 2), 0);
    solo_context_destroy(solo);
}
END_TEST

Suite *runtime_clone_suite(void)
{
    Suite *suite = suite_create("runtime_clone");
    TCase *clones = tcase_create("clones");
    tcase_add_checked_fixture(clones, begin, relay_end);
    tcase_add_test(clones, cpy_01_a_clone_is_a_create_and_adds_in_order_with_the_values_of_the_beginning);
    tcase_add_test(clones, cpy_01_an_empty_entity_has_an_empty_clone);
    tcase_add_test(clones, cpy_02_unique_components_listeners_and_holders_are_left_out);
    tcase_add_test(clones, cpy_05_a_step_that_a_listener_makes_impossible_ends_the_clone);
    tcase_add_test(clones, cpy_05_a_reset_that_gives_the_handle_out_again_ends_the_clone);
    tcase_add_test(clones, ent_08_a_dead_source_is_refused);
    tcase_add_test(clones, err_01_a_clone_without_memory_changes_nothing);
    tcase_add_test(clones, err_01_a_clone_without_memory_gives_every_box_back_once);
    tcase_add_test(clones, cpy_08_the_report_names_what_a_clone_leaves_out_and_why);
    tcase_add_test(clones, cpy_08_the_report_counts_what_does_not_fit_and_knows_dead_entities);
    suite_add_tcase(suite, clones);
    TCase *removals = tcase_create("removals");
    tcase_add_checked_fixture(removals, begin, relay_end);
    tcase_add_test(removals, cmp_08_remove_all_walks_the_ids_upward);
    tcase_add_test(removals,
                   cmp_08_a_component_added_before_the_position_of_the_walk_stays_and_one_after_it_is_removed);
    tcase_add_test(removals, cmp_08_the_walk_ends_when_the_entity_is_destroyed);
    tcase_add_test(removals, cmp_09_only_components_of_the_rule_are_removed_and_missing_ones_skipped);
    suite_add_tcase(suite, removals);
    return suite;
}
