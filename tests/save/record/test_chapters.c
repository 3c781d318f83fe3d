// Chapters: recordings that begin where the one before ends are one recording (RPL-09).
#include "../../suites.h"
#include "record_case.h"

#include <kin/generated/replay.h>

#include <inttypes.h>
#include <string.h>

enum { CHAPTERS = 4, FRAMES = 25 };

// The bytes of an update, or of the beginning of a chapter.
typedef struct piece {
    size_t begin, end;
    bool begins;
} piece;

static piece pieces[CHAPTERS * (FRAMES + 1)];
static uint32_t piece_count;
static buffer chapters, joined;

static void note_piece(size_t begin, bool begins)
{
    pieces[piece_count++] = (piece){begin, recording.size, begins};
}

// Records chapters into `chapters`; what a recording writes at its end is left out.
static void record_chapters(int level)
{
    const kin_record_options options = {.level = level};
    record_town(200);
    piece_count = 0;
    for (uint32_t i = 0; i < CHAPTERS; i++) {
        size_t begin = recording.size;
        ck_assert_int_eq(record_start(&options), KIN_OK);
        note_piece(begin, true);
        for (uint32_t k = 0; k < FRAMES; k++) {
            begin = recording.size;
            record_frames(1, 5);
            note_piece(begin, false);
        }
        record_stop();
    }
    chapters = recording;
    recording = (buffer){0};
}

// Joins the chapters from one on, and returns the frames that they have.
static uint64_t join(uint32_t first, int level)
{
    uint64_t frames = 0;
    kin__chapters *made = kin__chapters_create(buffer_sink(&joined), level);
    ck_assert_ptr_nonnull(made);
    for (uint32_t i = first * (FRAMES + 1); i < piece_count; i++) {
        const piece *piece = &pieces[i];
        bool is_taken =
            kin__chapters_take(made, piece->begins, chapters.bytes + piece->begin, piece->end - piece->begin, &frames);
        ck_assert_msg(is_taken, "%s", kin__chapters_fault(made));
        ck_assert_uint_eq(frames, i - first * (FRAMES + 1) - (i / (FRAMES + 1) - first));
    }
    ck_assert(kin__chapters_destroy(made));
    return frames;
}

static void end(void)
{
    buffer_release(&chapters);
    buffer_release(&joined);
    memset(&chapters, 0, sizeof chapters);
    memset(&joined, 0, sizeof joined);
    record_end();
}

START_TEST(rpl_09_chapters_are_read_as_one_recording_with_keys)
{
    record_chapters(_i == 0 ? 3 : 0);
    for (uint32_t first = 0; first < CHAPTERS; first++) {
        joined.size = 0;
        ck_assert_uint_eq(join(first, _i == 0 ? 0 : 3), (CHAPTERS - first) * FRAMES);
        recording = joined;
        play_begin();
        ck_assert_ptr_nonnull(player);
        ck_assert_uint_eq(play_frames(first * FRAMES, RECORD_MOST), (CHAPTERS - first) * FRAMES);
        ck_assert_ptr_null(kin_player_divergence(player));
        for (uint32_t frame = first * FRAMES; frame < CHAPTERS * FRAMES; frame += 9) {
            ck_assert_msg(kin_player_seek(player, frame) == KIN_OK, "frame %" PRIu32 ": %s", frame, log_text());
            ck_assert_uint_eq(play_frames(frame, 3), 3 < CHAPTERS * FRAMES - frame ? 3 : CHAPTERS * FRAMES - frame);
        }
        recording = (buffer){0};
    }
}
END_TEST

