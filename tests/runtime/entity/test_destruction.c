// The notifications of an entity's destruction (ENT-13 to ENT-15), and entities without components (MAT-05).

#include "runtime/support/relay_case.h"
#include "suites.h"

// An entity with A, B and F, created before any subscription.
static relay_entity make_one(void)
{
    relay_entity entity = relay_entity_with_a(1);
    relay_add_b(relay, entity, (B){2});
    relay_set_f(relay, entity, true);
    return entity;
}

static void watch(kin_matcher matcher, const char *added, const char *removed)
{
    kin_group *group = kin_context_group(&relay->base, matcher);
    relay_watch(group, KIN_ADDED, added);
    relay_watch(group, KIN_REMOVED, removed);
}

static void write_how_it_looks(const kin_change *change)
{
    relay_entity entity = relay_changed_entity(change);
    log_write("%d%d%d%d%d ", relay_entity_is_alive(relay, entity), relay_has_a(relay, entity),
              relay_get_b(relay, entity) != NULL, kin_group_contains(relay_all(RELAY_B), entity.id),
              (int)kin_group_count(relay_all(RELAY_F)));
}

START_TEST(ent_13_no_query_finds_the_entity_from_the_first_call_on)
{
    relay_entity entity = make_one();
    relay_watch_and(relay_all(RELAY_A), KIN_REMOVED, "A-", write_how_it_looks, 1);
    relay_watch_and(relay_all(RELAY_F), KIN_REMOVED, "F-", write_how_it_looks, 1);
    ck_assert_int_eq(relay_destroy_entity(relay, entity), KIN_OK);
    ck_assert_log("A- 00000 F- 00000 ");
}
END_TEST

static void change_it(const kin_change *change)
{
    relay_entity entity = relay_changed_entity(change);
    ck_assert_int_eq(relay_add_c(relay, entity, (C){1}), KIN_ERROR_NOT_ALIVE);
    ck_assert_int_eq(relay_replace_b(relay, entity, (B){1}), KIN_ERROR_NOT_ALIVE);
    ck_assert_int_eq(relay_remove_b(relay, entity), KIN_ERROR_NOT_ALIVE);
    ck_assert_int_eq(relay_set_f(relay, entity, false), KIN_ERROR_NOT_ALIVE);
    ck_assert_int_eq(relay_destroy_entity(relay, entity), KIN_ERROR_NOT_ALIVE);
}

START_TEST(ent_13_changing_it_is_refused)
{
    relay_entity entity = make_one();
    relay_watch_and(relay_all(RELAY_A), KIN_REMOVED, "A-", change_it, 1);
    relay_watch(relay_all(RELAY_B), KIN_REMOVED, "B-=");
    relay_destroy_entity(relay, entity);
    ck_assert_log("A- !NOT_ALIVE !NOT_ALIVE !NOT_ALIVE !NOT_ALIVE !NOT_ALIVE B-=2,- ");
}
END_TEST

START_TEST(ent_14_components_are_removed_by_ascending_id_with_their_values)
{
    relay_entity entity = make_one();
    relay_watch(relay_all(RELAY_F), KIN_REMOVED, "F-=");
    relay_watch(relay_all(RELAY_B), KIN_REMOVED, "B-=");
    relay_watch(relay_all(RELAY_A), KIN_REMOVED, "A-=");
    relay_watch(relay_all(RELAY_C), KIN_REMOVED, "C-=");
    relay_destroy_entity(relay, entity);
    ck_assert_log("A-=1,- B-=2,- F-=-,- ");
}
END_TEST

