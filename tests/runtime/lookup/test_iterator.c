// Typed iteration: runs and blocks of a declared group, and any change to it from inside the loop (GRP-09, GRP-10).
#include "runtime/support/board_case.h"
#include "suites.h"

#include <check.h>
#include <string.h>
#include <wide/wide.h>

enum { COUNT = 1300 };

static board_entity entities[COUNT]; // in slots 0, 1, 2, …
static uint32_t visited[COUNT];      // how often the entity of a slot was visited

static void begin(void)
{
    board_begin();
    board_fill(board, COUNT, entities);
    memset(visited, 0, sizeof visited);
}

// The same with inlined steps, which checked builds leave to the library.
static void begin_inlined(void)
{
    begin();
    board->base.inline_chunks = board->base.chunk_count;
}

static void make_movers(uint32_t first, uint32_t end)
{
    for (uint32_t slot = first; slot < end; slot++) {
        board_replace_position(board, entities[slot], (Position){(float)slot, 0});
        board_replace_velocity(board, entities[slot], (Velocity){{1, 0}});
    }
}

static void visit(board_entity entity)
{
    if (!board_entity_equals(entity, BOARD_NO_ENTITY))
        visited[kin_entity_slot(entity.id)]++;
}

static void check_visited(uint32_t first, uint32_t end)
{
    for (uint32_t slot = 0; slot < COUNT; slot++)
        if (visited[slot] != (slot >= first && slot < end))
            ck_abort_msg("slot %u was visited %u times", slot, visited[slot]);
}

// ---- runs

typedef struct span {
    uint32_t first, end; // the first slot after it
} span;

// Spans of matching slots, and the runs that they give: joined over words, cut at chunks.
static const struct {
    span spans[3], runs[5];
} cases[] = {
    {{{0, 0}}, {{0, 0}}},
    {{{0, 1}}, {{0, 1}}},
    {{{63, 64}}, {{63, 64}}},
    {{{63, 65}}, {{63, 65}}},
    {{{0, 64}}, {{0, 64}}},
    {{{64, 128}}, {{64, 128}}},
    {{{1, 511}}, {{1, 511}}},
    {{{0, 512}}, {{0, 512}}},
    {{{511, 512}}, {{511, 512}}},
    {{{512, 513}}, {{512, 513}}},
    {{{511, 513}}, {{511, 512}, {512, 513}}},
    {{{0, 1024}}, {{0, 512}, {512, 1024}}},
    {{{500, 1300}}, {{500, 512}, {512, 1024}, {1024, 1300}}},
    {{{0, 63}, {64, 128}, {129, 130}}, {{0, 63}, {64, 128}, {129, 130}}},
    {{{62, 66}, {1023, 1025}, {1299, 1300}}, {{62, 66}, {1023, 1024}, {1024, 1025}, {1299, 1300}}},
};

enum { CASES = sizeof cases / sizeof *cases };

START_TEST(grp_09_runs_are_joined_over_words_up_to_the_chunk)
{
    for (int i = 0; i < 3; i++)
        make_movers(cases[_i].spans[i].first, cases[_i].spans[i].end);
    uint32_t runs = 0;
    board_movers_iter it = board_movers_iterate(board);
    for (; board_movers_next(&it); runs++) {
        span run = cases[_i].runs[runs];
        ck_assert_uint_gt(run.end, run.first);
        ck_assert_uint_eq(it.count, run.end - run.first);
        ck_assert_uint_eq(board_movers_at(&it, 0).id, entities[run.first].id);
        ck_assert_uint_eq(board_movers_at(&it, it.count - 1).id, entities[run.end - 1].id);
        ck_assert_ptr_eq(it.position, board_get_position(board, entities[run.first]));
        ck_assert_ptr_eq(&it.velocity[it.count - 1], board_get_velocity(board, entities[run.end - 1]));
        ck_assert(it.position[it.count - 1].x == (float)(run.end - 1));
    }
    ck_assert_uint_eq(cases[_i].runs[runs].end, 0); // there were as many as expected
    ck_assert(!board_movers_next(&it));             // and it stays at the end
}
END_TEST

