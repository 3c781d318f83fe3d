// Keys that are chosen to collide, and the seed, which must not change any result (IDX-01, IDX-05, DET-01). Lookups are
// measured in entries visited, not in time. And what no call makes a key: a NaN.
#include "base/base.h"
#include "entity/entity.h"
#include "lookup/lookup.h"
#include "runtime/support/guard.h"
#include "runtime/support/support.h"
#include "suites.h"

#include <keyed/keyed.h>
#include <kin/snapshot.h>
#include <math.h>
#include <roster/roster.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 500, STRING_SIZE = 17, KNOWN_SEED = 77, OTHERS = 20 };

static guard memory;
static error_log errors;
static uint64_t words[COUNT];
static char strings[COUNT][STRING_SIZE];

static kin_context_options options_of(uint64_t seed)
{
    error_log_clear(&errors);
    return (kin_context_options){
        .allocator = guard_begin(&memory), .on_error = error_log_append, .error_user = &errors, .hash_seed = seed};
}

static uint64_t random_word(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

// ---- visited entries

// The average for each entry, if each is looked up.
static double probes_of_table(const kin__table *table)
{
    uint64_t probes = 0;
    for (uint32_t i = 0; i <= table->mask; i++)
        if (table->entries[i].value != 0)
            probes += ((i - kin__table_place(table, table->entries[i].word)) & table->mask) + 1;
    return (double)probes / table->count;
}

static double probes_of(const kin_context *context, const char *index)
{
    for (uint32_t i = 0; i < context->info->index_count; i++)
        if (strcmp(context->info->indices[i].name, index) == 0) {
            ck_assert_uint_eq(context->tables[i].count, COUNT);
            return probes_of_table(&context->tables[i]);
        }
    ck_abort_msg("there is no index %s", index);
    return 0;
}

typedef double measure(uint64_t seed);

static double numbers_in_primary(uint64_t seed)
{
    kin_context_options options = options_of(seed);
    hall_context *hall = hall_context_create(&options);
    for (int i = 0; i < COUNT; i++) {
        Cell cell;
        memcpy(&cell, &words[i], sizeof cell);
        hall_entity made = hall_create_entity(hall);
        hall_set_piece(hall, made, true);
        ck_assert_int_eq(hall_add_cell(hall, made, cell), KIN_OK);
        ck_assert_uint_eq(hall_entity_with_cell(hall, cell.x, cell.y).id, made.id);
    }
    double probes = probes_of(&hall->base, "cell");
    ck_assert(kin__context_is_valid(&hall->base));
    hall_context_destroy(hall);
    guard_end(&memory);
    return probes;
}

static double numbers_in_multi(uint64_t seed)
{
    kin_context_options options = options_of(seed);
    hall_context *hall = hall_context_create(&options);
    for (int i = 0; i < COUNT; i++)
        ck_assert_int_eq(hall_add_owner(hall, hall_create_entity(hall), (Owner){hall_entity_of(words[i])}), KIN_OK);
    double probes = probes_of(&hall->base, "Owner.owner");
    ck_assert(kin__context_is_valid(&hall->base));
    hall_context_destroy(hall);
    guard_end(&memory);
    return probes;
}

static double probes_of_strings(uint64_t seed, const char *index)
{
    kin_context_options options = options_of(seed);
    roster_context *roster = roster_context_create(&options);
    for (int i = 0; i < COUNT; i++) {
        roster_entity made = roster_create_entity(roster);
        ck_assert_int_eq(roster_add_alias(roster, made, (Alias){strings[i]}), KIN_OK);
        ck_assert_int_eq(roster_add_clan(roster, made, (Clan){strings[i], 0}), KIN_OK);
        ck_assert_uint_eq(roster_entity_with_alias_value(roster, strings[i]).id, made.id);
    }
    double probes = probes_of(&roster->base, index);
    ck_assert(kin__context_is_valid(&roster->base));
    roster_context_destroy(roster);
    guard_end(&memory);
    return probes;
}

static double strings_in_primary(uint64_t seed)
{
    return probes_of_strings(seed, "Alias.value");
}

static double strings_in_multi(uint64_t seed)
{
    return probes_of_strings(seed, "Clan.name");
}

static measure *const measures[] = {numbers_in_primary, numbers_in_multi, strings_in_primary, strings_in_multi};

// ---- keys

static void choose_ordinary(void)
{
    for (int i = 0; i < COUNT; i++) {
        words[i] = (uint64_t)i + 1;
        snprintf(strings[i], STRING_SIZE, "player %u", (unsigned)i % COUNT);
    }
}

static uint64_t inverse_of(uint64_t odd)
{
    uint64_t inverse = 1;
    for (int i = 0; i < 6; i++) // doubles the number of correct bits
        inverse *= 2 - odd * inverse;
    return inverse;
}

// Keys that collide if a word is multiplied by a publicly known number, as in release 0.1.0.
static void choose_against_known_multipliers(void)
{
    uint64_t golden = inverse_of(UINT64_C(0x9E3779B97F4A7C15)), other = inverse_of(UINT64_C(0x9FB21C651E98DF25));
    uint64_t state = UINT64_C(88172645463325252), wanted = UINT64_C(0x1234567812345678);
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t word = ((UINT64_C(0x7777) << 48) + i) * golden;
        words[i] = word ^ word >> 32;
    }
    for (int made = 0; made < COUNT;) {
        uint64_t first = random_word(&state), hash = UINT64_C(0x2545F4914F6CDD1D);
        hash = (hash ^ first) * UINT64_C(0x9FB21C651E98DF25);
        uint64_t last = ((wanted ^ wanted >> 32) * other) ^ hash ^ hash >> 32;
        memcpy(strings[made], &first, 8);
        memcpy(strings[made] + 8, &last, 8);
        strings[made][16] = '\0';
        made += strlen(strings[made]) == 16;
    }
}

