// Components: values and flags of entities (CMP, FLG), types and defaults of fields, and the tables that describe them.
#include "suites.h"
#include "support.h"

#include <check.h>
#include <pair/pair.h>
#include <string.h>
#include <wide/wide.h>

static board_context *board;

static void begin(void)
{
    board = board_begin();
}

static bool is_at(board_entity entity, float x, float y)
{
    const Position *position = board_get_position(board, entity);
    return position != NULL && position->x == x && position->y == y;
}

// ---- values

START_TEST(cmp_01_components_are_independent_of_each_other)
{
    board_entity entity = board_create_entity(board), other = board_create_entity(board);
    board_add_position(board, entity, (Position){1, 2});
    board_add_health(board, entity, (Health){3});
    board_add_position(board, other, (Position){4, 5});
    ck_assert_uint_eq(board_remove_health(board, entity), KIN_OK);
    ck_assert(is_at(entity, 1, 2));
    ck_assert(is_at(other, 4, 5));
    ck_assert(!board_has_health(board, entity));
    ck_assert(!board_has_health(board, other));
    ck_assert(board_has_position(board, entity) && kin_has(&board->base, entity.id, BOARD_POSITION));
}
END_TEST

START_TEST(cmp_02_the_callers_value_is_copied_in)
{
    board_entity entity = board_create_entity(board);
    Position mine = {1, 2};
    board_add_position(board, entity, mine);
    mine.x = 9;
    ck_assert(is_at(entity, 1, 2));
    ck_assert_ptr_ne(board_get_position(board, entity), &mine);
}
END_TEST

START_TEST(cmp_03_an_added_component_has_no_value_of_a_former_one)
{
    board_entity entity = board_create_entity(board);
    Load full, empty = {{0}};
    memset(&full, 0xFF, sizeof full);
    board_add_load(board, entity, full);
    board_remove_load(board, entity);
    board_add_load(board, entity, empty);
    ck_assert_mem_eq(board_get_load(board, entity), &empty, sizeof empty);
    board_add_health(board, entity, (Health){1});
    board_destroy_entity(board, entity);
    entity = board_create_entity(board); // in the same slot
    board_add_health(board, entity, health_default());
    ck_assert_int_eq(board_get_health(board, entity)->points, 100);
}
END_TEST

START_TEST(cmp_04_adding_a_second_time_is_refused)
{
    board_entity entity = board_create_entity(board);
    ck_assert_uint_eq(board_add_position(board, entity, (Position){1, 2}), KIN_OK);
    ck_assert_uint_eq(board_add_position(board, entity, (Position){3, 4}), KIN_ERROR_HAS_COMPONENT);
    ck_assert_str_eq(board_errors.entries[0].component, "Position");
    ck_assert_uint_eq(board_errors.entries[0].entity, entity.id);
    ck_assert_reported(&board_errors, KIN_ERROR_HAS_COMPONENT);
    ck_assert(is_at(entity, 1, 2));
}
END_TEST

START_TEST(cmp_05_replace_writes_or_adds)
{
    board_entity entity = board_create_entity(board);
    ck_assert_uint_eq(board_replace_position(board, entity, (Position){1, 2}), KIN_OK);
    ck_assert(is_at(entity, 1, 2));
    ck_assert_uint_eq(board_replace_position(board, entity, (Position){3, 4}), KIN_OK);
    ck_assert(is_at(entity, 3, 4));
    ck_assert_uint_eq(kin_group_count(board_positions_group(board)), 1);
}
END_TEST

START_TEST(cmp_05_a_replace_that_adds_notifies_as_an_add_does)
{
    board_entity entity = board_create_entity(board);
    call_log_subscribe(board_positions_group(board), KIN_ADDED, "+");
    call_log_subscribe(board_positions_group(board), KIN_REMOVED, "-");
    call_log_subscribe(board_positions_group(board), KIN_MODIFIED, "~");
    board_replace_position(board, entity, (Position){1, 2});
    ck_assert_str_eq(call_log_labels(), "+ ");
    ck_assert_ptr_null(calls.calls[0].change.previous);
}
END_TEST

