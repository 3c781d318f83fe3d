// Groups: their members, arrays and destruction (GRP); random changes beside a naive mirror.
#include "runtime/support/board_case.h"
#include "runtime/support/mirror.h"
#include "suites.h"

#include <check.h>
#include <string.h>
#include <wide/wide.h>

static kin_group *frozen_group(void)
{
    return board_group(board, KIN_MATCHER(KIN_ALL(BOARD_FROZEN)));
}

// ---- what a group contains

START_TEST(grp_01_a_group_is_made_once_with_all_that_match_by_then)
{
    board_entity before = board_entity_at(1, 2);
    board_set_marked(board, before, true);
    uint32_t count = 0;
    kin_group *group = board_group(board, KIN_MATCHER(KIN_ALL(BOARD_MARKED, BOARD_POSITION)));
    ck_assert_ptr_nonnull(group);
    ck_assert_ptr_eq(board_group(board, KIN_MATCHER(KIN_ALL(BOARD_POSITION, BOARD_MARKED))), group);
    ck_assert_ptr_ne(board_group(board, KIN_MATCHER(KIN_ALL(BOARD_POSITION))), group);
    ck_assert_uint_eq(kin_group_count(group), 1);
    ck_assert_uint_eq(kin_group_entities(group, &count)[0], before.id);
    ck_assert(kin_group_contains(group, before.id));
}
END_TEST

static const uint32_t counts[] = {0, 1, 63, 64, 65, 511, 512, 513, 1023};

enum { COUNT_CASES = sizeof counts / sizeof *counts, MOST = 1100 };

START_TEST(grp_02_a_group_contains_all_that_match)
{
    board_entity entities[MOST];
    board_fill(board, MOST, entities);
    for (uint32_t i = 0; i < counts[_i]; i++)
        board_add_position(board, entities[i], position_default());
    uint32_t count = 9;
    const board_entity *members = board_positions_entities(board, &count);
    ck_assert_uint_eq(count, counts[_i]);
    ck_assert_uint_eq(kin_group_count(board_positions_group(board)), counts[_i]);
    if (count > 0)
        ck_assert_mem_eq(members, entities, count * sizeof *members);
    else
        ck_assert_ptr_null(members);
    for (uint32_t i = 0; i < MOST; i++)
        ck_assert(kin_group_contains(board_positions_group(board), entities[i].id) == (i < counts[_i]));
}
END_TEST

START_TEST(many_groups_are_distinguished)
{
    kin_group *groups[BOARD_COMPONENT_COUNT][BOARD_COMPONENT_COUNT];
    for (int pass = 0; pass < 2; pass++)
        for (unsigned a = 0; a < BOARD_COMPONENT_COUNT; a++)
            for (unsigned b = 0; b < BOARD_COMPONENT_COUNT; b++) {
                kin_matcher m = KIN_MATCHER(KIN_ALL((kin_component_id)a), KIN_ANY((kin_component_id)b));
                if (pass == 0)
                    groups[a][b] = board_group(board, m);
                ck_assert_ptr_eq(board_group(board, m), groups[a][b]);
                ck_assert_uint_eq(kin_group_matcher(groups[a][b]).rules[1].ids[0], b);
            }
    ck_assert_ptr_eq(board_group(board, board_info.groups[0].matcher), board_either_group(board));
}
END_TEST

// ---- arrays

START_TEST(grp_03_the_array_is_the_same_while_nothing_changed)
{
    board_entity_at(1, 2);
    board_entity other = board_create_entity(board);
    uint32_t count = 0;
    const board_entity *members = board_positions_entities(board, &count);
    board_add_health(board, other, health_default()); // not relevant for the group
    board_replace_position(board, members[0], (Position){3, 4});
    board_create_entity(board);
    ck_assert_ptr_eq(board_positions_entities(board, &count), members);
    ck_assert_uint_eq(count, 1);
    board_add_position(board, other, (Position){5, 6});
    ck_assert_uint_eq(board_positions_entities(board, &count)[1].id, other.id);
}
END_TEST

static void disturb(board_context *context, board_entity entity)
{
    kin_group *group = board_positions_group(context);
    kin_entity copy[2];
    board_remove_position(context, entity);
    ck_assert_uint_eq(kin_group_count(group), MOST - 1);
    kin_group_copy_entities(group, copy, 2);
    board_add_position(context, entity, (Position){7, 8});
    board_add_position(context, board_create_entity(context), (Position){9, 9});
    kin__iterator it = {.context = &context->base, .group = group};
    while (kin__iterator_step(&it))
        ck_assert_uint_gt(it.count, 0);
    ck_assert_uint_eq(kin_group_destroy_entities(group), KIN_OK);
}

