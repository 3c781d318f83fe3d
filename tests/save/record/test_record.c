// Recordings (RPL): what is recorded is played again, state by state.
#include "../../suites.h"
#include "record_case.h"

#include "store/store.h"

#include <kin/probe.h>

#include <stdio.h>

static const kin_record_options plain = {.key_interval = 40}, with_states = {.states = true, .key_interval = 40};

static void record(const kin_record_options *options, uint32_t citizens, uint32_t frames)
{
    record_town(citizens);
    ck_assert_int_eq(record_start(options), KIN_OK);
    record_frames(frames, 5);
    record_stop();
}

static void expect_player(void)
{
    play_begin();
    ck_assert_msg(player != NULL, "%s", log_text());
}

START_TEST(rpl_01_what_changed_outside_is_played)
{
    static const uint32_t citizens[] = {0, 700, 40};
    town_random_systems = true;
    record(_i == 0 ? NULL : _i == 1 ? &plain : &with_states, citizens[_i], 2000);
    expect_player();
    ck_assert_uint_eq(play_frames(0, 2001), 2000);
    ck_assert(!kin_player_step(player));
    ck_assert_str_eq(log_text(), "");
}
END_TEST

static bool pass_over(void *user, double *delta)
{
    (void)user;
    *delta = 7;
    return false;
}

START_TEST(rpl_01_a_probe_neither_skips_nor_changes_a_frame)
{
    const kin_probe probe = {.begin = pass_over};
    record(&with_states, 40, 20);
    expect_player();
    ck_assert_int_eq(kin_world_set_probe(town_world_base(played), &probe), KIN_OK);
    ck_assert_uint_eq(play_frames(0, 20), 20);
    ck_assert_ptr_null(kin_player_divergence(player));
    kin_world_set_probe(town_world_base(played), NULL);
}
END_TEST

// Values written in place, without a call.
START_TEST(rpl_01_what_is_written_in_place_is_played)
{
    record_town(20);
    ck_assert_int_eq(record_start(&plain), KIN_OK);
    for (int32_t i = 0; i < 20; i++) {
        people_edit_age(people, citizen_of((uint32_t)i))->years = 1000 + i;
        record_frames(1, 0);
    }
    record_stop();
    expect_player();
    ck_assert_uint_eq(play_frames(0, 20), 20);
}
END_TEST

// ---- divergence

static void play_to_divergence(void)
{
    while (kin_player_divergence(player) == NULL && kin_player_step(player))
        record_static = town_world_tick(played).frame >= 8 ? 1 : 0;
    record_static = 0;
}

START_TEST(rpl_04_a_static_variable_is_found_by_frame_entity_and_field)
{
    record(&with_states, 12, 20);
    expect_player();
    play_to_divergence();
    const kin_divergence *divergence = kin_player_divergence(player);
    ck_assert_ptr_nonnull(divergence);
    ck_assert_uint_eq(divergence->frame, 9);
    ck_assert_str_eq(divergence->context->name, "people");
    ck_assert_uint_eq(divergence->component, PEOPLE_AGE);
    ck_assert(divergence->entity != 0);
    ck_assert_has(divergence->text, "frame 9: people ");
    ck_assert_has(divergence->text, "Age.years ");
}
END_TEST

START_TEST(rpl_04_without_states_the_component_is_named_and_playing_goes_on)
{
    record(&plain, 12, 300);
    expect_player();
    play_to_divergence();
    kin_divergence first = *kin_player_divergence(player);
    ck_assert_str_eq(first.text, "frame 9: people Age differs");
    ck_assert_uint_eq(first.component, PEOPLE_AGE);
    ck_assert(first.entity == 0);
    uint32_t count = 10;
    while (kin_player_step(player))
        count++;
    ck_assert_uint_eq(count, 300);
    ck_assert_uint_eq(kin_player_divergence(player)->frame, 9);
    ck_assert_str_eq(log_text(), "");
}
END_TEST

// ---- holding

START_TEST(rpl_05_a_recording_does_not_begin_while_a_slot_is_held_from_outside)
{
    static int owner;
    record_town(3);
    people_entity entity = citizen_of(1);
    people_retain_entity(people, entity, &owner);
    people_destroy_entity(people, entity);
    ck_assert_int_eq(record_start(NULL), KIN_ERROR_RETAINED);
    ck_assert_uint_eq(recording.size, 0);
    people_release_entity(people, entity, &owner);
    ck_assert_int_eq(record_start(NULL), KIN_OK);
}
END_TEST

START_TEST(rpl_05_a_slot_that_is_held_later_is_reported_once)
{
    static int owner;
    record_town(3);
    ck_assert_int_eq(record_start(NULL), KIN_OK);
    people_entity entity = citizen_of(1);
    people_retain_entity(people, entity, &owner);
    people_destroy_entity(people, entity);
    log_begin();
    town_world_update(recorded, 0.1);
    ck_assert_has(log_text(), "!RETAINED");
    log_begin();
    town_world_update(recorded, 0.1);
    ck_assert_ptr_null(strstr(log_text(), "!"));
    people_release_entity(people, entity, &owner);
    record_stop();
}
END_TEST

