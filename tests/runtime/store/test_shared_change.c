// Changes of shared values: what each operation does with them, listeners, memory and tools (SHR-02).
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <gallery/gallery.h>

#include <kin/inventory.h>
#include <kin/memory.h>
#include <kin/reflect.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CASE(salon)

static salon_entity first, second;

static void begin(void)
{
    salon_begin();
    first = salon_create_entity(salon);
    second = salon_create_entity(salon);
}

static void give(salon_entity entity, const char *text)
{
    ck_assert_int_eq(salon_replace_label(salon, entity, (Label){.text = text}), KIN_OK);
}

// Compares the texts of all labels, in order, with `expected`, and how many entities have each: "a x2, b x1, ".
static void ck_labels(const char *expected)
{
    char found[256] = "";
    salon_label_values it = salon_label_values_iterate(salon);
    while (salon_label_values_next(&it)) {
        size_t end = strlen(found);
        snprintf(found + end, sizeof found - end, "%s x%u, ", it.value->text, (unsigned)it.count);
    }
    ck_assert_str_eq(found, expected);
}

static const Label *get(salon_entity entity)
{
    return salon_get_label(salon, entity);
}

// ---- operations

START_TEST(shr_02_add_replace_and_remove_do_what_they_do_with_other_components)
{
    ck_assert_int_eq(salon_add_label(salon, first, (Label){.text = "a"}), KIN_OK);
    ck_assert_refused(&errors, salon_add_label(salon, first, (Label){.text = "a"}), KIN_ERROR_HAS_COMPONENT);
    ck_assert(salon_has_label(salon, first) && !salon_has_label(salon, second));
    ck_assert_int_eq(salon_replace_label(salon, second, (Label){.text = "a"}), KIN_OK);
    ck_labels("a x2, ");
    ck_assert_int_eq(salon_replace_label(salon, second, (Label){.text = "a"}), KIN_OK);
    ck_labels("a x2, ");
    ck_assert_int_eq(salon_readd_label(salon, second, (Label){.text = "b"}), KIN_OK);
    ck_labels("a x1, b x1, ");
    ck_assert_int_eq(salon_readd_label(salon, first, *get(first)), KIN_OK);
    ck_labels("a x1, b x1, ");
    ck_assert_int_eq(salon_remove_label(salon, first), KIN_OK);
    ck_assert_refused(&errors, salon_remove_label(salon, first), KIN_ERROR_NO_COMPONENT);
    ck_assert_ptr_null(get(first));
    ck_labels("b x1, ");
    ck_assert_ptr_eq(salon_ensure_label(salon, second), get(second));
}
END_TEST

START_TEST(shr_02_clones_and_copies_have_the_value_of_their_source)
{
    give(first, "a");
    salon_entity clone = salon_clone_entity(salon, first);
    ck_assert_ptr_eq(get(clone), get(first));
    ck_assert_int_eq(salon_copy_components(salon, first, second, KIN_EVERY_COMPONENT, true), KIN_OK);
    ck_assert_ptr_eq(get(second), get(first));
    ck_labels("a x3, ");
    ck_assert_int_eq(salon_destroy_entity(salon, first), KIN_OK);
    ck_assert_int_eq(salon_remove_all_components(salon, second), KIN_OK);
    ck_labels("a x1, ");
    ck_assert_str_eq(get(clone)->text, "a");
}
END_TEST

START_TEST(shr_02_spawned_entities_share_the_values_of_their_blueprint)
{
    salon_entity many[600];
    salon_entity one = salon_spawn_statue(salon);
    ck_assert_int_eq(salon_spawn_many_statue(salon, 600, many), KIN_OK);
    ck_assert_ptr_eq(get(one), get(many[599]));
    ck_labels("stone x601, ");
    ck_assert_int_eq(salon_apply_statue(salon, first), KIN_OK);
    ck_assert_ptr_eq(salon_get_material(salon, first), salon_get_material(salon, one));
    ck_assert_float_eq(salon_get_material(salon, first)->tint.y, 1.5f);
    ck_assert_int_eq(salon_destroy_all_entities(salon), KIN_OK);
    ck_labels("");
}
END_TEST