START_TEST(grp_03_the_array_stays_as_it_is_until_the_next_call)
{
    board_entity expected[MOST];
    for (uint32_t i = 0; i < MOST; i++)
        expected[i] = board_entity_at((float)i, 0);
    uint32_t count = 0, other_count = 0;
    const board_entity *members = board_positions_entities(board, &count);
    disturb(board, expected[3]);
    board_entities(board, &other_count);
    board_strays_entities(board, &other_count);
    ck_assert_uint_eq(count, MOST);
    ck_assert_mem_eq(members, expected, sizeof expected);
    ck_assert_ptr_null(board_positions_entities(board, &count));
    ck_assert_uint_eq(count, 0);
}
END_TEST

static void list_again(const kin_change *change, void *user)
{
    uint32_t *count = user;
    ck_assert_ptr_nonnull(kin_group_entities(board_positions_group(board_context_of(change->context)), count));
}

START_TEST(grp_03_a_listener_reads_the_current_state)
{
    uint32_t count = 0, call_count = 0;
    board_entity_at(1, 1);
    board_positions_entities(board, &count);
    kin_group_subscribe(board_positions_group(board), KIN_ADDED, list_again, &call_count);
    board_entity_at(2, 2);
    ck_assert_uint_eq(call_count, 2);
}
END_TEST

START_TEST(grp_03_copying_writes_the_entities_that_fit_and_returns_the_count_of_all)
{
    board_entity entities[MOST];
    static const uint32_t capacities[] = {0, 1, 64, 600, MOST - 1, MOST, MOST + 1};
    kin_entity copy[MOST + 2];
    for (uint32_t i = 0; i < MOST; i++)
        entities[i] = board_entity_at(0, 0);
    for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
        uint32_t fit = capacities[i] < MOST ? capacities[i] : MOST;
        memset(copy, 0, sizeof copy);
        ck_assert_uint_eq(kin_group_copy_entities(board_positions_group(board), copy, capacities[i]), MOST);
        ck_assert_mem_eq(copy, entities, fit * sizeof *copy);
        ck_assert_uint_eq(copy[fit], 0);
    }
    ck_assert_uint_eq(kin_group_copy_entities(board_positions_group(board), NULL, 0), MOST);
}
END_TEST

START_TEST(without_memory_a_group_answers_what_needs_none)
{
    board_entity entity = board_entity_at(1, 2);
    kin_group *group = board_positions_group(board);
    uint32_t count = 9;
    kin_entity copy = 0;
    guard_fail(&board_memory, 1, true);
    ck_assert_ptr_null(kin_group_entities(group, &count));
    ck_assert_uint_eq(count, 0);
    ck_assert_reported(&board_errors, KIN_ERROR_NO_MEMORY);
    ck_assert_ptr_null(board_group(board, KIN_MATCHER(KIN_ALL(BOARD_LOAD), KIN_NONE(BOARD_PIECE))));
    ck_assert_reported(&board_errors, KIN_ERROR_NO_MEMORY);
    guard_fail(&board_memory, 0, false);
    kin_subscription watcher = call_log_subscribe(group, KIN_REMOVED, "-");
    guard_fail(&board_memory, 1, true);
    ck_assert_refused(&board_errors, kin_group_destroy_entities(group), KIN_ERROR_NO_MEMORY);
    kin_unsubscribe(watcher);
    ck_assert_uint_eq(kin_group_copy_entities(group, &copy, 1), 1);
    ck_assert(copy == entity.id && kin_group_contains(group, entity.id));
    guard_fail(&board_memory, 0, false);
    ck_assert_uint_eq(kin_group_entities(group, &count)[0], entity.id);
}
END_TEST

// ---- single

START_TEST(grp_04_the_single_member_is_found)
{
    kin_entity entity = 7;
    ck_assert_uint_eq(kin_group_single(board_positions_group(board), &entity), KIN_OK);
    ck_assert_uint_eq(entity, 0);
    board_entity only = board_entity_at(1, 2);
    ck_assert_uint_eq(kin_group_single(board_positions_group(board), &entity), KIN_OK);
    ck_assert_uint_eq(entity, only.id);
    board_entity_at(3, 4);
    ck_assert_uint_eq(kin_group_single(board_positions_group(board), &entity), KIN_ERROR_NOT_SINGLE);
    ck_assert_uint_eq(entity, 0);
    ck_assert_ptr_nonnull(strstr(board_errors.entries[0].message, "2"));
    ck_assert_ptr_nonnull(strstr(board_errors.entries[0].message, "Position")); // ERR-04
    ck_assert_reported(&board_errors, KIN_ERROR_NOT_SINGLE);
}
END_TEST

