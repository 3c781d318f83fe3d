// Masks agree with matchers: tested with many matchers, rows and components around the borders of words.

#include "notify/notify.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>

enum { WORDS = 5, IDS = 9 };

// Ids near the borders: the first ones use a row of one word, then of two, then of five.
static const kin_component_id ids[IDS] = {0, 1, 62, 63, 64, 65, 127, 128, 319};

static const struct {
    uint32_t row_words, id_count;
} widths[] = {{1, 4}, {2, 7}, {WORDS, IDS}};

static uint64_t state;

static uint32_t below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % limit;
}

static kin_rule random_rule(uint32_t id_count, bool may_be_only)
{
    static const kin_rule_kind kinds[] = {KIN_RULE_ALL, KIN_RULE_ANY, KIN_RULE_NONE, KIN_RULE_ONLY};
    kin_rule rule = {.kind = (uint16_t)kinds[below(may_be_only ? 4 : 3)], .count = (uint16_t)(1 + below(3))};
    for (uint32_t i = 0; i < rule.count; i++)
        rule.ids[i] = ids[below(id_count)];
    return rule;
}

static kin_matcher random_matcher(uint32_t id_count)
{
    kin_matcher matcher = {.count = 1 + below(3)};
    bool may_be_only = below(4) == 0;
    for (uint32_t i = 0; i < matcher.count; i++)
        matcher.rules[i] = random_rule(id_count, may_be_only);
    return kin__matcher_normalise(&matcher);
}

static void try_all_rows(const kin_matcher *matcher, kin_component_id id, uint32_t row_words, uint32_t id_count)
{
    uint64_t mask[1 + 4 * WORDS];
    kin__mask_make(mask, matcher, id, row_words);
    for (uint32_t set = 0; set < (uint32_t)1 << id_count; set++) {
        uint64_t row[WORDS] = {0};
        for (uint32_t i = 0; i < id_count; i++)
            row[ids[i] / 64] |= (uint64_t)(set >> i & 1) << (ids[i] % 64);
        ck_assert_msg(kin__mask_is_valid(mask, matcher, id, row, row_words), "id %u, set %x, state %llu", id, set,
                      (unsigned long long)state);
    }
}

// A component that is relevant for the matcher: any component for an `only` rule, otherwise one that it names.
static kin_component_id random_id(const kin_matcher *matcher, uint32_t id_count)
{
    const kin_rule *rule = &matcher->rules[below(matcher->count)];
    return kin__matcher_is_exact(matcher) ? ids[below(id_count)] : rule->ids[below(rule->count)];
}

START_TEST(a_mask_says_of_every_row_what_its_matcher_says)
{
    state = 88172645463325252u + (uint64_t)_i;
    for (uint32_t i = 0; i < 300; i++) {
        kin_matcher matcher = random_matcher(widths[_i].id_count);
        try_all_rows(&matcher, random_id(&matcher, widths[_i].id_count), widths[_i].row_words, widths[_i].id_count);
    }
}
END_TEST

static uint64_t kind_of(kin_matcher matcher, kin_component_id id)
{
    uint64_t mask[5];
    kin_matcher normal = kin__matcher_normalise(&matcher);
    kin__mask_make(mask, &normal, id, 1);
    return mask[0];
}

START_TEST(one_compare_is_enough_unless_a_rule_leaves_a_choice)
{
    ck_assert_uint_eq(kind_of(KIN_MATCHER(KIN_ALL(3, 63), KIN_NONE(1)), 63), KIN__MASK_ENTERS);
    ck_assert_uint_eq(kind_of(KIN_MATCHER(KIN_ALL(3, 63), KIN_NONE(1)), 1), 0);
    ck_assert_uint_eq(kind_of(KIN_MATCHER(KIN_ANY(3, 63), KIN_ALL(1)), 63), KIN__MASK_ENTERS);
    ck_assert_uint_eq(kind_of(KIN_MATCHER(KIN_ONLY(3, 63)), 5), 0);
    ck_assert_uint_eq(kind_of(KIN_MATCHER(KIN_ANY(3, 63), KIN_ALL(1)), 1), KIN__MASK_ENTERS | KIN__MASK_INEXACT);
    ck_assert_uint_eq(kind_of(KIN_MATCHER(KIN_ANY(3, 63), KIN_ANY(4, 63)), 63), KIN__MASK_ENTERS | KIN__MASK_INEXACT);
}
END_TEST

// The bit for being alive follows all components: if the last word is full, in a word of its own.
START_TEST(the_mask_of_being_alive_lets_an_empty_row_through)
{
    uint64_t mask[5], row = 0;
    kin_matcher matcher = KIN_MATCHER(KIN_NONE(0, 63)), normal = kin__matcher_normalise(&matcher);
    kin__mask_make(mask, &normal, 64, 1);
    ck_assert(kin__mask_passes(mask, KIN__MASK_MEMBER, &row, 1));
    row = (uint64_t)1 << 63;
    ck_assert(!kin__mask_passes(mask, KIN__MASK_MEMBER, &row, 1));
}
END_TEST

Suite *runtime_mask_suite(void)
{
    Suite *suite = suite_create("runtime_mask");
    TCase *cases = tcase_create("masks");
    tcase_add_loop_test(cases, a_mask_says_of_every_row_what_its_matcher_says, 0, 3);
    tcase_add_test(cases, one_compare_is_enough_unless_a_rule_leaves_a_choice);
    tcase_add_test(cases, the_mask_of_being_alive_lets_an_empty_row_through);
    suite_add_tcase(suite, cases);
    return suite;
}
