// Contexts: their creation, options, limits and lists, and several contexts at once (CTX).
#include "runtime/support/board_case.h"
#include "suites.h"

#include <check.h>
#include <kin/kin.h>
#include <pair/pair.h>
#include <wide/wide.h>

static const uint64_t last_creation_index = ((uint64_t)1 << 40) - 1;

static kin_collector *collect(kin_group *group, kin_group_event event)
{
    kin_trigger trigger = {group, event};
    kin_collector *collector = kin_collector_create(&trigger, 1);
    ck_assert_ptr_nonnull(collector);
    return collector;
}

// ---- made

START_TEST(ctx_01_a_new_context_is_empty)
{
    uint32_t count = 7;
    ck_assert_uint_eq(board_entity_count(board), 0);
    ck_assert_ptr_null(board_entities(board, &count));
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(kin_context_reusable_count(&board->base), 0);
    ck_assert_uint_eq(kin_context_retained_count(&board->base), 0);
}
END_TEST

START_TEST(ctx_01_declared_groups_exist_in_order_of_name)
{
    kin_group *const expected[] = {board_either_group(board), board_loads_group(board),     board_movers_group(board),
                                   board_placed_group(board), board_positions_group(board), board_strays_group(board)};
    ck_assert_uint_eq(board_info.group_count, 6);
    for (uint32_t i = 0; i < board_info.group_count; i++) {
        ck_assert_ptr_eq(board->base.groups[i], expected[i]);
        ck_assert_ptr_eq(board_group(board, board_info.groups[i].matcher), expected[i]);
    }
}
END_TEST

static void create_another(const kin_change *change, void *created)
{
    (void)change;
    board_context *another = board_context_create(NULL);
    board_create_entity(another);
    board_context_destroy(another);
    *(bool *)created = another != NULL;
}

START_TEST(ctx_01_a_listener_may_create_another_context)
{
    bool created = false;
    kin_context_subscribe(&board->base, KIN_ENTITY_CREATED, create_another, &created);
    board_create_entity(board);
    ck_assert(created && board_entity_count(board) == 1);
}
END_TEST

static void count_call(const kin_change *change, void *count)
{
    (void)change;
    ++*(uint32_t *)count;
}

START_TEST(ctx_04_declared_groups_are_never_reported)
{
    uint32_t count = 0;
    kin_context_subscribe(&board->base, KIN_GROUP_CREATED, count_call, &count);
    for (uint32_t i = 0; i < board_info.group_count; i++)
        board_group(board, board_info.groups[i].matcher);
    board_create_entity(board);
    ck_assert_uint_eq(count, 0);
    board_pieces();
    board_pieces();
    ck_assert_uint_eq(count, 1);
}
END_TEST

START_TEST(an_empty_context_takes_less_than_64_kib)
{
    guard memory;
    kin_context_options options = {.allocator = guard_begin(&memory)};
    less_context *less = less_context_create(&options);
    ck_assert_uint_le(40, LESS_COMPONENT_COUNT);
    ck_assert_uint_lt(memory.peak, 64 * 1024);
    less_context_destroy(less);
    guard_end(&memory);
}
END_TEST

START_TEST(default_options_are_those_of_no_options)
{
    kin_context_options zero = {0};
    board_context *given = board_context_create(&zero), *none = board_context_create(NULL);
    for (int i = 0; i < 3; i++)
        ck_assert_uint_eq(board_create_entity(given).id, board_create_entity(none).id);
    board_context_destroy(given);
    board_context_destroy(none);
    board_context_destroy(NULL);
}
END_TEST

START_TEST(a_context_without_components_has_entities)
{
    middle_context *middle = middle_context_create(NULL);
    ck_assert_uint_eq(MIDDLE_COMPONENT_COUNT, 0);
    middle_entity first = middle_create_entity(middle), second = middle_create_entity(middle);
    ck_assert(!middle_entity_equals(first, second));
    ck_assert_uint_eq(middle_destroy_entity(middle, first), KIN_OK);
    ck_assert_uint_eq(middle_entity_count(middle), 1);
    ck_assert_uint_eq(kin_entity_slot(middle_create_entity(middle).id), 0);
    ck_assert(!kin_has(&middle->base, second.id, 0));
    middle_context_destroy(middle);
}
END_TEST