START_TEST(grp_04_the_single_member_is_found_in_a_later_chunk)
{
    board_entity entities[MOST];
    board_fill(board, MOST, entities);
    board_set_frozen(board, entities[MOST - 1], true);
    kin_entity entity = 0;
    ck_assert_uint_eq(kin_group_single(frozen_group(), &entity), KIN_OK);
    ck_assert_uint_eq(entity, entities[MOST - 1].id);
    board_set_frozen(board, entities[0], true);
    ck_assert_refused(&board_errors, kin_group_single(frozen_group(), &entity), KIN_ERROR_NOT_SINGLE);
}
END_TEST

// ---- the events of a group

// ---- rules that stand alone

START_TEST(mat_05_none_alone_contains_empty_entities_from_creation_to_the_end_of_destruction)
{
    kin_group *strays = board_strays_group(board);
    call_log_subscribe(strays, KIN_ADDED, "+");
    call_log_subscribe(strays, KIN_REMOVED, "-");
    board_entity entity = board_create_entity(board);
    ck_assert(kin_group_contains(strays, entity.id) && kin_group_count(strays) == 1);
    ck_assert_uint_eq(calls.calls[0].change.component, BOARD_COMPONENT_COUNT);
    board_set_frozen(board, entity, true);
    board_destroy_entity(board, entity);
    ck_assert_str_eq(call_log_labels(), "+ - ");
    ck_assert_uint_eq(calls.calls[1].change.component, BOARD_COMPONENT_COUNT);
    ck_assert(calls.calls[1].change.previous == NULL && calls.calls[1].change.value == NULL);
    ck_assert_uint_eq(kin_group_count(strays), 0);
}
END_TEST

START_TEST(mat_05_none_alone_follows_creations_in_count_and_array)
{
    kin_group *strays = board_strays_group(board);
    uint32_t count = 0;
    for (uint32_t i = 1; i <= 520; i++) {
        board_create_entity(board);
        ck_assert_uint_eq(kin_group_count(strays), i);
    }
    const board_entity *all = board_strays_entities(board, &count);
    ck_assert_uint_eq(count, 520);
    board_destroy_entity(board, all[519]);
    board_create_entity(board); // as many as before, in the same slots
    ck_assert_uint_eq(board_strays_entities(board, &count)[519].id, (kin_entity)521 << 24 | 519);
}
END_TEST

START_TEST(only_counts_flags_and_reports_flags_set_and_cleared_beside_it)
{
    kin_group *placed = board_placed_group(board); // only Frozen and Position
    call_log_subscribe(placed, KIN_ADDED, "+");
    call_log_subscribe(placed, KIN_REMOVED, "-");
    board_entity entity = board_entity_at(1, 2);
    ck_assert_uint_eq(kin_group_count(placed), 0);
    board_set_frozen(board, entity, true);
    ck_assert_uint_eq(kin_group_count(placed), 1);
    board_set_piece(board, entity, true);
    ck_assert_uint_eq(kin_group_count(placed), 0);
    ck_assert_uint_eq(calls.calls[1].change.component, BOARD_PIECE);
    board_set_piece(board, entity, false);
    ck_assert(kin_group_contains(placed, entity.id));
    ck_assert_str_eq(call_log_labels(), "+ - + ");
}
END_TEST

// ---- destroying members

START_TEST(grp_11_members_are_destroyed_by_slot)
{
    board_entity made[3] = {board_entity_at(1, 1), board_entity_at(2, 2), board_entity_at(3, 3)},
                 other = board_create_entity(board);
    call_log_subscribe(board_positions_group(board), KIN_REMOVED, "-");
    ck_assert_uint_eq(kin_group_destroy_entities(board_positions_group(board)), KIN_OK);
    ck_assert_uint_eq(calls.count, 3);
    for (int i = 0; i < 3; i++)
        ck_assert_uint_eq(calls.calls[i].change.entity, made[i].id);
    ck_assert_uint_eq(board_entity_count(board), 1);
    ck_assert(board_entity_is_alive(board, other));
    ck_assert_uint_eq(kin_group_destroy_entities(board_positions_group(board)), KIN_OK);
}
END_TEST

typedef struct meddler {
    board_entity dies, leaves;
} meddler;

static void meddle(const kin_change *change, void *user)
{
    meddler *meddler = user;
    board_context *context = board_context_of(change->context);
    if (!board_entity_is_alive(context, meddler->dies))
        return;
    board_entity dies = meddler->dies;
    meddler->dies = BOARD_NO_ENTITY;
    board_destroy_entity(context, dies);
    board_remove_position(context, meddler->leaves);
    board_add_position(context, board_create_entity(context), (Position){9, 9});
}

