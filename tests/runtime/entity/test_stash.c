// Stashed values, and adding again (CPY-07).
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "runtime/support/drops.h"
#include "suites.h"

#include <closet/closet.h>
#include <kin/memory.h>
#include <string.h>

CASE(closet)

static closet_entity one, other;

static void begin(void)
{
    drops();
    closet_begin();
    one = closet_create_entity(closet);
    other = closet_create_entity(closet);
}

static Trunk trunk_of(const char *name, int32_t weight)
{
    Trunk trunk = {.name = name};
    trunk.weights[0] = trunk.weights[39] = weight;
    return trunk;
}

// ---- stash and restore

START_TEST(cpy_07_a_stashed_component_is_restored_with_its_value)
{
    closet_add_cell(closet, one, (Cell){3, 4});
    ck_assert_int_eq(closet_stash_cell(closet, one), KIN_OK);
    ck_assert(!closet_has_cell(closet, one));
    ck_assert_ptr_null(closet_get_cell(closet, one));
    ck_assert_uint_eq(kin_group_count(closet_cells_group(closet)), 0);

    ck_assert_int_eq(closet_restore_cell(closet, one), KIN_OK);
    ck_assert_int_eq(closet_get_cell(closet, one)->x, 3);
    ck_assert_int_eq(closet_get_cell(closet, one)->y, 4);
    ck_assert_refused(&errors, closet_restore_cell(closet, one), KIN_ERROR_NO_COMPONENT);
}
END_TEST

START_TEST(cpy_07_stash_and_restore_notify_as_remove_and_add_do)
{
    call_log_subscribe(closet_cells_group(closet), KIN_ADDED, "added");
    call_log_subscribe(closet_cells_group(closet), KIN_REMOVED, "removed");
    closet_add_cell(closet, one, (Cell){3, 4});
    closet_stash_cell(closet, one);
    closet_restore_cell(closet, one);
    ck_assert_str_eq(call_log_labels(), "added removed added ");
    ck_assert_mem_eq(calls.calls[1].previous, (&(Cell){3, 4}), sizeof(Cell));
    ck_assert_mem_eq(calls.calls[2].value, (&(Cell){3, 4}), sizeof(Cell));
}
END_TEST

START_TEST(cpy_07_values_come_back_wherever_they_are_kept)
{
    closet_add_trail(closet, one, (Trail){1.5f, 7});
    closet_add_trunk(closet, one, trunk_of("oak", 9));
    closet_add_coat(closet, one, (Coat){"loden", 50});
    closet_stash_trail(closet, one);
    closet_stash_trunk(closet, one);
    closet_stash_coat(closet, one);
    kin_context_trim(&closet->base);
    ck_assert(kin__context_is_valid(&closet->base));
    closet_restore_trail(closet, one);
    closet_restore_trunk(closet, one);
    closet_restore_coat(closet, one);

    Trail trail = {0};
    ck_assert(closet_read_trail(closet, one, &trail));
    ck_assert(trail.x == 1.5f && trail.length == 7);
    ck_assert_str_eq(closet_get_trunk(closet, one)->name, "oak");
    ck_assert_int_eq(closet_get_trunk(closet, one)->weights[39], 9);
    ck_assert_str_eq(closet_get_coat(closet, one)->name, "loden");
}
END_TEST

START_TEST(cpy_07_an_addition_in_between_drops_the_stashed_value)
{
    closet_add_coin(closet, one, (Coin){{1}});
    closet_stash_coin(closet, one);
    ck_assert_str_eq(drops(), "");
    closet_replace_coin(closet, one, (Coin){{2}});
    ck_assert_str_eq(drops(), "1 ");
    closet_remove_coin(closet, one);
    ck_assert_str_eq(drops(), "2 ");
    ck_assert_refused(&errors, closet_restore_coin(closet, one), KIN_ERROR_NO_COMPONENT);
}
END_TEST

