// Comparing snapshots: order, equality and values (SNP-24 to SNP-26).
#include "runtime/snapshot/archive.h"
#include "snapshot/snapshot.h"
#include "suites.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static crypt_entity one, two;

static void begin(void)
{
    archive_begin();
    one = crypt_create_entity(crypt);
    two = crypt_create_entity(crypt);
}

static void add_place(crypt_entity entity, float x, float y)
{
    ck_assert_int_eq(crypt_add_place(crypt, entity, (Place){.at = {x, y}}), KIN_OK);
}

// ---- order

START_TEST(snp_24_differences_come_by_slot_then_component)
{
    add_place(one, 1, 2);
    add_place(two, 3, 4);
    crypt_set_frozen(crypt, one, true);
    archive_save(&first);
    crypt_edit_place(crypt, two)->at.x = 5;
    crypt_edit_place(crypt, two)->at.y = 6;
    crypt_edit_place(crypt, one)->at.y = 7;
    crypt_set_frozen(crypt, two, true);
    crypt_set_frozen(crypt, one, false);
    crypt_add_path(crypt, one, (Path){.goal = two.id});
    ck_differences("crypt 1@0 Frozen -\n"
                   "crypt 1@0 Path + {goal: entity 2 in slot 1}\n"
                   "crypt 1@0 Place.at.y 2 -> 7\n"
                   "crypt 2@1 Frozen +\n"
                   "crypt 2@1 Place.at.x 3 -> 5, at.y 4 -> 6\n");
}
END_TEST

START_TEST(snp_24_entities_come_and_go_before_their_components)
{
    add_place(one, 1, 2);
    archive_save(&first);
    crypt_destroy_entity(crypt, one);
    crypt_set_frozen(crypt, two, true);
    crypt_entity three = crypt_spawn_post(crypt);
    ck_assert_uint_eq(kin_entity_slot(three.id), 512);
    ck_differences("crypt 1@0 - destroyed\n"
                   "crypt 1@0 Place -\n"
                   "crypt 2@1 Frozen +\n"
                   "crypt 3@512 + created (Place)\n"
                   "crypt 3@512 Place + {at: {x: 1, y: 0}}\n");
}
END_TEST

// Also where the new entity has the value of the one before, so that the snapshots share the column.
START_TEST(snp_24_a_slot_with_another_entity_is_one_gone_and_one_come)
{
    add_place(one, 1, 2);
    archive_save(&first);
    crypt_destroy_entity(crypt, one);
    one = crypt_create_entity(crypt);
    add_place(one, 1, 2);
    ck_differences("crypt 1@0 - destroyed\n"
                   "crypt 1@0 Place -\n"
                   "crypt 3@0 + created (Place)\n"
                   "crypt 3@0 Place + {at: {x: 1, y: 2}}\n");
}
END_TEST

typedef struct seen {
    kin_difference last;
    uint32_t count, most;
} seen;

static bool note(const kin_difference *difference, void *user)
{
    seen *seen = user;
    seen->last = *difference;
    return ++seen->count < seen->most;
}

START_TEST(snp_24_contexts_come_in_order_of_names)
{
    apse_context *apse = apse_context_create(NULL);
    kin_snapshot *of_apse = NULL;
    apse_create_entity(apse);
    archive_save(&first);
    ck_assert_int_eq(apse_save(apse, &of_apse), KIN_OK);
    kin__context_snapshot *parts[] = {of_apse->parts[0], first->parts[0]};
    kin_snapshot both = {.part_count = 2, .parts = parts};
    seen seen = {.most = 1};
    ck_assert_uint_eq(kin_snapshot_compare(NULL, &both, note, &seen), 1);
    ck_assert_str_eq(seen.last.context->name, "apse");
    seen.most = 99;
    ck_assert_uint_eq(kin_snapshot_compare(&both, NULL, note, &seen), 3);
    ck_assert_str_eq(seen.last.context->name, "crypt");
    ck_assert_uint_eq(kin_snapshot_compare(of_apse, first, NULL, NULL), 3);
    ck_assert_uint_eq(kin_snapshot_compare(of_apse, &both, NULL, NULL), 2);
    kin_snapshot_destroy(of_apse);
    apse_context_destroy(apse);
}
END_TEST

