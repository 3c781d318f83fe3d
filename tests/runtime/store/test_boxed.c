// Boxed components: the same rules as for other components, with values outside of their columns.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <kin/memory.h>
#include <larder/larder.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 700 };

CASE(larder)

static larder_entity entities[COUNT]; // in slots 0, 1, 2, …

static void begin(void)
{
    larder_begin();
    for (uint32_t i = 0; i < COUNT; i++)
        entities[i] = larder_create_entity(larder);
}

static Crate crate_of(int32_t number)
{
    Crate crate = crate_default();
    crate.number = number;
    crate.weights[0] = crate.weights[199] = -number;
    return crate;
}

static bool is_crate(const Crate *crate, int32_t number)
{
    return crate != NULL && crate->number == number && crate->weights[0] == -number && crate->weights[199] == -number;
}

// Adds a crate to each entity without one, with the number of its slot.
static void fill(void)
{
    for (uint32_t i = 0; i < COUNT; i++)
        larder_replace_crate(larder, entities[i], crate_of((int32_t)i));
}

START_TEST(cmp_10_a_boxed_value_keeps_its_address_until_it_is_removed)
{
    static const Crate *places[COUNT];
    fill();
    for (uint32_t i = 0; i < COUNT; i++)
        places[i] = larder_get_crate(larder, entities[i]);
    for (uint32_t i = 0; i < COUNT; i += 2)
        larder_remove_crate(larder, entities[i]);
    for (uint32_t i = 0; i < COUNT; i += 4)
        larder_add_crate(larder, entities[i], crate_of(-5));
    for (uint32_t i = 1; i < COUNT; i += 2) {
        larder_replace_crate(larder, entities[i], crate_of((int32_t)i + 1));
        larder_edit_crate(larder, entities[i])->weights[100] = 3;
        const Crate *crate = larder_get_crate_unchecked(larder, entities[i]);
        if (crate != places[i] || !is_crate(crate, (int32_t)i + 1) || crate->weights[100] != 3)
            ck_abort_msg("the crate in slot %u was moved or written over", i);
    }
    ck_assert_ptr_null(larder_get_crate(larder, entities[2]));
    ck_assert_ptr_null(larder_edit_crate(larder, entities[2]));
}
END_TEST

START_TEST(a_boxed_value_has_the_fields_that_are_given_and_no_others)
{
    larder_add_crate(larder, entities[0], crate_of(3));
    larder_remove_crate(larder, entities[0]);
    larder_add_crate(larder, entities[0], crate_default());
    const Crate *crate = larder_get_crate(larder, entities[0]);
    ck_assert(crate->number == 7 && crate->weights[0] == 0 && crate->weights[199] == 0);
    ck_assert_refused(&errors, larder_add_crate(larder, entities[0], crate_of(1)), KIN_ERROR_HAS_COMPONENT);
    ck_assert_int_eq(crate->number, 7);
    ck_assert(larder_info.components[LARDER_CRATE].is_boxed && larder_info.components[LARDER_LABEL].is_boxed);
    ck_assert(!larder_info.components[LARDER_LEDGE].is_boxed && larder_info.components[LARDER_MASTER].is_unique);
}
END_TEST

START_TEST(iterators_show_pointers_to_boxed_values_and_const_ones_where_nothing_can_be_edited)
{
    fill();
    uint32_t seen = 0;
    larder_crates_iter it = larder_crates_iterate(larder);
    while (larder_crates_next(&it)) {
        Crate *const *crates = it.crate;
        for (uint32_t i = 0; i < it.count; i++, seen++)
            crates[i]->weights[0] += crates[i]->number + 1;
    }
    ck_assert_uint_eq(seen, COUNT);
    larder_add_label(larder, entities[90], (Label){"salt", 2});
    larder_add_ledge(larder, entities[90], (Ledge){1});
    larder_labels_iter labels = larder_labels_iterate(larder);
    ck_assert(larder_labels_next_block(&labels));
    const Label *const *label = labels.label;
    ck_assert_uint_eq(labels.mask, (uint64_t)1 << 26);
    ck_assert_str_eq(label[26]->text, "salt");
    ck_assert_int_eq(larder_get_crate(larder, entities[699])->weights[0], 1);
}
END_TEST