START_TEST(grp_09_blocks_show_the_same_slots_with_columns_from_the_start_of_the_block)
{
    for (int i = 0; i < 3; i++)
        make_movers(cases[_i].spans[i].first, cases[_i].spans[i].end);
    uint32_t blocks = 0, members = kin_group_count(board_movers_group(board));
    board_movers_iter it = board_movers_iterate(board);
    for (; board_movers_next_block(&it); blocks++) {
        ck_assert_uint_ne(it.mask, 0);
        KIN_EACH_BIT(i, it.mask)
        {
            uint32_t slot = kin_entity_slot(board_movers_at(&it, i).id);
            ck_assert(slot % 64 == i && it.position[i].x == (float)slot);
            ck_assert_ptr_eq(&it.velocity[i], board_get_velocity(board, entities[slot]));
            visited[slot]++;
            members--;
        }
    }
    ck_assert_uint_eq(members, 0);
    for (uint32_t slot = 0; slot < COUNT; slot++)
        ck_assert_uint_eq(visited[slot], kin_group_contains(board_movers_group(board), entities[slot].id));
    ck_assert(!board_movers_next_block(&it));
}
END_TEST

START_TEST(excluded_components_cut_runs)
{
    make_movers(0, 200);
    board_set_frozen(board, entities[0], true);
    board_set_frozen(board, entities[64], true);
    board_set_frozen(board, entities[199], true);
    const span expected[] = {{1, 64}, {65, 199}};
    board_movers_iter it = board_movers_iterate(board);
    for (int i = 0; i < 2; i++) {
        ck_assert(board_movers_next(&it));
        ck_assert_uint_eq(kin_entity_slot(board_movers_at(&it, 0).id), expected[i].first);
        ck_assert_uint_eq(it.count, expected[i].end - expected[i].first);
    }
    ck_assert(!board_movers_next(&it));
}
END_TEST