START_TEST(grp_11_entities_that_die_leave_or_join_meanwhile_are_skipped)
{
    board_entity made[4] = {board_entity_at(1, 1), board_entity_at(2, 2), board_entity_at(3, 3), board_entity_at(4, 4)};
    meddler meddler = {made[1], made[2]};
    kin_group_subscribe(board_positions_group(board), KIN_REMOVED, meddle, &meddler);
    ck_assert_uint_eq(kin_group_destroy_entities(board_positions_group(board)), KIN_OK);
    ck_assert(board_entity_is_alive(board, made[2]));
    ck_assert(!board_entity_is_alive(board, made[0]) && !board_entity_is_alive(board, made[3]));
    ck_assert_uint_eq(board_entity_count(board), 2);
    ck_assert_uint_eq(kin_group_count(board_positions_group(board)), 1);
}
END_TEST

static void reset_and_rebuild(const kin_change *change, void *user)
{
    bool *done = user;
    board_context *context = board_context_of(change->context);
    if (*done)
        return;
    *done = true;
    ck_assert_uint_eq(board_context_reset(context), KIN_OK);
    board_destroy_entity(context, board_create_entity(context));
    board_create_entity(context);
    board_entity_at(9, 9); // in slot 2, with the creation index 3 of a former member
}

// CTX-08: an equal handle after a reset belongs to another entity.
START_TEST(grp_11_a_reset_in_a_listener_leaves_nothing_to_destroy)
{
    bool done = false;
    board_create_entity(board);
    board_entity_at(1, 1);
    board_entity member = board_entity_at(2, 2);
    kin_group_subscribe(board_positions_group(board), KIN_REMOVED, reset_and_rebuild, &done);
    ck_assert_uint_eq(kin_group_destroy_entities(board_positions_group(board)), KIN_OK);
    ck_assert(board_entity_is_alive(board, member)); // the one with an equal handle
    ck_assert_uint_eq(kin_group_count(board_positions_group(board)), 1);
}
END_TEST

// ---- random changes

enum { ROUNDS = 100, CHANGES = 200, GROUP_LIMIT = 16 };

typedef struct watched {
    kin_group *group;
    int64_t members; // counted by the calls
} watched;

static void count_members(const kin_change *change, void *user)
{
    watched *watched = user;
    bool is_member = kin_group_contains(change->group, change->entity);
    ck_assert_ptr_eq(change->group, watched->group);
    watched->members += is_member ? 1 : -1;
}

static void watch_groups(watched *watched, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        kin_subscription made = kin_group_subscribe(watched[i].group, KIN_ADDED_OR_REMOVED, count_members, &watched[i]);
        ck_assert_ptr_nonnull(made.subscriber);
    }
}

// 20,000 changes, compared after every 200; in every second run the groups are watched, so that both the inlined code
// of the accessors and the library's are tested.
static void play(kin_context *context, const kin_matcher *matchers, uint32_t count, int run)
{
    static mirror mirror;
    watched watched[GROUP_LIMIT] = {{NULL, 0}};
    mirror_begin(&mirror, context, 1000 + (uint64_t)run);
    for (uint32_t i = 0; i < count; i++)
        watched[i].group = kin_context_group(context, matchers[i]);
    if (run % 2 == 1)
        watch_groups(watched, count);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < CHANGES; i++)
            mirror_change(&mirror);
        if (round % 25 == 20)
            mirror_destroy_members(&mirror, watched[(uint32_t)round % count].group);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t members = mirror_compare_group(&mirror, watched[i].group, &matchers[i]);
            ck_assert(run % 2 == 0 || watched[i].members == members);
        }
        if (round % 10 == 9)
            mirror_compare_values(&mirror);
    }
    ck_assert_uint_gt(mirror.used, 1024); // three chunks
}