static bool count_visit(const kin_difference *difference, void *user)
{
    (void)difference;
    ++*(uint32_t *)user;
    return true;
}

START_TEST(snp_24_a_tool_compares_chunk_by_chunk)
{
    uint32_t visited = 0;
    add_place(one, 1, 2);
    archive_save(&first);
    crypt_set_frozen(crypt, two, true);
    crypt_edit_place(crypt, one)->at.y = 7;
    crypt_spawn_post(crypt);
    archive_save(&second);
    ck_assert_uint_eq(kin__snapshot_compare_chunk(first, second, &crypt_info, 0, count_visit, &visited), 2);
    ck_assert_uint_eq(kin__snapshot_compare_chunk(first, second, &crypt_info, 1, count_visit, &visited), 2);
    ck_assert_uint_eq(visited, 4);
    ck_assert_uint_eq(kin__snapshot_compare_chunk(first, second, &crypt_info, 2, count_visit, &visited), 0);
    ck_assert_uint_eq(kin__snapshot_compare_chunk(first, first, &crypt_info, 0, NULL, NULL), 0);
}
END_TEST

START_TEST(snp_24_a_visitor_ends_the_walk)
{
    seen seen = {.most = 3};
    archive_save(&first);
    for (int i = 0; i < 2000; i++)
        crypt_spawn_post(crypt);
    archive_save(&second);
    ck_assert_uint_eq(kin_snapshot_compare(first, second, note, &seen), 3);
    ck_assert_uint_eq(seen.count, 3);
    ck_assert_uint_eq(kin_snapshot_compare(first, second, NULL, NULL), 4000);
}
END_TEST

// ---- equality

START_TEST(snp_25_padding_is_never_a_difference)
{
    Padded *padded;
    crypt_add_padded(crypt, one, (Padded){.tiny = 1, .large = 2, .tail = 3});
    archive_save(&first);
    padded = crypt_edit_padded(crypt, one);
    ck_assert_ptr_nonnull(padded);
    memset(padded, 0xA5, sizeof *padded);
    padded->tiny = 1;
    padded->large = 2;
    padded->tail = 3;
    ck_differences("");
    padded->tail = 4;
    ck_differences("crypt 1@0 Padded.tail 3 -> 4\n");
}
END_TEST

// A NaN is equal to one with the same bits, and 0 differs from -0.
START_TEST(snp_25_numbers_differ_by_their_bits)
{
    crypt_add_padded(crypt, one, (Padded){.large = (double)NAN});
    crypt_add_padded(crypt, two, (Padded){.large = 0.0});
    archive_save(&first);
    crypt_edit_padded(crypt, one)->tiny = 1;
    crypt_edit_padded(crypt, two)->large = -0.0;
    ck_differences("crypt 1@0 Padded.tiny 0 -> 1\n"
                   "crypt 2@1 Padded.large 0 -> -0\n");
}
END_TEST

START_TEST(snp_25_strings_differ_by_content)
{
    crypt_add_name(crypt, one, (Name){.text = "ann", .brief = "b"});
    crypt_add_name(crypt, two, (Name){.text = NULL});
    archive_save(&first);
    crypt_replace_name(crypt, one, (Name){.text = "ann", .brief = {'b', '\0', 'x', 'y'}});
    ck_differences("");
    crypt_replace_name(crypt, one, (Name){.text = "anne", .brief = "c"});
    crypt_replace_name(crypt, two, (Name){.text = ""});
    ck_differences("crypt 1@0 Name.text \"ann\" -> \"anne\", brief \"b\" -> \"c\"\n"
                   "crypt 2@1 Name.text NULL -> \"\"\n");
}
END_TEST