// The first seed from `seed` on that makes a string of eight letters its first factor.
static uint64_t seed_with_letters(uint64_t seed, uint64_t *factors)
{
    for (kin__seed_spread(seed, factors); memchr(factors, 0, sizeof *factors) != NULL;)
        kin__seed_spread(++seed, factors);
    return seed;
}

// Keys that collide with the seed that is returned: numbers are found by a search; the first eight letters of each
// string are the factor, so that the other letters do not count.
static uint64_t choose_against_a_seed(void)
{
    uint64_t factors[2], state = 1, seed = seed_with_letters(KNOWN_SEED, factors);
    for (int made = 0; made < COUNT;) {
        words[made] = random_word(&state);
        made += kin__mix(factors, words[made]) >> 54 == 0;
    }
    for (int i = 0; i < COUNT; i++) {
        memcpy(strings[i], factors, 8);
        snprintf(strings[i] + 8, 9, "%08u", (unsigned)i % COUNT);
    }
    return seed;
}

// ---- floods

static void check_that_no_seed_is_flooded(measure *measure)
{
    for (uint64_t i = 0; i <= OTHERS; i++)
        ck_assert_double_le(measure(i * UINT64_C(0x10001)), 3 * 1.5); // at most half full: 1.5 on average
}

START_TEST(idx_01_keys_that_are_chosen_against_known_multipliers_are_found_as_fast_as_others)
{
    choose_ordinary();
    check_that_no_seed_is_flooded(measures[_i]);
    choose_against_known_multipliers();
    check_that_no_seed_is_flooded(measures[_i]);
}
END_TEST

START_TEST(idx_01_keys_that_are_chosen_against_one_seed_are_found_as_fast_as_others_with_another)
{
    uint64_t seed = choose_against_a_seed();
    ck_assert_double_gt(measures[_i](seed), COUNT / 4); // shows that they would be slow
    check_that_no_seed_is_flooded(measures[_i]);
}
END_TEST

// Patterns that a multiplication alone would gather in one part of the table, for some factors.
static uint64_t patterned(int pattern, uint64_t i)
{
    double number = (double)i;
    uint64_t word = i << 44;
    switch (pattern) {
    case 0:
        return i;
    case 1:
        return i << 16;
    case 2:
        return i << 32;
    case 3:
        return word;
    case 4:
        return word ^ word >> 32;
    case 5:
        return i % 31 << 32 | i / 31;
    case 6:
        return i << 56 | i >> 8 << 48;
    case 7:
        return i * UINT64_C(0x9E3779B97F4A7C15);
    case 8:
        memcpy(&word, &number, sizeof word);
        return word;
    default:
        return (i + 1) << 24 | i; // entities
    }
}

START_TEST(idx_01_no_pattern_of_numbers_crowds_a_table_with_any_seed)
{
    enum { ROOM = 2000, ENTRIES = 1900, SEEDS = 400 };
    guard meter;
    kin__memory for_table = kin__memory_of(guard_begin(&meter));
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint64_t factors[2];
        kin__seed_spread(seed, factors);
        kin__table table = kin__table_begin(factors);
        ck_assert(kin__table_reserve(&for_table, &table, ROOM));
        for (uint64_t i = 0; i < ENTRIES; i++)
            kin__table_insert(&table, patterned(_i, i), i + 1);
        ck_assert_double_lt(probes_of_table(&table), 3 * 1.5);
        kin__table_release(&for_table, &table);
    }
    guard_end(&meter);
}
END_TEST

// ---- seeds

START_TEST(without_a_seed_each_context_gets_its_own)
{
    kin_context_options options = {0};
    hall_context *one = hall_context_create(&options), *other = hall_context_create(NULL);
    const uint64_t *factors = one->base.core->factors;
    ck_assert_int_ne(memcmp(factors, other->base.core->factors, 2 * sizeof *factors), 0);
    ck_assert_uint_eq(factors[0] & factors[1] & 1, 1);
    ck_assert_uint_ne(factors[0], factors[1]);
    hall_context_destroy(one);
    hall_context_destroy(other);
}
END_TEST