START_TEST(shr_02_values_nobody_has_are_freed)
{
    give(first, "a");
    give(second, "a");
    kin_context_trim(&salon->base);
    uint32_t blocks = memory.block_count;
    size_t bytes = memory.size;
    for (int i = 0; i < 1000; i++) {
        char text[32];
        snprintf(text, sizeof text, "text %d", i);
        give(second, text);
    }
    give(second, "a");
    ck_assert_int_eq(salon_remove_label(salon, second), KIN_OK);
    give(second, "a");
    kin_context_trim(&salon->base);
    ck_assert_uint_eq(memory.block_count, blocks);
    ck_assert_uint_eq(memory.size, bytes);
    ck_assert_int_eq(salon_context_reset(salon), KIN_OK);
    ck_labels("");
}
END_TEST

START_TEST(shr_02_columns_point_at_the_shared_values)
{
    for (uint32_t i = 0; i < 100; i++) {
        salon_entity entity = salon_create_entity(salon);
        ck_assert_int_eq(salon_add_plain(salon, entity, (Plain){0}), KIN_OK);
        ck_assert_int_eq(salon_add_material(salon, entity, (Material){.mesh = i % 3}), KIN_OK);
    }
    uint32_t count = 0;
    for (salon_painted_iter it = salon_painted_iterate(salon); salon_painted_next(&it);) {
        const Material *const *materials = it.material;
        for (uint32_t i = 0; i < it.count; i++, count++)
            if (materials[i]->mesh != count % 3 || materials[i] != materials[i % 3])
                ck_abort_msg("place %u", (unsigned)i);
    }
    ck_assert_uint_eq(count, 100);
}
END_TEST

// ---- listeners

typedef struct expected_change {
    const char *previous, *value; // NULL: none
    const char *labels;           // of ck_labels, during the call
    uint32_t calls;
} expected_change;

static void ck_change(const kin_change *change, void *user)
{
    expected_change *expected = user;
    const Label *previous = change->previous, *value = change->value;
    if (change->component != SALON_LABEL)
        return;
    expected->calls++;
    ck_assert((previous != NULL) == (expected->previous != NULL));
    ck_assert((value != NULL) == (expected->value != NULL));
    if (previous != NULL)
        ck_assert_str_eq(previous->text, expected->previous);
    if (value != NULL)
        ck_assert_str_eq(value->text, expected->value);
    ck_labels(expected->labels);
}

START_TEST(shr_02_listeners_get_both_values_and_count_the_entities_of_now)
{
    expected_change expected = {NULL, "a", "a x1, ", 0};
    kin_context_subscribe(&salon->base, KIN_COMPONENT_CHANGED, ck_change, &expected);
    give(first, "a");
    expected = (expected_change){"a", "b", "b x1, ", 1};
    give(first, "b");
    expected = (expected_change){NULL, "b", "b x2, ", 2};
    give(second, "b");
    expected = (expected_change){"b", NULL, "b x1, ", 3};
    ck_assert_int_eq(salon_remove_label(salon, first), KIN_OK);
    expected = (expected_change){"b", NULL, "", 4};
    ck_assert_int_eq(salon_destroy_entity(salon, second), KIN_OK);
    ck_assert_uint_eq(expected.calls, 5);
}
END_TEST

// Gives the old value to the other entity.
static void keep_previous(const kin_change *change, void *user)
{
    const Label **kept = user;
    if (change->component != SALON_LABEL || change->previous == NULL || *kept != NULL)
        return;
    *kept = change->previous;
    ck_assert_int_eq(salon_add_label(salon, second, *(const Label *)change->previous), KIN_OK);
}

START_TEST(shr_02_a_listener_can_take_a_value_again_that_nobody_has_any_more)
{
    const Label *kept = NULL;
    give(first, "a");
    const Label *value = get(first);
    kin_context_subscribe(&salon->base, KIN_COMPONENT_CHANGED, keep_previous, &kept);
    if (_i == 0)
        give(first, "b");
    else if (_i == 1)
        ck_assert_int_eq(salon_remove_label(salon, first), KIN_OK);
    else
        ck_assert_int_eq(salon_destroy_entity(salon, first), KIN_OK);
    ck_assert_ptr_eq(get(second), value);
    ck_assert_str_eq(value->text, "a");
    ck_labels(_i == 0 ? "a x1, b x1, " : "a x1, ");
}
END_TEST

static uint32_t delivered;

static void ck_removed_frame(salon_context *context, salon_entity entity, const Frame *frame, void *user)
{
    delivered++;
    ck_assert_str_eq(frame->title, user);
    ck_assert_int_eq(salon_replace_frame(context, second, (Frame){second, 9, "other"}), KIN_OK);
    ck_assert_int_eq(salon_destroy_entity(context, entity), KIN_OK);
    ck_assert_str_eq(frame->title, user);
}

