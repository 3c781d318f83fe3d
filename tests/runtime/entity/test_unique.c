// Unique components, chapter 10 of the rules: at most one entity has each, whichever function adds it.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <solo/solo.h>
#include <string.h>

CASE(solo)

static Score score_of(int64_t value)
{
    Score score = score_default();
    score.value = value;
    return score;
}

START_TEST(uni_01_a_second_entity_with_the_component_is_refused_by_every_function)
{
    solo_entity carrier = solo_set_unique_score(solo, score_of(1)), other = solo_create_entity(solo);
    ck_assert_int_eq(solo_add_score(solo, other, score_of(2)), KIN_ERROR_UNIQUE);
    ck_assert_str_eq(errors.entries[0].message, "solo: cannot add Score of entity 2 in slot 1: entity 1 in slot 0 "
                                                "has it; replace it there, or remove it there first");
    ck_assert_reported(&errors, KIN_ERROR_UNIQUE);
    ck_assert_refused(&errors, solo_replace_score(solo, other, score_of(2)), KIN_ERROR_UNIQUE);
    ck_assert_refused(&errors, solo_add_score(solo, carrier, score_of(2)), KIN_ERROR_HAS_COMPONENT);
    ck_assert(!solo_has_score(solo, other));
    ck_assert_int_eq(solo_get_score(solo, carrier)->value, 1);
    ck_assert_int_eq(solo_set_paused(solo, carrier, true), KIN_OK);
    ck_assert_refused(&errors, solo_set_paused(solo, other, true), KIN_ERROR_UNIQUE);
}
END_TEST

START_TEST(uni_02_set_creates_an_entity_and_refuses_a_second)
{
    solo_entity carrier = solo_set_unique_score(solo, score_of(7));
    ck_assert_uint_eq(carrier.id, (uint64_t)1 << 24);
    ck_assert_int_eq(solo_get_unique_score(solo)->value, 7);
    ck_assert(solo_entity_equals(solo_set_unique_score(solo, score_of(8)), SOLO_NO_ENTITY));
    ck_assert_str_eq(
        errors.entries[0].message,
        "solo: cannot set the unique Score: entity 1 in slot 0 has it; replace it there, or remove it there first");
    ck_assert_reported(&errors, KIN_ERROR_UNIQUE);
    ck_assert_uint_eq(solo_entity_count(solo), 1);
    ck_assert_int_eq(solo_get_unique_score(solo)->value, 7);
    ck_assert_uint_eq(solo_create_entity(solo).id >> 24, 2); // the refused creation used no index
}
END_TEST

START_TEST(uni_03_replace_sets_or_replaces_and_returns_the_entity)
{
    solo_entity carrier = solo_replace_unique_score(solo, score_of(1));
    const Score *score = solo_get_unique_score(solo);
    call_log_subscribe(solo_scored_group(solo), KIN_MODIFIED, "m");
    ck_assert(solo_entity_equals(solo_replace_unique_score(solo, score_of(2)), carrier));
    ck_assert_ptr_eq(solo_get_unique_score(solo), score); // the value has not moved
    ck_assert_int_eq(score->value, 2);
    ck_assert_str_eq(call_log_labels(), "m ");
    ck_assert_int_eq(*(const int64_t *)(const void *)calls.calls[0].previous, 1);
    ck_assert_int_eq(*(const int64_t *)(const void *)calls.calls[0].value, 2);
}
END_TEST

START_TEST(uni_04_remove_destroys_the_entity_with_all_its_components)
{
    solo_entity carrier = solo_set_unique_score(solo, score_of(1));
    solo_add_place(solo, carrier, (Place){4});
    ck_assert_int_eq(solo_remove_unique_score(solo), KIN_OK);
    ck_assert(!solo_entity_is_alive(solo, carrier));
    ck_assert_int_eq(solo_remove_unique_score(solo), KIN_ERROR_NO_COMPONENT);
    ck_assert_str_eq(errors.entries[0].message,
                     "solo: cannot remove the unique Score: no entity has it; test for it first");
    ck_assert_reported(&errors, KIN_ERROR_NO_COMPONENT);
}
END_TEST

START_TEST(uni_05_without_an_entity_that_has_it_queries_report_no_error)
{
    ck_assert(!solo_has_unique_score(solo));
    ck_assert_ptr_null(solo_get_unique_score(solo));
    ck_assert(solo_entity_equals(solo_unique_score_entity(solo), SOLO_NO_ENTITY));
    ck_assert(!solo_is_unique_paused(solo));
    ck_assert(solo_entity_equals(solo_unique_paused_entity(solo), SOLO_NO_ENTITY));
}
END_TEST