// Damaged bytes are refused, and nothing more is taken.
START_TEST(rpl_09_damaged_chapters_are_refused)
{
    uint64_t frames = 0;
    record_chapters(0);
    for (size_t at = pieces[0].begin; at < pieces[1].end; at += 13) {
        const piece *hit = &pieces[at >= pieces[0].end];
        kin__chapters *made = kin__chapters_create(buffer_sink(&joined), 0);
        joined.size = 0;
        chapters.bytes[at] ^= 4;
        bool is_taken = true;
        for (uint32_t i = 0; i < 2; i++)
            is_taken = kin__chapters_take(made, i == 0, chapters.bytes + pieces[i].begin,
                                          pieces[i].end - pieces[i].begin, &frames);
        chapters.bytes[at] ^= 4;
        ck_assert_msg(!is_taken && kin__chapters_fault(made) != NULL, "byte %zu of piece %td", at, hit - pieces);
        ck_assert(!kin__chapters_take(made, true, chapters.bytes, pieces[0].end, &frames));
        ck_assert(!kin__chapters_destroy(made));
    }
}
END_TEST

START_TEST(rpl_09_bytes_that_do_not_end_with_an_update_are_refused)
{
    uint64_t frames = 0;
    record_chapters(_i == 0 ? 3 : 0);
    for (size_t size = 0; size < pieces[0].end; size += 1 + size / 50) {
        kin__chapters *made = kin__chapters_create(buffer_sink(&joined), 0);
        joined.size = 0;
        ck_assert(!kin__chapters_take(made, true, chapters.bytes, size, &frames));
        ck_assert(!kin__chapters_destroy(made));
    }
    kin__chapters *made = kin__chapters_create(buffer_sink(&joined), 0);
    ck_assert(!kin__chapters_take(made, false, chapters.bytes, pieces[0].end, &frames)); // no chapter has begun
    ck_assert_ptr_nonnull(strstr(kin__chapters_fault(made), "does not begin"));
    ck_assert(!kin__chapters_destroy(made));
    ck_assert(kin__chapters_destroy(NULL));
}
END_TEST

START_TEST(rpl_09_a_sink_that_fails_is_said)
{
    uint64_t frames = 0;
    record_chapters(3);
    buffer broken = {.fail_after = 1};
    kin__chapters *made = kin__chapters_create(buffer_sink(&broken), 0);
    ck_assert(!kin__chapters_take(made, true, chapters.bytes, pieces[0].end, &frames));
    ck_assert_ptr_nonnull(strstr(kin__chapters_fault(made), "sink"));
    ck_assert(!kin__chapters_destroy(made));
    buffer_release(&broken);
}
END_TEST

// A recorder that another library drives writes what the one of a program does.
START_TEST(rpl_09_a_world_has_two_recorders)
{
    static const kin_record_options options = {.level = 3};
    buffer second = {0};
    record_town(50);
    ck_assert_int_eq(record_start(&options), KIN_OK);
    kin__recorder *recorder = kin__recorder_begin(recorded->base_, buffer_sink(&second), &options);
    ck_assert_ptr_nonnull(recorder);
    for (uint32_t i = 0; i < 20; i++) {
        people_edit_age(people, citizen_of(i))->years = (int32_t)i;
        kin__recorder_before(recorder, 1);
        recorded_hashes[i] = 0;
        town_world_update(recorded, 1);
        ck_assert(kin__recorder_after(recorder));
    }
    ck_assert_int_eq(kin__recorder_end(recorder), KIN_OK);
    record_stop();
    ck_assert_uint_eq(second.size, recording.size);
    ck_assert_mem_eq(second.bytes, recording.bytes, recording.size);
    buffer_release(&second);
}
END_TEST

Suite *save_chapters_suite(void)
{
    Suite *suite = suite_create("save_chapters");
    TCase *tests = tcase_create("chapters");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, record_begin, end);
    tcase_add_loop_test(tests, rpl_09_chapters_are_read_as_one_recording_with_keys, 0, 2);
    tcase_add_test(tests, rpl_09_damaged_chapters_are_refused);
    tcase_add_loop_test(tests, rpl_09_bytes_that_do_not_end_with_an_update_are_refused, 0, 2);
    tcase_add_test(tests, rpl_09_a_sink_that_fails_is_said);
    tcase_add_test(tests, rpl_09_a_world_has_two_recorders);
    suite_add_tcase(suite, tests);
    return suite;
}