START_TEST(random_changes_leave_groups_as_a_naive_mirror_has_them)
{
    const kin_matcher matchers[] = {
        KIN_MATCHER(KIN_ALL(BOARD_EVERYTHING)),
        KIN_MATCHER(KIN_ALL(BOARD_EVERYTHING, BOARD_LOAD)),
        KIN_MATCHER(KIN_ALL(BOARD_LOAD, BOARD_VELOCITY), KIN_NONE(BOARD_INITIAL)),
        KIN_MATCHER(KIN_ANY(BOARD_FROZEN, BOARD_INITIAL)),
        KIN_MATCHER(KIN_ANY(BOARD_INITIAL, BOARD_POSITION), KIN_ANY(BOARD_HEALTH, BOARD_MARKED)),
        KIN_MATCHER(KIN_NONE(BOARD_EVERYTHING)),
        KIN_MATCHER(KIN_NONE(BOARD_INITIAL, BOARD_POSITION)),
        KIN_MATCHER(KIN_ONLY(BOARD_EVERYTHING, BOARD_LOAD, BOARD_VELOCITY)),
        KIN_MATCHER(KIN_ALL(BOARD_PIECE), KIN_ALL(BOARD_EVERYTHING), KIN_NONE(BOARD_FROZEN), KIN_NONE(BOARD_HEALTH)),
        KIN_MATCHER(KIN_ALL(BOARD_PIECE), KIN_NONE(BOARD_PIECE)),
        KIN_MATCHER(KIN_ONLY(BOARD_PIECE), KIN_ONLY(BOARD_LOAD)),
        KIN_MATCHER(KIN_ALL(BOARD_VELOCITY), KIN_ANY(BOARD_FROZEN, BOARD_LOAD), KIN_NONE(BOARD_POSITION)),
    };
    play(&board->base, matchers, sizeof matchers / sizeof *matchers, _i);
}
END_TEST

START_TEST(random_changes_in_a_context_of_two_words_a_row_do_so_too)
{
    const kin_matcher matchers[] = {
        KIN_MATCHER(KIN_ALL(MORE_C64)),           KIN_MATCHER(KIN_ALL(MORE_C00, MORE_C60, MORE_C64, MORE_C68)),
        KIN_MATCHER(KIN_ALL(MORE_C00, MORE_C65)), KIN_MATCHER(KIN_ALL(MORE_C64), KIN_NONE(MORE_C63, MORE_C67)),
        KIN_MATCHER(KIN_ANY(MORE_C63, MORE_C67)), KIN_MATCHER(KIN_ANY(MORE_C63, MORE_C64), KIN_ANY(MORE_C65, MORE_C01)),
        KIN_MATCHER(KIN_NONE(MORE_C64)),          KIN_MATCHER(KIN_NONE(MORE_C63, MORE_C69)),
        KIN_MATCHER(KIN_ONLY(MORE_C64)),          KIN_MATCHER(KIN_ONLY(MORE_C00, MORE_C64)),
    };
    more_context *more = more_context_create(NULL);
    play(&more->base, matchers, sizeof matchers / sizeof *matchers, _i);
    more_context_destroy(more);
}
END_TEST

Suite *runtime_group_suite(void)
{
    Suite *suite = suite_create("runtime_group");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, board_begin, board_end);
    tcase_add_test(rules, grp_01_a_group_is_made_once_with_all_that_match_by_then);
    tcase_add_loop_test(rules, grp_02_a_group_contains_all_that_match, 0, COUNT_CASES);
    tcase_add_test(rules, many_groups_are_distinguished);
    tcase_add_test(rules, grp_03_the_array_is_the_same_while_nothing_changed);
    tcase_add_test(rules, grp_03_the_array_stays_as_it_is_until_the_next_call);
    tcase_add_test(rules, grp_03_a_listener_reads_the_current_state);
    tcase_add_test(rules, grp_03_copying_writes_the_entities_that_fit_and_returns_the_count_of_all);
    tcase_add_test(rules, without_memory_a_group_answers_what_needs_none);
    tcase_add_test(rules, grp_04_the_single_member_is_found);
    tcase_add_test(rules, grp_04_the_single_member_is_found_in_a_later_chunk);
    tcase_add_test(rules, mat_05_none_alone_contains_empty_entities_from_creation_to_the_end_of_destruction);
    tcase_add_test(rules, mat_05_none_alone_follows_creations_in_count_and_array);
    tcase_add_test(rules, only_counts_flags_and_reports_flags_set_and_cleared_beside_it);
    tcase_add_test(rules, grp_11_members_are_destroyed_by_slot);
    tcase_add_test(rules, grp_11_entities_that_die_leave_or_join_meanwhile_are_skipped);
    tcase_add_test(rules, grp_11_a_reset_in_a_listener_leaves_nothing_to_destroy);
    suite_add_tcase(suite, rules);
    TCase *random = tcase_create("random changes");
    tcase_set_timeout(random, 60);
    tcase_add_checked_fixture(random, board_begin, board_end);
    tcase_add_loop_test(random, random_changes_leave_groups_as_a_naive_mirror_has_them, 0, 2);
    tcase_add_loop_test(random, random_changes_in_a_context_of_two_words_a_row_do_so_too, 0, 2);
    suite_add_tcase(suite, random);
    return suite;
}