START_TEST(uni_06_a_unique_flag_is_switched_on_and_off)
{
    ck_assert_int_eq(solo_set_unique_paused(solo, false), KIN_OK);
    ck_assert_int_eq(solo_set_unique_paused(solo, true), KIN_OK);
    ck_assert_int_eq(solo_set_unique_paused(solo, true), KIN_OK);
    ck_assert_uint_eq(solo_entity_count(solo), 1);
    ck_assert(solo_is_paused(solo, solo_unique_paused_entity(solo)) && solo_is_unique_paused(solo));
    ck_assert_int_eq(solo_set_unique_paused(solo, false), KIN_OK);
    ck_assert_uint_eq(solo_entity_count(solo), 0);
    ck_assert(!solo_is_unique_paused(solo));
}
END_TEST

START_TEST(uni_07_removing_the_component_leaves_the_entity)
{
    solo_entity carrier = solo_set_unique_score(solo, score_of(1)), other = solo_create_entity(solo);
    ck_assert_int_eq(solo_remove_score(solo, carrier), KIN_OK);
    ck_assert(solo_entity_is_alive(solo, carrier) && !solo_has_unique_score(solo));
    ck_assert_int_eq(solo_add_score(solo, other, score_of(2)), KIN_OK);
    ck_assert(solo_entity_equals(solo_unique_score_entity(solo), other));
}
END_TEST

START_TEST(uni_08_edit_unique_edits_the_component_of_the_carrier)
{
    ck_assert_ptr_null(solo_edit_unique_score(solo));
    solo_entity carrier = solo_set_unique_score(solo, score_of(1));
    call_log_subscribe(solo_scored_group(solo), KIN_MODIFIED, "m");
    ck_assert_ptr_eq(solo_edit_unique_score(solo), solo_edit_score(solo, carrier));
    solo_edit_unique_score(solo)->value = 6;
    ck_assert_int_eq(solo_get_score(solo, carrier)->value, 6);
    ck_assert_uint_eq(calls.count, 0);
    solo_remove_unique_score(solo);
    ck_assert_ptr_null(solo_edit_unique_score(solo));
}
END_TEST

static bool was_free;

static void set_again(const kin_change *change, void *user)
{
    (void)user;
    solo_context *context = solo_context_of(change->context);
    was_free = !solo_has_unique_score(context) && solo_get_unique_score(context) == NULL;
    if (was_free && change->previous != NULL)
        solo_set_unique_score(context, score_of(((const Score *)change->previous)->value + 1));
}

START_TEST(ent_13_uniqueness_is_free_once_the_destruction_has_begun)
{
    solo_set_unique_score(solo, score_of(1));
    kin_subscription subscription = kin_group_subscribe(solo_scored_group(solo), KIN_REMOVED, set_again, NULL);
    ck_assert_int_eq(solo_remove_unique_score(solo), KIN_OK);
    ck_assert(was_free);
    ck_assert_int_eq(solo_get_unique_score(solo)->value, 2);
    kin_unsubscribe(subscription);
}
END_TEST

static void set_in_between(const kin_change *change, void *user)
{
    (void)user;
    solo_context *context = solo_context_of(change->context);
    if (!solo_has_unique_score(context) && solo_entity_count(context) == 1)
        solo_add_score(context, solo_entity_of(change->entity), score_of(99));
}

START_TEST(cpy_05_a_listener_that_makes_setting_impossible_undoes_the_entity)
{
    kin_group_subscribe(solo_not_paused_group(solo), KIN_ADDED, set_in_between, NULL);
    ck_assert(solo_entity_equals(solo_set_unique_score(solo, score_of(1)), SOLO_NO_ENTITY));
    ck_assert_reported(&errors, KIN_ERROR_HAS_COMPONENT);
    ck_assert_uint_eq(solo_entity_count(solo), 0);
    ck_assert(!solo_has_unique_score(solo));
}
END_TEST

static void reset_and_create(const kin_change *change, void *user)
{
    uint32_t *times = user;
    if ((*times)++ > 0)
        return;
    ck_assert_int_eq(solo_context_reset(solo), KIN_OK);
    ck_assert_uint_eq(solo_create_entity(solo).id, change->entity);
}

