// Evolve: the matrix of changes. Each row is a schema before and now, the codes of what is lost, and the changes.
//
// The lock of the schema before goes through its text. What the schema of now makes of it is compared with itself: a
// lock that was written is not changed by the same schema, and a schema that is up to date loses nothing.
#include "evolve_case.h"
#include "generator/reading.h"
#include "suites.h"

#include <check.h>
#include <string.h>

typedef struct change {
    const char *before, *now;
    const char *codes;   // of errors and warnings, in order of reporting
    const char *summary; // without `kin: ` and the line break
} change;

#define SAME "saves can be read as before"

// A primary key A.x of an index, and a system S with an inbox for messages M.
#define COMPONENTS  "A: { fields: { x: int8 } }, B: {}, D: {}"
#define INDEX(rest) "indices: { at: { kind: primary, key: [A.x]" rest " } }\n"
#define KEYED(rest) C(COMPONENTS) INDEX(rest)
#define TWICE(first, other)                                                                                            \
    C(COMPONENTS)                                                                                                      \
    "indices: { at: { kind: primary, key: [A.x]" first " }, by: { kind: primary, key: [A.x]" other " } }\n"
#define KEYS_OF(of)                                                                                                    \
    C("A: { fields: { x: int8 } }, B: { fields: { x: int8 } }")                                                        \
    "indices: { at: { kind: primary, key: { type: int8, function: f }, of: " of " } }\n"
#define INBOX(bounds)  "messages: { M: {} }\nsystems: { S: { inbox: [" bounds "] } }\n"
#define MESSAGE(field) "messages: { M: { fields: { x: " field " } } }\n"

#define NARROWED(what)    "1 change narrows what saves may have (" what ")"
#define LOST              "1 change loses data"
#define RETYPED(from, to) "1 change keeps data (changed: A.x (" from " to " to "))"