START_TEST(cmp_06_replacing_by_an_equal_value_notifies)
{
    board_entity entity = board_create_entity(board);
    board_add_position(board, entity, (Position){1, 2});
    call_log_subscribe(board_positions_group(board), KIN_MODIFIED, "~");
    board_replace_position(board, entity, (Position){1, 2});
    board_replace_position(board, entity, *board_get_position(board, entity));
    ck_assert_str_eq(call_log_labels(), "~ ~ ");
    ck_assert_mem_eq(calls.calls[0].previous, calls.calls[0].value, sizeof(Position));
}
END_TEST

START_TEST(cmp_07_remove_removes_the_component)
{
    board_entity entity = board_create_entity(board);
    ck_assert_uint_eq(board_remove_position(board, entity), KIN_ERROR_NO_COMPONENT);
    ck_assert_reported(&board_errors, KIN_ERROR_NO_COMPONENT);
    board_add_position(board, entity, (Position){1, 2});
    ck_assert_uint_eq(board_remove_position(board, entity), KIN_OK);
    ck_assert(!board_has_position(board, entity));
    ck_assert_ptr_null(board_get_position(board, entity));
    ck_assert_uint_eq(board_remove_position(board, entity), KIN_ERROR_NO_COMPONENT);
    ck_assert_reported(&board_errors, KIN_ERROR_NO_COMPONENT);
}
END_TEST

START_TEST(cmp_11_edit_notifies_no_subscriber_and_touch_notifies_as_a_replace_does)
{
    board_entity entity = board_create_entity(board);
    board_add_position(board, entity, (Position){1, 2});
    call_log_subscribe(board_positions_group(board), KIN_REMOVED, "-");
    call_log_subscribe(board_positions_group(board), KIN_ADDED, "+");
    call_log_subscribe(board_positions_group(board), KIN_MODIFIED, "~");
    board_edit_position(board, entity)->x = 8;
    ck_assert_uint_eq(calls.count, 0);
    ck_assert_uint_eq(board_touch_position(board, entity), KIN_OK);
    ck_assert_str_eq(call_log_labels(), "- + ~ ");
    ck_assert_ptr_null(calls.calls[0].change.value);
    ck_assert_ptr_null(calls.calls[1].change.previous);
    ck_assert_ptr_eq(calls.calls[2].change.previous, calls.calls[2].change.value);
    ck_assert_mem_eq(calls.calls[2].value, (&(Position){8, 2}), sizeof(Position));
}
END_TEST

// With a listener and without one.
START_TEST(cmp_11_touching_a_missing_component_is_refused)
{
    board_entity entity = board_create_entity(board);
    if (_i == 1)
        call_log_subscribe(board_positions_group(board), KIN_MODIFIED, "~");
    ck_assert_uint_eq(board_touch_position(board, entity), KIN_ERROR_NO_COMPONENT);
    ck_assert_reported(&board_errors, KIN_ERROR_NO_COMPONENT);
    ck_assert_ptr_null(board_edit_position(board, entity));
    board_add_position(board, entity, (Position){1, 2});
    ck_assert_uint_eq(board_touch_position(board, entity), KIN_OK);
    ck_assert(is_at(entity, 1, 2));
    ck_assert_uint_eq(calls.count, (uint32_t)_i);
}
END_TEST

START_TEST(cmp_15_an_entity_field_stays_as_it_is_when_its_target_dies)
{
    board_entity entity = board_create_entity(board), target = board_create_entity(board);
    Everything value = everything_default();
    value.neighbour = target;
    value.anyone = target.id;
    board_add_everything(board, entity, value);
    board_destroy_entity(board, target);
    ck_assert(board_entity_equals(board_get_everything(board, entity)->neighbour, target));
    ck_assert_uint_eq(board_get_everything(board, entity)->anyone, target.id);
    ck_assert_uint_eq(kin_context_reusable_count(&board->base), 1); // not held
}
END_TEST

START_TEST(cmp_16_a_component_of_several_contexts_is_separate_in_each)
{
    pair_contexts *pair = pair_contexts_create(NULL);
    left_entity left = left_create_entity(pair->left);
    right_entity right = right_create_entity(pair->right);
    ck_assert_uint_eq(left.id, right.id);
    left_add_weight(pair->left, left, (Weight){1});
    ck_assert(!right_has_weight(pair->right, right));
    right_add_weight(pair->right, right, weight_default());
    ck_assert_int_eq(left_get_weight(pair->left, left)->grams, 1);
    ck_assert_int_eq(right_get_weight(pair->right, right)->grams, 5);
    ck_assert_uint_eq(LEFT_WEIGHT, 2);
    ck_assert_uint_eq(RIGHT_WEIGHT, 1);
    pair_contexts_destroy(pair);
}
END_TEST

