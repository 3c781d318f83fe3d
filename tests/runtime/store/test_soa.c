// Components with a column for each field: the same rules as for others, with values in several places.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <kin/memory.h>
#include <loom/loom.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 700 };

CASE(loom)

static loom_entity entities[COUNT]; // in slots 0, 1, 2, …

static void begin(void)
{
    loom_begin();
    for (uint32_t i = 0; i < COUNT; i++)
        entities[i] = loom_create_entity(loom);
}

static Thread thread_of(uint32_t number)
{
    return (Thread){.fine = (int8_t)(number % 100), .length = number * 0.5, .shade = (int16_t)(number + 1)};
}

static bool is_thread(const Thread *thread, uint32_t number)
{
    Thread wanted = thread_of(number);
    return thread->fine == wanted.fine && thread->length == wanted.length && thread->shade == wanted.shade;
}

static Thread read_thread(loom_entity entity)
{
    Thread thread = {0};
    ck_assert(loom_read_thread(loom, entity, &thread));
    return thread;
}

// Adds a thread to each entity without one, with the number of its slot.
static void fill(void)
{
    for (uint32_t i = 0; i < COUNT; i++)
        loom_replace_thread(loom, entities[i], thread_of(i));
}

static void expect_threads(void)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        Thread thread = read_thread(entities[i]);
        if (!is_thread(&thread, i))
            ck_abort_msg("the thread in slot %u was written over", i);
    }
}

// ---- values

START_TEST(cmp_02_a_value_is_copied_in_and_read_field_by_field)
{
    fill();
    expect_threads();
    for (uint32_t i = 0; i < COUNT; i += 2)
        ck_assert_int_eq(loom_replace_thread(loom, entities[i], thread_of(i + 50)), KIN_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        Thread thread = read_thread(entities[i]);
        if (!is_thread(&thread, i % 2 == 0 ? i + 50 : i))
            ck_abort_msg("the thread in slot %u was written over", i);
    }
    ck_assert(loom_info.components[LOOM_THREAD].is_soa && !loom_info.components[LOOM_PLAIN].is_soa);
}
END_TEST

START_TEST(ent_07_reading_a_missing_component_returns_false_and_leaves_the_value)
{
    Thread thread = thread_of(3);
    ck_assert(!loom_read_thread(loom, entities[0], &thread));
    loom_add_thread(loom, entities[0], thread_of(4));
    ck_assert(!loom_read_thread(loom, entities[1], &thread));
    loom_destroy_entity(loom, entities[0]);
    ck_assert(!loom_read_thread(loom, entities[0], &thread));
    ck_assert(!loom_read_thread(loom, LOOM_NO_ENTITY, &thread));
    ck_assert(is_thread(&thread, 3));
}
END_TEST

START_TEST(cmp_03_fields_of_every_kind_are_those_that_are_given_and_no_others)
{
    Knot knot = {.at = {1, 2}, .turns = {3, 4, 5}, .mark = "red", .tied = 7, .ends = {{6, 7}, {8, 9}}, .on = true};
    knot.own = entities[8];
    for (uint32_t i = 0; i < 3; i++)
        loom_add_knot(loom, entities[i], i == 1 ? knot : knot_default());
    Knot read = knot_default();
    ck_assert(loom_read_knot(loom, entities[1], &read));
    ck_assert(read.at.y == 2 && read.turns[2] == 5 && read.tied == 7 && read.ends[1].y == 9 && read.on);
    ck_assert(strcmp(read.mark, "red") == 0 && read.own.id == entities[8].id && read.side == SIDE_LEFT);
    loom_remove_knot(loom, entities[1]);
    loom_add_knot(loom, entities[1], knot_default());
    ck_assert(loom_read_knot(loom, entities[1], &read) && read.side == SIDE_RIGHT && read.turns[2] == 0 && !read.on);
}
END_TEST

START_TEST(err_01_a_refused_call_changes_nothing)
{
    loom_add_thread(loom, entities[0], thread_of(1));
    ck_assert_refused(&errors, loom_add_thread(loom, entities[0], thread_of(2)), KIN_ERROR_HAS_COMPONENT);
    ck_assert_refused(&errors, loom_remove_thread(loom, entities[1]), KIN_ERROR_NO_COMPONENT);
    Thread thread = read_thread(entities[0]);
    ck_assert(is_thread(&thread, 1));
    ck_assert_int_eq(loom_remove_thread(loom, entities[0]), KIN_OK);
    ck_assert(!loom_has_thread(loom, entities[0]));
}
END_TEST

