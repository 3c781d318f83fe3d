// Matchers: their meaning, equality and limits (MAT), and the macros that make them.
#include "runtime/support/board_case.h"
#include "suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wide/wide.h>

// ---- meaning

enum { F = 1, M = 2, P = 4, H = 8, SETS = 16 }; // Frozen, Marked, Piece and Health: 16 sets of components

static board_entity create_set(unsigned set)
{
    board_entity entity = board_create_entity(board);
    board_set_frozen(board, entity, (set & F) != 0);
    board_set_marked(board, entity, (set & M) != 0);
    board_set_piece(board, entity, (set & P) != 0);
    if ((set & H) != 0)
        board_add_health(board, entity, health_default());
    return entity;
}

static kin_rule rule_of(kin_rule_kind kind, unsigned set)
{
    static const kin_component_id ids[] = {BOARD_FROZEN, BOARD_MARKED, BOARD_PIECE, BOARD_HEALTH};
    kin_component_id named[4];
    size_t count = 0;
    for (unsigned bit = 0; bit < 4; bit++)
        if ((set >> bit & 1) != 0)
            named[count++] = ids[bit];
    return kin__rule_make(kind, count, named);
}

static bool holds(kin_rule_kind kind, unsigned named, unsigned set)
{
    switch (kind) {
    case KIN_RULE_ALL:
        return (set & named) == named;
    case KIN_RULE_ANY:
        return (set & named) != 0;
    case KIN_RULE_NONE:
        return (set & named) == 0;
    case KIN_RULE_ONLY:
        return set == named;
    }
    return false;
}

static void compare(kin_matcher matcher, const board_entity *entities, const bool *expected)
{
    uint32_t count = 0;
    kin_group *group = board_group(board, matcher);
    for (unsigned set = 0; set < SETS; set++) {
        bool matches = kin_matches(&board->base, matcher, entities[set].id);
        if (matches != expected[set] || kin_group_contains(group, entities[set].id) != expected[set])
            ck_abort_msg("set %u is not matched as it should be", set);
        count += expected[set];
    }
    ck_assert_uint_eq(kin_group_count(group), count);
}

START_TEST(mat_01_a_rule_holds_for_the_sets_that_it_says)
{
    kin_rule_kind kind = (kin_rule_kind)_i;
    board_entity entities[SETS];
    for (unsigned set = 0; set < SETS; set++)
        entities[set] = create_set(set);
    for (unsigned named = 1; named < SETS; named++) {
        bool expected[SETS];
        for (unsigned set = 0; set < SETS; set++)
            expected[set] = holds(kind, named, set);
        kin_rule rule = rule_of(kind, named);
        compare(kin__matcher_make(1, &rule), entities, expected);
    }
}
END_TEST

typedef struct part {
    kin_rule_kind kind;
    unsigned named;
} part;

static const struct {
    const char *what;
    part parts[4];
} conjunctions[] = {
    {"several any hold each on its own", {{KIN_RULE_ANY, F | M}, {KIN_RULE_ANY, P | H}}},
    {"several all", {{KIN_RULE_ALL, F}, {KIN_RULE_ALL, F | P}}},
    {"several none", {{KIN_RULE_NONE, F}, {KIN_RULE_NONE, H}}},
    {"two different only match nothing", {{KIN_RULE_ONLY, F}, {KIN_RULE_ONLY, M}}},
    {"one only twice", {{KIN_RULE_ONLY, F | M}, {KIN_RULE_ONLY, F | M}}},
    {"all and none of the same", {{KIN_RULE_ALL, F}, {KIN_RULE_NONE, F}}},
    {"only and none of the same", {{KIN_RULE_ONLY, F | M}, {KIN_RULE_NONE, M}}},
    {"only and any", {{KIN_RULE_ONLY, F | M}, {KIN_RULE_ANY, M | P}}},
    {"only and all of fewer", {{KIN_RULE_ONLY, F | M | P}, {KIN_RULE_ALL, F}}},
    {"one of each", {{KIN_RULE_NONE, H}, {KIN_RULE_ANY, M | P}, {KIN_RULE_ALL, F}, {KIN_RULE_ONLY, F | P}}},
    {"any, any and none", {{KIN_RULE_ANY, F | M}, {KIN_RULE_NONE, P}, {KIN_RULE_ANY, F | H}}},
};

