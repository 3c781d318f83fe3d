// Snapshots of shared values: which number each has, and where it is.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <gallery/gallery.h>

#include <kin/snapshot.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

CASE(salon)

static salon_entity entities[6];
static kin_snapshot *snapshot;

static void begin(void)
{
    salon_begin();
    for (uint32_t i = 0; i < 6; i++)
        entities[i] = salon_create_entity(salon);
    snapshot = NULL;
}

static void end(void)
{
    ck_assert(kin__context_is_valid(&salon->base));
    kin_snapshot_destroy(snapshot);
    salon_end();
}

static void restore(void)
{
    ck_assert_int_eq(salon_restore(salon, snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert(kin__context_is_valid(&salon->base));
}

static void label(uint32_t entity, const char *text)
{
    ck_assert_int_eq(salon_replace_label(salon, entities[entity], (Label){.text = text}), KIN_OK);
}

// Returns the values in order of their numbers: "0 a 2, 1 b 1, ", with how many entities have each.
static const char *labels(void)
{
    static char text[200];
    size_t length = 0;
    text[0] = '\0';
    for (salon_label_values it = salon_label_values_iterate(salon); salon_label_values_next(&it);)
        length += (size_t)snprintf(text + length, sizeof text - length, "%u %s %u, ", it.number_ - 1, it.value->text,
                                   it.count);
    return text;
}

START_TEST(snp_01_shared_values_have_their_numbers_again)
{
    label(0, "a");
    label(1, "b");
    label(2, "c");
    label(3, "c");
    salon_remove_label(salon, entities[1]);
    ck_assert_int_eq(salon_save(salon, &snapshot), KIN_OK);
    label(0, "z");
    label(4, "y");
    label(2, "x");
    label(3, "w");
    restore();
    ck_assert_str_eq(labels(), "0 a 1, 2 c 2, ");
    label(5, "n");
    label(4, "m");
    ck_assert_str_eq(labels(), "0 a 1, 1 n 1, 2 c 2, 3 m 1, ");
    restore();
    label(5, "c");
    ck_assert_str_eq(labels(), "0 a 1, 2 c 3, ");
}
END_TEST

START_TEST(snp_01_a_snapshot_keeps_no_number_from_the_next_value)
{
    label(0, "a");
    label(1, "b");
    ck_assert_int_eq(salon_save(salon, &snapshot), KIN_OK);
    salon_remove_label(salon, entities[0]);
    label(2, "c");
    ck_assert_str_eq(labels(), "0 c 1, 1 b 1, ");
    label(3, "a");
    ck_assert_str_eq(labels(), "0 c 1, 1 b 1, 2 a 1, ");
    restore();
    ck_assert_str_eq(labels(), "0 a 1, 1 b 1, ");
}
END_TEST

START_TEST(snp_16_equal_shared_values_keep_their_address)
{
    label(0, "a");
    const Label *before = salon_get_label(salon, entities[0]);
    ck_assert_int_eq(salon_save(salon, &snapshot), KIN_OK);
    label(0, "b");
    label(0, "a");
    ck_assert_ptr_eq(salon_get_label(salon, entities[0]), before);
    restore();
    ck_assert_ptr_eq(salon_get_label(salon, entities[0]), before);
    ck_assert_str_eq(before->text, "a");
}
END_TEST

START_TEST(snp_09_a_snapshot_keeps_shared_values_that_the_context_has_lost)
{
    label(0, "a text of some length");
    ck_assert_int_eq(salon_save(salon, &snapshot), KIN_OK);
    salon_destroy_entity(salon, entities[0]);
    kin_context_trim(&salon->base);
    ck_assert_str_eq(labels(), "");
    restore();
    ck_assert_str_eq(labels(), "0 a text of some length 1, ");
    salon_destroy_entity(salon, entities[0]);
    kin_snapshot_destroy(snapshot);
    snapshot = NULL;
    kin_context_trim(&salon->base);
    ck_assert(kin__context_is_valid(&salon->base));
    label(1, "b");
    ck_assert_str_eq(labels(), "0 b 1, ");
}
END_TEST

START_TEST(snp_17_an_index_over_shared_values_shows_the_restored_state)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < 6; i++)
        salon_add_style(salon, entities[i], (Style){i % 2, i % 2 == 0 ? "even" : "odd"});
    const salon_entity *even = salon_entities_with_style(salon, (Style){0, "even"}, &count);
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(salon_save(salon, &snapshot), KIN_OK);
    salon_replace_style(salon, entities[0], (Style){1, "odd"});
    salon_remove_style(salon, entities[2]);
    salon_destroy_entity(salon, entities[4]);
    ck_assert_uint_eq(even[2].id, entities[4].id);
    if (_i == 1) {
        ck_assert_ptr_null(salon_entities_with_style(salon, (Style){0, "even"}, &count));
        salon_entities_with_style(salon, (Style){1, "odd"}, &count);
        ck_assert_uint_eq(count, 4);
    }
    restore();
    if (_i == 0)
        ck_assert_uint_eq(even[2].id, entities[4].id);
    salon_entities_with_style(salon, (Style){1, "odd"}, &count);
    ck_assert_uint_eq(count, 3);
    even = salon_entities_with_style(salon, (Style){0, "even"}, &count);
    ck_assert_uint_eq(count, 3);
    ck_assert(even[0].id == entities[0].id && even[1].id == entities[2].id && even[2].id == entities[4].id);
    salon_entities_with_style_number(salon, 1, &count);
    ck_assert_uint_eq(count, 3);
}
END_TEST

START_TEST(snp_27_the_order_of_shared_values_is_in_the_hash)
{
    kin_snapshot *other = NULL;
    label(0, "a");
    label(1, "b");
    ck_assert_int_eq(salon_save(salon, &snapshot), KIN_OK);
    label(0, "c");
    label(2, "d");
    label(0, "a"); // "d" has the number that "a" had
    salon_remove_label(salon, entities[2]);
    ck_assert_str_eq(labels(), "1 b 1, 3 a 1, ");
    ck_assert_int_eq(salon_save(salon, &other), KIN_OK);
    ck_assert_uint_ne(kin_snapshot_hash(other), kin_snapshot_hash(snapshot));
    ck_assert_uint_eq(kin_snapshot_compare(snapshot, other, NULL, NULL), 1);
    restore();
    ck_assert_int_eq(salon_save(salon, &other), KIN_OK);
    ck_assert_uint_eq(kin_snapshot_hash(other), kin_snapshot_hash(snapshot));
    ck_assert_uint_eq(kin_snapshot_compare(snapshot, other, NULL, NULL), 0);
    kin_snapshot_destroy(other);
}
END_TEST

Suite *runtime_snapshot_shared_suite(void)
{
    Suite *suite = suite_create("runtime_snapshot_shared");
    TCase *tests = tcase_create("shared");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, snp_01_shared_values_have_their_numbers_again);
    tcase_add_test(tests, snp_01_a_snapshot_keeps_no_number_from_the_next_value);
    tcase_add_test(tests, snp_16_equal_shared_values_keep_their_address);
    tcase_add_test(tests, snp_27_the_order_of_shared_values_is_in_the_hash);
    tcase_add_test(tests, snp_09_a_snapshot_keeps_shared_values_that_the_context_has_lost);
    tcase_add_loop_test(tests, snp_17_an_index_over_shared_values_shows_the_restored_state, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