START_TEST(snp_25_what_is_not_saved_is_passed_over)
{
    crypt_add_path(crypt, one, (Path){.goal = 0, .cache = 1});
    archive_save(&first);
    crypt_edit_path(crypt, one)->cache = 2;
    crypt_add_trail(crypt, one, (Trail){3});
    ck_differences("");
    crypt_edit_path(crypt, one)->goal = two.id;
    ck_differences("crypt 1@0 Path.goal none -> 2@1\n");
    archive_save(&first);
    crypt_destroy_entity(crypt, one);
    crypt_entity next = crypt_create_entity(crypt);
    crypt_add_trail(crypt, next, (Trail){4});
    ck_differences("crypt 1@0 - destroyed\n"
                   "crypt 1@0 Path -\n"
                   "crypt 3@0 + created\n");
}
END_TEST

START_TEST(snp_25_lists_differ_by_their_elements)
{
    static const Corner corners[] = {{.label = "a", .at = {1, 2}}, {.label = "b"}};
    static const int16_t levels[] = {1, 2, 3};
    Route route = {.stops = {corners, 2}, .levels = {levels, 3}};
    uint32_t count;
    crypt_add_route(crypt, one, route);
    archive_save(&first);
    crypt_replace_route(crypt, one, route);
    ck_differences("");
    crypt_edit_route_stops(crypt, one, &count)[0].label[3] = 'x'; // behind its NUL
    ck_differences("");
    crypt_edit_route_levels(crypt, one, &count)[1] = 9;
    ck_differences("crypt 1@0 Route.levels [1, 2, 3] -> [1, 9, 3]\n");
    crypt_edit_route_levels(crypt, one, &count)[1] = 2;
    crypt_push_route_levels(crypt, one, 4);
    crypt_edit_route_stops(crypt, one, &count)[1].at.y = 5;
    ck_differences(
        "crypt 1@0 Route.stops [{label: \"a\", at: {x: 1, y: 2}, uv: [0, 0]}, {label: \"b\", at: {x: 0, y: 0},"
        " uv: [0, 0]}] -> [{label: \"a\", at: {x: 1, y: 2}, uv: [0, 0]}, {label: \"b\", at: {x: 0, y: 5}, uv:"
        " [0, 0]}], levels [1, 2, 3] -> [1, 2, 3, 4]\n");
}
END_TEST

START_TEST(snp_25_structs_and_arrays_differ_by_their_elements)
{
    Form *form;
    crypt_add_form(crypt, one, (Form){.side = SIDE_LEFT, .owner = one});
    archive_save(&first);
    form = crypt_edit_form(crypt, one);
    form->corners[1].uv[1] = 2;
    form->corners[0].label[0] = 'q';
    form->side = SIDE_RIGHT;
    form->owner = two;
    form->on = true;
    ck_differences("crypt 1@0 Form.corners[0].label \"\" -> \"q\", corners[1].uv[1] 0 -> 2, side Left -> Right, "
                   "owner 1@0 -> 2@1, on false -> true\n");
}
END_TEST

START_TEST(snp_25_opaque_values_differ_by_their_bytes)
{
    crypt_add_pane(crypt, one, (Pane){&one});
    archive_save(&first);
    crypt_edit_pane(crypt, one)->pointer = &two;
    ck_differences("crypt 1@0 Pane.pointer <Pointer> -> <Pointer>\n");
}
END_TEST

START_TEST(snp_25_each_storage_is_compared)
{
    crypt_add_large(crypt, one, (Large){.weights = {1, 2}, .text = "t"});
    crypt_add_common(crypt, one, (Common){"c", 1});
    crypt_add_common(crypt, two, (Common){"c", 1});
    crypt_add_spread(crypt, one, (Spread){.number = 1, .at = {2, 3}, .height = 4});
    archive_save(&first);
    crypt_replace_common(crypt, one, (Common){"d", 1});
    crypt_replace_large(crypt, one, (Large){.weights = {1, 3}, .text = "t"});
    crypt_replace_spread(crypt, one, (Spread){.number = 1, .at = {2, 5}, .height = 4});
    ck_differences("crypt 1@0 Common.text \"c\" -> \"d\"\n"
                   "crypt 1@0 Large.weights[1] 2 -> 3\n"
                   "crypt 1@0 Spread.at.y 3 -> 5\n");
    crypt_replace_common(crypt, one, (Common){"c", 1});
    crypt_replace_large(crypt, one, (Large){.weights = {1, 2}, .text = "t"});
    crypt_replace_spread(crypt, one, (Spread){.number = 1, .at = {2, 3}, .height = 4});
    ck_differences("");
}
END_TEST