enum { CONJUNCTIONS = sizeof conjunctions / sizeof *conjunctions };

START_TEST(mat_02_a_matcher_holds_when_each_of_its_rules_does)
{
    board_entity entities[SETS];
    bool expected[SETS];
    kin_rule rules[4];
    uint32_t count = 0;
    for (; count < 4 && conjunctions[_i].parts[count].kind != 0; count++)
        rules[count] = rule_of(conjunctions[_i].parts[count].kind, conjunctions[_i].parts[count].named);
    for (unsigned set = 0; set < SETS; set++) {
        entities[set] = create_set(set);
        expected[set] = true;
        for (uint32_t i = 0; i < count; i++)
            expected[set] &= holds(conjunctions[_i].parts[i].kind, conjunctions[_i].parts[i].named, set);
    }
    compare(kin__matcher_make(count, rules), entities, expected);
}
END_TEST

// ---- equality

START_TEST(mat_03_order_and_repetition_make_no_difference)
{
    const kin_matcher plain = KIN_MATCHER(KIN_ALL(BOARD_LOAD, BOARD_PIECE), KIN_ANY(BOARD_HEALTH, BOARD_FROZEN),
                                          KIN_ANY(BOARD_MARKED), KIN_NONE(BOARD_POSITION, BOARD_VELOCITY));
    const kin_matcher equal[] = {
        KIN_MATCHER(KIN_NONE(BOARD_VELOCITY, BOARD_POSITION), KIN_ANY(BOARD_MARKED),
                    KIN_ANY(BOARD_FROZEN, BOARD_HEALTH), KIN_ALL(BOARD_PIECE, BOARD_LOAD)),
        KIN_MATCHER(KIN_ALL(BOARD_LOAD), KIN_ANY(BOARD_HEALTH, BOARD_FROZEN), KIN_ALL(BOARD_PIECE, BOARD_LOAD),
                    KIN_NONE(BOARD_POSITION), KIN_ANY(BOARD_MARKED, BOARD_MARKED), KIN_NONE(BOARD_VELOCITY)),
        KIN_MATCHER(KIN_ALL(BOARD_LOAD, BOARD_PIECE), KIN_ANY(BOARD_MARKED), KIN_ANY(BOARD_HEALTH, BOARD_FROZEN),
                    KIN_ANY(BOARD_FROZEN, BOARD_HEALTH, BOARD_FROZEN), KIN_NONE(BOARD_POSITION, BOARD_VELOCITY)),
    };
    for (int i = 0; i < 3; i++)
        ck_assert_ptr_eq(board_group(board, equal[i]), board_group(board, plain));
    kin_matcher normal = kin_group_matcher(board_group(board, equal[1]));
    ck_assert_ptr_eq(board_group(board, normal), board_group(board, plain));
    ck_assert_uint_eq(normal.count, 4);
}
END_TEST

START_TEST(mat_03_different_rules_make_another_matcher)
{
    const kin_matcher different[] = {
        KIN_MATCHER(KIN_ALL(BOARD_FROZEN)),
        KIN_MATCHER(KIN_ANY(BOARD_FROZEN)),
        KIN_MATCHER(KIN_NONE(BOARD_FROZEN)),
        KIN_MATCHER(KIN_ONLY(BOARD_FROZEN)),
        KIN_MATCHER(KIN_ALL(BOARD_FROZEN, BOARD_MARKED)),
        KIN_MATCHER(KIN_ANY(BOARD_FROZEN, BOARD_MARKED)),
        KIN_MATCHER(KIN_ANY(BOARD_FROZEN), KIN_ANY(BOARD_MARKED)),
        KIN_MATCHER(KIN_ONLY(BOARD_FROZEN), KIN_ONLY(BOARD_MARKED)),
        KIN_MATCHER(KIN_ALL(BOARD_FROZEN), KIN_ANY(BOARD_FROZEN)),
        KIN_MATCHER(KIN_ALL(BOARD_EVERYTHING)), // id 0, like unused places
        KIN_MATCHER(KIN_ALL(BOARD_EVERYTHING, BOARD_FROZEN)),
    };
    enum { COUNT = sizeof different / sizeof *different };
    for (int a = 0; a < COUNT; a++)
        for (int b = 0; b < a; b++)
            ck_assert_ptr_ne(board_group(board, different[a]), board_group(board, different[b]));
}
END_TEST

