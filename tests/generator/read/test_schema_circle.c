// Cycles of systems, at random: a cycle is reported if and only if there is one, each reported cycle is real, and the
// order has none after the reported ones are broken.
#include "generator/base/base.h"
#include "generator/reading.h"
#include "generator/schema/schema.h"
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

// Writes the trial as a schema. Each order is declared by `before`, by `after` or by both.
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

static bool has_cycle(const trial *trial)
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

// Removes the first step of the cycle in a message such as "...: S1 -> S4 -> S1".
static void break_cycle(trial *trial, const char *message)
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
    bool is_cyclic = has_cycle(trial);
    const char *schema = write_trial(trial);
    const package *package = reading_package_in_game(schema);
    ck_assert_msg((package == NULL) == is_cyclic, "%s%s", schema, reading_printed());
    for (const diagnostic *item = reading_diagnostics()->first; item != NULL; item = item->next) {
        ck_assert_int_eq(item->code, CODE_ORDER_CYCLE);
        ck_assert_uint_eq(count_notes(item) + 1, count_steps(item->message));
        break_cycle(trial, item->message);
    }
    ck_assert_msg(!has_cycle(trial), "%s%s", schema, reading_printed());
}

START_TEST(random_cycles_are_reported_and_nothing_else)
{
    size_t circular = 0;
    for (uint32_t seed = 1; seed <= TRIALS; seed++) {
        chance = seed;
        trial trial = {.count = 1 + below(MOST_SYSTEMS)};
        uint32_t sparseness = 3 + below(12);
        for (size_t i = 0; i < trial.count; i++)
            for (size_t k = 0; k < trial.count; k++)
                trial.is_before[i][k] = below(sparseness) == 0 && (i != k || below(4) == 0);
        circular += has_cycle(&trial);
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
    tcase_add_test(tests, random_cycles_are_reported_and_nothing_else);
    suite_add_tcase(suite, tests);
    return suite;
}