// ---- values

START_TEST(snp_26_values_are_good_as_long_as_the_snapshots)
{
    seen seen = {.most = 99};
    add_place(one, 1, 2);
    archive_save(&first);
    crypt_edit_place(crypt, one)->at.x = 9;
    archive_save(&second);
    kin_snapshot_compare(first, second, note, &seen);
    crypt_edit_place(crypt, one)->at.x = 3;
    archive_save(&third);
    crypt_destroy_entity(crypt, one);
    const Place *before = seen.last.before, *after = seen.last.after;
    ck_assert_uint_eq(seen.last.entity, one.id);
    ck_assert_uint_eq(seen.last.component, CRYPT_PLACE);
    ck_assert(before->at.x == 1 && before->at.y == 2);
    ck_assert(after->at.x == 9 && after->at.y == 2);
}
END_TEST

static bool check_spread(const kin_difference *difference, void *user)
{
    const Spread *before = difference->before, *after = difference->after;
    if (difference->component != CRYPT_SPREAD)
        return true;
    ck_assert(before == NULL || (before->number == 1 && before->at.y == 3 && before->height == 4));
    ck_assert(after == NULL || (after->number == 1 && after->at.y == 3 && after->height == 5));
    ++*(int *)user;
    return true;
}

START_TEST(snp_26_soa_values_are_put_together_for_the_call)
{
    int count = 0;
    crypt_add_spread(crypt, one, (Spread){.number = 1, .at = {2, 3}, .height = 4});
    archive_save(&first);
    crypt_replace_spread(crypt, one, (Spread){.number = 1, .at = {2, 3}, .height = 5});
    archive_save(&second);
    ck_assert_uint_eq(kin_snapshot_compare(first, second, check_spread, &count), 1);
    ck_assert_uint_eq(kin_snapshot_compare(NULL, second, check_spread, &count), 3);
    ck_assert_int_eq(count, 2);
}
END_TEST

static bool check_flag(const kin_difference *difference, void *user)
{
    (void)user;
    ck_assert_ptr_null(difference->before);
    ck_assert_ptr_nonnull(difference->after);
    return true;
}

START_TEST(snp_26_a_flag_that_is_there_is_not_null)
{
    archive_save(&first);
    crypt_set_frozen(crypt, one, true);
    archive_save(&second);
    ck_assert_uint_eq(kin_snapshot_compare(first, second, check_flag, NULL), 1);
}
END_TEST

// Stashed values, and the creation index of the next entity, are counted and not visited.
START_TEST(snp_26_differences_that_are_no_values_are_counted)
{
    seen seen = {.most = 99};
    crypt_add_memo(crypt, one, (Memo){"m"});
    crypt_stash_memo(crypt, one);
    archive_save(&first);
    crypt_destroy_entity(crypt, crypt_create_entity(crypt));
    archive_save(&second);
    ck_assert_uint_eq(kin_snapshot_compare(first, second, note, &seen), 1);
    ck_assert_uint_ne(kin_snapshot_hash(first), kin_snapshot_hash(second));
    archive_save(&first);
    crypt_restore_memo(crypt, one);
    crypt_replace_memo(crypt, one, (Memo){"n"});
    crypt_stash_memo(crypt, one);
    archive_save(&second);
    ck_assert_uint_eq(kin_snapshot_compare(first, second, note, &seen), 1);
    ck_assert_uint_ne(kin_snapshot_hash(first), kin_snapshot_hash(second));
    ck_assert_uint_eq(seen.count, 0);
}
END_TEST