START_TEST(ent_15_a_group_reports_its_loss_once_at_the_component_that_ends_the_match)
{
    relay_entity entity = make_one();
    watch(KIN_MATCHER(KIN_ALL(RELAY_A, RELAY_B)), "all+", "all-#");
    watch(KIN_MATCHER(KIN_ANY(RELAY_A, RELAY_B)), "any+", "any-#");
    watch(KIN_MATCHER(KIN_ANY(RELAY_A, RELAY_B, RELAY_F)), "any3+", "any3-#");
    watch(KIN_MATCHER(KIN_ONLY(RELAY_A, RELAY_B, RELAY_F)), "only+", "only-#");
    watch(KIN_MATCHER(KIN_ALL(RELAY_F), KIN_NONE(RELAY_C)), "F+", "F-#");
    watch(KIN_MATCHER(KIN_NONE(RELAY_C)), "none+", "none-#");
    relay_destroy_entity(relay, entity);
    ck_assert_log("all-#A only-#A any-#B any3-#F F-#F none-#none ");
}
END_TEST

START_TEST(ent_15_a_group_that_does_not_contain_the_entity_reports_nothing)
{
    relay_entity entity = make_one();
    watch(KIN_MATCHER(KIN_NONE(RELAY_A)), "noA+", "noA-");
    watch(KIN_MATCHER(KIN_ALL(RELAY_F), KIN_NONE(RELAY_B)), "F+", "F-");
    watch(KIN_MATCHER(KIN_ONLY(RELAY_F)), "only+", "only-");
    watch(KIN_MATCHER(KIN_ONLY(RELAY_B, RELAY_F)), "only2+", "only2-");
    relay_destroy_entity(relay, entity);
    ck_assert_log("");
}
END_TEST

START_TEST(dsp_07_the_calls_of_the_destruction_are_made_although_the_entity_is_dead)
{
    relay_entity entity = make_one();
    relay_watch_and(relay_all(RELAY_A), KIN_MODIFIED, "A~", destroy_it, 1);
    relay_watch(relay_all(RELAY_A), KIN_MODIFIED, "never");
    RELAY_WATCH(relay_all(RELAY_A), "A");
    RELAY_WATCH(relay_all(RELAY_B), "B");
    relay_touch_a(relay, entity);
    ck_assert_log("A- A+ A~ A- B- ");
}
END_TEST

static void watch_b_and_f(const kin_change *change)
{
    (void)change;
    relay_watch(relay_all(RELAY_A), KIN_REMOVED, "never");
    relay_watch(relay_all(RELAY_B), KIN_REMOVED, "B-");
    watch(KIN_MATCHER(KIN_ANY(RELAY_F, RELAY_G)), "FG+", "FG-");
}

START_TEST(dsp_08_a_subscription_made_during_the_destruction_counts_from_the_next_component_on)
{
    relay_entity entity = make_one();
    kin_group *b = relay_all(RELAY_B);
    relay_watch_and(relay_all(RELAY_A), KIN_REMOVED, "A-", watch_b_and_f, 1);
    relay_destroy_entity(relay, entity);
    ck_assert_uint_eq(kin_group_count(b), 0);
    ck_assert_log("A- B- ");
}
END_TEST

static void create_one(const kin_change *change)
{
    relay_entity entity = relay_create_entity(relay);
    ck_assert_uint_ne(kin_entity_slot(entity.id), kin_entity_slot(change->entity));
    ck_assert_uint_eq(kin_context_reusable_count(&relay->base), 0);
}

START_TEST(ent_18_the_slot_is_free_after_the_last_call)
{
    relay_entity entity = make_one();
    relay_watch_and(relay_all(RELAY_F), KIN_REMOVED, "F-", create_one, 1);
    relay_destroy_entity(relay, entity);
    ck_assert_uint_eq(kin_entity_slot(relay_create_entity(relay).id), kin_entity_slot(entity.id));
    ck_assert_log("F- ");
}
END_TEST

static void reset_and_create(const kin_change *change)
{
    ck_assert_int_eq(relay_context_reset(relay), KIN_OK);
    relay_entity entity = relay_create_entity(relay);
    ck_assert_uint_ne(kin_entity_slot(entity.id), kin_entity_slot(change->entity));
    ck_assert_uint_eq(kin_entity_creation_index(entity.id), 1);
}