START_TEST(without_memory_a_component_is_not_added)
{
    board_entity entity = board_create_entity(board);
    call_log_subscribe(board_positions_group(board), KIN_ADDED, "+");
    board_memory.fail_after = 0;
    ck_assert_uint_eq(board_add_position(board, entity, (Position){1, 2}), KIN_ERROR_NO_MEMORY);
    ck_assert_reported(&board_errors, KIN_ERROR_NO_MEMORY);
    ck_assert_uint_eq(board_replace_position(board, entity, (Position){1, 2}), KIN_ERROR_NO_MEMORY);
    ck_assert_reported(&board_errors, KIN_ERROR_NO_MEMORY);
    ck_assert_uint_eq(board_set_frozen(board, entity, true), KIN_ERROR_NO_MEMORY);
    ck_assert_reported(&board_errors, KIN_ERROR_NO_MEMORY);
    ck_assert(!board_has_position(board, entity) && !board_is_frozen(board, entity));
    ck_assert_uint_eq(calls.count, 0);
    board_memory.fail_after = NEVER_FAIL;
    ck_assert_uint_eq(board_add_position(board, entity, (Position){1, 2}), KIN_OK);
}
END_TEST

// ---- addresses

static const uint32_t slots[] = {0, 1, 63, 64, 65, 511, 512, 513, 1023};

enum { SLOT_CASES = sizeof slots / sizeof *slots, FILLED = 1024 };

START_TEST(cmp_10_get_and_edit_give_the_same_address_from_add_to_remove)
{
    board_entity entities[FILLED], entity;
    board_fill(board, FILLED, entities);
    entity = entities[slots[_i]];
    board_add_load(board, entity, (Load){{slots[_i], 7}});
    const Load *address = board_get_load(board, entity);
    ck_assert_uint_eq((uintptr_t)address % _Alignof(Load), 0);
    board_replace_load(board, entity, (Load){{slots[_i], 8}});
    board_set_frozen(board, entity, true);
    for (uint32_t i = 0; i < FILLED; i++)
        if (i != slots[_i] && i % 3 == 0)
            board_destroy_entity(board, entities[i]);
        else if (i != slots[_i])
            board_add_load(board, entities[i], (Load){{i, 9}});
    board_fill(board, FILLED, entities);
    ck_assert_ptr_eq(board_get_load(board, entity), address);
    ck_assert_ptr_eq(board_edit_load(board, entity), address);
    ck_assert_ptr_eq(board_get_load_unchecked(board, entity), address);
    ck_assert_uint_eq(address->words[0], slots[_i]);
    ck_assert_uint_eq(address->words[1], 8);
    ck_assert_uint_eq(address->words[8], 0);
}
END_TEST

START_TEST(components_of_all_slots_keep_their_own_values)
{
    board_entity entities[FILLED];
    board_fill(board, FILLED, entities);
    for (uint32_t i = 0; i < FILLED; i++) {
        board_add_initial(board, entities[i], (Initial){(uint8_t)(i * 3)});
        board_add_load(board, entities[i], (Load){{[0] = i, [8] = ~(uint64_t)i}});
    }
    ck_assert_uint_eq(board_remove_initial(board, entities[slots[_i]]), KIN_OK);
    for (uint32_t i = 0; i < FILLED; i++) {
        ck_assert_uint_eq(board_get_load(board, entities[i])->words[0], i);
        ck_assert_uint_eq(board_get_load(board, entities[i])->words[8], ~(uint64_t)i);
        ck_assert(board_has_initial(board, entities[i]) == (i != slots[_i]));
        if (i != slots[_i])
            ck_assert_uint_eq(board_get_initial(board, entities[i])->letter, (uint8_t)(i * 3));
    }
}
END_TEST