// ---- calls

START_TEST(a_snapshot_of_an_ended_context_has_no_entities)
{
    crypt_context *other = crypt_context_create(NULL);
    kin_snapshot *ended = NULL;
    crypt_create_entity(other);
    ck_assert_int_eq(crypt_save(other, &ended), KIN_OK);
    archive_save(&first);
    ck_assert_uint_eq(kin_snapshot_count(ended, &crypt_info), 1);
    ck_assert_uint_eq(kin_snapshot_count(first, &crypt_info), 2);
    ck_assert_uint_eq(kin_snapshot_compare(ended, first, NULL, NULL), 1);
    crypt_context_destroy(other);
    ck_assert_uint_eq(kin_snapshot_count(ended, &crypt_info), 0);
    ck_assert_uint_eq(kin_snapshot_count(NULL, &crypt_info), 0);
    ck_assert_uint_eq(kin_snapshot_count(first, &apse_info), 0);
    ck_assert_uint_eq(kin_snapshot_compare(ended, first, NULL, NULL), 2);
    ck_assert_uint_eq(kin_snapshot_compare(NULL, NULL, NULL, NULL), 0);
    kin_snapshot_destroy(ended);
}
END_TEST

START_TEST(a_description_is_cut_where_it_does_not_fit)
{
    char text[17] = "x";
    kin_difference difference = {&crypt_info, one.id, CRYPT_FROZEN, NULL, &one};
    size_t length = strlen("crypt 1@0 Frozen +");
    ck_assert_uint_eq(kin_difference_describe(&difference, NULL, 0), length);
    ck_assert_uint_eq(kin_difference_describe(&difference, text, sizeof text), length);
    ck_assert_str_eq(text, "crypt 1@0 Frozen");
    ck_assert_uint_eq(kin_difference_describe(NULL, text, sizeof text), 0);
    ck_assert_str_eq(text, "");
}
END_TEST

Suite *runtime_compare_suite(void)
{
    Suite *suite = suite_create("runtime_compare");
    TCase *test = tcase_create("compare");
    tcase_add_checked_fixture(test, begin, archive_end);
    tcase_add_test(test, snp_24_differences_come_by_slot_then_component);
    tcase_add_test(test, snp_24_entities_come_and_go_before_their_components);
    tcase_add_test(test, snp_24_a_slot_with_another_entity_is_one_gone_and_one_come);
    tcase_add_test(test, snp_24_contexts_come_in_order_of_names);
    tcase_add_test(test, snp_24_a_tool_compares_chunk_by_chunk);
    tcase_add_test(test, snp_24_a_visitor_ends_the_walk);
    tcase_add_test(test, snp_25_padding_is_never_a_difference);
    tcase_add_test(test, snp_25_numbers_differ_by_their_bits);
    tcase_add_test(test, snp_25_strings_differ_by_content);
    tcase_add_test(test, snp_25_what_is_not_saved_is_passed_over);
    tcase_add_test(test, snp_25_lists_differ_by_their_elements);
    tcase_add_test(test, snp_25_structs_and_arrays_differ_by_their_elements);
    tcase_add_test(test, snp_25_opaque_values_differ_by_their_bytes);
    tcase_add_test(test, snp_25_each_storage_is_compared);
    tcase_add_test(test, snp_26_values_are_good_as_long_as_the_snapshots);
    tcase_add_test(test, snp_26_soa_values_are_put_together_for_the_call);
    tcase_add_test(test, snp_26_a_flag_that_is_there_is_not_null);
    tcase_add_test(test, snp_26_differences_that_are_no_values_are_counted);
    tcase_add_test(test, a_snapshot_of_an_ended_context_has_no_entities);
    tcase_add_test(test, a_description_is_cut_where_it_does_not_fit);
    suite_add_tcase(suite, test);
    return suite;
}
