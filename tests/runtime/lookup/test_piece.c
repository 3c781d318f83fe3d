// Pieces of groups: rows of whole chunks, each iterated on its own (PAR-01, PAR-02).
#include "runtime/support/support.h"
#include "store/store.h"
#include "suites.h"

#include <commons/commons.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 512, COUNT = 40 * CHUNK + 100, MANY_CHUNKS = 130 };

static commons_context *commons;
static commons_entity sheep[COUNT];
static uint8_t visits[MANY_CHUNKS * CHUNK * 2];

// Sheep in slots of their own pool, from 0 on; some are shorn, and so no movers.
static void begin(void)
{
    commons = commons_context_create(NULL);
    commons_spawn_many_sheep(commons, COUNT, sheep);
    for (uint32_t i = 0; i < COUNT; i += 7)
        commons_set_shorn(commons, sheep[i], true);
    for (uint32_t i = 0; i < COUNT; i += 3)
        commons_add_mood(commons, sheep[i], (Mood){1});
    for (uint32_t i = 5 * CHUNK; i < 9 * CHUNK; i++) // chunks without a member
        commons_remove_pace(commons, sheep[i]);
    memset(visits, 0, sizeof visits);
}

static void end(void)
{
    commons_context_destroy(commons);
}

static void visit(commons_entity entity, uint32_t piece, uint32_t chunks)
{
    uint32_t slot = kin_entity_slot(entity.id);
    ck_assert_uint_eq(slot / CHUNK / chunks, piece);
    visits[slot]++;
}

static void check_visits(kin_group *group)
{
    for (uint32_t i = 0; i < COUNT; i++)
        ck_assert_uint_eq(visits[kin_entity_slot(sheep[i].id)], kin_group_contains(group, sheep[i].id));
    memset(visits, 0, sizeof visits);
}

static void walk_runs(uint32_t grain, uint32_t chunks)
{
    for (uint32_t piece = commons_movers_piece_count(commons, grain); piece-- > 0;) {
        commons_movers_iter it = commons_movers_iterate_piece(commons, piece, grain);
        while (commons_movers_next(&it))
            for (uint32_t i = 0; i < it.count; i++)
                visit(commons_movers_at(&it, i), piece, chunks);
        ck_assert(!commons_movers_next(&it)); // it stays at its end
    }
    check_visits(commons_movers_group(commons));
}

static void walk_blocks(uint32_t grain, uint32_t chunks)
{
    for (uint32_t piece = 0; piece < commons_movers_piece_count(commons, grain); piece++) {
        commons_movers_iter it = commons_movers_iterate_piece(commons, piece, grain);
        while (commons_movers_next_block(&it))
            KIN_EACH_BIT(i, it.mask)
        visit(commons_movers_at(&it, i), piece, chunks);
        ck_assert(!commons_movers_next_block(&it));
    }
    check_visits(commons_movers_group(commons));
}

// Optional columns end runs and blocks.
static void walk_ragged(uint32_t grain, uint32_t chunks)
{
    for (uint32_t piece = 0; piece < commons_ragged_piece_count(commons, grain); piece++) {
        for (commons_ragged_iter it = commons_ragged_iterate_piece(commons, piece, grain); commons_ragged_next(&it);)
            for (uint32_t i = 0; i < it.count; i++)
                visit(commons_ragged_at(&it, i), piece, chunks);
    }
    check_visits(commons_ragged_group(commons));
    for (uint32_t piece = 0; piece < commons_ragged_piece_count(commons, grain); piece++) {
        commons_ragged_iter it = commons_ragged_iterate_piece(commons, piece, grain);
        while (commons_ragged_next_block(&it))
            KIN_EACH_BIT(i, it.mask)
            {
                commons_entity entity = commons_ragged_at(&it, i);
                ck_assert(commons_has_mood(commons, entity) == (it.mood != NULL));
                visit(entity, piece, chunks);
            }
    }
    check_visits(commons_ragged_group(commons));
}

static const struct {
    uint32_t grain, chunks; // of a piece
} grains[] = {
    {0, 1}, {512, 1}, {1024, 2}, {1025, 3}, {1, 1}, {10 * CHUNK, 10}, {1u << 24, 1u << 15}, {UINT32_MAX, 1u << 23}};

START_TEST(par_01_each_member_is_in_exactly_one_piece)
{
    begin();
    if (_i % 2 == 1)
        commons->base.inline_chunks = commons->base.chunk_count; // as in a build without checks
    walk_runs(grains[_i / 2].grain, grains[_i / 2].chunks);
    walk_blocks(grains[_i / 2].grain, grains[_i / 2].chunks);
    walk_ragged(grains[_i / 2].grain, grains[_i / 2].chunks);
    end();
}
END_TEST

START_TEST(par_01_a_piece_that_does_not_exist_has_no_members)
{
    static const uint32_t pieces[] = {41, 42, 1u << 15, 1u << 16, 1u << 23, UINT32_MAX};
    begin();
    ck_assert_uint_eq(commons_movers_piece_count(commons, 0), 41);
    for (uint32_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        commons_movers_iter it = commons_movers_iterate_piece(commons, pieces[i], 0);
        ck_assert(!commons_movers_next(&it));
        it = commons_movers_iterate_piece(commons, pieces[i], UINT32_MAX);
        ck_assert(!commons_movers_next_block(&it));
    }
    end();
}
END_TEST