START_TEST(cpy_07_the_death_of_the_entity_drops_the_stashed_value)
{
    closet_add_coin(closet, one, (Coin){{1}});
    closet_add_cell(closet, one, (Cell){1, 1});
    closet_stash_coin(closet, one);
    closet_stash_cell(closet, one);
    closet_destroy_entity(closet, one);
    ck_assert_str_eq(drops(), "1 ");
    closet_entity again = closet_create_entity(closet);
    ck_assert_uint_eq(kin_entity_slot(again.id), kin_entity_slot(one.id));
    ck_assert_refused(&errors, closet_restore_cell(closet, again), KIN_ERROR_NO_COMPONENT);
}
END_TEST

static void check_context(const kin_change *change, void *user)
{
    (void)change, (void)user;
    ck_assert(kin__context_is_valid(&closet->base));
}

START_TEST(cpy_07_a_listener_of_the_death_finds_no_stashed_value)
{
    kin_group_subscribe(closet_cells_group(closet), KIN_REMOVED, check_context, NULL);
    closet_add_coin(closet, one, (Coin){{1}});
    closet_add_cell(closet, one, (Cell){1, 1});
    closet_stash_coin(closet, one);
    closet_destroy_entity(closet, one);
    ck_assert_str_eq(drops(), "1 ");
}
END_TEST

START_TEST(cpy_07_cmp_13_an_opaque_value_that_was_stashed_and_restored_is_dropped_once)
{
    closet_add_coin(closet, one, (Coin){{1}});
    for (int i = 0; i < 3; i++) {
        closet_stash_coin(closet, one);
        closet_restore_coin(closet, one);
    }
    ck_assert_str_eq(drops(), "");
    ck_assert_int_eq(closet_get_coin(closet, one)->token.number, 1);
    closet_remove_coin(closet, one);
    ck_assert_str_eq(drops(), "1 ");
}
END_TEST

START_TEST(cpy_07_ctx_09_stashed_values_are_freed_with_their_context)
{
    closet_add_coin(closet, one, (Coin){{4}});
    closet_add_trunk(closet, one, trunk_of("oak", 9));
    closet_stash_coin(closet, one);
    closet_stash_trunk(closet, one);
    ck_assert_int_eq(closet_context_reset(closet), KIN_OK);
    ck_assert_str_eq(drops(), "4 ");
    one = closet_create_entity(closet);
    closet_add_coin(closet, one, (Coin){{5}});
    closet_stash_coin(closet, one);
    closet_end();
    ck_assert_str_eq(drops(), "5 ");
    begin();
}
END_TEST

START_TEST(cpy_02_a_clone_gets_no_stashed_component)
{
    closet_add_cell(closet, one, (Cell){1, 1});
    closet_stash_cell(closet, one);
    closet_entity clone = closet_clone_entity(closet, one);
    ck_assert(!closet_has_cell(closet, clone));
    ck_assert_refused(&errors, closet_restore_cell(closet, clone), KIN_ERROR_NO_COMPONENT);
}
END_TEST

// ---- checks

START_TEST(cpy_07_stash_has_the_checks_of_remove)
{
    ck_assert_refused(&errors, closet_stash_cell(closet, one), KIN_ERROR_NO_COMPONENT);
    ck_assert_refused(&errors, closet_stash_cell(closet, CLOSET_NO_ENTITY), KIN_ERROR_NOT_ALIVE);
    ck_assert_refused(&errors, closet_restore_cell(closet, CLOSET_NO_ENTITY), KIN_ERROR_NOT_ALIVE);
}
END_TEST