START_TEST(components_beyond_the_first_word_of_a_row_work)
{
    more_context *more = more_context_create(NULL);
    more_entity entity = more_create_entity(more);
    ck_assert_uint_eq(MORE_COMPONENT_COUNT, 70);
    more_add_c66(more, entity, (C66){66});
    more_add_c69(more, entity, (C69){69});
    more_set_c64(more, entity, true);
    for (kin_component_id id = 0; id < MORE_COMPONENT_COUNT; id++)
        ck_assert(kin_has(&more->base, entity.id, id) == (id == MORE_C64 || id == MORE_C66 || id == MORE_C69));
    ck_assert_uint_eq(more_get_c69(more, entity)->value, 69);
    ck_assert_uint_eq(more_remove_c69(more, entity), KIN_OK);
    ck_assert_uint_eq(more_get_c66(more, entity)->value, 66);
    ck_assert(more_is_c64(more, entity) && !more_has_c69(more, entity));
    more_destroy_entity(more, entity);
    entity = more_create_entity(more); // slot 0 again, whose row linked the free slots
    for (kin_component_id id = 0; id < MORE_COMPONENT_COUNT; id++)
        ck_assert(!kin_has(&more->base, entity.id, id));
    more_context_destroy(more);
}
END_TEST

START_TEST(the_last_component_of_a_full_row_works)
{
    full_context *full = full_context_create(NULL);
    less_context *less = less_context_create(NULL);
    full_entity in_full = full_create_entity(full);
    less_entity in_less = less_create_entity(less);
    ck_assert_uint_eq(FULL_C69, 63);
    ck_assert_uint_eq(LESS_C69, 62);
    full_add_c69(full, in_full, (C69){1});
    less_add_c69(less, in_less, (C69){2});
    ck_assert(kin_matches(&full->base, KIN_MATCHER(KIN_ONLY(FULL_C69)), in_full.id));
    ck_assert(kin_matches(&less->base, KIN_MATCHER(KIN_ONLY(LESS_C69)), in_less.id));
    ck_assert(!kin_has(&full->base, in_full.id, FULL_COMPONENT_COUNT));
    ck_assert(!kin_has(&full->base, in_full.id, 65535));
    ck_assert_uint_eq(full_get_c69(full, in_full)->value + less_get_c69(less, in_less)->value, 3);
    full_context_destroy(full);
    less_context_destroy(less);
}
END_TEST

// ---- flags

START_TEST(flg_01_a_flag_is_set_or_not_and_notifies_like_any_component)
{
    kin_group *frozen = board_group(board, KIN_MATCHER(KIN_ALL(BOARD_FROZEN)));
    call_log_subscribe(frozen, KIN_ADDED, "+");
    call_log_subscribe(frozen, KIN_REMOVED, "-");
    board_entity entity = board_create_entity(board);
    ck_assert(!board_is_frozen(board, entity));
    ck_assert_uint_eq(board_set_frozen(board, entity, true), KIN_OK);
    ck_assert(board_is_frozen(board, entity) && kin_has(&board->base, entity.id, BOARD_FROZEN));
    ck_assert_uint_eq(board_set_frozen(board, entity, false), KIN_OK);
    ck_assert(!board_is_frozen(board, entity));
    ck_assert_str_eq(call_log_labels(), "+ - ");
    for (int i = 0; i < 2; i++) // GRP-07
        ck_assert(calls.calls[i].change.previous == NULL && calls.calls[i].change.value == NULL);
}
END_TEST

START_TEST(flg_02_setting_a_flag_to_its_current_state_notifies_no_subscriber)
{
    kin_group *frozen = board_group(board, KIN_MATCHER(KIN_ALL(BOARD_FROZEN)));
    call_log_subscribe(frozen, KIN_ADDED_OR_REMOVED, "!");
    call_log_subscribe(frozen, KIN_MODIFIED, "!");
    board_entity entity = board_create_entity(board);
    ck_assert_uint_eq(board_set_frozen(board, entity, false), KIN_OK);
    ck_assert_uint_eq(calls.count, 0);
    board_set_frozen(board, entity, true);
    ck_assert_uint_eq(board_set_frozen(board, entity, true), KIN_OK);
    ck_assert_uint_eq(calls.count, 1);
    ck_assert(board_is_frozen(board, entity));
}
END_TEST

// ---- types of fields