START_TEST(ctx_07_a_reset_during_the_destruction_skips_its_slot)
{
    relay_entity entity = make_one();
    relay_watch_and(relay_all(RELAY_A), KIN_REMOVED, "A-", reset_and_create, 1);
    relay_watch(relay_all(RELAY_B), KIN_REMOVED, "B-=");
    relay_destroy_entity(relay, entity);
    ck_assert_log("A- B-=2,- ");
    ck_assert_uint_eq(relay_entity_count(relay), 1);
    ck_assert_uint_eq(relay_create_entity(relay).id, (kin_entity)2 << 24 | 0);
}
END_TEST

// ---- without components

START_TEST(mat_05_a_group_of_none_alone_is_entered_at_creation)
{
    watch(KIN_MATCHER(KIN_NONE(RELAY_A)), "noA+#", "noA-#");
    watch(KIN_MATCHER(KIN_NONE(RELAY_A), KIN_ALL(RELAY_B)), "BnoA+#", "BnoA-#");
    relay_entity entity = relay_create_entity(relay);
    ck_assert_log("noA+#none ");
    relay_add_a(relay, entity, (A){1});
    ck_assert_log("noA-#A ");
    relay_remove_a(relay, entity);
    ck_assert_log("noA+#A ");
    relay_destroy_entity(relay, entity);
    ck_assert_log("noA-#none ");
}
END_TEST

START_TEST(mat_05_an_entity_may_die_in_the_call_that_reports_its_creation)
{
    kin_group *none = relay_none(RELAY_A);
    relay_watch_and(none, KIN_ADDED, "+", destroy_it, 1);
    relay_watch(none, KIN_ADDED, "never");
    relay_watch(none, KIN_REMOVED, "-");
    relay_entity entity = relay_create_entity(relay);
    ck_assert_uint_eq(entity.id, (kin_entity)1 << 24);
    ck_assert(!relay_entity_is_alive(relay, entity));
    ck_assert_log("+ - ");
}
END_TEST

START_TEST(grp_07_the_change_names_the_excluded_component_that_decided)
{
    relay_entity entity = make_one();
    watch(KIN_MATCHER(KIN_ALL(RELAY_A), KIN_NONE(RELAY_C)), "AnoC+=", "AnoC-=");
    relay_add_c(relay, entity, (C){7});
    ck_assert_log("AnoC-=-,7 ");
    relay_remove_c(relay, entity);
    ck_assert_log("AnoC+=7,- ");
}
END_TEST

Suite *runtime_destruction_suite(void)
{
    Suite *suite = suite_create("runtime_destruction");
    TCase *tests = tcase_create("destruction");
    tcase_add_checked_fixture(tests, relay_begin, relay_end);
    tcase_add_test(tests, ent_13_no_query_finds_the_entity_from_the_first_call_on);
    tcase_add_test(tests, ent_13_changing_it_is_refused);
    tcase_add_test(tests, ent_14_components_are_removed_by_ascending_id_with_their_values);
    tcase_add_test(tests, ent_15_a_group_reports_its_loss_once_at_the_component_that_ends_the_match);
    tcase_add_test(tests, ent_15_a_group_that_does_not_contain_the_entity_reports_nothing);
    tcase_add_test(tests, dsp_07_the_calls_of_the_destruction_are_made_although_the_entity_is_dead);
    tcase_add_test(tests, dsp_08_a_subscription_made_during_the_destruction_counts_from_the_next_component_on);
    tcase_add_test(tests, ent_18_the_slot_is_free_after_the_last_call);
    tcase_add_test(tests, ctx_07_a_reset_during_the_destruction_skips_its_slot);
    tcase_add_test(tests, mat_05_a_group_of_none_alone_is_entered_at_creation);
    tcase_add_test(tests, mat_05_an_entity_may_die_in_the_call_that_reports_its_creation);
    tcase_add_test(tests, grp_07_the_change_names_the_excluded_component_that_decided);
    suite_add_tcase(suite, tests);
    return suite;
}