START_TEST(cpy_07_idx_03_a_key_that_was_taken_meanwhile_refuses_the_restoring_and_keeps_the_value)
{
    closet_add_number(closet, one, (Number){7});
    closet_stash_number(closet, one);
    ck_assert_uint_eq(closet_entity_with_number_value(closet, 7).id, 0);
    closet_add_number(closet, other, (Number){7});
    ck_assert_refused(&errors, closet_restore_number(closet, one), KIN_ERROR_DUPLICATE_KEY);
    closet_remove_number(closet, other);
    ck_assert_int_eq(closet_restore_number(closet, one), KIN_OK);
    ck_assert_uint_eq(closet_entity_with_number_value(closet, 7).id, one.id);
}
END_TEST

START_TEST(cpy_07_uni_01_a_stashed_crown_can_be_carried_by_another)
{
    closet_add_crown(closet, one, (Crown){2});
    closet_stash_crown(closet, one);
    ck_assert(!closet_has_unique_crown(closet));
    closet_add_crown(closet, other, (Crown){3});
    ck_assert_refused(&errors, closet_restore_crown(closet, one), KIN_ERROR_UNIQUE);
    closet_remove_crown(closet, other);
    ck_assert_int_eq(closet_restore_crown(closet, one), KIN_OK);
    ck_assert_int_eq(closet_get_unique_crown(closet)->weight, 2);
}
END_TEST

START_TEST(err_01_without_memory_no_value_is_stashed_and_none_is_lost)
{
    closet_add_trunk(closet, one, trunk_of("oak", 9));
    for (uint64_t number = 1;; number++) {
        guard_fail(&memory, number, true);
        kin_status stashed = closet_has_trunk(closet, one) ? closet_stash_trunk(closet, one) : KIN_OK;
        kin_status restored = stashed == KIN_OK ? closet_restore_trunk(closet, one) : KIN_OK;
        bool failed = guard_has_failed(&memory);
        guard_fail(&memory, 0, false);
        ck_assert(kin__context_is_valid(&closet->base));
        ck_assert_uint_eq(errors.count, failed ? 1 : 0);
        error_log_clear(&errors);
        if (stashed == KIN_OK && restored == KIN_OK)
            break;
    }
    ck_assert_str_eq(closet_get_trunk(closet, one)->name, "oak");
}
END_TEST

// ---- from listeners

static void add_another(const kin_change *change, void *user)
{
    (void)user;
    closet_add_coin(closet, closet_entity_of(change->entity), (Coin){{2}});
}

START_TEST(cpy_07_a_listener_of_the_stashing_may_add_another_one)
{
    closet_add_coin(closet, one, (Coin){{1}});
    kin_group *coins = closet_group(closet, KIN_MATCHER(KIN_ALL(CLOSET_COIN)));
    kin_group_subscribe(coins, KIN_REMOVED, add_another, NULL);
    ck_assert_int_eq(closet_stash_coin(closet, one), KIN_OK);
    ck_assert_int_eq(closet_get_coin(closet, one)->token.number, 2);
    ck_assert_str_eq(drops(), "1 ");
}
END_TEST

static void stash_again(const kin_change *change, void *user)
{
    uint32_t *left = user;
    if ((*left)-- > 0)
        closet_stash_coat(closet, closet_entity_of(change->entity));
    const Coat *shown = change->value;
    ck_assert_str_eq(shown->name, "loden");
}

START_TEST(dsp_09_a_restored_value_is_shown_also_where_it_was_stashed_again)
{
    uint32_t times = 2;
    closet_add_coat(closet, one, (Coat){"loden", 50});
    kin_group_subscribe(closet_coats_group(closet), KIN_ADDED, stash_again, &times);
    for (uint32_t i = 0; i < 3; i++) {
        if (closet_has_coat(closet, one))
            closet_stash_coat(closet, one);
        closet_restore_coat(closet, one);
    }
    ck_assert_str_eq(closet_get_coat(closet, one)->name, "loden");
}
END_TEST