// ---- sinks that fail, and recordings that were cut off

START_TEST(rpl_06_a_sink_that_fails_ends_the_recording)
{
    bool has_ended = false;
    for (size_t writes = 1; !has_ended && writes < 60; writes += 3) {
        recording.size = recording.calls = 0;
        recording.fail_after = writes;
        log_begin();
        kin_status status = record_start(&plain);
        ck_assert_int_eq(status == KIN_OK || status == KIN_ERROR_STREAM, true);
        uint32_t failures = status != KIN_OK;
        for (uint32_t i = 0; i < 10; i++) {
            log_begin();
            town_world_update(recorded, 0.1);
            failures += strstr(log_text(), "!STREAM") != NULL;
        }
        has_ended = failures == 0;
        ck_assert_uint_eq(failures, has_ended ? 0 : 1);
        log_begin();
        ck_assert_int_eq(town_world_stop_recording(recorded), has_ended ? KIN_OK : KIN_ERROR_INVALID);
    }
    ck_assert(has_ended);
}
END_TEST

// Cuts the recording, and plays what is left. Returns how many frames that were; 0 if it has no first moment.
static uint32_t play_cut(size_t size)
{
    size_t whole = recording.size;
    uint32_t count = 0;
    recording.size = size;
    play_begin();
    if (player != NULL) {
        count = play_frames(0, RECORD_MOST);
        ck_assert_str_eq(log_text(), "");
    } else {
        ck_assert_has(log_text(), "!CORRUPT");
    }
    recording.size = whole;
    return count;
}

START_TEST(rpl_06_a_recording_that_was_cut_off_plays_to_its_last_whole_frame)
{
    kin_record_options options = {.key_interval = 7, .level = _i == 0 ? 0 : 3};
    uint32_t last = 0;
    record(&options, 6, 20);
    for (size_t size = 0; size < recording.size; size += 97) {
        uint32_t count = play_cut(size);
        ck_assert_uint_ge(count, last);
        last = count;
    }
    ck_assert_uint_ge(last, 18);
    ck_assert_uint_eq(play_cut(recording.size), 20);
}
END_TEST

START_TEST(rpl_06_a_recording_that_was_damaged_is_reported)
{
    uint32_t reported = 0;
    record(&with_states, 6, 20);
    for (size_t at = 0; at < recording.size; at += 31) {
        recording.bytes[at] ^= 0x10;
        play_begin();
        bool is_made = player != NULL;
        reported += !is_made;
        for (uint32_t i = 0; is_made && i < 21; i++)
            if (!kin_player_step(player))
                break;
        reported += is_made && strstr(log_text(), "!CORRUPT") != NULL;
        recording.bytes[at] ^= 0x10;
    }
    ck_assert_uint_ge(reported, recording.size / 31 * 9 / 10);
}
END_TEST

// ---- seeking

static uint64_t first_hash;

static void expect_at(uint64_t frame)
{
    log_begin();
    ck_assert_int_eq(kin_player_seek(player, frame), KIN_OK);
    if (frame > 0)
        ck_assert_uint_eq(town_world_tick(played).frame, frame - 1);
    ck_assert(record_hash(played) == (frame > 0 ? recorded_hashes[frame - 1] : first_hash));
}

START_TEST(rpl_07_a_player_seeks_forward_and_back)
{
    static const uint64_t frames[] = {100, 7, 40, 41, 39, 200, 0, 199, 80, 80, 120, 1};
    record(&plain, 30, 200);
    expect_player();
    first_hash = record_hash(played);
    for (uint32_t i = 0; i < sizeof frames / sizeof *frames; i++)
        expect_at(frames[i]);
    expect_at(150);
    ck_assert_uint_eq(play_frames(150, 60), 50);
    expect_at(10);
    ck_assert_uint_eq(play_frames(10, 5), 5);
}
END_TEST