START_TEST(a_value_costs_its_fields_without_padding)
{
    fill();
    kin_memory columns = kin_context_memory(&loom->base).columns;
    ck_assert_uint_eq(columns.used, 2 * 64 + COUNT * (1 + 8 + 2));
    ck_assert_uint_eq(columns.allocated, 2 * column_size(1 + 8 + 2));
    for (uint32_t i = 0; i < 512; i++)
        loom_remove_thread(loom, entities[i]);
    kin_context_trim(&loom->base);
    ck_assert_uint_eq(kin_context_memory(&loom->base).columns.allocated, column_size(1 + 8 + 2));
    fill();
    expect_threads();
}
END_TEST

// ---- iteration

START_TEST(a_run_has_a_pointer_to_each_field)
{
    fill();
    loom_destroy_entity(loom, entities[5]);
    uint32_t slot = 0;
    loom_threads_iter it = loom_threads_iterate(loom);
    while (loom_threads_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            slot = kin_entity_slot(loom_threads_at(&it, i).id);
            Thread thread = {.fine = it.thread.fine[i], .length = it.thread.length[i], .shade = it.thread.shade[i]};
            ck_assert(is_thread(&thread, slot));
            it.thread.length[i] += 1;
        }
    ck_assert_uint_eq(slot, COUNT - 1);
    ck_assert(read_thread(entities[6]).length == 4 && read_thread(entities[600]).length == 301);
}
END_TEST

START_TEST(a_block_has_a_pointer_to_each_field_and_arrays_keep_their_length)
{
    for (uint32_t i = 64; i < 70; i++) {
        loom_add_knot(loom, entities[i], (Knot){.turns = {0, 0, (int8_t)i}, .mark = "m", .at = {.y = (float)i}});
        loom_add_plain(loom, entities[i], (Plain){(int32_t)i});
    }
    loom_set_cut(loom, entities[66], true);
    loom_knots_iter it = loom_knots_iterate(loom);
    ck_assert(loom_knots_next_block(&it));
    int8_t(*turns)[3] = it.knot.turns;
    char(*marks)[8] = it.knot.mark;
    ck_assert_uint_eq(it.mask, 0x3B);
    KIN_EACH_BIT(i, it.mask)
    ck_assert(turns[i][2] == it.plain[i].value && it.knot.at[i].y == turns[i][2] && strcmp(marks[i], "m") == 0);
    ck_assert(!loom_knots_next_block(&it));
}
END_TEST

START_TEST(fields_of_a_component_in_a_key_cannot_be_written)
{
    loom_add_tag(loom, entities[513], (Tag){.weight = 2, .number = 3, .row = {4, 5}});
    loom_tags_iter it = loom_tags_iterate(loom);
    ck_assert(loom_tags_next(&it));
    const float *weight = it.tag.weight;
    const Vec2 *row = it.tag.row;
    ck_assert(_Generic(it.tag.weight, const float * : true, default : false));
    ck_assert(weight[0] == 2 && it.tag.number[0] == 3 && row[0].y == 5);
}
END_TEST

START_TEST(grp_10_all_of_a_run_can_be_read_and_written_whatever_became_of_the_values)
{
    fill();
    loom_threads_iter it = loom_threads_iterate(loom);
    ck_assert(loom_threads_next(&it) && it.count == 512);
    for (uint32_t i = 0; i < COUNT; i++)
        loom_remove_thread(loom, entities[i]);
    for (uint32_t i = 0; i < it.count; i++)
        it.thread.shade[i] = 9;
    fill();
    expect_threads();
}
END_TEST

// ---- indices

START_TEST(idx_02_keys_are_read_out_of_columns)
{
    loom_add_tag(loom, entities[0], (Tag){.number = 1, .row = {1, 2}});
    loom_add_tag(loom, entities[1], (Tag){.number = 2, .row = {1, 2}});
    uint32_t count;
    ck_assert_uint_eq(loom_entity_with_tag_number(loom, 2).id, entities[1].id);
    ck_assert_ptr_nonnull(loom_entities_with_tag_row(loom, (Vec2){1, 2}, &count));
    ck_assert_uint_eq(count, 2);
    loom_replace_tag(loom, entities[1], (Tag){.number = 3, .row = {1, 3}});
    ck_assert_uint_eq(loom_entity_with_tag_number(loom, 2).id, 0);
    ck_assert_uint_eq(loom_entities_with_tag_row(loom, (Vec2){1, 3}, &count)[0].id, entities[1].id);
    loom_destroy_entity(loom, entities[1]);
    ck_assert_uint_eq(loom_entity_with_tag_number(loom, 3).id, 0);
    loom_entities_with_tag_row(loom, (Vec2){1, 2}, &count);
    ck_assert_uint_eq(count, 1);
}
END_TEST