static const change changes[] = {
    // components
    {C("A: {}"), C("A: {}"), "", SAME},
    {C("A: {}"), C("A: {}, B: {}"), "", "1 change keeps data (new: B)"},
    {C("A: {}, B: {}"), C("A: {}"), "K1201", LOST},
    {C("A: {}, B: {}"), GONE("B") C("A: {}"), "", "1 removed: B"},
    {C("A: {}"), C("B: {}"), "K1201", LOST ", 1 keeps it (new: B)"},
    {C("A: {}"), C("B: { was: A }"), "", "1 change keeps data (renamed: A)"},
    {C("A: {}"), C("B: { was: AA }"), "K1203 K1201", "2 changes lose data, 1 keeps it (new: B)"},
    {C("A: {}, B: {}"), C("B: { was: A }, A: { was: B }"), "", "2 changes keep data (renamed: B, A)"},
    {C("A: {}, B: {}"), C("C: { was: B }, B: { was: A }"), "", "2 changes keep data (renamed: A, B)"},
    {C("A: {}"), C("A: { fields: { x: int8 } }"), "", "1 change keeps data (new: A.x)"},
    {ONE("int8"), C("A: {}"), "K1201", LOST},
    {ONE("int8"), GONE("A.x") C("A: {}"), "", "1 removed: A.x"},
    {C("A: {}"), C("A: { save: false, fields: { x: int8 } }"), "K1201", LOST},
    {C("A: {}"), GONE("A") C("A: { save: false, fields: { x: int8 } }"), "", "1 removed: A"},
    {C("A: { save: false, fields: { x: int8 } }"), C("B: {}"), "", "1 change keeps data (new: B)"},
    {C("B: {}, A: {}"), C("A: { storage: boxed, fields: { x: int8 } }, B: {}"), "", "1 change keeps data (new: A.x)"},
    {C("A: {}"), C("A: { unique: true }"), "K1208", "1 change narrows what saves may have (A: unique)"},
    {C("A: { unique: true }"), C("A: {}"), "", SAME},
    {C("B: {}"), C("A: { unique: true }, B: {}"), "", "1 change keeps data (new: A)"},
    // fields
    {ONE("int8"), C("A: { fields: { x: int8, y: int8 } }"), "", "1 change keeps data (new: A.y)"},
    {C("A: { fields: { x: int8, y: int8 } }"), C("A: { fields: { y: int8, x: int8 } }"), "", SAME},
    {C("A: { fields: { x: int8, y: int8 } }"), ONE("int8"), "K1201", LOST},
    {C("A: { fields: { x: int8, y: int8 } }"), GONE("A.y") ONE("int8"), "", "1 removed: A.y"},
    {C("A: { fields: { x: int8, y: int8 } }"), C("A: { fields: { x: int8, y: { type: int8, save: false } } }"), "K1201",
     LOST},
    {ONE("int8"), C("A: { fields: { y: int8 } }"), "K1201", LOST ", 1 keeps it (new: A.y)"},
    {ONE("int8"), C("A: { fields: { y: { type: int8, was: x } } }"), "", "1 change keeps data (renamed: A.x)"},
    {ONE("int8"), C("A: { fields: { y: { type: int8, was: xx } } }"), "K1203 K1201",
     "2 changes lose data, 1 keeps it (new: A.y)"},
    {C("A: { fields: { x: int8, y: float } }"),
     C("A: { fields: { x: { type: float, was: y }, y: { type: int8, was: x } } }"), "",
     "2 changes keep data (renamed: A.y, A.x)"},
    {ONE("int8"), C("B: { was: A, fields: { y: { type: int8, was: x } } }"), "",
     "2 changes keep data (renamed: A, A.x)"},
    {ONE("int8"), "removed: [A.x]\n" C("B: { was: A }"), "", "1 change keeps data (renamed: A), 1 removed: A.x"},
    {ONE("int8"), "removed: [B.x]\n" C("B: { was: A }"), "", "1 change keeps data (renamed: A), 1 removed: A.x"},
    {ONE("int32"), ONE("{ type: int32, index: multi, default: 3, doc: x }"), "", SAME},
    {ONE("int32"), ONE("{ type: int32, index: primary }"), "K1208",
     "1 change narrows what saves may have (A.x: primary key)"},
    {ONE("{ type: int32, index: primary }"), ONE("int32"), "", SAME},
    {ONE("int32"), C("A: { fields: { x: int32 } }, B: { fields: { x: { type: int32, index: primary } } }"), "",
     "1 change keeps data (new: B)"},
    // which entities have a primary key
    {KEYED(", none: [B]"), KEYED(""), "K1208", NARROWED("A.x: condition")},
    {KEYED(", all: [B]"), KEYED(""), "K1208", NARROWED("A.x: condition")},
    {KEYED(", none: [B, D]"), KEYED(", none: [D]"), "K1208", NARROWED("A.x: condition")},
    {KEYED(", all: [B]"), KEYED(", all: [D]"), "K1208", NARROWED("A.x: condition")},
    {KEYED(", all: [B]"), KEYED(", none: [B]"), "K1208", NARROWED("A.x: condition")},
    {KEYED(", all: [B]"), KEYED(", all: [D, B]"), "", SAME},
    {KEYED(", none: [D, B]"), KEYED(", none: [B, D]"), "", SAME},
    {KEYED(""), KEYED(", none: [B]"), "", SAME},
    {KEYED(", all: [B]"), C(COMPONENTS), "", SAME},
    {KEYED(", all: [B]"), C(COMPONENTS ", E: {}") INDEX(", all: [E]"), "", "1 change keeps data (new: E)"},
    {C(COMPONENTS), C(COMPONENTS ", E: {}") INDEX(", all: [E]"), "", "1 change keeps data (new: E)"},
    {KEYED(", none: [B]"), C("A: { fields: { x: int8 } }, E: { was: B }, D: {}") INDEX(", none: [E]"), "",
     "1 change keeps data (renamed: B)"},
    {KEYED(", none: [B]"), GONE("B") C("A: { fields: { x: int8 } }, D: {}") INDEX(""), "K1208",
     NARROWED("A.x: condition") ", 1 removed: B"},
    {KEYED(", none: [B]"), GONE("B") C("A: { fields: { x: int8 } }, B: { save: false }, D: {}") INDEX(", none: [B]"),
     "K1208", NARROWED("A.x: condition") ", 1 removed: B"},
    {KEYED(", all: [B]"), GONE("B") C("A: { fields: { x: int8 } }, B: { save: false }, D: {}") INDEX(", all: [B]"), "",
     "1 removed: B"},
    {KEYED(", all: [B]"), C("A: { migrate: true, fields: { x: int8 } }, B: {}, D: {}") INDEX(""), "",
     "1 change keeps data (changed: A.x: condition)"},
    {TWICE(", all: [B]", ", all: [D]"), KEYED(", all: [D]"), "", SAME},
    {KEYED(", all: [D]"), TWICE(", all: [B]", ", all: [D]"), "K1208", NARROWED("A.x: condition")},
    {KEYED(", all: [B]"), TWICE(", all: [B]", ""), "K1208", NARROWED("A.x: condition")},
    {TWICE(", all: [B]", ""), KEYED(", all: [D]"), "", SAME},
    {KEYS_OF("[A, B]"), KEYS_OF("[A]"), "K1208", NARROWED("at(): condition")},
    {KEYS_OF("[A]"), KEYS_OF("[A, B]"), "", SAME},
    // types that have room
    {ONE("int8"), ONE("int64"), "", RETYPED("int8", "int64")},
    {ONE("uint8"), ONE("int16"), "", RETYPED("uint8", "int16")},
    {ONE("uint32"), ONE("uint64"), "", RETYPED("uint32", "uint64")},
    {ONE("int16"), ONE("float"), "", RETYPED("int16", "float")},
    {ONE("uint32"), ONE("double"), "", RETYPED("uint32", "double")},
    {ONE("float"), ONE("double"), "", RETYPED("float", "double")},
    {ONE("bool"), ONE("uint8"), "", RETYPED("bool", "uint8")},
    {ONE("bool"), ONE("float"), "", RETYPED("bool", "float")},
    {ONE("entity<game>"), ONE("entity"), "", RETYPED("entity<game>", "entity")},
    {ONE("'string[7]'"), ONE("'string[8]'"), "", RETYPED("string[7]", "string[8]")},
    {ONE("'string[7]'"), ONE("string"), "", RETYPED("string[7]", "string")},
    {ONE("int8"), ONE("'int8[4]'"), "", RETYPED("int8", "int8[4]")},
    {ONE("'int8[3]'"), ONE("'int16[4]'"), "", RETYPED("int8[3]", "int16[4]")},
    {ONE("'int8[3]'"), ONE("'int8[]'"), "", RETYPED("int8[3]", "int8[]")},
    {ONE("int8"), ONE("'int8[]'"), "", RETYPED("int8", "int8[]")},
    // types that have no room
    {ONE("int32"), ONE("int16"), "K1202", LOST},
    {ONE("int8"), ONE("uint8"), "K1202", LOST},
    {ONE("uint8"), ONE("int8"), "K1202", LOST},
    {ONE("int32"), ONE("float"), "K1202", LOST},
    {ONE("uint64"), ONE("double"), "K1202", LOST},
    {ONE("double"), ONE("float"), "K1202", LOST},
    {ONE("float"), ONE("int64"), "K1202", LOST},
    {ONE("int8"), ONE("bool"), "K1202", LOST},
    {ONE("string"), ONE("'string[7]'"), "K1202", LOST},
    {ONE("'string[8]'"), ONE("'string[7]'"), "K1202", LOST},
    {ONE("string"), ONE("int32"), "K1202", LOST},
    {ONE("int32"), ONE("string"), "K1202", LOST},
    {ONE("entity"), ONE("entity<game>"), "K1202", LOST},
    {ONE("'int8[4]'"), ONE("'int8[3]'"), "K1202", LOST},
    {ONE("'int8[]'"), ONE("'int8[3]'"), "K1202", LOST},
    {ONE("'int8[3]'"), ONE("int8"), "K1202", LOST},
    {ONE("'int8[3]'"), ONE("'int16[2]'"), "K1202", LOST},
    {ONE("int32"), C("A: { migrate: true, fields: { x: int16 } }"), "", RETYPED("int32", "int16")},
    {ONE("string"), C("A: { migrate: true, fields: { x: int16 } }"), "", RETYPED("string", "int16")},
    // structs
    {T("V: { fields: { e: int8, n: int8 } }", "A: { fields: { x: V } }"),
     T("W: { fields: { n: int8, e: int8 } }", "A: { fields: { x: W } }"), "", SAME},
    {T("V: { fields: { e: int8 } }", "A: { fields: { x: V } }"),
     T("V: { fields: { f: { type: int8, was: e } } }", "A: { fields: { x: V } }"), "",
     "1 change keeps data (renamed: A.x.e)"},
    {T("V: { fields: { e: int8 } }", "A: { fields: { x: V } }"),
     T("V: { fields: { f: int8 } }", "A: { fields: { x: V } }"), "K1201", LOST ", 1 keeps it (new: A.x.f)"},
    {T("V: { fields: { e: int8, n: int8 } }", "A: { fields: { x: V } }"),
     GONE("A.x.n") T("V: { fields: { e: int8 } }", "A: { fields: { x: V } }"), "", "1 removed: A.x.n"},
    {T("V: { fields: { e: int8 } }", "A: { fields: { x: V } }"), ONE("int8"), "K1202", LOST},
    {ONE("int8"), T("V: { fields: { e: int8 } }", "A: { fields: { x: V } }"), "K1202",
     LOST ", 1 keeps it (new: A.x.e)"},
    {ONE("int8"), T("V: { fields: { e: int8 } }", "A: { migrate: true, fields: { x: V } }"), "",
     "1 change keeps data (new: A.x.e)"},
    {T("V: { fields: { e: int8 } }", "A: { fields: { x: V } }"), C("A: { migrate: true, fields: { x: int8 } }"), "",
     SAME},
    {T("V: { fields: { e: int8 } }", "A: { fields: { x: V } }"),
     T("V: { fields: { e: int8 } }", "A: { fields: { x: 'V[2]' } }"), "",
     "1 change keeps data (changed: A.x.e (int8 to int8[2]))"},
    {T("V: { fields: { e: int8 } }", "A: { fields: { x: V } }"),
     T("V: { fields: { f: { type: int8, was: e } } }", "A: { fields: { x: V } }, B: { fields: { y: V } }"), "",
     "2 changes keep data (renamed: A.x.e; new: B)"},
    // enums
    {T("E: { values: [R, G] }", "A: { fields: { x: E } }"), T("F: { values: [G, R, B] }", "A: { fields: { x: F } }"),
     "", "1 change keeps data (new: A.x.B)"},
    {T("E: { values: [R, G] }", "A: { fields: { x: E } }"), T("E: { values: [R] }", "A: { fields: { x: E } }"), "K1201",
     LOST},
    {T("E: { values: [R, G] }", "A: { fields: { x: E } }"),
     GONE("A.x.G") T("E: { values: [R] }", "A: { fields: { x: E } }"), "", "1 removed: A.x.G"},
    {T("E: { values: [R, G] }", "A: { fields: { x: E } }"),
     T("E: { values: [R] }", "A: { migrate: true, fields: { x: E } }"), "", "1 removed: A.x.G"},
    {T("E: { values: [R, G] }", "A: { fields: { x: E } }"),
     T("E: { values: [R, H: { was: G }] }", "A: { fields: { x: E } }"), "", "1 change keeps data (renamed: A.x.G)"},
    {T("E: { values: [R, G] }", "A: { fields: { x: E } }"),
     T("E: { values: { R: 7, G: 5 } }", "A: { fields: { x: E } }"), "K1208",
     "1 change narrows what saves may have (A.x: numbers)"},
    {T("E: { values: [R, G] }", "A: { fields: { x: E } }"), ONE("uint8"), "", RETYPED("enum", "uint8")},
    {T("E: { values: { R: 0, G: 1000 } }", "A: { fields: { x: E } }"), ONE("uint8"), "K1202", LOST},
    {T("E: { values: { R: -5, G: 1 } }", "A: { fields: { x: E } }"), ONE("uint8"), "K1202", LOST},
    {ONE("uint8"), T("E: { values: [R, G] }", "A: { fields: { x: E } }"), "K1202", LOST},
    // contexts
    {"removed: [game]\n" C("A: {}"), "removed: [game]\n" C("A: {}"), "K1206", SAME},
    // messages and systems
    {"messages: { M: { fields: { x: int8 } }, N: {} }\n", "messages: { N: {} }\n", "", SAME},
    {"messages: { M: { fields: { x: int8 } } }\n", "messages: { N: { was: M, fields: { x: int8 } } }\n", "",
     "1 change keeps data (renamed: M)"},
    {"messages: { M: { fields: { x: int8 } } }\n", "messages: { M: {} }\n", "K1201", LOST},
    {"messages: { M: { fields: { x: int8 } } }\n", "messages: { N: { fields: { x: int8 } } }\n", "",
     "1 change keeps data (new: N)"},
    {"messages: { M: { fields: { x: int8 } } }\n", GONE("M.x") "messages: { M: {} }\n", "", "1 removed: M.x"},
    {"messages: { M: { fields: { x: int8 } } }\n", "messages: { M: { fields: { y: int8 } } }\n", "K1201",
     LOST ", 1 keeps it (new: M.y)"},
    {"messages: { M: { fields: { x: int8 } } }\n", "messages: { M: { fields: { y: { type: int8, was: x } } } }\n", "",
     "1 change keeps data (renamed: M.x)"},
    {"messages: { M: { fields: { x: int8, y: int8 } } }\n", "messages: { M: { fields: { y: int8, x: int8 } } }\n", "",
     SAME},
    {"messages: { M: { fields: { x: int8 } } }\n", "messages: { M: { fields: { x: int8, y: int8 } } }\n", "",
     "1 change keeps data (new: M.y)"},
    {"messages: { M: { fields: { x: int8 } }, N: { fields: { x: int8 } } }\n",
     "messages: { M: { was: N, fields: { x: int8 } }, N: { was: M, fields: { x: int8 } } }\n", "",
     "2 changes keep data (renamed: N, M)"},
    {"messages: { M: { fields: { x: int8 } } }\n", "messages: { M: { fields: { x: int32 } } }\n", "",
     "1 change keeps data (changed: M.x (int8 to int32))"},
    {"messages: { M: { fields: { x: int32 } } }\n", "messages: { M: { fields: { x: int8 } } }\n", "K1202", LOST},
    {MESSAGE("{ type: int8, range: [0, 9] }"), MESSAGE("{ type: int8, range: [0, 8] }"), "K1208",
     NARROWED("M.x: range 0..8")},
    {MESSAGE("int8"), MESSAGE("{ type: int8, range: [0, ~] }"), "K1208", NARROWED("M.x: range 0..~")},
    {MESSAGE("{ type: int8, range: [0, 9] }"), MESSAGE("{ type: int8, range: [-1, 9] }"), "", SAME},
    {MESSAGE("{ type: int8, range: [0, 9] }"), MESSAGE("int8"), "", SAME},
    {"messages: { N: {} }\n", "messages: { N: {}, M: { fields: { x: { type: int8, range: [0, 8] } } } }\n", "",
     "1 change keeps data (new: M)"},
    {"types: { V: { fields: { e: int8 } } }\n" MESSAGE("V"),
     "types: { V: { fields: { e: { type: int8, range: [0, 8] } } } }\n" MESSAGE("V"), "K1208",
     NARROWED("M.x.e: range 0..8")},
    {INBOX("{ M: { capacity: 4 } }"), INBOX("{ M: { capacity: 3 } }"), "K1208", NARROWED("S.M: capacity 3")},
    {INBOX("M"), INBOX("{ M: { capacity: 3 } }"), "K1208", NARROWED("S.M: capacity 3")},
    {INBOX("{ M: { capacity: 9 } }"), INBOX("{ M: { capacity: 10 } }"), "", SAME},
    {INBOX("{ M: { capacity: 4 } }"), INBOX("M"), "", SAME},
    {INBOX("{ M: { capacity: 4 } }"), INBOX("{ M: { capacity: 4, full: newest } }"), "", SAME},
    {INBOX("{ M: { capacity: 4 } }"), "messages: { M: {} }\nsystems: { S: {} }\n", "", SAME},
    {"messages: { M: {} }\nsystems: { S: {} }\n", INBOX("{ M: { capacity: 4 } }"), "", SAME},
    {INBOX("{ M: { capacity: 4 } }"),
     "messages: { N: { was: M } }\nsystems: { T: { was: S, inbox: [{ N: { capacity: 3 } }] } }\n", "K1208",
     NARROWED("S.M: capacity 3") ", 2 changes keep data (renamed: M, S)"},
    {"systems: { S: {} }\n", "systems: { T: { was: S } }\n", "", "1 change keeps data (renamed: S)"},
    {"systems: { S: {} }\n", "systems: { T: {} }\n", "", "1 change keeps data (new: T)"},
    {"systems: { S: {} }\n", "systems: { T: { was: SS } }\n", "K1203", LOST ", 1 keeps it (new: T)"},
};