START_TEST(shr_02_events_deliver_values_that_are_gone)
{
    kin_systems *events = salon_event_systems(salon);
    salon_entity listener = salon_create_entity(salon);
    delivered = 0;
    salon_add_any_frame_removed_listener(salon, listener, ck_removed_frame, (void *)"title");
    ck_assert_int_eq(salon_add_frame(salon, first, (Frame){second, 1, "title"}), KIN_OK);
    kin_systems_execute(events, 0);
    ck_assert_int_eq(salon_remove_frame(salon, first), KIN_OK);
    salon_frame_values it = salon_frame_values_iterate(salon);
    ck_assert(!salon_frame_values_next(&it));
    kin_systems_execute(events, 0);
    ck_assert_uint_eq(delivered, 1);
    kin_systems_destroy(events);
}
END_TEST

START_TEST(shr_02_relations_of_shared_values_end_with_their_target)
{
    salon_entity wall = salon_create_entity(salon);
    ck_assert_int_eq(salon_add_frame(salon, first, (Frame){wall, 1, "x"}), KIN_OK);
    ck_assert_int_eq(salon_add_frame(salon, second, (Frame){wall, 1, "x"}), KIN_OK);
    ck_assert_ptr_eq(salon_get_frame(salon, first), salon_get_frame(salon, second));
    ck_assert_uint_eq(salon_frames_count(salon, wall), 2);
    ck_assert_int_eq(salon_destroy_entity(salon, wall), KIN_OK);
    ck_assert(!salon_has_frame(salon, first) && !salon_has_frame(salon, second));
}
END_TEST

// ---- tools

START_TEST(shr_02_a_written_field_is_a_replace_of_one_entity)
{
    give(first, "a");
    give(second, "a");
    ck_assert_int_eq(kin_field_write(&salon->base, first.id, SALON_LABEL, "size",
                                     (kin_field_value){.type = KIN_TYPE_UINT8, .as.natural = 3}),
                     KIN_OK);
    ck_assert_uint_eq(get(first)->size, 3);
    ck_assert_uint_eq(get(second)->size, 0);
    ck_labels("a x1, a x1, ");
    ck_assert_int_eq(kin_replace(&salon->base, first.id, SALON_LABEL, get(second)), KIN_OK);
    ck_labels("a x2, ");
    ck_assert(salon_info.components[SALON_LABEL].is_shared && salon_info.components[SALON_LABEL].is_boxed);
    ck_assert(!salon_info.components[SALON_SIGN].is_shared && !salon_info.components[SALON_PLAIN].is_shared);
}
END_TEST

START_TEST(shr_02_a_shared_value_is_counted_once)
{
    char text[4097];
    memset(text, 'x', 4096);
    text[4096] = '\0';
    give(first, text);
    size_t before = kin_context_memory(&salon->base).columns.used;
    for (int i = 0; i < 100; i++)
        give(salon_create_entity(salon), text);
    kin_context_usage usage = kin_context_memory(&salon->base);
    ck_assert_uint_eq(usage.columns.used, before + 100 * sizeof(void *));
    ck_assert_uint_le(usage.columns.used, usage.columns.allocated);
    ck_assert_uint_gt(before, 4096);
    ck_assert_uint_eq(kin_component_memory(&salon->base, SALON_LABEL, 0, 1).values, 101);
}
END_TEST

START_TEST(shr_02_trim_gives_tables_without_values_back)
{
    kin_context_trim(&salon->base);
    size_t bytes = memory.size;
    give(first, "a");
    ck_assert_int_eq(salon_add_material(salon, first, (Material){0}), KIN_OK);
    kin_context_trim(&salon->base);
    ck_assert_str_eq(get(first)->text, "a");
    ck_assert_int_eq(salon_remove_label(salon, first), KIN_OK);
    ck_assert_int_eq(salon_remove_material(salon, first), KIN_OK);
    kin_context_trim(&salon->base);
    ck_assert_uint_eq(memory.size, bytes);
}
END_TEST

