// Circles of systems, at random: told where there is one, each is one, and with all of them out of the way none is left.
#include "base/text.h"
#include "generator/reading.h"
#include "model/world.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 300, MOST_SYSTEMS = 9 };

typedef struct trial {
    size_t count;
    bool is_before[MOST_SYSTEMS][MOST_SYSTEMS];
} trial;

static uint32_t chance;

static uint32_t below(uint32_t limit)
{
    chance = chance * 1664525u + 1013904223u;
    return (chance >> 8) % limit;
}

// As a schema, each order from one side or the other, or from both.
static const char *write_trial(const trial *trial)
{
    text schema = text_create(reading_arena());
    text_append_string(&schema, "systems:\n");
    for (size_t i = 0; i < trial->count; i++) {
        text before = text_create(reading_arena()), after = text_create(reading_arena());
        for (size_t k = 0; k < trial->count; k++) {
            if (trial->is_before[i][k] && (i + k) % 3 != 0)
                text_append_format(&before, "%sS%zu", before.size == 0 ? ", before: [" : ", ", k);
            if (trial->is_before[k][i] && (i + k) % 3 != 1)
                text_append_format(&after, "%sS%zu", after.size == 0 ? ", after: [" : ", ", k);
        }
        text_append_format(&schema, "  S%zu: { in: simulation%s%s%s%s }\n", i, before.bytes,
                           before.size == 0 ? "" : "]", after.bytes, after.size == 0 ? "" : "]");
    }
    return schema.bytes;
}

static bool has_circle(const trial *trial)
{
    bool leads[MOST_SYSTEMS][MOST_SYSTEMS];
    memcpy(leads, trial->is_before, sizeof leads);
    for (size_t k = 0; k < trial->count; k++)
        for (size_t i = 0; i < trial->count; i++)
            for (size_t j = 0; j < trial->count; j++)
                leads[i][j] = leads[i][j] || (leads[i][k] && leads[k][j]);
    for (size_t i = 0; i < trial->count; i++)
        if (leads[i][i])
            return true;
    return false;
}

// "...: S1 -> S4 -> S1", whose first step is taken out.
static void break_circle(trial *trial, const char *message)
{
    const char *step = strstr(message, ": S") + 3;
    size_t first = strtoul(step, NULL, 10), from = first, length = 0;
    size_t steps[MOST_SYSTEMS + 1] = {first};
    for (step = strstr(step, " -> S"); step != NULL; step = strstr(step + 1, " -> S")) {
        size_t to = strtoul(step + strlen(" -> S"), NULL, 10);
        ck_assert_msg(trial->is_before[from][to], "%s", message);
        ck_assert_uint_lt(length, MOST_SYSTEMS);
        steps[++length] = to;
        from = to;
    }
    ck_assert_uint_gt(length, 0);
    ck_assert_uint_eq(from, first);
    for (size_t i = 1; i < length; i++)
        ck_assert_msg(steps[i] > first, "not from its first on: %s", message);
    trial->is_before[first][steps[1]] = false;
}

static size_t count_notes(const diagnostic *diagnostic)
{
    size_t count = 0;
    for (const diagnostic_note_entry *note = diagnostic->first_note; note != NULL; note = note->next)
        count++;
    return count;
}

static size_t count_steps(const char *message)
{
    size_t count = 0;
    for (message = strstr(message, " -> S"); message != NULL; message = strstr(message + 1, " -> S"))
        count++;
    return count;
}

static void check_trial(trial *trial)
{
    bool is_circular = has_circle(trial);
    const char *schema = write_trial(trial);
    const package *package = reading_package_in_game(schema);
    ck_assert_msg((package == NULL) == is_circular, "%s%s", schema, reading_printed());
    for (const diagnostic *item = reading_diagnostics()->first; item != NULL; item = item->next) {
        ck_assert_int_eq(item->code, CODE_ORDER_CYCLE);
        ck_assert_uint_eq(count_notes(item) + 1, count_steps(item->message));
        break_circle(trial, item->message);
    }
    ck_assert_msg(!has_circle(trial), "%s%s", schema, reading_printed());
}

START_TEST(circles_at_random_are_told_and_nothing_else_is)
{
    size_t circular = 0;
    for (uint32_t seed = 1; seed <= TRIALS; seed++) {
        chance = seed;
        trial trial = {.count = 1 + below(MOST_SYSTEMS)};
        uint32_t sparseness = 3 + below(12);
        for (size_t i = 0; i < trial.count; i++)
            for (size_t k = 0; k < trial.count; k++)
                trial.is_before[i][k] = below(sparseness) == 0 && (i != k || below(4) == 0);
        circular += has_circle(&trial);
        reading_begin();
        check_trial(&trial);
    }
    ck_assert_uint_gt(circular, TRIALS / 4);
    ck_assert_uint_lt(circular, TRIALS * 3 / 4);
}
END_TEST

Suite *schema_circle_suite(void)
{
    Suite *suite = suite_create("schema_circle");
    TCase *tests = tcase_create("schema_circle");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_test(tests, circles_at_random_are_told_and_nothing_else_is);
    suite_add_tcase(suite, tests);
    return suite;
}