enum { CHANGE_COUNT = sizeof changes / sizeof *changes };

START_TEST(evo_02_evo_03_evo_04_evo_05_evo_06_evo_07_every_change_is_kept_or_reported)
{
    const change *change = &changes[_i];
    const char *before = text_of(evolved(change->before, NULL).lock);
    reading_begin();
    evolution evolution = evolved(change->now, before);
    ck_assert_msg(strcmp(codes(), change->codes) == 0, "%s%s%s", change->before, change->now, reading_printed());
    ck_assert_msg(strcmp(summary_of(&evolution), change->summary) == 0, "%s%s%s", change->before, change->now,
                  summary_of(&evolution));
}
END_TEST

START_TEST(evo_12_a_lock_that_was_written_stays_as_it_is)
{
    const change *change = &changes[_i];
    const char *before = text_of(evolved(change->before, NULL).lock);
    evolution first = evolved(change->now, before);
    if (first.lost > 0)
        return;
    reading_begin();
    evolution second = evolved(change->now, text_of(first.lock));
    ck_assert_msg(diagnostics_error_count(reading_diagnostics()) == 0, "%s", reading_printed());
    ck_assert_str_eq(text_of(second.lock), text_of(first.lock));
    ck_assert_str_eq(summary_of(&second), SAME);
}
END_TEST