START_TEST(shr_02_trim_gives_spare_numbers_and_entries_back)
{
    enum { COUNT = 3000 };
    salon_entity entities[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        entities[i] = salon_create_entity(salon);
        ck_assert_int_eq(salon_add_material(salon, entities[i], (Material){.mesh = i}), KIN_OK);
    }
    for (uint32_t i = 0; i < COUNT; i++)
        if (i % 5 != 3 || i > 20)
            ck_assert_int_eq(salon_remove_material(salon, entities[i]), KIN_OK);
    const Material *eighth = salon_get_material(salon, entities[8]);
    size_t bytes = memory.size;
    kin_context_trim(&salon->base);
    ck_assert_uint_lt(memory.size + 2 * COUNT * sizeof(void *), bytes);
    ck_assert_ptr_eq(salon_get_material(salon, entities[8]), eighth);
    for (uint32_t i = 0; i < 20; i++)
        ck_assert_int_eq(salon_replace_material(salon, entities[100 + i], (Material){.mesh = 100 + i}), KIN_OK);
    uint32_t meshes[] = {100, 101, 102, 3, 103, 104, 105, 106, 8}, number = 0;
    salon_material_values it = salon_material_values_iterate(salon);
    for (; number < 9 && salon_material_values_next(&it); number++)
        ck_assert_uint_eq(it.value->mesh, meshes[number]);
    ck_assert_uint_eq(number, 9);
}
END_TEST

// ---- without memory

static kin_status operate(int which)
{
    static const Label label = {.size = 1, .text = "new", .weight = 2};
    switch (which) {
    case 0:
        return salon_add_label(salon, second, label);
    case 1:
        return salon_replace_label(salon, first, label);
    case 2:
        return salon_readd_label(salon, first, label);
    case 3:
        return salon_clone_entity(salon, first).id != 0 ? KIN_OK : KIN_ERROR_NO_MEMORY;
    case 4:
        return salon_spawn_copy(salon).id != 0 ? KIN_OK : KIN_ERROR_NO_MEMORY;
    default:
        return salon_add_medley(salon, second, medley_default());
    }
}

START_TEST(shr_02_without_memory_nothing_changes)
{
    give(first, "old");
    const Label *old = get(first);
    kin_status status = KIN_ERROR_NO_MEMORY;
    for (uint64_t number = 1; status != KIN_OK; number++) {
        guard_fail(&memory, number, false);
        status = operate(_i);
        guard_fail(&memory, 0, false);
        ck_assert(kin__context_is_valid(&salon->base));
        if (status == KIN_OK)
            break;
        ck_assert_int_eq(status, KIN_ERROR_NO_MEMORY);
        ck_assert_ptr_eq(get(first), old);
        ck_assert_str_eq(old->text, "old");
        ck_labels("old x1, ");
        salon_medley_values it = salon_medley_values_iterate(salon);
        ck_assert(!salon_medley_values_next(&it));
        ck_assert(errors.count > 0);
        error_log_clear(&errors);
        ck_assert_uint_lt(number, 100);
    }
    ck_assert_int_eq(status, KIN_OK);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, shr_02_add_replace_and_remove_do_what_they_do_with_other_components);
    tcase_add_test(tests, shr_02_clones_and_copies_have_the_value_of_their_source);
    tcase_add_test(tests, shr_02_spawned_entities_share_the_values_of_their_blueprint);
    tcase_add_test(tests, shr_02_values_nobody_has_are_freed);
    tcase_add_test(tests, shr_02_columns_point_at_the_shared_values);
    tcase_add_test(tests, shr_02_listeners_get_both_values_and_count_the_entities_of_now);
    tcase_add_loop_test(tests, shr_02_a_listener_can_take_a_value_again_that_nobody_has_any_more, 0, 3);
    tcase_add_test(tests, shr_02_events_deliver_values_that_are_gone);
    tcase_add_test(tests, shr_02_relations_of_shared_values_end_with_their_target);
    tcase_add_test(tests, shr_02_a_written_field_is_a_replace_of_one_entity);
    tcase_add_test(tests, shr_02_a_shared_value_is_counted_once);
    tcase_add_test(tests, shr_02_trim_gives_tables_without_values_back);
    tcase_add_test(tests, shr_02_trim_gives_spare_numbers_and_entries_back);
    tcase_add_loop_test(tests, shr_02_without_memory_nothing_changes, 0, 6);
}

Suite *runtime_shared_change_suite(void)
{
    Suite *suite = suite_create("runtime_shared_change");
    TCase *tests = tcase_create("shared_change");
    tcase_add_checked_fixture(tests, begin, salon_end);
    add_tests(tests);
    suite_add_tcase(suite, tests);
    return suite;
}