START_TEST(mat_03_a_matcher_is_copied_when_used)
{
    kin_matcher matcher = KIN_MATCHER(KIN_ALL(BOARD_FROZEN));
    kin_group *group = board_group(board, matcher);
    memset(&matcher, 0xFF, sizeof matcher);
    board_entity entity = create_set(F);
    ck_assert(kin_group_contains(group, entity.id));
    ck_assert_ptr_eq(board_group(board, KIN_MATCHER(KIN_ALL(BOARD_FROZEN))), group);
}
END_TEST

START_TEST(many_all_and_none_rules_are_joined_within_the_limits)
{
    more_context *more = more_context_create(NULL);
    more_entity entity = more_create_entity(more);
    kin_rule rules[8];
    for (uint32_t i = 0; i < 8; i++) { // 16 ids each, half of which are in the next one too
        kin_component_id ids[16];
        for (uint32_t k = 0; k < 16; k++)
            ids[k] = (kin_component_id)((i * 8 + k) % 64);
        rules[i] = kin__rule_make(i % 2 == 0 ? KIN_RULE_NONE : KIN_RULE_ALL, 16, ids);
    }
    kin_group *group = more_group(more, kin__matcher_make(8, rules));
    kin_matcher normal = kin_group_matcher(group);
    ck_assert_uint_eq(normal.count, 6); // 64 ids in three rules of each kind
    ck_assert_uint_eq(normal.rules[1].ids[0], 30);
    ck_assert_uint_eq(normal.rules[2].count, 4);
    ck_assert_ptr_eq(more_group(more, normal), group);
    ck_assert(!kin_group_contains(group, entity.id));
    more_context_destroy(more);
}
END_TEST

// ---- limits

static kin_rule rule_of_count(size_t count, kin_component_id first)
{
    kin_component_id ids[64];
    for (size_t i = 0; i < count; i++)
        ids[i] = (kin_component_id)(first + i);
    return kin__rule_make(KIN_RULE_ANY, count, ids);
}

static void check_refused(more_context *more, kin_matcher matcher, kin_status status)
{
    more_entity entity = more_create_entity(more);
    more_add_c00(more, entity, (C00){0});
    ck_assert_ptr_null(more_group(more, matcher));
    ck_assert_reported(&board_errors, status);
    ck_assert(!kin_matches(&more->base, matcher, entity.id));
    ck_assert_uint_eq(board_errors.count, 0); // kin_matches reports no error
}

static const struct {
    size_t count;
    kin_status status;
} id_counts[] = {{0, KIN_ERROR_INVALID}, {1, KIN_OK},           {29, KIN_OK},
                 {30, KIN_OK},           {31, KIN_ERROR_LIMIT}, {64, KIN_ERROR_LIMIT}};

START_TEST(mat_04_a_rule_has_1_to_30_ids)
{
    kin_context_options options = {.on_error = error_log_append, .error_user = &board_errors};
    more_context *more = more_context_create(&options);
    kin_rule rule = rule_of_count(id_counts[_i].count, 0);
    kin_matcher matcher = kin__matcher_make(1, &rule);
    ck_assert_uint_eq(rule.count, id_counts[_i].count); // of the true value
    if (id_counts[_i].status != KIN_OK)
        check_refused(more, matcher, id_counts[_i].status);
    else
        ck_assert_uint_eq(kin_group_matcher(more_group(more, matcher)).rules[0].count, id_counts[_i].count);
    more_context_destroy(more);
}
END_TEST

// The advice of the message for each kind of rule, as two shorter rules do not always mean the same.
static const char *const advice[] = {
    [KIN_RULE_ALL] = "a KIN_ALL of its matcher has more than 30 ids, which is the limit; give the others to a second "
                     "KIN_ALL, which means the same",
    [KIN_RULE_ANY] = "of two KIN_ANY both must hold; use a flag of its own for these components, or several groups",
    [KIN_RULE_NONE] = "give the others to a second KIN_NONE, which means the same",
    [KIN_RULE_ONLY] = "name them in KIN_ALL, and all other components in KIN_NONE",
};