START_TEST(values_written_in_a_run_are_those_of_the_entities)
{
    make_movers(10, 600);
    board_movers_iter it = board_movers_iterate(board);
    while (board_movers_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            it.position[i].x += 2 * it.velocity[i].v.x;
    for (uint32_t slot = 10; slot < 600; slot++)
        ck_assert(board_get_position(board, entities[slot])->x == (float)slot + 2);
}
END_TEST

START_TEST(groups_without_columns_are_iterated_too)
{
    uint32_t strays = 0, either = 0;
    make_movers(3, 900);
    board_set_piece(board, entities[1100], true);
    board_set_frozen(board, entities[1100], true);
    board_strays_iter it = board_strays_iterate(board);
    while (board_strays_next(&it))
        strays += it.count;
    ck_assert_uint_eq(strays, COUNT - 897);
    board_either_iter ragged = board_either_iterate(board);
    while (board_either_next_block(&ragged))
        KIN_EACH_BIT(i, ragged.mask)
        {
            ck_assert_uint_eq(board_either_at(&ragged, i).id, entities[1100].id);
            either++;
        }
    ck_assert_uint_eq(either, 1);
}
END_TEST

START_TEST(iteration_works_with_components_of_the_second_word)
{
    more_context *more = more_context_create(NULL);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < 600; i++) {
        more_entity entity = more_create_entity(more);
        more_add_c00(more, entity, (C00){i});
        more_add_c69(more, entity, (C69){1000 * i});
        more_set_c64(more, entity, i >= 550);
    }
    more_across_iter it = more_across_iterate(more);
    while (more_across_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            sum += it.c00[i].value + it.c69[i].value;
    ck_assert_uint_eq(sum, 549 * 550 / 2 * 1001);
    ck_assert_uint_eq(kin_group_count(more_exact_group(more)), 0);
    more_context_destroy(more);
}
END_TEST

// ---- inlined steps

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

// Gives spans of random lengths Position, Velocity and Frozen; some chunks have no Velocity at all.
static void make_random_movers(uint64_t seed)
{
    uint64_t state = seed;
    for (uint32_t slot = 0; slot < COUNT;) {
        uint32_t length = (uint32_t)(draw(&state) % (seed % 3 == 0 ? 3 : seed % 3 == 1 ? 70 : 700)) + 1;
        uint64_t kind = draw(&state);
        for (; length > 0 && slot < COUNT; length--, slot++) {
            board_add_position(board, entities[slot], (Position){0, 0});
            if (kind % 4 != 0 && (slot / 512 != 1 || seed % 4 != 0))
                board_add_velocity(board, entities[slot], (Velocity){{1, 0}});
            board_set_frozen(board, entities[slot], kind % 8 == 1);
        }
    }
}

typedef struct step {
    uint64_t place, mask;
    const kin__chunk *chunk;
} step;

// Returns the number of steps, and writes each to `steps`.
static uint32_t walk_movers(bool inlined, bool by_blocks, step steps[COUNT])
{
    uint32_t count = 0;
    board->base.inline_chunks = inlined ? board->base.chunk_count : 0;
    board_movers_iter it = board_movers_iterate(board);
    while (by_blocks ? board_movers_next_block(&it) : board_movers_next(&it))
        steps[count++] = (step){it.place_.place, it.mask, it.place_.chunk};
    ck_assert(!(by_blocks ? board_movers_next_block(&it) : board_movers_next(&it)));
    return count;
}

START_TEST(inlined_steps_return_what_the_library_returns)
{
    static step expected[COUNT], steps[COUNT];
    make_random_movers((uint64_t)_i);
    for (int by_blocks = 0; by_blocks < 2; by_blocks++) {
        uint32_t count = walk_movers(false, by_blocks, expected);
        ck_assert_uint_eq(walk_movers(true, by_blocks, steps), count);
        for (uint32_t i = 0; i < count; i++)
            if (steps[i].place != expected[i].place || steps[i].mask != expected[i].mask ||
                steps[i].chunk != expected[i].chunk)
                ck_abort_msg("step %u of %u differs", i, count);
    }
}
END_TEST

START_TEST(an_inlined_loop_that_does_not_know_all_chunks_leaves_the_rest_to_the_library)
{
    make_movers(0, COUNT);
    board->base.inline_chunks = 1;
    uint32_t places = 0;
    board_movers_iter it = board_movers_iterate(board);
    while (board_movers_next(&it))
        places += it.count;
    ck_assert_uint_eq(places, COUNT);
}
END_TEST

// ---- changes in the loop

enum change_kind { REMOVE, EXCLUDE, DESTROY, DESTROY_AND_CREATE, ADD_OTHER, REPLACE, CHANGE_KINDS };

static void change(board_entity entity, enum change_kind kind)
{
    switch (kind) {
    case REMOVE:
        board_remove_velocity(board, entity);
        break;
    case EXCLUDE:
        board_set_frozen(board, entity, true);
        break;
    case DESTROY_AND_CREATE:
        board_destroy_entity(board, entity);
        board_create_entity(board);
        break;
    case DESTROY:
        board_destroy_entity(board, entity);
        break;
    case ADD_OTHER:
        board_add_load(board, entity, load_default());
        break;
    default:
        board_replace_position(board, entity, (Position){-1, -1});
    }
}

START_TEST(grp_10_the_current_entity_may_be_changed_in_a_run)
{
    make_movers(5, 1200);
    board_movers_iter it = board_movers_iterate(board);
    while (board_movers_next(&it)) {
        uint32_t count = it.count;
        for (uint32_t i = 0; i < it.count; i++) {
            board_entity entity = board_movers_at(&it, i);
            visit(entity);
            change(entity, (enum change_kind)_i);
            it.position[i].x += it.velocity[i].v.x; // has no effect
        }
        ck_assert_uint_eq(it.count, count);
    }
    check_visited(5, 1200);
}
END_TEST

START_TEST(grp_10_the_current_entity_may_be_changed_in_a_block)
{
    make_movers(5, 1200);
    board_movers_iter it = board_movers_iterate(board);
    while (board_movers_next_block(&it))
        KIN_EACH_BIT(i, it.mask)
        {
            board_entity entity = board_movers_at(&it, i);
            visit(entity);
            change(entity, (enum change_kind)_i);
            it.position[i].x += it.velocity[i].v.x;
        }
    check_visited(5, 1200);
}
END_TEST

START_TEST(grp_09_an_entity_that_ceases_to_match_before_its_run_is_not_visited)
{
    make_movers(0, 40);
    make_movers(50, 60);
    make_movers(600, 610);
    board_movers_iter it = board_movers_iterate(board);
    while (board_movers_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            if (visited[0] == 0)
                for (uint32_t slot = 50; slot < COUNT; slot++)
                    if (board_has_velocity(board, entities[slot]))
                        change(entities[slot], _i == 0 ? REMOVE : _i == 1 ? EXCLUDE : DESTROY);
            visit(board_movers_at(&it, i));
        }
    check_visited(0, 40);
}
END_TEST

START_TEST(grp_09_an_entity_that_begins_to_match_at_a_later_slot_is_visited)
{
    make_movers(0, 10);
    board_movers_iter it = board_movers_iterate(board);
    while (board_movers_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            board_entity entity = board_movers_at(&it, i);
            visit(entity);
            uint32_t slot = kin_entity_slot(entity.id);
            if (slot + 10 < COUNT)
                make_movers(slot + 10, slot + 11);
        }
    check_visited(0, COUNT);
}
END_TEST

START_TEST(an_entity_that_begins_to_match_at_an_earlier_slot_is_visited_by_the_next_iteration)
{
    make_movers(600, 700);
    board_movers_iter it = board_movers_iterate(board);
    while (board_movers_next_block(&it))
        KIN_EACH_BIT(i, it.mask)
        {
            visit(board_movers_at(&it, i));
            make_movers(0, 64);
            make_movers(512, 513);
        }
    check_visited(600, 700);
    ck_assert_uint_eq(kin_group_count(board_movers_group(board)), 165);
}
END_TEST

// Entities in the slots of a new chunk: the array of chunks grows in the loop, beyond its first 64.
START_TEST(grp_02_grp_09_an_entity_created_in_the_loop_is_a_member_and_visited_later)
{
    enum { CREATED = 40000 };
    uint32_t seen = 0, made = 0;
    make_movers(COUNT - 1, COUNT);
    board_movers_iter it = board_movers_iterate(board);
    while (board_movers_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            seen++;
            for (; made < CREATED && made < seen * 100; made++) {
                board_entity entity = board_create_entity(board);
                board_add_position(board, entity, position_default());
                board_add_velocity(board, entity, velocity_default());
            }
        }
    ck_assert_uint_eq(made, CREATED);
    ck_assert_uint_gt(seen, CREATED / 100);
    ck_assert_uint_le(seen, CREATED + 1);
    ck_assert_uint_eq(kin_group_count(board_movers_group(board)), CREATED + 1);
}
END_TEST

START_TEST(grp_10_destroyed_others_show_no_entity_in_a_run_under_way)
{
    make_movers(0, 100);
    board_movers_iter it = board_movers_iterate(board);
    ck_assert(board_movers_next(&it));
    for (uint32_t i = 0; i < it.count; i++) {
        visit(board_movers_at(&it, i));
        if (i < 50)
            board_destroy_entity(board, entities[99 - i]);
    }
    ck_assert_uint_eq(it.count, 100);
    check_visited(0, 50);
    ck_assert_uint_eq(board_movers_at(&it, 0).id, entities[0].id);
    ck_assert_uint_eq(board_movers_at(&it, 99).id, 0);
    board_entity reborn = board_create_entity(board); // in slot 50
    ck_assert_uint_eq(board_movers_at(&it, 50).id, reborn.id);
}
END_TEST

// "No entity" is represented differently in slot 0.
START_TEST(grp_10_slot_0_shows_no_entity_once_it_is_free)
{
    make_movers(0, 1);
    board_movers_iter it = board_movers_iterate(board);
    ck_assert(board_movers_next(&it));
    board_destroy_entity(board, entities[0]);
    ck_assert_uint_eq(board_movers_at(&it, 0).id, 0);
    ck_assert_uint_eq(it.count, 1);
    it.position[0].x = it.velocity[0].v.x;
    ck_assert(!board_movers_next(&it));
}
END_TEST

START_TEST(the_context_may_be_reset_in_the_loop)
{
    make_movers(0, 1200);
    board_movers_iter it = board_movers_iterate(board);
    ck_assert(board_movers_next(&it));
    ck_assert_uint_eq(board_context_reset(board), KIN_OK);
    for (uint32_t i = 0; i < it.count; i++) {
        ck_assert_uint_eq(board_movers_at(&it, i).id, 0);
        it.position[i].x += it.velocity[i].v.x;
    }
    ck_assert_uint_eq(it.count, 512);
    ck_assert(!board_movers_next(&it));
    board_fill(board, COUNT, entities);
    it = board_movers_iterate(board);
    ck_assert(!board_movers_next(&it));
    make_movers(7, 8);
    it = board_movers_iterate(board);
    ck_assert(board_movers_next(&it) && it.count == 1);
}
END_TEST

START_TEST(iterations_of_one_group_nest)
{
    uint64_t pairs = 0;
    make_movers(10, 20);
    make_movers(505, 525);
    board_movers_iter outer = board_movers_iterate(board);
    while (board_movers_next(&outer)) {
        board_movers_iter inner = board_movers_iterate(board);
        while (board_movers_next_block(&inner))
            pairs += (uint64_t)outer.count * kin__count_bits(inner.mask);
    }
    ck_assert_uint_eq(pairs, 30 * 30);
}
END_TEST

static void add_tests(TCase *rules)
{
    tcase_set_timeout(rules, 30);
    tcase_add_loop_test(rules, grp_09_runs_are_joined_over_words_up_to_the_chunk, 0, CASES);
    tcase_add_loop_test(rules, grp_09_blocks_show_the_same_slots_with_columns_from_the_start_of_the_block, 0, CASES);
    tcase_add_test(rules, excluded_components_cut_runs);
    tcase_add_test(rules, values_written_in_a_run_are_those_of_the_entities);
    tcase_add_test(rules, groups_without_columns_are_iterated_too);
    tcase_add_test(rules, iteration_works_with_components_of_the_second_word);
    tcase_add_loop_test(rules, grp_10_the_current_entity_may_be_changed_in_a_run, 0, CHANGE_KINDS);
    tcase_add_loop_test(rules, grp_10_the_current_entity_may_be_changed_in_a_block, 0, CHANGE_KINDS);
    tcase_add_loop_test(rules, grp_09_an_entity_that_ceases_to_match_before_its_run_is_not_visited, 0, 3);
    tcase_add_test(rules, grp_09_an_entity_that_begins_to_match_at_a_later_slot_is_visited);
    tcase_add_test(rules, an_entity_that_begins_to_match_at_an_earlier_slot_is_visited_by_the_next_iteration);
    tcase_add_test(rules, grp_02_grp_09_an_entity_created_in_the_loop_is_a_member_and_visited_later);
    tcase_add_test(rules, grp_10_destroyed_others_show_no_entity_in_a_run_under_way);
    tcase_add_test(rules, grp_10_slot_0_shows_no_entity_once_it_is_free);
    tcase_add_test(rules, the_context_may_be_reset_in_the_loop);
    tcase_add_test(rules, iterations_of_one_group_nest);
}

Suite *runtime_iterator_suite(void)
{
    Suite *suite = suite_create("runtime_iterator");
    TCase *rules = tcase_create("rules"), *inlined = tcase_create("inlined");
    tcase_add_checked_fixture(rules, begin, board_end);
    add_tests(rules);
    tcase_add_checked_fixture(inlined, begin_inlined, board_end);
    add_tests(inlined);
    tcase_add_loop_test(inlined, inlined_steps_return_what_the_library_returns, 0, 60);
    tcase_add_test(inlined, an_inlined_loop_that_does_not_know_all_chunks_leaves_the_rest_to_the_library);
    suite_add_tcase(suite, rules);
    suite_add_tcase(suite, inlined);
    return suite;
}