START_TEST(rpl_07_seeking_what_is_not_there_changes_nothing)
{
    record(&plain, 30, 60);
    expect_player();
    ck_assert_uint_eq(play_frames(0, 25), 25);
    log_begin();
    ck_assert_int_eq(kin_player_seek(player, 61), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID ");
    ck_assert(record_hash(played) == recorded_hashes[24]);
    ck_assert_uint_eq(play_frames(25, 60), 35);
}
END_TEST

// ---- refusals

static kin_status status_inside;

static void stop_inside(town_world *world)
{
    status_inside = town_world_stop_recording(world);
}

START_TEST(rpl_01_an_update_neither_begins_nor_ends_a_recording)
{
    record_town(2);
    ck_assert_int_eq(record_start(NULL), KIN_OK);
    ck_assert_int_eq(record_start(NULL), KIN_ERROR_INVALID);
    town_do("Clock:", stop_inside);
    record_frames(5, 0);
    ck_assert_int_eq(status_inside, KIN_ERROR_INVALID);
    record_stop();
    ck_assert_int_eq(town_world_stop_recording(recorded), KIN_ERROR_INVALID);
    ck_assert_int_eq(town_world_stop_recording(NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(town_world_record(NULL, buffer_sink(&recording), NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(town_world_record(recorded, (kin_sink){NULL, NULL}, NULL), KIN_ERROR_INVALID);
    ck_assert_ptr_null(town_player_create(NULL, buffer_source(&recording)));
    ck_assert_ptr_null(town_player_create(recorded, (kin_source){NULL, NULL, NULL}));
    ck_assert(!kin_player_step(NULL));
    ck_assert_int_eq(kin_player_seek(NULL, 0), KIN_ERROR_INVALID);
    ck_assert_ptr_null(kin_player_divergence(NULL));
    kin_player_destroy(NULL);
}
END_TEST

static void destroy_player_inside(town_world *world)
{
    if (world == played)
        kin_player_destroy(player);
}

START_TEST(rpl_07_a_player_is_not_destroyed_inside_its_own_call)
{
    record(&plain, 5, 4);
    expect_player();
    town_do("Mayor:execute", destroy_player_inside);
    ck_assert_uint_eq(play_frames(0, 4), 4);
}
END_TEST

START_TEST(rpl_07_a_player_may_outlive_its_world)
{
    record(&plain, 5, 4);
    expect_player();
    ck_assert_uint_eq(play_frames(0, 2), 2);
    town_world_destroy(played);
    played = NULL;
    ck_assert(!kin_player_step(player));
    ck_assert_int_eq(kin_player_seek(player, 0), KIN_ERROR_INVALID);
}
END_TEST

START_TEST(rpl_01_a_world_that_ends_ends_its_recording)
{
    record_town(5);
    ck_assert_int_eq(record_start(NULL), KIN_OK);
    record_frames(10, 5);
    kin_context_options options = people->base.core->options;
    town_world_destroy(recorded);
    recorded = town = town_world_create(&options, NULL);
    expect_player();
    ck_assert_uint_eq(play_frames(0, 11), 10);
}
END_TEST

START_TEST(rpl_07_owners_in_the_world_of_a_player_keep_their_entities)
{
    static int owner;
    record_is_quiet = true;
    record_town(3);
    ck_assert_int_eq(record_start(&plain), KIN_OK);
    people_edit_age(people, citizen_of(1))->years = 77;
    record_frames(2, 0);
    record_stop();
    expect_player();
    people_context *context = played->contexts->people;
    people_entity held = people_entities(context, &(uint32_t){0})[2];
    people_retain_entity(context, held, &owner);
    ck_assert_uint_eq(play_frames(0, 2), 2);
    log_begin();
    people_release_entity(context, held, &owner);
    ck_assert_ptr_null(strstr(log_text(), "!"));
}
END_TEST

START_TEST(rpl_07_a_save_is_no_recording)
{
    kin_snapshot *moment = NULL;
    record_town(5);
    ck_assert_int_eq(town_world_save(recorded, &moment), KIN_OK);
    ck_assert_int_eq(kin_snapshot_write(moment, buffer_sink(&recording), NULL), KIN_OK);
    kin_snapshot_destroy(moment);
    play_begin();
    ck_assert_ptr_null(player);
    ck_assert_log("!CORRUPT ");
}
END_TEST

START_TEST(a_recording_is_read_as_its_first_moment_compressed_or_not)
{
    kin_record_options options = {.level = _i};
    kin_snapshot *moment = NULL;
    record_town(5);
    uint64_t first = record_hash(recorded);
    ck_assert_int_eq(record_start(&options), KIN_OK);
    record_frames(10, 3);
    record_stop();
    ck_assert_int_eq(town_read(recorded, &moment, buffer_source(&recording), NULL, NULL), KIN_OK);
    ck_assert_uint_eq(kin_snapshot_hash(moment), first);
    kin_snapshot_destroy(moment);
}
END_TEST

static bool name_first(const kin_difference *difference, void *text)
{
    kin_difference_describe(difference, text, 128);
    return false;
}

START_TEST(rpl_08_peers_whose_hashes_differ_find_what_differs)
{
    char first[128] = "";
    kin_snapshot *own = NULL, *of_peer = NULL;
    record(&plain, 5, 3);
    expect_player();
    ck_assert_uint_eq(play_frames(0, 3), 3);
    ck_assert(record_hash(recorded) == record_hash(played));
    people_edit_age(played->contexts->people, people_entities(played->contexts->people, &(uint32_t){0})[1])->years =
        500;
    ck_assert(record_hash(recorded) != record_hash(played));
    ck_assert_int_eq(town_world_save(recorded, &own), KIN_OK);
    ck_assert_int_eq(town_world_save(played, &of_peer), KIN_OK);
    kin_snapshot_compare(own, of_peer, name_first, first);
    ck_assert_has(first, "Age.years");
    ck_assert_has(first, "-> 500");
    kin_snapshot_destroy(own);
    kin_snapshot_destroy(of_peer);
}
END_TEST

// ---- memory

// Refuses each allocation once, from beginning to end.
START_TEST(rpl_06_a_recording_without_memory_ends_and_the_world_goes_on)
{
    bool has_failed = true;
    record_town(30);
    for (uint64_t at = 1; has_failed; at++) {
        recording.size = 0;
        uint64_t before = record_hash(recorded);
        guard_fail(&town_memory, at, false);
        kin_status status = record_start(&with_states);
        ck_assert(status == KIN_OK || status == KIN_ERROR_NO_MEMORY);
        has_failed = guard_has_failed(&town_memory);
        guard_fail(&town_memory, 0, false);
        ck_assert_int_eq(status, has_failed ? KIN_ERROR_NO_MEMORY : KIN_OK);
        ck_assert(record_hash(recorded) == before);
        if (status == KIN_OK)
            record_stop();
    }
}
END_TEST

// Refuses each allocation once, up to the update.
START_TEST(rpl_01_a_player_without_memory_tries_a_frame_again)
{
    record(&with_states, 30, 40);
    expect_player();
    for (uint32_t i = 0; i < 40; i++) {
        for (uint64_t at = 1;; at++) {
            guard_fail(&town_memory, at, false);
            bool is_played = kin_player_step(player);
            guard_fail(&town_memory, 0, false);
            if (is_played)
                break;
        }
        ck_assert(record_hash(played) == recorded_hashes[i]);
        ck_assert_ptr_null(kin_player_divergence(player));
        log_begin();
    }
}
END_TEST

static TCase *refusals(void)
{
    TCase *cases = tcase_create("refusals");
    tcase_add_checked_fixture(cases, record_begin, record_end);
    tcase_add_test(cases, rpl_01_an_update_neither_begins_nor_ends_a_recording);
    tcase_add_test(cases, rpl_07_a_player_is_not_destroyed_inside_its_own_call);
    tcase_add_test(cases, rpl_07_a_player_may_outlive_its_world);
    tcase_add_test(cases, rpl_01_a_world_that_ends_ends_its_recording);
    tcase_add_test(cases, rpl_07_owners_in_the_world_of_a_player_keep_their_entities);
    tcase_add_test(cases, rpl_07_a_save_is_no_recording);
    tcase_add_loop_test(cases, a_recording_is_read_as_its_first_moment_compressed_or_not, 0, 4);
    tcase_add_test(cases, rpl_08_peers_whose_hashes_differ_find_what_differs);
    tcase_add_test(cases, rpl_06_a_recording_without_memory_ends_and_the_world_goes_on);
    tcase_add_test(cases, rpl_01_a_player_without_memory_tries_a_frame_again);
    return cases;
}

Suite *save_record_suite(void)
{
    Suite *suite = suite_create("save_record");
    TCase *cases = tcase_create("record");
    tcase_add_checked_fixture(cases, record_begin, record_end);
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, rpl_01_what_changed_outside_is_played, 0, 3);
    tcase_add_test(cases, rpl_01_what_is_written_in_place_is_played);
    tcase_add_test(cases, rpl_01_a_probe_neither_skips_nor_changes_a_frame);
    tcase_add_test(cases, rpl_04_a_static_variable_is_found_by_frame_entity_and_field);
    tcase_add_test(cases, rpl_04_without_states_the_component_is_named_and_playing_goes_on);
    tcase_add_test(cases, rpl_05_a_recording_does_not_begin_while_a_slot_is_held_from_outside);
    tcase_add_test(cases, rpl_05_a_slot_that_is_held_later_is_reported_once);
    tcase_add_test(cases, rpl_06_a_sink_that_fails_ends_the_recording);
    tcase_add_loop_test(cases, rpl_06_a_recording_that_was_cut_off_plays_to_its_last_whole_frame, 0, 2);
    tcase_add_test(cases, rpl_06_a_recording_that_was_damaged_is_reported);
    tcase_add_test(cases, rpl_07_a_player_seeks_forward_and_back);
    tcase_add_test(cases, rpl_07_seeking_what_is_not_there_changes_nothing);
    suite_add_tcase(suite, cases);
    suite_add_tcase(suite, refusals());
    suite_add_tcase(suite, record_ends());
    suite_add_tcase(suite, record_dump());
    return suite;
}