static void expect_refused(uint32_t interface_version, const char *message)
{
    error_log errors = {0};
    kin_context_options options = {.on_error = error_log_append, .error_user = &errors};
    kin_context_info other = board_info;
    other.interface_version = interface_version;
    ck_assert_ptr_null(kin__context_create(&other, &options, sizeof(board_context)));
    ck_assert_str_eq(errors.entries[0].message, message);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
}

START_TEST(tables_of_another_interface_version_are_refused)
{
    expect_refused(KIN_INTERFACE_VERSION - 1,
                   "cannot create the context board: its generated code is older than this libkin; generate it again "
                   "with the kin of this libkin, and compile it with its headers");
    expect_refused(KIN_INTERFACE_VERSION + 1, "cannot create the context board: its generated code is newer than this "
                                              "libkin; install the libkin of the headers that it was compiled with");
}
END_TEST

static void *never_allocate(size_t size, size_t alignment, void *user)
{
    (void)size;
    (void)alignment;
    (void)user;
    ck_abort_msg("allocated by half an allocator");
    return NULL;
}

static void never_release(void *memory, size_t size, void *user)
{
    (void)memory;
    (void)size;
    (void)user;
    ck_abort_msg("released by half an allocator");
}

START_TEST(half_an_allocator_is_refused)
{
    error_log errors = {0};
    kin_context_options options = {.on_error = error_log_append, .error_user = &errors};
    const kin_allocator halves[] = {{.allocate = never_allocate}, {.release = never_release}};
    options.allocator = halves[_i];
    ck_assert_ptr_null(board_context_create(&options));
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_ptr_null(pair_contexts_create(&options));
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_ptr_null(kin_systems_create("frame", &options));
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
}
END_TEST

START_TEST(without_memory_no_context_is_made_and_none_is_lost)
{
    guard memory;
    error_log errors = {0};
    kin_context_options options = {.allocator = guard_begin(&memory), .on_error = error_log_append};
    options.error_user = &errors;
    board_context *made = NULL;
    uint64_t number = 1;
    guard_fail(&memory, number, true);
    while ((made = board_context_create(&options)) == NULL) {
        ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
        ck_assert_uint_eq(memory.block_count, 0);
        guard_fail(&memory, ++number, true);
    }
    ck_assert_uint_gt(number, 4);
    board_context_destroy(made);
    guard_end(&memory);
}
END_TEST

// ---- limits

static const uint32_t limits[] = {1, 3, 511, 512, 513};

START_TEST(max_entities_limits_those_that_are_alive)
{
    board_end();
    board_begin_with(&(kin_context_options){.max_entities = limits[_i]});
    board_entity entities[513];
    board_fill(board, limits[_i], entities);
    ck_assert_uint_eq(board_create_entity(board).id, 0);
    ck_assert_reported(&board_errors, KIN_ERROR_LIMIT);
    board_destroy_entity(board, entities[limits[_i] / 2]);
    board_entity next = board_create_entity(board);
    ck_assert_uint_eq(kin_entity_creation_index(next.id), limits[_i] + 1); // the refused creation used no index
    ck_assert_uint_eq(board_create_entity(board).id, 0);
    ck_assert_reported(&board_errors, KIN_ERROR_LIMIT);
    ck_assert_uint_eq(board_entity_count(board), limits[_i]);
}
END_TEST

START_TEST(max_entities_counts_those_that_are_held_and_starts_anew_after_a_reset)
{
    board_end();
    board_begin_with(&(kin_context_options){.max_entities = 2});
    kin_collector *collector = collect(board_pieces(), KIN_ADDED);
    board_destroy_entity(board, board_piece(board));
    board_piece(board);
    ck_assert_uint_eq(board_create_entity(board).id, 0);
    ck_assert_reported(&board_errors, KIN_ERROR_LIMIT);
    kin_collector_clear(collector);
    ck_assert_uint_ne(board_create_entity(board).id, 0);
    ck_assert_uint_eq(board_context_reset(board), KIN_OK);
    board_create_entity(board);
    board_create_entity(board);
    ck_assert_uint_eq(board_create_entity(board).id, 0);
    ck_assert_reported(&board_errors, KIN_ERROR_LIMIT);
    kin_collector_destroy(collector);
}
END_TEST

