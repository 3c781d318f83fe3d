// Equal states are equal files and have equal hashes, whatever happened in between: after exact restores in the same
// world and in others, from memory and from files, and in a player.
#include "mosaic_case.h"
#include "suites.h"

#include <kin/replay.h>

#include <check.h>
#include <string.h>

static mosaic_world *world, *other;

static void begin(void)
{
    world = mosaic_make();
    other = mosaic_make();
}

static void end(void)
{
    mosaic_world_destroy(world);
    mosaic_world_destroy(other);
}

static void restore(mosaic_world *in, kin_snapshot *snapshot)
{
    ck_assert_int_eq(mosaic_world_restore(in, snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
}

static void restore_file(mosaic_world *in, buffer *file)
{
    kin_snapshot *read = NULL;
    ck_assert_int_eq(mosaic_read(in, &read, buffer_source(file), NULL, NULL), KIN_OK);
    buffer again = {0};
    ck_assert_int_eq(mosaic_write(read, buffer_sink(&again), NULL), KIN_OK);
    ck_assert_msg(again.size == file->size && memcmp(again.bytes, file->bytes, file->size) == 0,
                  "reading and writing a file changes it");
    buffer_release(&again);
    restore(in, read);
    kin_snapshot_destroy(read);
}

static void check(mosaic_world *in, const mosaic_state *expected, const char *how)
{
    mosaic_state now;
    mosaic_note(in, &now);
    mosaic_equal(expected, &now, how);
    ck_assert_msg(in != world || kin_snapshot_compare(expected->snapshot, now.snapshot, NULL, NULL) == 0,
                  "%s: a difference", how);
    mosaic_forget(&now);
}

// Plays the same in a world, and compares what it becomes.
static void go_on(mosaic_world *in, uint64_t random, uint32_t operations, const mosaic_state *expected, const char *how)
{
    mosaic_random = random;
    mosaic_play(in, operations);
    check(in, expected, how);
}

// Goes back to the state in each way, after other things were done; then plays the same again.
static void go_back(mosaic_state *state)
{
    mosaic_state later;
    uint64_t random = mosaic_random;
    uint32_t operations = 1 + (uint32_t)(random % 40);
    mosaic_play(world, operations);
    mosaic_note(world, &later);
    restore(world, state->snapshot);
    check(world, state, "restored");
    go_on(world, random, operations, &later, "restored, then played");
    mosaic_play(other, operations);
    restore(other, state->snapshot);
    check(other, state, "restored in another world");
    go_on(other, random, operations, &later, "restored in another world, then played");
    restore_file(world, &state->file);
    check(world, state, "read");
    go_on(world, random, operations, &later, "read, then played");
    restore_file(other, &state->file);
    check(other, state, "read in another world");
    go_on(other, random, operations, &later, "read in another world, then played");
    mosaic_forget(&later);
}

START_TEST(fil_01_equal_states_are_equal_files_and_hashes_whatever_was_before)
{
    mosaic_random = (uint64_t)_i * 0x9E3779B97F4A7C15 + 1;
    for (uint32_t round = 0; round < 25; round++) {
        mosaic_state state;
        mosaic_play(world, 1 + round);
        mosaic_note(world, &state);
        go_back(&state);
        mosaic_forget(&state);
    }
}
END_TEST

// ---- recordings

enum { FRAMES = 20 };

static buffer recording;
static mosaic_state states[FRAMES]; // after each frame
static uint64_t numbers[FRAMES];    // of the frames

static void record(const kin_record_options *options)
{
    ck_assert_int_eq(mosaic_world_record(world, buffer_sink(&recording), options), KIN_OK);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        mosaic_change(world, 12);
        mosaic_world_update(world, 1);
        mosaic_note(world, &states[frame]);
        numbers[frame] = mosaic_world_tick(world).frame;
    }
    ck_assert_int_eq(mosaic_world_stop_recording(world), KIN_OK);
}

static void forget(void)
{
    buffer_release(&recording);
    recording = (buffer){0};
    for (uint32_t i = 0; i < FRAMES; i++)
        mosaic_forget(&states[i]);
}

static void play_from(kin_player *player, uint32_t first)
{
    for (uint32_t frame = first; frame < FRAMES; frame++) {
        ck_assert_msg(kin_player_step(player), "frame %u is not played: %s", frame, mosaic_error);
        const kin_divergence *divergence = kin_player_divergence(player);
        ck_assert_msg(divergence == NULL, "%s", divergence == NULL ? "" : divergence->text);
        check(other, &states[frame], "played");
    }
    ck_assert(!kin_player_step(player));
}

// A reset gives later frames the numbers of earlier ones.
static uint32_t first_with(uint64_t number)
{
    uint32_t frame = 0;
    while (numbers[frame] != number)
        frame++;
    return frame;
}

static void play(void)
{
    kin_player *player = mosaic_player_create(other, buffer_source(&recording));
    ck_assert_ptr_nonnull(player);
    play_from(player, 0);
    ck_assert_int_eq(kin_player_seek(player, numbers[FRAMES / 2]), KIN_OK);
    play_from(player, first_with(numbers[FRAMES / 2]));
    kin_player_destroy(player);
}

START_TEST(rpl_02_an_update_may_depend_on_every_order)
{
    mosaic_random = (uint64_t)_i * 0x9E3779B97F4A7C15 + 1;
    for (uint32_t round = 0; round < 8; round++) {
        kin_record_options options = {.states = round % 2 == 0, .key_interval = round % 3 * 4};
        mosaic_play(world, 30);
        mosaic_play(other, 30);
        record(&options);
        play();
        forget();
    }
}
END_TEST

Suite *save_equal_suite(void)
{
    Suite *suite = suite_create("save_equal");
    TCase *tests = tcase_create("save_equal");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, fil_01_equal_states_are_equal_files_and_hashes_whatever_was_before, 0, 4);
    tcase_add_loop_test(tests, rpl_02_an_update_may_depend_on_every_order, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}