START_TEST(cpy_05_a_reset_that_gives_the_handle_out_again_ends_the_setting)
{
    uint32_t times = 0;
    kin_context_subscribe(&solo->base, KIN_ENTITY_CREATED, reset_and_create, &times);
    ck_assert_uint_eq(solo_set_unique_score(solo, score_of(1)).id, 0);
    ck_assert_reported(&errors, KIN_ERROR_NOT_ALIVE);
    ck_assert(!solo_has_unique_score(solo));
    ck_assert_uint_eq(solo_entity_count(solo), 1);
}
END_TEST

START_TEST(a_group_shows_pointers_to_the_values_of_a_unique_component)
{
    solo_entity carrier = solo_set_unique_score(solo, score_of(3));
    solo_set_quiet(solo, carrier, true);
    solo_quiet_scored_iter it = solo_quiet_scored_iterate(solo);
    ck_assert(solo_quiet_scored_next(&it));
    ck_assert_uint_eq(it.count, 1);
    ck_assert_ptr_eq(it.score[0], solo_edit_score(solo, carrier));
    it.score[0]->value = 4;
    ck_assert_int_eq(solo_get_score_unchecked(solo, carrier)->value, 4);
    ck_assert(!solo_quiet_scored_next(&it));
}
END_TEST

START_TEST(no_memory_for_setting_changes_nothing)
{
    for (uint64_t fail = 0; !solo_has_unique_score(solo); fail++) {
        guard_fail(&memory, fail + 1, true);
        solo_entity made = solo_set_unique_score(solo, score_of(1));
        guard_fail(&memory, 0, false);
        if (solo_has_unique_score(solo))
            break;
        ck_assert(solo_entity_equals(made, SOLO_NO_ENTITY));
        ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
        ck_assert_uint_eq(solo_entity_count(solo), 0);
        ck_assert(kin__context_is_valid(&solo->base));
        ck_assert_uint_lt(fail, 100);
    }
    ck_assert_uint_eq(solo_unique_score_entity(solo).id >> 24, 1);
}
END_TEST

START_TEST(a_reset_frees_uniqueness_and_values)
{
    solo_set_unique_score(solo, score_of(1));
    solo_set_unique_paused(solo, true);
    ck_assert_int_eq(solo_context_reset(solo), KIN_OK);
    ck_assert(!solo_has_unique_score(solo) && !solo_is_unique_paused(solo));
    ck_assert_uint_eq(solo_set_unique_score(solo, score_of(1)).id, (uint64_t)1 << 24);
    ck_assert(solo_info.components[SOLO_SCORE].is_unique && solo_info.components[SOLO_SCORE].is_boxed);
    ck_assert(solo_info.components[SOLO_PAUSED].is_unique && !solo_info.components[SOLO_PLACE].is_unique);
}
END_TEST

Suite *runtime_unique_suite(void)
{
    Suite *suite = suite_create("runtime_unique");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, solo_begin, solo_end);
    tcase_add_test(rules, uni_01_a_second_entity_with_the_component_is_refused_by_every_function);
    tcase_add_test(rules, uni_02_set_creates_an_entity_and_refuses_a_second);
    tcase_add_test(rules, uni_03_replace_sets_or_replaces_and_returns_the_entity);
    tcase_add_test(rules, uni_04_remove_destroys_the_entity_with_all_its_components);
    tcase_add_test(rules, uni_05_without_an_entity_that_has_it_queries_report_no_error);
    tcase_add_test(rules, uni_06_a_unique_flag_is_switched_on_and_off);
    tcase_add_test(rules, uni_07_removing_the_component_leaves_the_entity);
    tcase_add_test(rules, uni_08_edit_unique_edits_the_component_of_the_carrier);
    tcase_add_test(rules, ent_13_uniqueness_is_free_once_the_destruction_has_begun);
    tcase_add_test(rules, cpy_05_a_listener_that_makes_setting_impossible_undoes_the_entity);
    tcase_add_test(rules, cpy_05_a_reset_that_gives_the_handle_out_again_ends_the_setting);
    tcase_add_test(rules, a_group_shows_pointers_to_the_values_of_a_unique_component);
    tcase_add_test(rules, no_memory_for_setting_changes_nothing);
    tcase_add_test(rules, a_reset_frees_uniqueness_and_values);
    suite_add_tcase(suite, rules);
    return suite;
}