START_TEST(mat_04_a_rule_of_too_many_ids_is_refused_with_what_means_the_same)
{
    kin_context_options options = {.on_error = error_log_append, .error_user = &board_errors};
    more_context *more = more_context_create(&options);
    kin_rule rule = rule_of_count(31, 0);
    rule.kind = (uint16_t)_i;
    ck_assert_ptr_null(more_group(more, kin__matcher_make(1, &rule)));
    const char *message = board_errors.entries[0].message;
    ck_assert_msg(strstr(message, advice[_i]) != NULL, "%s", message);
    ck_assert_reported(&board_errors, KIN_ERROR_LIMIT);
    more_context_destroy(more);
}
END_TEST

static const struct {
    size_t count;
    kin_status status;
} rule_counts[] = {{0, KIN_ERROR_INVALID}, {1, KIN_OK},          {7, KIN_OK}, {8, KIN_OK},
                   {9, KIN_ERROR_LIMIT},   {20, KIN_ERROR_LIMIT}};

START_TEST(mat_04_a_matcher_has_1_to_8_rules)
{
    kin_context_options options = {.on_error = error_log_append, .error_user = &board_errors};
    more_context *more = more_context_create(&options);
    kin_rule rules[20];
    for (uint32_t i = 0; i < 20; i++)
        rules[i] = rule_of_count(30, (kin_component_id)i);
    kin_matcher matcher = kin__matcher_make(rule_counts[_i].count, rules);
    ck_assert_uint_eq(matcher.count, rule_counts[_i].count);
    if (rule_counts[_i].status != KIN_OK)
        check_refused(more, matcher, rule_counts[_i].status);
    else
        ck_assert_uint_eq(kin_group_matcher(more_group(more, matcher)).count, rule_counts[_i].count);
    more_context_destroy(more);
}
END_TEST

START_TEST(mat_04_unknown_ids_and_kinds_are_refused)
{
    kin_context_options options = {.on_error = error_log_append, .error_user = &board_errors};
    more_context *more = more_context_create(&options);
    kin_matcher bad[] = {KIN_MATCHER(KIN_NONE(MORE_COMPONENT_COUNT)), KIN_MATCHER(KIN_NONE(65535)),
                         KIN_MATCHER(KIN_ALL(MORE_C00), KIN_NONE(MORE_C01, MORE_COMPONENT_COUNT)),
                         KIN_MATCHER(KIN_ALL(MORE_C00)), KIN_MATCHER(KIN_ALL(MORE_C00))};
    bad[3].rules[0].kind = 0;
    bad[4].rules[0].kind = 5;
    for (int i = 0; i < 5; i++)
        check_refused(more, bad[i], KIN_ERROR_INVALID);
    ck_assert_ptr_nonnull(more_group(more, KIN_MATCHER(KIN_ALL(MORE_COMPONENT_COUNT - 1))));
    more_context_destroy(more);
}
END_TEST

START_TEST(mat_06_a_rule_of_another_context_is_refused)
{
    kin_context_options options = {.on_error = error_log_append, .error_user = &board_errors};
    more_context *more = more_context_create(&options);
    kin_matcher of_full = KIN_MATCHER(KIN_ALL(MORE_C00), FULL_ALL(FULL_C00));
    check_refused(more, of_full, KIN_ERROR_INVALID);
    more_entity entity = more_create_entity(more);
    more_add_c00(more, entity, (C00){0});
    ck_assert_int_eq(kin_remove_components(&more->base, entity.id, FULL_ONLY(FULL_C00)), KIN_ERROR_INVALID);
    ck_assert_ptr_nonnull(strstr(board_errors.entries[0].message, "a rule of its matcher is of another context; "));
    ck_assert_reported(&board_errors, KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_remove_components(&more->base, entity.id, MORE_ALL(MORE_C00)), KIN_OK);
    more_context_destroy(more);
}
END_TEST

START_TEST(mat_06_rules_of_the_context_make_the_group_of_general_rules)
{
    more_context *more = more_context_create(NULL);
    kin_group *general = more_group(more, KIN_MATCHER(KIN_ALL(MORE_C00, MORE_C03), KIN_ANY(MORE_C01, MORE_C02),
                                                      KIN_NONE(MORE_C69), KIN_ONLY(MORE_C05)));
    kin_group *typed = more_group(more, KIN_MATCHER(MORE_ALL(MORE_C03, MORE_C00), MORE_ANY(MORE_C01, MORE_C02),
                                                    MORE_NONE(MORE_C69), MORE_ONLY(MORE_C05)));
    ck_assert_ptr_eq(general, typed);
    ck_assert_uint_eq(kin_group_matcher(typed).rules[0].kind, KIN_RULE_ALL);
    more_context_destroy(more);
}
END_TEST