START_TEST(every_type_of_field_has_the_default_of_the_schema)
{
    Everything value = everything_default();
    ck_assert(value.truth);
    ck_assert_int_eq(value.small, INT8_MIN);
    ck_assert_int_eq(value.short_one, INT16_MIN);
    ck_assert_int_eq(value.plain, INT32_MIN);
    ck_assert_int_eq(value.long_one, INT64_MIN);
    ck_assert_uint_eq(value.small_count, UINT8_MAX);
    ck_assert_uint_eq(value.short_count, UINT16_MAX);
    ck_assert_uint_eq(value.plain_count, UINT32_MAX);
    ck_assert_uint_eq(value.long_count, UINT64_MAX);
    ck_assert(value.ratio == (float)0.1f && value.precise == (double)-1e300); // constants may be more precise
    ck_assert_str_eq(value.text, "thirty-one bytes, not one more.");
    ck_assert_str_eq(value.letter, "k");
    ck_assert_uint_eq(value.anyone | value.neighbour.id | value.friends[0].id | value.friends[1].id, 0);
}
END_TEST

START_TEST(enums_structs_and_arrays_have_the_defaults_of_the_schema)
{
    Everything value = everything_default();
    ck_assert_int_eq(value.shade, SHADE_DARK);
    ck_assert_int_eq(value.rank, RANK_LOW); // the first value, which is not 0
    ck_assert_int_eq(value.ranks[1], RANK_LOW);
    ck_assert_int_eq(value.area.rank, RANK_LOW);
    ck_assert_int_eq(value.shades[2], SHADE_LIGHT);
    ck_assert(value.area.low.x == 0 && value.area.low.y == 2);
    ck_assert(value.area.high.x == 8 && value.area.high.y == 8); // the struct's own default
    ck_assert_mem_eq(value.area.sides, "\4\5\6", 3);
    ck_assert_mem_eq(value.numbers, ((const int16_t[]){1, -2, 3, -4}), sizeof value.numbers);
    ck_assert(value.corners[0].x == 1 && value.corners[1].y == 4);
    ck_assert(position_default().x == 0 && position_default().y == 1);
    ck_assert_uint_eq(load_default().words[8], 0);
}
END_TEST

START_TEST(every_type_of_field_comes_back_as_it_went_in)
{
    board_entity entity = board_create_entity(board);
    Everything in = everything_default();
    in.truth = false;
    in.ratio = -2.5f;
    in.neighbour = entity;
    in.friends[1] = entity;
    in.ranks[0] = RANK_HIGH;
    in.area.sides[2] = 99;
    memcpy(in.text, "other", 6);
    ck_assert_uint_eq(board_add_everything(board, entity, in), KIN_OK);
    const Everything *out = board_get_everything(board, entity);
    ck_assert(!out->truth && out->ratio == -2.5f && out->precise == (double)-1e300);
    ck_assert(board_entity_equals(out->neighbour, entity) && board_entity_equals(out->friends[1], entity));
    ck_assert_int_eq(out->ranks[0], RANK_HIGH);
    ck_assert_uint_eq(out->area.sides[2], 99);
    ck_assert_str_eq(out->text, "other");
    ck_assert_uint_eq(out->long_count, UINT64_MAX);
    ck_assert_int_eq(out->long_one, INT64_MIN);
}
END_TEST

// ---- tables

static const char *const names[] = {"Everything", "Frozen", "Health",   "Initial", "Load",
                                    "Marked",     "Piece",  "Position", "Velocity"};

START_TEST(lkp_01_ids_follow_the_names)
{
    ck_assert_uint_eq(BOARD_COMPONENT_COUNT, sizeof names / sizeof *names);
    ck_assert_uint_eq(board_info.component_count, BOARD_COMPONENT_COUNT);
    for (uint32_t i = 0; i < BOARD_COMPONENT_COUNT; i++)
        ck_assert_str_eq(board_info.components[i].name, names[i]);
    ck_assert_uint_eq(BOARD_EVERYTHING, 0);
    ck_assert_uint_eq(BOARD_VELOCITY, 8);
    ck_assert_str_eq(board_info.name, "board");
    ck_assert_str_eq(board_info.doc, "Everything that stands on the board.");
    ck_assert_ptr_null(middle_info.components);
    ck_assert_uint_eq(middle_info.component_count, 0);
}
END_TEST