static void stash_and_restore(const kin_change *change, void *user)
{
    uint32_t *left = user;
    if (*left == 0)
        return;
    --*left;
    closet_entity entity = closet_entity_of(change->entity);
    ck_assert_int_eq(closet_stash_trunk(closet, entity), KIN_OK);
    ck_assert_int_eq(closet_restore_trunk(closet, entity), KIN_OK);
    ck_assert_int_eq(closet_readd_trunk(closet, entity, trunk_of("ash", 8)), KIN_OK);
}

START_TEST(cpy_07_a_listener_may_stash_a_component_just_added)
{
    uint32_t times = 1;
    kin_group *trunks = closet_group(closet, KIN_MATCHER(KIN_ALL(CLOSET_TRUNK)));
    kin_group_subscribe(trunks, KIN_ADDED, stash_and_restore, &times);
    ck_assert_int_eq(closet_add_trunk(closet, one, trunk_of("oak", 9)), KIN_OK);
    ck_assert_str_eq(closet_get_trunk(closet, one)->name, "ash");
}
END_TEST

static void note_coat(closet_context *context, closet_entity entity, const Coat *value, void *user)
{
    (void)context, (void)entity;
    strcpy(user, value->name);
}

static closet_entity held;
static uint32_t depth;

static void release_at_the_limit(const kin_change *change, void *user)
{
    (void)change, (void)user;
    if (++depth < 64)
        closet_touch_cell(closet, other);
    else
        ck_assert_int_eq(closet_release_entity(closet, held, &held), KIN_OK);
}

START_TEST(dsp_13_a_release_that_notifies_nothing_is_not_refused_beside_stashed_values)
{
    depth = 0;
    held = closet_create_entity(closet);
    closet_add_cell(closet, one, (Cell){1, 1});
    closet_add_cell(closet, other, (Cell){2, 2});
    closet_stash_cell(closet, one);
    closet_retain_entity(closet, held, &held);
    closet_destroy_entity(closet, held);
    kin_group_subscribe(closet_cells_group(closet), KIN_MODIFIED, release_at_the_limit, NULL);
    closet_touch_cell(closet, other);
    ck_assert_uint_eq(depth, 64);
    ck_assert_uint_eq(kin_context_retained_count(&closet->base), 0);
}
END_TEST

START_TEST(evt_05_a_stashed_value_is_the_last_one_of_its_removal)
{
    char written[16] = "";
    kin_systems *events = closet_event_systems(closet);
    closet_add_any_coat_removed_listener(closet, other, note_coat, written);
    closet_add_coat(closet, one, (Coat){"loden", 50});
    closet_stash_coat(closet, one);
    closet_restore_coat(closet, one);
    kin_systems_execute(events, 0);
    ck_assert_str_eq(written, "");
    closet_stash_coat(closet, one);
    kin_systems_execute(events, 0);
    ck_assert_str_eq(written, "loden");
    ck_assert_int_eq(closet_restore_coat(closet, one), KIN_OK);
    kin_systems_destroy(events);
}
END_TEST

// ---- adding again

START_TEST(adding_again_removes_and_adds_and_reports_both)
{
    call_log_subscribe(closet_cells_group(closet), KIN_ADDED, "added");
    call_log_subscribe(closet_cells_group(closet), KIN_REMOVED, "removed");
    call_log_subscribe(closet_cells_group(closet), KIN_MODIFIED, "modified");
    ck_assert_int_eq(closet_readd_cell(closet, one, (Cell){1, 2}), KIN_OK);
    ck_assert_int_eq(closet_readd_cell(closet, one, (Cell){3, 4}), KIN_OK);
    ck_assert_str_eq(call_log_labels(), "added removed added ");
    ck_assert_int_eq(closet_get_cell(closet, one)->x, 3);
}
END_TEST