START_TEST(two_blocks_get_two_seeds)
{
    char blocks[2] = "";
    ck_assert_uint_ne(kin__seed_make(&blocks[0]), kin__seed_make(&blocks[1]));
    ck_assert_uint_ne(kin__seed_make(&blocks[0]), 0);
}
END_TEST

START_TEST(a_seed_that_is_set_makes_the_same_factors_each_time)
{
    uint64_t factors[2];
    kin__seed_spread(5, factors);
    kin_context_options options = {.hash_seed = 5};
    hall_context *hall = hall_context_create(&options);
    ck_assert_mem_eq(hall->base.core->factors, factors, sizeof factors);
    ck_assert_mem_eq(hall->base.tables[0].factors, factors, sizeof factors);
    ck_assert_int_eq(hall_context_reset(hall), KIN_OK);
    kin_context_trim(&hall->base);
    ck_assert_mem_eq(hall->base.tables[0].factors, factors, sizeof factors);
    hall_context_destroy(hall);
}
END_TEST

// ---- folding

START_TEST(a_product_of_parts_folds_like_one_of_128_bits)
{
    static const uint64_t ends[] = {0, 1, 2, UINT32_MAX, (uint64_t)UINT32_MAX + 1, UINT64_MAX - 1, UINT64_MAX};
    enum { ENDS = sizeof ends / sizeof *ends };
    uint64_t state = 3;
    for (int i = 0; i < ENDS * ENDS; i++)
        ck_assert_uint_eq(kin__fold_parts(ends[i / ENDS], ends[i % ENDS]), kin__fold(ends[i / ENDS], ends[i % ENDS]));
    for (int i = 0; i < 10000; i++) {
        uint64_t one = random_word(&state), other = random_word(&state);
        ck_assert_uint_eq(kin__fold_parts(one, other), kin__fold(one, other));
    }
    ck_assert_uint_eq(kin__fold_parts(UINT64_MAX, UINT64_MAX), UINT64_MAX); // 2^64 - 2 above and 1 below
    ck_assert_uint_eq(kin__fold_parts(UINT64_C(1) << 63, 6), 3);
}
END_TEST

// A file of a schema without the index may have a NaN: here one is put into a snapshot, by a state that the sweep of
// requests for memory would refuse.
START_TEST(evo_08_a_nan_that_is_restored_is_no_key)
{
    kin_context_options options = options_of(KNOWN_SEED);
    hall_context *hall = hall_context_create(&options);
    hall_entity one = hall_create_entity(hall);
    hall_entity two = hall_create_entity(hall);
    kin_snapshot *saved = NULL;
    hall_add_weight(hall, one, (Weight){1});
    hall_add_weight(hall, two, (Weight){2});
    const Weight *weights[] = {hall_get_weight(hall, one), hall_get_weight(hall, two)};
    for (int i = 0; i < 2; i++)
        ((Weight *)(uintptr_t)weights[i])->grams = NAN;
    ck_assert_int_eq(hall_save(hall, &saved), KIN_OK);
    for (int i = 0; i < 2; i++)
        ((Weight *)(uintptr_t)weights[i])->grams = 1 + (float)i;
    ck_assert_int_eq(hall_restore(hall, saved, KIN_RESTORE_ANEW), KIN_OK);
    kin_snapshot_destroy(saved);
    ck_assert(isnan(hall_get_weight(hall, one)->grams));
    ck_assert_uint_eq(hall_entity_with_weight_grams(hall, NAN).id, 0);
    ck_assert_uint_eq(hall_entity_with_weight_grams(hall, 1).id, 0);
    ck_assert_int_eq(hall_replace_weight(hall, one, (Weight){3}), KIN_OK);
    ck_assert_uint_eq(hall_entity_with_weight_grams(hall, 3).id, one.id);
    ck_assert_int_eq(hall_remove_weight(hall, two), KIN_OK);
    ck_assert_int_eq(hall_replace_weight(hall, one, (Weight){4}), KIN_OK);
    ck_assert_uint_eq(hall_entity_with_weight_grams(hall, 3).id, 0);
    hall_context_destroy(hall);
    guard_end(&memory);
}
END_TEST

Suite *runtime_index_flood_suite(void)
{
    Suite *suite = suite_create("runtime_index_flood");
    TCase *tests = tcase_create("rules");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, idx_01_keys_that_are_chosen_against_known_multipliers_are_found_as_fast_as_others, 0, 4);
    tcase_add_loop_test(tests, idx_01_keys_that_are_chosen_against_one_seed_are_found_as_fast_as_others_with_another, 0,
                        4);
    tcase_add_loop_test(tests, idx_01_no_pattern_of_numbers_crowds_a_table_with_any_seed, 0, 10);
    tcase_add_test(tests, without_a_seed_each_context_gets_its_own);
    tcase_add_test(tests, two_blocks_get_two_seeds);
    tcase_add_test(tests, a_seed_that_is_set_makes_the_same_factors_each_time);
    tcase_add_test(tests, evo_08_a_nan_that_is_restored_is_no_key);
    tcase_add_test(tests, a_product_of_parts_folds_like_one_of_128_bits);
    suite_add_tcase(suite, tests);
    return suite;
}