START_TEST(tables_have_sizes_alignments_docs_and_units)
{
    const kin_component_info *position = &board_info.components[BOARD_POSITION];
    const kin_component_info *frozen = &board_info.components[BOARD_FROZEN];
    ck_assert_uint_eq(position->size, sizeof(Position));
    ck_assert_uint_eq(position->alignment, _Alignof(Position));
    ck_assert_str_eq(position->doc, "Where it is, in cells.");
    ck_assert_uint_eq(position->field_count, 2);
    ck_assert_ptr_null(position->fields[0].doc);
    ck_assert_ptr_null(position->fields[0].unit);
    ck_assert_str_eq(position->fields[1].doc, "Grows downward.");
    ck_assert_str_eq(position->fields[1].unit, "cells");
    ck_assert_uint_eq(frozen->size, 0);
    ck_assert_ptr_null(frozen->fields);
    ck_assert_str_eq(frozen->doc, "Does not move.");
    ck_assert_ptr_null(board_info.components[BOARD_PIECE].doc);
}
END_TEST

// In the order of the schema (LKP-02).
static const struct {
    const char *name;
    kin_type type;
    uint32_t count;
    size_t offset, size;
    const char *of;
} fields[] = {
#define FIELD(name, type, count, of)                                                                                   \
    {                                                                                                                  \
#name, KIN_TYPE_##type, count, offsetof(Everything, name), sizeof((Everything *)0)->name, of                   \
    }
    FIELD(truth, BOOL, 0, NULL),           FIELD(small, INT8, 0, NULL),         FIELD(short_one, INT16, 0, NULL),
    FIELD(plain, INT32, 0, NULL),          FIELD(long_one, INT64, 0, NULL),     FIELD(small_count, UINT8, 0, NULL),
    FIELD(short_count, UINT16, 0, NULL),   FIELD(plain_count, UINT32, 0, NULL), FIELD(long_count, UINT64, 0, NULL),
    FIELD(ratio, FLOAT, 0, NULL),          FIELD(precise, DOUBLE, 0, NULL),     FIELD(text, INLINE_STRING, 0, NULL),
    FIELD(letter, INLINE_STRING, 0, NULL), FIELD(anyone, ENTITY, 0, NULL),      FIELD(neighbour, ENTITY, 0, NULL),
    FIELD(shade, ENUM, 0, "Shade"),        FIELD(rank, ENUM, 0, "Rank"),        FIELD(area, STRUCT, 0, "Area"),
    FIELD(numbers, INT16, 4, NULL),        FIELD(corners, STRUCT, 2, "Point"),  FIELD(shades, ENUM, 3, "Shade"),
    FIELD(ranks, ENUM, 2, "Rank"),         FIELD(friends, ENTITY, 2, NULL),
#undef FIELD
};

enum { FIELD_COUNT = sizeof fields / sizeof *fields };

START_TEST(lkp_02_fields_stand_in_the_order_of_the_schema)
{
    const kin_component_info *component = &board_info.components[BOARD_EVERYTHING];
    ck_assert_uint_eq(component->field_count, FIELD_COUNT);
    const kin_field_info *field = &component->fields[_i];
    ck_assert_str_eq(field->name, fields[_i].name);
    ck_assert_uint_eq(field->type, fields[_i].type);
    ck_assert_uint_eq(field->count, fields[_i].count);
    ck_assert_uint_eq(field->offset, fields[_i].offset);
    ck_assert_uint_eq(field->size, fields[_i].size);
    ck_assert_pstr_eq(field->of != NULL ? field->of->name : NULL, fields[_i].of);
    bool own = strcmp(field->name, "neighbour") == 0 || strcmp(field->name, "friends") == 0;
    ck_assert_pstr_eq(field->target, own ? "board" : NULL);
}
END_TEST