static const struct {
    uint64_t given, first;
} first_indices[] = {{0, 1}, {1, 1}, {7, 7}, {((uint64_t)1 << 40) - 1, ((uint64_t)1 << 40) - 1}};

START_TEST(creation_indices_begin_where_the_options_say)
{
    board_end();
    board_begin_with(&(kin_context_options){.first_creation_index = first_indices[_i].given});
    ck_assert_uint_eq(kin_entity_creation_index(board_create_entity(board).id), first_indices[_i].first);
    ck_assert_uint_eq(board_entity_count(board), 1);
    ck_assert_uint_eq(board_context_reset(board), KIN_OK);
    ck_assert_uint_eq(kin_entity_creation_index(board_create_entity(board).id), first_indices[_i].first);
}
END_TEST

START_TEST(creation_indices_end_at_the_last_one)
{
    board_end();
    board_begin_with(&(kin_context_options){.first_creation_index = last_creation_index - 1});
    board_entity entities[2];
    board_fill(board, 2, entities);
    ck_assert_uint_eq(kin_entity_creation_index(entities[1].id), last_creation_index);
    ck_assert_uint_eq(board_create_entity(board).id, 0);
    ck_assert_reported(&board_errors, KIN_ERROR_LIMIT);
    ck_assert(board_entity_is_alive(board, entities[1]));
    ck_assert_uint_eq(board_context_reset(board), KIN_OK);
    ck_assert_uint_ne(board_create_entity(board).id, 0);
}
END_TEST

START_TEST(a_first_creation_index_beyond_the_last_one_is_refused)
{
    board_end();
    board_begin_with(&(kin_context_options){.first_creation_index = last_creation_index + 1});
    ck_assert_ptr_null(board);
    ck_assert_reported(&board_errors, KIN_ERROR_INVALID);
}
END_TEST

// ---- listed

START_TEST(ctx_02_entities_are_listed_by_slot)
{
    board_entity made[3];
    board_fill(board, 3, made);
    board_destroy_entity(board, made[0]);
    board_destroy_entity(board, made[1]);
    board_entity last = board_create_entity(board); // in slot 1, freed last
    uint32_t count = 0;
    const board_entity *entities = board_entities(board, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert(board_entity_equals(entities[0], last));
    ck_assert(board_entity_equals(entities[1], made[2]));
    ck_assert_ptr_eq(board_entities(board, &count), entities);
}
END_TEST

START_TEST(ctx_02_the_array_stays_while_what_it_shows_is_destroyed)
{
    enum { COUNT = 600 };
    board_entity made[COUNT];
    board_fill(board, COUNT, made);
    uint32_t count = 0;
    const board_entity *entities = board_entities(board, &count);
    ck_assert_uint_eq(count, COUNT);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert(board_entity_equals(entities[i], made[i]));
        ck_assert_uint_eq(board_destroy_entity(board, entities[i]), KIN_OK);
        board_create_entity(board);
    }
    ck_assert_uint_eq(board_entity_count(board), COUNT);
}
END_TEST

// ---- several contexts

START_TEST(ctx_11_contexts_are_made_all_or_none)
{
    guard memory;
    error_log errors = {0};
    kin_context_options options = {.on_error = error_log_append, .error_user = &errors};
    options.allocator = guard_begin(&memory);
    pair_contexts *made = NULL;
    uint64_t number = 1;
    guard_fail(&memory, number, true);
    while ((made = pair_contexts_create(&options)) == NULL) {
        ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
        ck_assert_uint_eq(memory.block_count, 0);
        guard_fail(&memory, ++number, true);
    }
    ck_assert_uint_gt(number, 4);
    pair_contexts_destroy(made);
    pair_contexts_destroy(NULL);
    guard_end(&memory);
}
END_TEST

