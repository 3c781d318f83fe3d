// Evolve: names that are exchanged more than once, used again and given up, version after version.
#include "evolve_case.h"
#include "generator/reading.h"
#include "suites.h"

#include <check.h>
#include <string.h>

// Fields of A, version after version. The last one is read twice: the second time its lock must stay as it is.
typedef struct words {
    const char *versions[6]; // then NULL; `removed: [x]; ` may come first
    const char *lock;        // the lines of A; NULL: the last version has errors
    const char *codes;       // of the last version
    const char *message;     // of its first diagnostic, and part of its hint
    const char *hint;
} words;

#define WAS(name, was) name ": { type: int8, was: " was " }, "
#define SAME(name)     name ": int8, "

static const words cases[] = {
    // Exchanged once.
    {{SAME("a") SAME("b"), WAS("a", "b") WAS("b", "a")}, "A.a game int8 = A.b\nA.b game int8 = A.a\n", "", NULL, NULL},
    {{SAME("a") SAME("b") SAME("c"), WAS("b", "a") WAS("c", "b") WAS("a", "c")},
     "A.a game int8 = A.b\nA.b game int8 = A.c\nA.c game int8 = A.a\n",
     "",
     NULL,
     NULL},
    // Exchanged by names that are not the first ones: each run would exchange them again.
    {{SAME("p") SAME("q"), WAS("x", "p") WAS("y", "q"), WAS("y", "x") WAS("x", "y")},
     NULL,
     "K1203 K1203",
     "field 'A.y' was 'x', but 'x' is another one after 'kin lock'",
     "write its first name, 'was: p'"},
    {{SAME("p") SAME("q"), WAS("x", "p") WAS("y", "q"), WAS("y", "p") WAS("x", "q")},
     "A.p game int8 = A.y\nA.q game int8 = A.x\n",
     "",
     NULL,
     NULL},
    {{SAME("p") SAME("q"), WAS("x", "p") WAS("y", "q"), WAS("y", "p") WAS("x", "q"), WAS("y", "q") WAS("x", "p")},
     "A.p game int8 = A.x\nA.q game int8 = A.y\n",
     "",
     NULL,
     NULL},
    // Exchanged, then one of them gets a new name, or both.
    {{SAME("a") SAME("b"), WAS("a", "b") WAS("b", "a"), SAME("a") WAS("c", "b")},
     "A.a game int8 = A.c\nA.b game int8 = A.a\n",
     "",
     NULL,
     NULL},
    {{SAME("a") SAME("b"), WAS("a", "b") WAS("b", "a"), WAS("c", "b") WAS("d", "a")},
     NULL,
     "K1203 K1203",
     "field 'A.c' was 'b': in saves it may be 'b' or 'a'",
     "rename one thing before each 'kin lock'"},
    {{SAME("a") SAME("b"), WAS("a", "b") WAS("b", "a"), SAME("a") WAS("c", "b"), WAS("d", "a") SAME("c")},
     "A.a game int8 = A.c\nA.b game int8 = A.d\n",
     "",
     NULL,
     NULL},
    // Two pairs, one after the other.
    {{SAME("a") SAME("b") SAME("c"), WAS("a", "b") WAS("b", "a") SAME("c"), SAME("a") WAS("b", "c") WAS("c", "b")},
     "A.a game int8 = A.c\nA.b game int8 = A.a\nA.c game int8 = A.b\n",
     "",
     NULL,
     NULL},
    // Back to the first name: the word of that stays harmless.
    {{SAME("a"), WAS("b", "a"), WAS("a", "b")}, "A.a game int8\n", "", NULL, NULL},
    {{SAME("a"), WAS("b", "a"), WAS("a", "b"), WAS("a", "b")},
     "A.a game int8\n",
     "K1203",
     "field 'A.a' was 'b', but no save has that name",
     "remove 'was'"},
    // A path of `removed` means what had the name last, and nothing besides.
    {{SAME("a") SAME("b") SAME("c"), WAS("a", "b") WAS("b", "a") SAME("c"), "removed: [A.a]; " SAME("b") SAME("c")},
     "A.a game int8 = A.b\nA.b game int8 removed\nA.c game int8\n",
     "",
     NULL,
     NULL},
    {{SAME("a") SAME("b") SAME("c"), WAS("a", "b") WAS("b", "a") SAME("c"), "removed: [A.a]; " SAME("c")},
     NULL,
     "K1201",
     "saves have 'A.b', but 'A' has no field 'b'",
     "removed: [A.b]"},
    {{SAME("a") SAME("b") SAME("c"), WAS("a", "b") WAS("b", "a") SAME("c"), "removed: [A.a]; " SAME("c") WAS("z", "a")},
     NULL,
     "K1206 K1201",
     "'A.a' is in 'removed', but the schema still declares it",
     "remove it from 'removed'"},
    {{SAME("a") SAME("b"), SAME("a") WAS("c", "b"), "removed: [A.b]; " SAME("a") SAME("c")},
     "A.a game int8\nA.b game int8 = A.c\n",
     "K1206",
     "'A.b' is in 'removed' and in the schema, so its values are read",
     "remove it from one of them"},
    // A new thing takes the name of one that was renamed.
    {{SAME("a"), WAS("b", "a") WAS("a", "a2")}, "A.a game int8 = A.b\nA.a2 game int8 = A.a\n", "", NULL, NULL},
    {{SAME("a"), WAS("b", "a"), WAS("c", "b") WAS("b", "b2")},
     "A.a game int8 = A.c\nA.b2 game int8 = A.b\n",
     "",
     NULL,
     NULL},
};

enum { CASE_COUNT = sizeof cases / sizeof *cases };

static const char *schema_of(const char *version)
{
    const char *fields = strstr(version, "; ");
    if (fields == NULL)
        return arena_format(reading_arena(), C("A: { fields: { %s} }"), version);
    return arena_format(reading_arena(), "%.*s\n" C("A: { fields: { %s} }"), (int)(fields - version), version,
                        fields + 2);
}

START_TEST(evo_01_evo_03_words_mean_one_thing_or_are_reported)
{
    const words *words = &cases[_i];
    const char *lock = NULL, *schema = NULL;
    for (size_t i = 0; words->versions[i] != NULL; i++) {
        schema = schema_of(words->versions[i]);
        reading_begin();
        lock = text_of(evolved(schema, lock).lock);
    }
    const diagnostic *item = reading_diagnostics()->first;
    ck_assert_msg(strcmp(codes(), words->codes) == 0, "%s%s", reading_printed(), lock);
    if (words->message != NULL) {
        ck_assert_str_eq(item->message, words->message);
        ck_assert_ptr_nonnull(strstr(item->hint, words->hint));
    }
    if (words->lock == NULL)
        return;
    const char *head = "kin lock 3\npackage arena version 0\ncontext game\n";
    ck_assert_str_eq(lock, arena_format(reading_arena(), "%s%s", head, words->lock));
    reading_begin();
    ck_assert_str_eq(text_of(evolved(schema, lock).lock), lock);
    ck_assert_msg(diagnostics_error_count(reading_diagnostics()) == 0, "%s", reading_printed());
}
END_TEST

Suite *evolve_words_suite(void)
{
    Suite *suite = suite_create("evolve_words");
    TCase *cases_of_words = tcase_create("evolve_words");
    tcase_add_checked_fixture(cases_of_words, reading_begin, reading_end);
    tcase_add_loop_test(cases_of_words, evo_01_evo_03_words_mean_one_thing_or_are_reported, 0, CASE_COUNT);
    suite_add_tcase(suite, cases_of_words);
    return suite;
}