START_TEST(tables_have_enums_and_structs)
{
    const kin_field_info *all = board_info.components[BOARD_EVERYTHING].fields;
    const kin_type_info *rank = all[16].of, *area = all[17].of;
    ck_assert_uint_eq(rank->value_count, 2);
    ck_assert_str_eq(rank->values[0].name, "Low");
    ck_assert_int_eq(rank->values[0].value, -5);
    ck_assert_int_eq(rank->values[1].value, 70000);
    ck_assert_ptr_null(rank->fields);
    ck_assert_uint_eq(rank->size, sizeof(Rank));
    ck_assert_uint_eq(area->size, sizeof(Area));
    ck_assert_uint_eq(area->field_count, 4);
    ck_assert_str_eq(area->fields[1].of->doc, "A place in the plane.");
    ck_assert_str_eq(area->fields[1].of->fields[1].unit, "cells");
    ck_assert_uint_eq(area->fields[3].offset, offsetof(Area, sides));
    ck_assert_ptr_null(area->values);
    ck_assert_str_eq(all[18].unit, "steps");
    ck_assert_str_eq(all[14].doc, "Who stands beside it.");
}
END_TEST

START_TEST(lkp_02_declared_groups_stand_by_name)
{
    const char *const groups[] = {"either", "loads", "movers", "placed", "positions", "strays"};
    for (uint32_t i = 0; i < board_info.group_count; i++)
        ck_assert_str_eq(board_info.groups[i].name, groups[i]);
    ck_assert_str_eq(board_info.groups[2].doc, "Everything that moves.");
    ck_assert_ptr_null(board_info.groups[0].doc);
    ck_assert_uint_eq(board_info.groups[0].matcher.count, 2);
    ck_assert_str_eq(left_info.name, "left");
    ck_assert_str_eq(left_info.components[LEFT_ALONE].fields[0].target, "right");
}
END_TEST

Suite *runtime_component_suite(void)
{
    Suite *suite = suite_create("runtime_component");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, begin, board_end);
    tcase_add_test(rules, cmp_01_components_are_independent_of_each_other);
    tcase_add_test(rules, cmp_02_the_callers_value_is_copied_in);
    tcase_add_test(rules, cmp_03_an_added_component_has_no_value_of_a_former_one);
    tcase_add_test(rules, cmp_04_adding_a_second_time_is_refused);
    tcase_add_test(rules, cmp_05_replace_writes_or_adds);
    tcase_add_test(rules, cmp_05_a_replace_that_adds_notifies_as_an_add_does);
    tcase_add_test(rules, cmp_06_replacing_by_an_equal_value_notifies);
    tcase_add_test(rules, cmp_07_remove_removes_the_component);
    tcase_add_loop_test(rules, cmp_10_get_and_edit_give_the_same_address_from_add_to_remove, 0, SLOT_CASES);
    tcase_add_loop_test(rules, components_of_all_slots_keep_their_own_values, 0, SLOT_CASES);
    tcase_add_test(rules, components_beyond_the_first_word_of_a_row_work);
    tcase_add_test(rules, the_last_component_of_a_full_row_works);
    tcase_add_test(rules, cmp_11_edit_notifies_no_subscriber_and_touch_notifies_as_a_replace_does);
    tcase_add_loop_test(rules, cmp_11_touching_a_missing_component_is_refused, 0, 2);
    tcase_add_test(rules, cmp_15_an_entity_field_stays_as_it_is_when_its_target_dies);
    tcase_add_test(rules, cmp_16_a_component_of_several_contexts_is_separate_in_each);
    tcase_add_test(rules, without_memory_a_component_is_not_added);
    tcase_add_test(rules, flg_01_a_flag_is_set_or_not_and_notifies_like_any_component);
    tcase_add_test(rules, flg_02_setting_a_flag_to_its_current_state_notifies_no_subscriber);
    suite_add_tcase(suite, rules);
    TCase *tables = tcase_create("types and tables");
    tcase_add_checked_fixture(tables, begin, board_end);
    tcase_add_test(tables, every_type_of_field_has_the_default_of_the_schema);
    tcase_add_test(tables, enums_structs_and_arrays_have_the_defaults_of_the_schema);
    tcase_add_test(tables, every_type_of_field_comes_back_as_it_went_in);
    tcase_add_test(tables, lkp_01_ids_follow_the_names);
    tcase_add_test(tables, tables_have_sizes_alignments_docs_and_units);
    tcase_add_loop_test(tables, lkp_02_fields_stand_in_the_order_of_the_schema, 0, FIELD_COUNT);
    tcase_add_test(tables, tables_have_enums_and_structs);
    tcase_add_test(tables, lkp_02_declared_groups_stand_by_name);
    suite_add_tcase(suite, tables);
    return suite;
}