START_TEST(ctx_11_contexts_are_reset_in_order_of_name_all_of_them)
{
    error_log errors = {0};
    pair_contexts *pair =
        pair_contexts_create(&(kin_context_options){.on_error = error_log_append, .error_user = &errors});
    kin_group *bent[] = {right_group(pair->right, KIN_MATCHER(KIN_ALL(RIGHT_BENT))),
                         left_group(pair->left, KIN_MATCHER(KIN_ALL(LEFT_BENT)))};
    kin_collector *collectors[] = {collect(bent[0], KIN_ADDED), collect(bent[1], KIN_ADDED)};
    right_set_bent(pair->right, right_create_entity(pair->right), true);
    left_set_bent(pair->left, left_create_entity(pair->left), true);
    middle_create_entity(pair->middle);
    ck_assert_uint_eq(pair_contexts_reset(pair), KIN_ERROR_RETAINED);
    ck_assert_uint_eq(errors.count, 2);
    ck_assert_str_eq(errors.entries[0].context, "left");
    ck_assert_str_eq(errors.entries[1].context, "right");
    ck_assert_uint_eq(middle_entity_count(pair->middle), 0);
    kin_collector_destroy(collectors[0]);
    kin_collector_destroy(collectors[1]);
    ck_assert_uint_eq(pair_contexts_reset(pair), KIN_OK);
    pair_contexts_destroy(pair);
}
END_TEST

static pair_contexts *ending;

static void end_pair(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
    pair_contexts_destroy(ending);
}

// If only some of them were destroyed, the rest could not be used.
START_TEST(ctx_10_contexts_are_destroyed_all_or_none)
{
    error_log errors = {0};
    kin_context_options options = {.on_error = error_log_append, .error_user = &errors};
    ending = pair_contexts_create(&options);
    kin_group *bent = right_group(ending->right, KIN_MATCHER(KIN_ALL(RIGHT_BENT)));
    kin_group_subscribe(bent, KIN_ADDED, end_pair, NULL);
    right_set_bent(ending->right, right_create_entity(ending->right), true);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_uint_ne(left_create_entity(ending->left).id, 0);
    pair_contexts_destroy(ending);
}
END_TEST

Suite *runtime_context_suite(void)
{
    Suite *suite = suite_create("runtime_context");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, board_begin, board_end);
    tcase_add_test(rules, ctx_01_a_new_context_is_empty);
    tcase_add_test(rules, ctx_01_declared_groups_exist_in_order_of_name);
    tcase_add_test(rules, ctx_01_a_listener_may_create_another_context);
    tcase_add_test(rules, ctx_04_declared_groups_are_never_reported);
    tcase_add_test(rules, an_empty_context_takes_less_than_64_kib);
    tcase_add_test(rules, default_options_are_those_of_no_options);
    tcase_add_test(rules, a_context_without_components_has_entities);
    tcase_add_test(rules, tables_of_another_interface_version_are_refused);
    tcase_add_loop_test(rules, half_an_allocator_is_refused, 0, 2);
    tcase_add_test(rules, without_memory_no_context_is_made_and_none_is_lost);
    tcase_add_loop_test(rules, max_entities_limits_those_that_are_alive, 0, sizeof limits / sizeof *limits);
    tcase_add_test(rules, max_entities_counts_those_that_are_held_and_starts_anew_after_a_reset);
    tcase_add_loop_test(rules, creation_indices_begin_where_the_options_say, 0, 4);
    tcase_add_test(rules, creation_indices_end_at_the_last_one);
    tcase_add_test(rules, a_first_creation_index_beyond_the_last_one_is_refused);
    tcase_add_test(rules, ctx_02_entities_are_listed_by_slot);
    tcase_add_test(rules, ctx_02_the_array_stays_while_what_it_shows_is_destroyed);
    tcase_add_test(rules, ctx_11_contexts_are_made_all_or_none);
    tcase_add_test(rules, ctx_11_contexts_are_reset_in_order_of_name_all_of_them);
    tcase_add_test(rules, ctx_10_contexts_are_destroyed_all_or_none);
    suite_add_tcase(suite, rules);
    return suite;
}