// Places whose value was removed point to a spare value, not to a cell that another value uses since.
START_TEST(grp_10_all_of_a_run_can_be_read_and_written_whatever_became_of_the_values)
{
    fill();
    larder_crates_iter it = larder_crates_iterate(larder);
    ck_assert(larder_crates_next(&it) && it.count == 512);
    for (uint32_t slot = 0; slot < COUNT; slot++)
        larder_remove_crate(larder, entities[slot]);
    for (uint32_t slot = 1; slot < COUNT; slot += 2)
        larder_add_crate(larder, entities[slot], crate_of((int32_t)slot));
    for (uint32_t i = 0; i < it.count; i += 2)
        it.crate[i]->weights[0] = 12345 + it.crate[i]->number;
    for (uint32_t slot = 1; slot < COUNT; slot += 2)
        if (!is_crate(larder_get_crate(larder, entities[slot]), (int32_t)slot))
            ck_abort_msg("the crate in slot %u was written over", slot);
}
END_TEST

START_TEST(grp_10_places_of_a_block_that_never_had_a_value_can_be_read_too)
{
    larder_add_crate(larder, entities[3], crate_of(3));
    larder_crates_iter it = larder_crates_iterate(larder);
    ck_assert(larder_crates_next_block(&it));
    for (uint32_t i = 0; i < 64; i++)
        ck_assert_int_eq(it.crate[i]->number, i == 3 ? 3 : 0);
}
END_TEST

START_TEST(trim_gives_back_what_no_boxed_value_is_in)
{
    kin_context_trim(&larder->base);
    size_t before = kin_context_memory(&larder->base).total.allocated;
    fill();
    for (uint32_t i = 0; i < COUNT; i++)
        if (i != 600)
            larder_remove_crate(larder, entities[i]);
    const Crate *crate = larder_get_crate(larder, entities[600]);
    kin_context_trim(&larder->base);
    kin_memory columns = kin_context_memory(&larder->base).columns;
    ck_assert(larder_get_crate(larder, entities[600]) == crate && is_crate(crate, 600));
    ck_assert_uint_eq(columns.used, 64 + sizeof(void *) + sizeof(Crate));
    ck_assert_uint_lt(columns.allocated, 80 * sizeof(Crate)); // one block of many cells, one column
    larder_remove_crate(larder, entities[600]);
    kin_context_trim(&larder->base);
    ck_assert_uint_eq(kin_context_memory(&larder->base).total.allocated, before);
    fill();
    ck_assert(is_crate(larder_get_crate(larder, entities[0]), 0));
}
END_TEST

// One value costs a column of pointers, a block of one cell, a spare value and tables.
START_TEST(one_boxed_value_costs_little_more_than_its_column_and_itself)
{
    size_t before = kin_context_memory(&larder->base).columns.allocated;
    ck_assert_uint_eq(before, 0);
    larder_add_crate(larder, entities[0], crate_of(1));
    size_t one = kin_context_memory(&larder->base).columns.allocated;
    ck_assert_uint_lt(one, 512 * sizeof(void *) + 64 + 2 * sizeof(Crate) + 256);
    for (uint32_t i = 1; i < 256; i++)
        larder_add_crate(larder, entities[i], crate_of(1));
    ck_assert_uint_lt(kin_context_memory(&larder->base).columns.allocated, one + 270 * sizeof(Crate));
}
END_TEST

START_TEST(strings_of_boxed_values_belong_to_the_context_and_are_keys)
{
    char text[] = "salt";
    larder_add_label(larder, entities[5], (Label){text, 1});
    text[0] = 'm';
    ck_assert_str_eq(larder_get_label(larder, entities[5])->text, "salt");
    ck_assert_uint_eq(larder_entity_with_label_text(larder, "salt").id, entities[5].id);
    ck_assert_refused(&errors, larder_add_label(larder, entities[6], (Label){"salt", 1}), KIN_ERROR_DUPLICATE_KEY);
    larder_replace_label(larder, entities[5], (Label){larder_get_label(larder, entities[5])->text + 1, 1});
    ck_assert_uint_eq(larder_entity_with_label_text(larder, "alt").id, entities[5].id);
    larder_destroy_entity(larder, entities[5]);
    ck_assert_uint_eq(larder_entity_with_label_text(larder, "alt").id, 0);
}
END_TEST

START_TEST(clones_have_boxed_values_of_their_own)
{
    larder_add_crate(larder, entities[0], crate_of(4));
    larder_add_label(larder, entities[0], (Label){"salt", 1}); // has a primary key: clones leave it out
    larder_entity clone = larder_clone_entity(larder, entities[0]);
    larder_edit_crate(larder, entities[0])->number = 5;
    ck_assert(is_crate(larder_get_crate(larder, clone), 4) && !larder_has_label(larder, clone));
    larder_remove_all_components(larder, entities[0]);
    ck_assert(is_crate(larder_get_crate(larder, clone), 4));
}
END_TEST