START_TEST(par_02_an_empty_context_has_no_pieces)
{
    commons = commons_context_create(NULL);
    ck_assert_uint_eq(commons_movers_piece_count(commons, 0), 0);
    ck_assert_uint_eq(commons_movers_piece_count(commons, 512), 0);
    commons_movers_iter it = commons_movers_iterate_piece(commons, 0, 0);
    ck_assert(!commons_movers_next(&it));
    end();
}
END_TEST

// At most 128 pieces of whole chunks, and no fewer than fit.
START_TEST(par_02_by_default_there_are_at_most_128_pieces)
{
    static const struct {
        uint32_t chunks, pieces;
    } cases[] = {{1, 1}, {127, 127}, {128, 128}, {129, 65}, {256, 128}, {257, 86}};
    commons = commons_context_create(NULL);
    uint32_t chunks = 0;
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        commons_spawn_many_sheep(commons, (cases[i].chunks - chunks) * CHUNK, NULL);
        chunks = cases[i].chunks;
        ck_assert_uint_eq(commons_movers_piece_count(commons, 0), cases[i].pieces);
        ck_assert_uint_eq(commons_movers_piece_count(commons, 512), chunks);
        ck_assert_uint_eq(commons_movers_piece_count(commons, UINT32_MAX), 1);
    }
    end();
}
END_TEST

// A context that held more than 128 chunks before has chunks to spare, which would make its pieces larger.
START_TEST(par_02_pieces_are_the_same_after_a_restore_elsewhere)
{
    begin();
    kin_snapshot *snapshot = NULL;
    ck_assert_int_eq(commons_save(commons, &snapshot), KIN_OK);
    commons_context *other = commons_context_create(NULL);
    commons_spawn_many_sheep(other, 4 * COUNT, NULL);
    ck_assert_int_eq(commons_restore(other, snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert_uint_eq(commons_movers_piece_count(other, 0), commons_movers_piece_count(commons, 0));
    ck_assert_uint_eq(commons_movers_piece_count(other, 512), commons_movers_piece_count(commons, 512));
    kin_snapshot_destroy(snapshot);
    commons_context_destroy(other);
    end();
}
END_TEST

// Changes inside the loop are seen by its next step, as in a loop over the whole group.
START_TEST(par_01_a_loop_over_a_piece_sees_its_changes)
{
    uint32_t seen = 0;
    begin();
    for (commons_movers_iter it = commons_movers_iterate_piece(commons, 1, 1024); commons_movers_next(&it);) {
        seen += it.count;
        for (uint32_t i = 3 * CHUNK; i < 4 * CHUNK; i++)
            commons_set_shorn(commons, sheep[i], true);
    }
    ck_assert_uint_gt(seen, 0);
    ck_assert_uint_le(seen, CHUNK);
    end();
}
END_TEST

// The lines of memory that two pieces write, of columns of each kind.
START_TEST(par_01_columns_of_two_pieces_share_no_cache_line)
{
    begin();
    for (uint32_t i = 0; i < COUNT; i++)
        commons_add_trail(commons, sheep[i], (Trail){0});
    uintptr_t lines[2][2 * 64];
    uint32_t count = 0;
    for (uint32_t piece = 0; piece < 32; piece++) {
        commons_movers_iter it = commons_movers_iterate_piece(commons, piece, 512);
        commons_trails_iter trail = commons_trails_iterate_piece(commons, piece, 512);
        if (!commons_movers_next(&it) || !commons_trails_next(&trail))
            continue;
        uintptr_t place = (uintptr_t)(it.stand - it.place_.start), age = (uintptr_t)trail.trail.age;
        ck_assert_uint_eq(place % 64, 0);
        ck_assert_uint_eq(age % 64, 0);
        lines[0][count] = place / 64;
        lines[1][count++] = (place + CHUNK * sizeof(Stand) - 1) / 64;
        lines[0][count] = age / 64;
        lines[1][count++] = ((uintptr_t)(trail.trail.length + CHUNK) - 1) / 64;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            ck_assert(lines[1][i] < lines[0][k] || lines[1][k] < lines[0][i]);
    end();
}
END_TEST

Suite *runtime_piece_suite(void)
{
    Suite *suite = suite_create("runtime_piece");
    TCase *tests = tcase_create("piece");
    tcase_add_loop_test(tests, par_01_each_member_is_in_exactly_one_piece, 0,
                        2 * (int)(sizeof grains / sizeof *grains));
    tcase_add_test(tests, par_01_a_piece_that_does_not_exist_has_no_members);
    tcase_add_test(tests, par_02_an_empty_context_has_no_pieces);
    tcase_add_test(tests, par_02_by_default_there_are_at_most_128_pieces);
    tcase_add_test(tests, par_02_pieces_are_the_same_after_a_restore_elsewhere);
    tcase_add_test(tests, par_01_a_loop_over_a_piece_sees_its_changes);
    tcase_add_test(tests, par_01_columns_of_two_pieces_share_no_cache_line);
    suite_add_tcase(suite, tests);
    return suite;
}