START_TEST(idx_03_a_key_of_fields_of_two_components_is_refused_with_its_words)
{
    for (uint32_t i = 0; i < 2; i++)
        loom_add_peg(loom, entities[i], (Peg){6});
    loom_add_spool(loom, entities[0], (Spool){4, 1});
    ck_assert_uint_eq(loom_entity_with_pair(loom, 4, 6).id, entities[0].id);
    ck_assert_int_eq(loom_add_spool(loom, entities[1], (Spool){4, 2}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "(4, 6)"));
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    loom_add_spool(loom, entities[1], (Spool){5, 1});
    ck_assert_refused(&errors, loom_replace_spool(loom, entities[1], (Spool){4, 1}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_int_eq(loom_replace_peg(loom, entities[0], (Peg){7}), KIN_OK);
    ck_assert_uint_eq(loom_entity_with_pair(loom, 4, 7).id, entities[0].id);
    ck_assert_uint_eq(loom_entity_with_pair(loom, 5, 6).id, entities[1].id);
}
END_TEST

// ---- listeners and events

START_TEST(dsp_09_listeners_are_shown_the_gathered_values_of_the_change)
{
    call_log_subscribe(loom_bells_group(loom), KIN_ADDED, "+");
    call_log_subscribe(loom_bells_group(loom), KIN_REMOVED, "-");
    loom_add_bell(loom, entities[0], (Bell){1, 100});
    loom_replace_bell(loom, entities[0], (Bell){2, 200});
    loom_remove_bell(loom, entities[0]);
    loom_add_bell(loom, entities[0], (Bell){3, 300});
    loom_set_cut(loom, entities[0], true);
    loom_set_cut(loom, entities[0], false);
    loom_destroy_entity(loom, entities[0]);
    ck_assert_str_eq(call_log_labels(), "+ - + - + - + - ");
    static const Bell shown[] = {{1, 100}, {1, 100}, {2, 200}, {2, 200}, {3, 300}, {0, 0}, {0, 0}, {3, 300}};
    for (uint32_t i = 0; i < 8; i++) {
        const void *bytes = i % 2 == 0 ? calls.calls[i].value : calls.calls[i].previous;
        Bell bell;
        memcpy(&bell, bytes, sizeof bell);
        ck_assert(bell.loud == shown[i].loud && bell.tone == shown[i].tone);
    }
}
END_TEST

// The second listener gets the removed value, whatever the first one has added instead.
static void ring_again(const kin_change *change, void *user)
{
    (void)user;
    loom_add_bell(loom_context_of(change->context), loom_entity_of(change->entity), (Bell){8, 800});
}

START_TEST(dsp_09_a_value_under_way_stays_whatever_listeners_write)
{
    loom_add_bell(loom, entities[0], (Bell){1, 100});
    kin_group_subscribe(loom_bells_group(loom), KIN_REMOVED, ring_again, NULL);
    call_log_subscribe(loom_bells_group(loom), KIN_REMOVED, "-");
    loom_remove_bell(loom, entities[0]);
    Bell bell;
    memcpy(&bell, calls.calls[0].previous, sizeof bell);
    ck_assert(bell.loud == 1 && bell.tone == 100);
    ck_assert(loom_read_bell(loom, entities[0], &bell) && bell.tone == 800);
}
END_TEST

static char logged[64];

static void log_value(const char *what, const Bell *value)
{
    size_t size = strlen(logged);
    snprintf(logged + size, sizeof logged - size, "%s%d:%d ", what, value->loud, value->tone);
}

static void on_bell(loom_context *context, loom_entity entity, const Bell *value, void *user)
{
    (void)context, (void)entity, (void)user;
    log_value("+", value);
}

static void on_removed(loom_context *context, loom_entity entity, const Bell *value, void *user)
{
    (void)context, (void)entity, (void)user;
    log_value("-", value);
}

START_TEST(evt_05_events_pass_the_current_value_or_the_last_one_of_a_removed_component)
{
    kin_systems *systems = loom_event_systems(loom);
    loom_add_any_bell_listener(loom, entities[9], on_bell, NULL);
    loom_add_any_bell_removed_listener(loom, entities[9], on_removed, NULL);
    logged[0] = '\0';
    loom_add_bell(loom, entities[0], (Bell){1, 10});
    loom_add_bell(loom, entities[1], (Bell){2, 20});
    loom_replace_bell(loom, entities[1], (Bell){3, 30});
    kin_systems_execute(systems, 0);
    loom_remove_bell(loom, entities[0]);
    loom_destroy_entity(loom, entities[1]);
    kin_systems_execute(systems, 0);
    ck_assert_str_eq(logged, "+1:10 +3:30 -1:10 -3:30 ");
    kin_systems_destroy(systems);
}
END_TEST

START_TEST(cln_02_cleanup_removes_the_component)
{
    kin_systems *systems = loom_cleanup_systems(loom);
    loom_add_ebb(loom, entities[0], (Ebb){1});
    kin_systems_cleanup(systems);
    ck_assert(!loom_has_ebb(loom, entities[0]));
    kin_systems_destroy(systems);
}
END_TEST

// ---- clones, blueprints, the end

START_TEST(cpy_01_a_clone_has_the_values_of_all_fields)
{
    loom_add_bell(loom, entities[0], (Bell){1, 10});
    loom_add_knot(loom, entities[0], (Knot){.turns = {1, 2, 3}, .mark = "seven"});
    loom_entity clone = loom_clone_entity(loom, entities[0]);
    loom_replace_bell(loom, entities[0], (Bell){2, 20});
    Bell bell;
    Knot knot;
    ck_assert(loom_read_bell(loom, clone, &bell) && loom_read_knot(loom, clone, &knot));
    ck_assert(bell.loud == 1 && bell.tone == 10 && knot.turns[1] == 2 && strcmp(knot.mark, "seven") == 0);
}
END_TEST

START_TEST(cpy_01_clones_in_a_chunk_where_the_component_is_known_have_all_fields_too)
{
    fill();
    loom_replace_thread(loom, entities[COUNT - 1], thread_of(40)); // in the chunk of the clones
    for (uint32_t i = 0; i < 50; i++) {
        Thread thread = read_thread(loom_clone_entity(loom, entities[i]));
        ck_assert_msg(is_thread(&thread, i), "the clone of slot %u has another thread", i);
    }
    loom_replace_thread(loom, entities[COUNT - 1], thread_of(COUNT - 1));
    expect_threads();
}
END_TEST

static void expect_strand(loom_entity entity, int8_t turn, int32_t value)
{
    Knot knot;
    ck_assert(loom_read_knot(loom, entity, &knot));
    ck_assert(knot.turns[0] == turn && knot.side == SIDE_RIGHT && strcmp(knot.mark, "red") == 0);
    ck_assert_int_eq(loom_get_plain(loom, entity)->value, value);
}

START_TEST(cpy_04_a_spawned_entity_has_the_values_of_the_blueprint)
{
    static loom_entity spawned[COUNT];
    expect_strand(loom_spawn_strand(loom), 1, 0);
    ck_assert_int_eq(loom_spawn_many_strand(loom, COUNT, spawned), KIN_OK);
    for (uint32_t i = 0; i < COUNT; i++)
        expect_strand(spawned[i], 1, 0);
    loom_destroy_entity(loom, spawned[3]);
    expect_strand(loom_spawn_strand(loom), 1, 0);
    call_log_subscribe(loom_knots_group(loom), KIN_ADDED, "+");
    expect_strand(loom_spawn_strand(loom), 1, 0);
    ck_assert_str_eq(call_log_labels(), "+ ");
}
END_TEST

// Slots that were freed one after the other are used in the opposite order.
START_TEST(cpy_04_each_entity_gets_its_given_value)
{
    enum { MANY = 600 };
    static loom_entity spawned[MANY];
    static Knot knots[MANY];
    for (uint32_t i = 0; i < MANY; i++)
        knots[i] = (Knot){.turns = {(int8_t)(i % 100)}, .mark = "red", .side = SIDE_RIGHT};
    loom_spawn_many_strand(loom, 100, spawned);
    for (uint32_t i = 0; i < 100; i++)
        loom_destroy_entity(loom, spawned[i]);
    loom_strand_values values = {.knot = knots};
    ck_assert_int_eq(loom_spawn_many_strand_with(loom, MANY, &values, spawned), KIN_OK);
    for (uint32_t i = 0; i < MANY; i++)
        expect_strand(spawned[i], (int8_t)(i % 100), 0);
}
END_TEST

START_TEST(cpy_06_apply_replaces_or_adds_all_fields)
{
    loom_add_plain(loom, entities[0], (Plain){5});
    loom_add_knot(loom, entities[0], (Knot){.turns = {9}, .mark = "blue"});
    ck_assert_int_eq(loom_apply_strand(loom, entities[0]), KIN_OK);
    ck_assert_int_eq(loom_apply_strand(loom, entities[1]), KIN_OK);
    expect_strand(entities[0], 1, 0);
    expect_strand(entities[1], 1, 0);
    loom_entity marked = loom_spawn_marked(loom);
    ck_assert_uint_eq(loom_entity_with_tag_number(loom, 4).id, marked.id);
    ck_assert_refused(&errors, loom_apply_marked(loom, entities[0]), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_int_eq(read_thread(marked).shade, 9);
}
END_TEST

START_TEST(destroying_a_group_and_everything_takes_the_values_along)
{
    fill();
    for (uint32_t i = 0; i < COUNT; i += 2)
        loom_remove_thread(loom, entities[i]);
    ck_assert_int_eq(kin_group_destroy_entities(loom_threads_group(loom)), KIN_OK);
    ck_assert_uint_eq(loom_entity_count(loom), COUNT / 2);
    loom_entity entity = loom_create_entity(loom);
    ck_assert(!loom_has_thread(loom, entity));
    loom_add_thread(loom, entity, thread_default());
    ck_assert(read_thread(entity).shade == 7 && read_thread(entity).length == 0);
    loom_add_thread(loom, entities[0], thread_of(1));
    ck_assert_int_eq(loom_remove_all_components(loom, entities[0]), KIN_OK);
    ck_assert_int_eq(loom_context_reset(loom), KIN_OK);
    ck_assert_uint_eq(kin_group_count(loom_threads_group(loom)), 0);
}
END_TEST

Suite *runtime_soa_suite(void)
{
    Suite *suite = suite_create("runtime_soa");
    TCase *tests = tcase_create("tests");
    tcase_add_checked_fixture(tests, begin, loom_end);
    tcase_add_test(tests, cmp_02_a_value_is_copied_in_and_read_field_by_field);
    tcase_add_test(tests, ent_07_reading_a_missing_component_returns_false_and_leaves_the_value);
    tcase_add_test(tests, cmp_03_fields_of_every_kind_are_those_that_are_given_and_no_others);
    tcase_add_test(tests, err_01_a_refused_call_changes_nothing);
    tcase_add_test(tests, a_value_costs_its_fields_without_padding);
    tcase_add_test(tests, a_run_has_a_pointer_to_each_field);
    tcase_add_test(tests, a_block_has_a_pointer_to_each_field_and_arrays_keep_their_length);
    tcase_add_test(tests, fields_of_a_component_in_a_key_cannot_be_written);
    tcase_add_test(tests, grp_10_all_of_a_run_can_be_read_and_written_whatever_became_of_the_values);
    tcase_add_test(tests, idx_02_keys_are_read_out_of_columns);
    tcase_add_test(tests, idx_03_a_key_of_fields_of_two_components_is_refused_with_its_words);
    tcase_add_test(tests, dsp_09_listeners_are_shown_the_gathered_values_of_the_change);
    tcase_add_test(tests, dsp_09_a_value_under_way_stays_whatever_listeners_write);
    tcase_add_test(tests, evt_05_events_pass_the_current_value_or_the_last_one_of_a_removed_component);
    tcase_add_test(tests, cln_02_cleanup_removes_the_component);
    tcase_add_test(tests, cpy_01_a_clone_has_the_values_of_all_fields);
    tcase_add_test(tests, cpy_01_clones_in_a_chunk_where_the_component_is_known_have_all_fields_too);
    tcase_add_test(tests, cpy_04_a_spawned_entity_has_the_values_of_the_blueprint);
    tcase_add_test(tests, cpy_04_each_entity_gets_its_given_value);
    tcase_add_test(tests, cpy_06_apply_replaces_or_adds_all_fields);
    tcase_add_test(tests, destroying_a_group_and_everything_takes_the_values_along);
    suite_add_tcase(suite, tests);
    return suite;
}