START_TEST(dsp_09_listeners_are_shown_the_boxed_values_of_the_change)
{
    call_log_subscribe(larder_seals_group(larder), KIN_ADDED, "+");
    call_log_subscribe(larder_seals_group(larder), KIN_REMOVED, "-");
    larder_add_seal(larder, entities[0], (Seal){1});
    larder_replace_seal(larder, entities[0], (Seal){2});
    larder_edit_seal(larder, entities[0])->code = 3;
    larder_touch_seal(larder, entities[0]);
    larder_destroy_entity(larder, entities[0]);
    ck_assert_str_eq(call_log_labels(), "+ - + - + - ");
    static const signed char shown[] = {1, 1, 2, 3, 3, 3};
    for (uint32_t i = 0; i < 6; i++) {
        const unsigned char *value = i % 2 == 0 && i < 5 ? calls.calls[i].value : calls.calls[i].previous;
        ck_assert_int_eq((signed char)value[0], shown[i]);
    }
}
END_TEST

static char logged[64];

static void log_value(const char *what, const Seal *value)
{
    size_t size = strlen(logged);
    snprintf(logged + size, sizeof logged - size, "%s%d ", what, value->code);
}

static void on_seal(larder_context *context, larder_entity entity, const Seal *value, void *user)
{
    (void)context, (void)entity, (void)user;
    log_value("+", value);
}

static void on_removed(larder_context *context, larder_entity entity, const Seal *value, void *user)
{
    (void)context, (void)entity, (void)user;
    log_value("-", value);
}

START_TEST(evt_05_a_boxed_value_that_was_lost_is_passed_whatever_is_written_in_a_run)
{
    kin_systems *systems = larder_event_systems(larder);
    larder_add_any_seal_listener(larder, entities[0], on_seal, NULL);
    larder_add_any_seal_removed_listener(larder, entities[0], on_removed, NULL);
    logged[0] = '\0';
    larder_add_seal(larder, entities[1], (Seal){4});
    kin_systems_execute(systems, 0);
    larder_seals_iter it = larder_seals_iterate(larder);
    ck_assert(larder_seals_next(&it));
    larder_remove_seal(larder, entities[1]);
    it.seal[0]->code = 9; // writes to a spare value
    kin_systems_execute(systems, 0);
    ck_assert_str_eq(logged, "+4 -4 ");
    kin_systems_destroy(systems);
}
END_TEST

START_TEST(no_memory_for_a_boxed_value_changes_nothing)
{
    uint64_t fail = 1;
    for (; !larder_has_crate(larder, entities[0]); fail++) {
        guard_fail(&memory, fail, false);
        kin_status status = larder_add_crate(larder, entities[0], crate_of(1));
        guard_fail(&memory, 0, false);
        if (status == KIN_OK)
            break;
        ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
        ck_assert(kin__context_is_valid(&larder->base));
        kin_context_trim(&larder->base);
    }
    ck_assert_uint_eq(fail, 5); // the table, the slab, the column and the block
}
END_TEST

Suite *runtime_boxed_suite(void)
{
    Suite *suite = suite_create("runtime_boxed");
    TCase *tests = tcase_create("tests");
    tcase_add_checked_fixture(tests, begin, larder_end);
    tcase_add_test(tests, cmp_10_a_boxed_value_keeps_its_address_until_it_is_removed);
    tcase_add_test(tests, a_boxed_value_has_the_fields_that_are_given_and_no_others);
    tcase_add_test(tests, iterators_show_pointers_to_boxed_values_and_const_ones_where_nothing_can_be_edited);
    tcase_add_test(tests, grp_10_all_of_a_run_can_be_read_and_written_whatever_became_of_the_values);
    tcase_add_test(tests, grp_10_places_of_a_block_that_never_had_a_value_can_be_read_too);
    tcase_add_test(tests, trim_gives_back_what_no_boxed_value_is_in);
    tcase_add_test(tests, one_boxed_value_costs_little_more_than_its_column_and_itself);
    tcase_add_test(tests, strings_of_boxed_values_belong_to_the_context_and_are_keys);
    tcase_add_test(tests, clones_have_boxed_values_of_their_own);
    tcase_add_test(tests, dsp_09_listeners_are_shown_the_boxed_values_of_the_change);
    tcase_add_test(tests, evt_05_a_boxed_value_that_was_lost_is_passed_whatever_is_written_in_a_run);
    tcase_add_test(tests, no_memory_for_a_boxed_value_changes_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
