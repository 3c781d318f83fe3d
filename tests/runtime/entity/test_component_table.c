// The tables that describe components: types and defaults of fields, ids, enums, structs and groups (LKP).
#include "runtime/support/board_case.h"
#include "suites.h"

#include <check.h>
#include <pair/pair.h>
#include <string.h>

// ---- types of fields

START_TEST(every_type_of_field_has_the_default_of_the_schema)
{
    Everything value = everything_default();
    ck_assert(value.truth);
    ck_assert_int_eq(value.narrow, INT8_MIN);
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
    FIELD(truth, BOOL, 0, NULL),           FIELD(narrow, INT8, 0, NULL),        FIELD(short_one, INT16, 0, NULL),
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

Suite *runtime_component_table_suite(void)
{
    Suite *suite = suite_create("runtime_component_table");
    TCase *tests = tcase_create("types and tables");
    tcase_add_checked_fixture(tests, board_begin, board_end);
    tcase_add_test(tests, every_type_of_field_has_the_default_of_the_schema);
    tcase_add_test(tests, enums_structs_and_arrays_have_the_defaults_of_the_schema);
    tcase_add_test(tests, every_type_of_field_comes_back_as_it_went_in);
    tcase_add_test(tests, lkp_01_ids_follow_the_names);
    tcase_add_test(tests, tables_have_sizes_alignments_docs_and_units);
    tcase_add_loop_test(tests, lkp_02_fields_stand_in_the_order_of_the_schema, 0, FIELD_COUNT);
    tcase_add_test(tests, tables_have_enums_and_structs);
    tcase_add_test(tests, lkp_02_declared_groups_stand_by_name);
    suite_add_tcase(suite, tests);
    return suite;
}