// Returns whether a line says what holds of the schema now, rather than what saves may have.
static bool is_of_now(const char *line)
{
    static const char *const words[] = {"condition ", "inbox ", "message_range "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(line, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

// Every other line of the lock before is in the lock of now, by the word that it begins with.
START_TEST(evo_12_no_line_is_forgotten)
{
    const change *change = &changes[_i];
    const char *before = text_of(evolved(change->before, NULL).lock);
    const char *now = arena_format(reading_arena(), "\n%s", text_of(evolved(change->now, before).lock));
    for (const char *line = before; *line != '\0'; line = strchr(line, '\n') + 1) {
        size_t size = strcspn(line, " \n");
        if (strncmp(line, "message ", 8) == 0 || strncmp(line, "primary ", 8) == 0)
            size += 1 + strcspn(line + size + 1, " \n");
        const char *word = arena_format(reading_arena(), "\n%.*s", (int)size, line);
        ck_assert_msg(is_of_now(line) || strstr(now, word) != NULL, "%s has no %s", now, word);
    }
}
END_TEST

// ---- chains of changes, the lock of each written before the next

typedef struct chain {
    const char *versions[5]; // then NULL
    const char *lock;        // after its first two lines and the context
    const char *codes;
} chain;

static const chain chains[] = {
    {{ONE("int8"), C("A: { fields: { y: { type: int8, was: x } } }"),
      C("A: { fields: { z: { type: int8, was: y } } }")},
     "A.x game int8 = A.z\n",
     ""},
    {{ONE("int8"), C("A: { fields: { y: { type: int8, was: x } } }"),
      C("A: { fields: { z: { type: int8, was: x } } }")},
     "A.x game int8 = A.z\n",
     ""},
    {{ONE("int8"), C("A: { fields: { y: { type: int8, was: x } } }"), C("A: { fields: { y: int8 } }")},
     "A.x game int8 = A.y\n",
     ""},
    {{ONE("int8"), C("A: { fields: { y: { type: int8, was: x } } }"), C("A: { fields: { x: { type: int8, was: y } } }"),
      ONE("int8")},
     "A.x game int8\n",
     ""},
    {{ONE("int8"), C("A: { fields: { y: { type: int8, was: x } } }"), C("A: { fields: { y: int8, x: int8 } }")},
     NULL,
     "K1204"},
    {{KEYED(", none: [D], all: [B]"), TWICE(", all: [B]", ", none: [D]")},
     "A.x game int8\nB game flag\nD game flag\ncondition game.A.x !D|B\nprimary A.x game\n",
     "K1208"},
    {{INBOX("{ M: { capacity: 4 } }"), INBOX("M")}, "inbox S.M ~\nmessage M flag\nsystem S\n", ""},
    {{MESSAGE("{ type: int8, range: [0, 9] }"), MESSAGE("{ type: int8, range: [0, 8] }")},
     "message M.x int8\nmessage_range M.x 0..8\n",
     "K1208"},
    {{ONE("int8"), ONE("int16"), ONE("int32"), ONE("int64")}, "A.x game int8|int16|int32 = A.x int64\n", ""},
    {{ONE("int64"), C("A: { migrate: true, fields: { x: int8 } }"), ONE("int8")}, NULL, "K1202"},
    {{ONE("int8"), ONE("int16"), C("A: { migrate: true, fields: { x: int8 } }")}, "A.x game int16 = A.x int8\n", ""},
    {{C("A: {}, B: {}"), C("A: { was: B }, B: { was: A }"), C("A: { was: B }, B: { was: A }"), C("A: {}, B: {}")},
     "A game flag = B\nB game flag = A\n",
     ""},
    {{C("A: {}, B: {}"), GONE("B") C("A: {}"), C("A: {}")}, "A game flag\nB game flag removed\n", ""},
    {{C("A: {}, B: {}"), GONE("B") C("A: {}"), C("A: {}, B: {}")}, NULL, "K1205"},
    {{C("A: {}, B: {}"), GONE("B") C("A: {}"), C("A: {}, B: { was: B2 }"), C("A: {}, B: {}")},
     "A game flag\nB game flag removed\nB2 game flag = B\n",
     ""},
    {{C("A: {}"), C("B: { was: A }, A: { was: A2 }"), C("B: {}, A: {}")}, "A game flag = B\nA2 game flag = A\n", ""},
    {{C("A: {}, B: {}"), GONE("B") C("A: {}"), C("B: { was: A }")}, "A game flag = B\nB game flag removed\n", ""},
    {{ONE("int8"), C("A: { fields: { y: int8, x: int8 } }"), GONE("A.x") C("A: { fields: { y: int8 } }"), ONE("int8")},
     NULL,
     "K1205 K1201"},
    {{ONE("int8"), C("B: { was: A, fields: { x: int8 } }"), C("B: { fields: { x: int8, y: int8 } }")},
     "A.x game int8 = B.x\nA.y game int8 = B.y\n",
     ""},
    {{C("A: {}"), C("A: { unique: true }"), C("A: {}"), C("A: { unique: true }")}, "A game flag\nunique A\n", "K1208"},
    {{T("E: { values: [R, G] }", "A: { fields: { x: E } }"),
      GONE("A.x.G") T("E: { values: [R] }", "A: { fields: { x: E } }"),
      T("E: { values: [S: { was: R }] }", "A: { fields: { x: E } }")},
     "A.x game enum{G=-,R=S}\n",
     ""},
    {{T("E: { values: [R, G] }", "A: { fields: { x: E } }"),
      GONE("A.x.G") T("E: { values: [R] }", "A: { fields: { x: E } }"),
      T("E: { values: [R, G] }", "A: { fields: { x: E } }")},
     NULL,
     "K1205"},
    {{T("E: { values: { R: 0, G: 5 } }", "A: { fields: { x: E } }"),
      T("E: { values: { R: -1, G: 1 } }", "A: { fields: { x: E } }")},
     "A.x game enum{G:1,R:-1}-1..5\n",
     "K1208"},
    {{T("V: { fields: { e: int8 } }", "A: { fields: { x: V } }"),
      T("V: { fields: { f: { type: int8, was: e } } }", "A: { fields: { x: V } }"),
      T("V: { fields: { f: int8 } }", "A: { fields: { x: V } }, B: { fields: { y: 'V[]' } }")},
     "A.x.e game int8 = A.x.f\nB.y.e game int8[] = B.y.f\n",
     ""},
    {{"removed: [A, B.y, B.e.G]\n" T("E: { values: [R] }", "B: { fields: { e: E } }"),
      T("E: { values: [R] }", "B: { fields: { e: E } }")},
     "A removed\nB.e game enum{G=-,R}\nB.y removed\n",
     ""},
};

enum { CHAIN_COUNT = sizeof chains / sizeof *chains };

START_TEST(evo_01_the_lock_remembers_what_things_were_called)
{
    const chain *chain = &chains[_i];
    const char *lock = NULL;
    for (size_t i = 0; chain->versions[i] != NULL; i++) {
        reading_begin();
        lock = text_of(evolved(chain->versions[i], lock).lock);
    }
    ck_assert_msg(strcmp(codes(), chain->codes) == 0, "%s", reading_printed());
    const char *head = "kin lock 3\npackage arena version 0\ncontext game\n";
    if (chain->lock != NULL)
        ck_assert_str_eq(lock, arena_format(reading_arena(), "%s%s", head, chain->lock));
}
END_TEST

START_TEST(evo_01_a_member_that_two_fields_know_by_two_names_is_refused)
{
    const char *first =
        T("V: { fields: { e: int8 } }, W: { fields: { f: int8 } }", "A: { fields: { x: V } }, B: { fields: { x: W } }");
    const char *lock = text_of(evolved(first, NULL).lock);
    evolved(T("V: { fields: { f: { type: int8, was: e } } }", "A: { fields: { x: V } }, B: { fields: { x: V } }"),
            lock);
    ck_assert_str_eq(codes(), "K1204 K1203");
}
END_TEST

START_TEST(evo_01_identities_of_the_lock_are_those_of_the_model)
{
    const char *first = T("V: { fields: { e: int8 } }", "A: { fields: { x: V } }");
    const char *second =
        T("V: { fields: { f: { type: int8, was: e } } }", "B: { was: A, fields: { y: { type: V, was: x } } }");
    const char *lock = text_of(evolved(second, text_of(evolved(first, NULL).lock)).lock);
    package *now = package_of(GONE("B.z") T("V: { fields: { f: int8 } }", "B: { fields: { y: V } }"));
    evolve_package(reading_arena(), reading_diagnostics(), now, parsed(lock));
    ck_assert_str_eq(now->components[0]->saved.identity, "A");
    ck_assert_str_eq(now->components[0]->fields.fields[0].saved.identity, "x");
    ck_assert_str_eq(now->definitions[0]->fields.fields[0].saved.identity, "e");
}
END_TEST

START_TEST(evo_03_what_the_lock_has_given_up_is_in_the_model)
{
    const char *lock = text_of(evolved(C("A: {}, B: { fields: { x: int8, y: int8 } }"), NULL).lock);
    lock = text_of(evolved("removed: [A, B.y]\n" C("B: { fields: { x: int8 } }"), lock).lock);
    package *now = package_of(C("B: { fields: { x: int8 } }"));
    evolve_package(reading_arena(), reading_diagnostics(), now, parsed(lock));
    ck_assert_uint_eq(now->removal_count, 2);
    ck_assert_str_eq(now->removals[0].identity, "A");
    ck_assert_str_eq(now->removals[1].identity, "B.y");
}
END_TEST

// ---- contexts

static const char *with_contexts(const char *contexts, const char *rest)
{
    return arena_format(reading_arena(), "kin: 1\npackage: arena\ncontexts: { %s }\n%s", contexts, rest);
}

typedef struct move {
    const char *contexts[2], *rest[2];
    const char *codes, *lock;
} move;

static const move moves[] = {
    {{"a: {}, b: {}", "a: {}, b: {}"}, {C("A: { contexts: [a, b] }"), C("A: { contexts: [a] }")}, "K1201", NULL},
    {{"a: {}, b: {}", "a: {}, b: {}"},
     {C("A: { contexts: [a, b] }"), GONE("b.A") C("A: { contexts: [a] }")},
     "",
     "context a\ncontext b\nA a,b=- flag\n"},
    {{"a: {}, b: {}", "a: {}, b: {}"},
     {C("A: { contexts: [a] }"), C("A: { contexts: [a, b] }")},
     "",
     "context a\ncontext b\nA a,b flag\n"},
    {{"a: {}, b: {}", "a: {}, c: { was: b }"},
     {C("A: { contexts: [b], fields: { x: entity<b> } }"), C("A: { contexts: [c], fields: { x: entity<c> } }")},
     "",
     "context a\ncontext b = c\nA.x b entity<b>\n"},
    {{"a: {}, b: {}", "a: {}, c: {}"}, {C("A: { contexts: [a] }"), C("A: { contexts: [a] }")}, "K1201", NULL},
    {{"a: {}, b: {}", "a: {}"},
     {C("A: { contexts: [a] }"), GONE("b") C("A: { contexts: [a] }")},
     "",
     "context a\ncontext b removed\nA a flag\n"},
    {{"a: {}, b: {}", "a: {}"},
     {C("A: { contexts: [a, b] }"), GONE("b") C("A: { contexts: [a] }")},
     "",
     "context a\ncontext b removed\nA a,b=- flag\n"},
    {{"a: {}, b: {}", "a: {}, b: { save: false }"},
     {C("A: { contexts: [a] }"), C("A: { contexts: [a] }")},
     "K1201",
     NULL},
    {{"a: {}, b: {}", "a: {}, b: {}"},
     {C("A: { contexts: [a], fields: { x: entity<a> } }"), C("A: { contexts: [a], fields: { x: entity<b> } }")},
     "K1202",
     NULL},
    {{"a: {}, b: {}", "a: {}, b: {}"},
     {C("A: { contexts: [a], fields: { x: { type: int8, index: primary } } }"),
      C("A: { contexts: [a, b], fields: { x: { type: int8, index: primary } } }")},
     "K1208",
     "context a\ncontext b\nA.x a,b int8\nprimary A.x a,b\n"},
};

enum { MOVE_COUNT = sizeof moves / sizeof *moves };

START_TEST(evo_03_a_component_that_leaves_a_context_is_lost_there)
{
    const move *move = &moves[_i];
    const char *lock = NULL;
    for (size_t i = 0; i < 2; i++) {
        package *package = reading_package(with_contexts(move->contexts[i], move->rest[i]));
        ck_assert_msg(package != NULL, "%s", reading_printed());
        lock = text_of(
            evolve_package(reading_arena(), reading_diagnostics(), package, lock == NULL ? NULL : parsed(lock)).lock);
    }
    ck_assert_msg(strcmp(codes(), move->codes) == 0, "%s%s", reading_printed(), lock);
    if (move->lock != NULL)
        ck_assert_str_eq(lock, arena_format(reading_arena(), "kin lock 3\npackage arena version 0\n%s", move->lock));
}
END_TEST

Suite *evolve_suite(void)
{
    Suite *suite = suite_create("evolve");
    TCase *cases = tcase_create("evolve");
    tcase_add_checked_fixture(cases, reading_begin, reading_end);
    tcase_add_loop_test(cases, evo_02_evo_03_evo_04_evo_05_evo_06_evo_07_every_change_is_kept_or_reported, 0,
                        CHANGE_COUNT);
    tcase_add_loop_test(cases, evo_12_a_lock_that_was_written_stays_as_it_is, 0, CHANGE_COUNT);
    tcase_add_loop_test(cases, evo_12_no_line_is_forgotten, 0, CHANGE_COUNT);
    tcase_add_loop_test(cases, evo_01_the_lock_remembers_what_things_were_called, 0, CHAIN_COUNT);
    tcase_add_test(cases, evo_01_a_member_that_two_fields_know_by_two_names_is_refused);
    tcase_add_test(cases, evo_01_identities_of_the_lock_are_those_of_the_model);
    tcase_add_test(cases, evo_03_what_the_lock_has_given_up_is_in_the_model);
    tcase_add_loop_test(cases, evo_03_a_component_that_leaves_a_context_is_lost_there, 0, MOVE_COUNT);
    suite_add_tcase(suite, cases);
    return suite;
}
