// Evolve: how messages name what is lost.
#include "evolve_case.h"
#include "generator/reading.h"
#include "suites.h"

#include <check.h>
#include <string.h>

// What the last of three schemas lost. `renamed` has other names than `first`.
typedef struct loss {
    const char *first, *renamed, *now; // `renamed` NULL: none
    const char *message;
    const char *removed; // what the hint tells to list
} loss;

#define NESTED(value) "E: { values: [" value "] }, V: { fields: { e: E } }"

static const loss losses[] = {
    {ONE("int8"), C("B: { was: A, fields: { y: { type: int8, was: x } } }"), C("C: {}"),
     "saves have 'B.y', but the schema has no component 'B'", "B"},
    {ONE("int8"), C("B: { was: A, fields: { y: { type: int8, was: x } } }"), C("B: {}"),
     "saves have 'B.y', but 'B' has no field 'y'", "B.y"},
    {ONE("int8"), NULL, C("B: { was: A, fields: { y: int8 } }"), "saves have 'A.x', but 'B' has no field 'x'", "A.x"},
    {T(NESTED("R"), "A: { fields: { v: V } }"),
     T("E: { values: [S: { was: R }] }, W: { fields: { f: { type: E, was: e } } }",
       "A: { fields: { w: { type: W, was: v } } }"),
     C("A: {}"), "saves have 'A.w.f', but 'A' has no field 'w'", "A.w"},
    {T(NESTED("R"), "A: { fields: { v: V } }"), NULL,
     T("W: { fields: { g: int8 } }", "B: { was: A, fields: { w: { type: W, was: v } } }"),
     "saves have 'A.v.e', but 'B.w' has no member 'e'", "A.v.e"},
    {T(NESTED("R, G"), "A: { fields: { v: V } }"), NULL,
     T("E: { values: [R] }, W: { fields: { f: { type: E, was: e } } }",
       "B: { was: A, fields: { w: { type: W, was: v } } }"),
     "saves have 'A.v.e.G', but 'B.w.f' has no value 'G'", "A.v.e.G"},
    {T(NESTED("R, G"), "A: { fields: { v: V } }"),
     T("E: { values: [R, H: { was: G }] }, W: { fields: { f: { type: E, was: e } } }",
       "B: { was: A, fields: { w: { type: W, was: v } } }"),
     T("E: { values: [R] }, W: { fields: { f: E } }", "B: { fields: { w: W } }"),
     "saves have 'B.w.f.H', but 'B.w.f' has no value 'H'", "B.w.f.H"},
    {C("A: { fields: { x: int8, z: int8 } }"), NULL,
     C("B: { was: A, fields: { y: { type: int8, was: x }, z: { type: int8, save: false } } }"),
     "saves have 'A.z', but it is no longer saved", "A.z"},
};

enum { LOSS_COUNT = sizeof losses / sizeof *losses };

START_TEST(evo_03_what_is_lost_has_the_names_that_saves_have_last)
{
    const loss *loss = &losses[_i];
    const char *lock = text_of(evolved(loss->first, NULL).lock);
    if (loss->renamed != NULL)
        lock = text_of(evolved(loss->renamed, lock).lock);
    reading_begin();
    evolved(loss->now, lock);
    const diagnostic *lost = reading_diagnostics()->first;
    ck_assert_ptr_nonnull(lost);
    ck_assert_int_eq(lost->code, CODE_LOST);
    ck_assert_str_eq(lost->message, loss->message);
    ck_assert_ptr_nonnull(strstr(lost->hint, arena_format(reading_arena(), "'removed: [%s]'", loss->removed)));
    reading_begin();
    evolved(arena_format(reading_arena(), "removed: [%s]\n%s", loss->removed, loss->now), lock);
    ck_assert_str_eq(codes(), "");
}
END_TEST

Suite *evolve_lost_suite(void)
{
    Suite *suite = suite_create("evolve_lost");
    TCase *cases = tcase_create("evolve_lost");
    tcase_add_checked_fixture(cases, reading_begin, reading_end);
    tcase_add_loop_test(cases, evo_03_what_is_lost_has_the_names_that_saves_have_last, 0, LOSS_COUNT);
    suite_add_tcase(suite, cases);
    return suite;
}