START_TEST(mat_06_a_macro_of_the_context_takes_30_ids)
{
    kin_rule rule =
        MORE_ANY(MORE_C00, MORE_C01, MORE_C02, MORE_C03, MORE_C04, MORE_C05, MORE_C06, MORE_C07, MORE_C08, MORE_C09,
                 MORE_C10, MORE_C11, MORE_C12, MORE_C13, MORE_C14, MORE_C15, MORE_C16, MORE_C17, MORE_C18, MORE_C19,
                 MORE_C20, MORE_C21, MORE_C22, MORE_C23, MORE_C24, MORE_C25, MORE_C26, MORE_C27, MORE_C28, MORE_C29);
    ck_assert_uint_eq(rule.count, 30);
    for (uint32_t i = 0; i < 30; i++)
        ck_assert_uint_eq(rule.ids[i], i);
}
END_TEST

// ---- macros

START_TEST(macros_make_rules_in_the_order_given_and_evaluate_once)
{
    kin_component_id next = 3;
    kin_matcher matcher = KIN_MATCHER(KIN_ANY(next++, 9, 1), KIN_ALL(2));
    ck_assert_uint_eq(next, 4);
    ck_assert_uint_eq(matcher.count, 2);
    ck_assert_uint_eq(matcher.rules[0].kind, KIN_RULE_ANY);
    ck_assert_uint_eq(matcher.rules[0].count, 3);
    ck_assert_mem_eq(matcher.rules[0].ids, ((const kin_component_id[]){3, 9, 1}), 6);
    ck_assert_uint_eq(matcher.rules[1].kind, KIN_RULE_ALL);
    ck_assert_uint_eq(KIN_NONE(1).kind, KIN_RULE_NONE);
    ck_assert_uint_eq(KIN_ONLY(1, 2).kind, KIN_RULE_ONLY);
}
END_TEST

START_TEST(a_matcher_is_a_plain_value_of_516_bytes)
{
    ck_assert_uint_eq(sizeof(kin_rule), 64);
    ck_assert_uint_eq(sizeof(kin_matcher), 516);
}
END_TEST

Suite *runtime_matcher_suite(void)
{
    Suite *suite = suite_create("runtime_matcher");
    TCase *rules = tcase_create("rules");
    tcase_set_timeout(rules, 30);
    tcase_add_checked_fixture(rules, board_begin, board_end);
    tcase_add_loop_test(rules, mat_01_a_rule_holds_for_the_sets_that_it_says, KIN_RULE_ALL, KIN_RULE_ONLY + 1);
    tcase_add_loop_test(rules, mat_02_a_matcher_holds_when_each_of_its_rules_does, 0, CONJUNCTIONS);
    tcase_add_test(rules, mat_03_order_and_repetition_make_no_difference);
    tcase_add_test(rules, mat_03_different_rules_make_another_matcher);
    tcase_add_test(rules, mat_03_a_matcher_is_copied_when_used);
    tcase_add_test(rules, many_all_and_none_rules_are_joined_within_the_limits);
    tcase_add_loop_test(rules, mat_04_a_rule_has_1_to_30_ids, 0, sizeof id_counts / sizeof *id_counts);
    tcase_add_loop_test(rules, mat_04_a_rule_of_too_many_ids_is_refused_with_what_means_the_same, KIN_RULE_ALL,
                        KIN_RULE_ONLY + 1);
    tcase_add_loop_test(rules, mat_04_a_matcher_has_1_to_8_rules, 0, sizeof rule_counts / sizeof *rule_counts);
    tcase_add_test(rules, mat_04_unknown_ids_and_kinds_are_refused);
    tcase_add_test(rules, mat_06_a_rule_of_another_context_is_refused);
    tcase_add_test(rules, mat_06_rules_of_the_context_make_the_group_of_general_rules);
    tcase_add_test(rules, mat_06_a_macro_of_the_context_takes_30_ids);
    tcase_add_test(rules, macros_make_rules_in_the_order_given_and_evaluate_once);
    tcase_add_test(rules, a_matcher_is_a_plain_value_of_516_bytes);
    suite_add_tcase(suite, rules);
    return suite;
}