START_TEST(adding_again_is_refused_as_a_whole)
{
    closet_add_number(closet, one, (Number){1});
    closet_add_number(closet, other, (Number){2});
    call_log_subscribe(closet_numbers_group(closet), KIN_REMOVED, "removed");
    ck_assert_refused(&errors, closet_readd_number(closet, one, (Number){2}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_refused(&errors, closet_readd_number(closet, CLOSET_NO_ENTITY, (Number){3}), KIN_ERROR_NOT_ALIVE);
    ck_assert_str_eq(call_log_labels(), "");
    ck_assert_int_eq(closet_get_number(closet, one)->value, 1);
    ck_assert_int_eq(closet_readd_number(closet, one, (Number){1}), KIN_OK);
}
END_TEST

START_TEST(adding_again_takes_texts_of_the_old_value)
{
    closet_add_coat(closet, one, (Coat){"loden", 50});
    Coat coat = *closet_get_coat(closet, one);
    ck_assert_int_eq(closet_readd_coat(closet, one, coat), KIN_OK);
    ck_assert_str_eq(closet_get_coat(closet, one)->name, "loden");
    closet_add_crown(closet, one, (Crown){2});
    ck_assert_int_eq(closet_readd_crown(closet, one, (Crown){3}), KIN_OK);
    ck_assert_int_eq(closet_get_unique_crown(closet)->weight, 3);
}
END_TEST

static void take_key(const kin_change *change, void *user)
{
    (void)change, (void)user;
    closet_add_number(closet, other, (Number){1});
}

START_TEST(adding_again_leaves_the_component_removed_if_a_listener_takes_its_key)
{
    closet_add_number(closet, one, (Number){1});
    kin_group_subscribe(closet_numbers_group(closet), KIN_REMOVED, take_key, NULL);
    ck_assert_refused(&errors, closet_readd_number(closet, one, (Number){1}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert(!closet_has_number(closet, one));
}
END_TEST

START_TEST(cmp_12_adding_again_uses_the_current_value_even_if_its_string_is_a_key)
{
    closet_add_label(closet, one, (Label){"a label in an index"});
    ck_assert_int_eq(closet_readd_label(closet, one, *closet_get_label(closet, one)), KIN_OK);
    ck_assert_str_eq(closet_get_label(closet, one)->value, "a label in an index");
    ck_assert_uint_eq(closet_entity_with_label_value(closet, "a label in an index").id, one.id);
}
END_TEST

static void take_label(const kin_change *change, void *user)
{
    const Label *label = change->previous;
    (void)user;
    ck_assert_int_eq(closet_add_label(closet, other, *label), KIN_OK);
}

START_TEST(cmp_12_err_04_adding_again_describes_the_key_that_a_listener_took)
{
    closet_add_label(closet, one, (Label){"taken"});
    kin_group_subscribe(closet_labels_group(closet), KIN_REMOVED, take_label, NULL);
    ck_assert_int_eq(closet_readd_label(closet, one, *closet_get_label(closet, one)), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "has the key \"taken\""));
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert(!closet_has_label(closet, one));
    ck_assert_str_eq(closet_get_label(closet, other)->value, "taken");
}
END_TEST

START_TEST(cmp_13_adding_the_same_opaque_value_again_does_not_drop_it)
{
    closet_add_coin(closet, one, (Coin){{1}});
    ck_assert_int_eq(closet_readd_coin(closet, one, *closet_get_coin(closet, one)), KIN_OK);
    ck_assert_str_eq(drops(), "");
    ck_assert_int_eq(closet_readd_coin(closet, one, (Coin){{2}}), KIN_OK);
    ck_assert_str_eq(drops(), "1 ");
    closet_remove_coin(closet, one);
    ck_assert_str_eq(drops(), "2 ");
}
END_TEST

static void add_coin_9(const kin_change *change, void *user)
{
    (void)user;
    closet_add_coin(closet, closet_entity_of(change->entity), (Coin){{9}});
}

START_TEST(cmp_13_the_value_of_a_refused_adding_again_is_the_callers_and_the_old_one_is_dropped)
{
    kin_subscription adder = kin_group_subscribe(closet_coins_group(closet), KIN_REMOVED, add_coin_9, NULL);
    closet_add_coin(closet, one, (Coin){{1}});
    ck_assert_refused(&errors, closet_readd_coin(closet, one, (Coin){{2}}), KIN_ERROR_HAS_COMPONENT);
    ck_assert_str_eq(drops(), "1 ");
    ck_assert_refused(&errors, closet_readd_coin(closet, one, *closet_get_coin(closet, one)), KIN_ERROR_HAS_COMPONENT);
    ck_assert_str_eq(drops(), ""); // the first 9 is the caller's, the second is in the component
    kin_unsubscribe(adder);
    closet_destroy_entity(closet, one);
    ck_assert_str_eq(drops(), "9 ");
}
END_TEST

Suite *runtime_stash_suite(void)
{
    Suite *suite = suite_create("runtime_stash");
    TCase *stash = tcase_create("stash"), *readd = tcase_create("readd");
    tcase_add_checked_fixture(stash, begin, closet_end);
    tcase_add_test(stash, cpy_07_a_stashed_component_is_restored_with_its_value);
    tcase_add_test(stash, cpy_07_stash_and_restore_notify_as_remove_and_add_do);
    tcase_add_test(stash, cpy_07_values_come_back_wherever_they_are_kept);
    tcase_add_test(stash, cpy_07_an_addition_in_between_drops_the_stashed_value);
    tcase_add_test(stash, cpy_07_the_death_of_the_entity_drops_the_stashed_value);
    tcase_add_test(stash, cpy_07_a_listener_of_the_death_finds_no_stashed_value);
    tcase_add_test(stash, cpy_07_cmp_13_an_opaque_value_that_was_stashed_and_restored_is_dropped_once);
    tcase_add_test(stash, cpy_07_ctx_09_stashed_values_are_freed_with_their_context);
    tcase_add_test(stash, cpy_02_a_clone_gets_no_stashed_component);
    tcase_add_test(stash, cpy_07_stash_has_the_checks_of_remove);
    tcase_add_test(stash, cpy_07_idx_03_a_key_that_was_taken_meanwhile_refuses_the_restoring_and_keeps_the_value);
    tcase_add_test(stash, cpy_07_uni_01_a_stashed_crown_can_be_carried_by_another);
    tcase_add_test(stash, err_01_without_memory_no_value_is_stashed_and_none_is_lost);
    tcase_add_test(stash, cpy_07_a_listener_of_the_stashing_may_add_another_one);
    tcase_add_test(stash, cpy_07_a_listener_may_stash_a_component_just_added);
    tcase_add_test(stash, dsp_09_a_restored_value_is_shown_also_where_it_was_stashed_again);
    tcase_add_test(stash, dsp_13_a_release_that_notifies_nothing_is_not_refused_beside_stashed_values);
    tcase_add_test(stash, evt_05_a_stashed_value_is_the_last_one_of_its_removal);
    suite_add_tcase(suite, stash);
    tcase_add_checked_fixture(readd, begin, closet_end);
    tcase_add_test(readd, adding_again_removes_and_adds_and_reports_both);
    tcase_add_test(readd, adding_again_is_refused_as_a_whole);
    tcase_add_test(readd, adding_again_takes_texts_of_the_old_value);
    tcase_add_test(readd, adding_again_leaves_the_component_removed_if_a_listener_takes_its_key);
    tcase_add_test(readd, cmp_12_adding_again_uses_the_current_value_even_if_its_string_is_a_key);
    tcase_add_test(readd, cmp_12_err_04_adding_again_describes_the_key_that_a_listener_took);
    tcase_add_test(readd, cmp_13_adding_the_same_opaque_value_again_does_not_drop_it);
    tcase_add_test(readd, cmp_13_the_value_of_a_refused_adding_again_is_the_callers_and_the_old_one_is_dropped);
    suite_add_tcase(suite, readd);
    return suite;
}
