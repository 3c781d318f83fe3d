// Ends of recordings (RPL-06): cut off at any byte, by a sink that writes a part, or by the death of the process; and
// what a frame allocates.
#include "base/base.h"
#include "file/file.h"
#include "record_case.h"
#include "shell.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void record_plainly(uint32_t citizens, uint32_t frames)
{
    kin_record_options options = {.states = true, .key_interval = 3, .level = 0};
    record_town(citizens);
    ck_assert_int_eq(record_start(&options), KIN_OK);
    record_frames(frames, 2);
    record_stop();
}

// ---- cut off at any byte

// Returns where block `number` ends, for 0 the magic bytes; the size of the recording after the last block.
static size_t end_of(uint32_t number)
{
    size_t at = KIN__MAGIC_SIZE;
    for (; number > 0 && at < recording.size; number--)
        at += KIN__BLOCK_HEAD + kin__little_read_32(recording.bytes + at + 4);
    return at;
}

// Counts the whole frames in the first `size` bytes. Sets `*has_moment` if the first state is whole.
static uint32_t frames_in(size_t size, bool *has_moment)
{
    uint32_t frames = 0;
    *has_moment = false;
    for (uint32_t number = 1; end_of(number - 1) < size && end_of(number) <= size; number++) {
        const unsigned char *kind = recording.bytes + end_of(number - 1);
        *has_moment |= memcmp(kind, "DONE", 4) == 0;
        frames += memcmp(kind, "FRAM", 4) == 0;
    }
    return frames;
}

START_TEST(rpl_06_a_recording_that_was_cut_off_at_any_byte_plays_its_whole_frames)
{
    record_plainly(2, 3);
    size_t whole = recording.size;
    for (size_t size = 0; size <= whole; size++) {
        bool has_moment;
        uint32_t frames = frames_in(size, &has_moment);
        recording.size = size;
        play_begin();
        ck_assert_int_eq(player != NULL, has_moment);
        if (has_moment) {
            ck_assert_uint_eq(play_frames(0, RECORD_MOST), frames);
            ck_assert_str_eq(log_text(), "");
        } else {
            ck_assert_has(log_text(), "!CORRUPT");
        }
        recording.size = whole;
    }
}
END_TEST

// ---- sinks that write a part

static size_t space; // bytes that the sink still takes

static bool write_part(const void *bytes, size_t size, void *user)
{
    size_t part = size < space ? size : space;
    kin_sink sink = buffer_sink(user);
    sink.write(bytes, part, sink.user);
    space -= part;
    return part == size;
}

static void expect_whole_frames_play(void)
{
    bool has_moment;
    uint32_t frames = frames_in(recording.size, &has_moment);
    play_begin();
    ck_assert_int_eq(player != NULL, has_moment);
    if (has_moment)
        ck_assert_uint_eq(play_frames(0, RECORD_MOST), frames);
}

// The game goes on in each case, and what was written plays.
START_TEST(rpl_06_a_sink_without_space_ends_the_recording_and_its_frames_play)
{
    record_plainly(3, 6);
    size_t whole = recording.size;
    for (size_t size = 0; size < whole; size += 211) {
        uint32_t failures = 0;
        record_forget();
        space = size;
        kin_record_options options = {.key_interval = 3};
        log_begin();
        kin_status status = town_world_record(recorded, (kin_sink){write_part, &recording}, &options);
        failures += status == KIN_ERROR_STREAM;
        for (uint32_t frame = 0; frame < 6; frame++) {
            record_update(2);
            failures += strstr(log_text(), "!STREAM") != NULL;
        }
        log_begin();
        bool has_ended = town_world_stop_recording(recorded) != KIN_OK;
        ck_assert_uint_eq(failures, has_ended);
        expect_whole_frames_play();
    }
}
END_TEST

// ---- killed processes

static bool write_file(const void *bytes, size_t size, void *user)
{
    return write(*(int *)user, bytes, size) == (ssize_t)size;
}

static _Noreturn void record_until_killed(int file)
{
    kin_record_options options = {.key_interval = 20};
    if (town_world_record(recorded, (kin_sink){write_file, &file}, &options) != KIN_OK)
        _exit(1);
    for (;;)
        record_update(3);
}

static void read_recording(int file)
{
    unsigned char bytes[4096];
    kin_sink sink = buffer_sink(&recording);
    recording.size = 0;
    lseek(file, 0, SEEK_SET);
    for (ssize_t size; (size = read(file, bytes, sizeof bytes)) > 0;)
        sink.write(bytes, (size_t)size, sink.user);
}

// Waits until the file has grown so many times.
static void wait_for_growth(int file, int times)
{
    struct stat now;
    for (off_t size = 0; times > 0; nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL)) {
        ck_assert_int_eq(fstat(file, &now), 0);
        times -= now.st_size > size;
        size = now.st_size;
    }
}

START_TEST(rpl_06_the_recording_of_a_killed_process_plays_its_whole_frames)
{
    enum { KILLS = 20 };
    uint32_t played_frames = 0;
    record_town(5);
    for (uint32_t kill_at = 0; kill_at < KILLS; kill_at++) {
        FILE *file = shell_file();
        ck_assert_ptr_nonnull(file);
        fflush(NULL);
        pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0)
            record_until_killed(fileno(file));
        nanosleep(&(struct timespec){.tv_nsec = 2000000 + (long)kill_at * 3000000}, NULL);
        if (kill_at == KILLS - 1) // on a busy machine the others may have been killed before their first frame
            wait_for_growth(fileno(file), 5);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        read_recording(fileno(file));
        fclose(file);
        bool has_moment;
        uint32_t frames = frames_in(recording.size, &has_moment);
        play_begin();
        ck_assert_int_eq(player != NULL, has_moment);
        for (uint32_t frame = 0; frame < frames; frame++)
            ck_assert(kin_player_step(player));
        ck_assert(!kin_player_step(player));
        ck_assert_ptr_null(kin_player_divergence(player));
        played_frames += frames;
    }
    ck_assert_uint_gt(played_frames, 0);
}
END_TEST

// ---- memory

// Citizens of the same ages again and again: nothing grows, and values of each kind change.
static void update_warm(uint32_t frame)
{
    people_edit_age(people, citizen_of(frame % 20))->years = (int32_t)frame % 7;
    people_set_asleep(people, citizen_of(frame % 20), frame % 2 == 0);
    town_world_update(recorded, 0.1);
    log_begin();
}

START_TEST(rpl_01_a_warm_recorded_frame_allocates_nothing)
{
    kin_record_options options = {.level = _i == 0 ? 0 : 3};
    record_is_quiet = true;
    record_town(30);
    ck_assert_int_eq(record_start(&options), KIN_OK);
    for (uint32_t frame = 0; frame < 40; frame++)
        update_warm(frame);
    uint64_t requests = town_memory.request_count;
    for (uint32_t frame = 0; frame < 40; frame++)
        update_warm(frame);
    ck_assert_uint_eq(town_memory.request_count, requests);
    record_stop();
}
END_TEST

TCase *record_ends(void)
{
    TCase *cases = tcase_create("ends");
    tcase_add_checked_fixture(cases, record_begin, record_end);
    tcase_set_timeout(cases, 240);
    tcase_add_test(cases, rpl_06_a_recording_that_was_cut_off_at_any_byte_plays_its_whole_frames);
    tcase_add_test(cases, rpl_06_a_sink_without_space_ends_the_recording_and_its_frames_play);
    tcase_add_test(cases, rpl_06_the_recording_of_a_killed_process_plays_its_whole_frames);
    tcase_add_loop_test(cases, rpl_01_a_warm_recorded_frame_allocates_nothing, 0, 2);
    return cases;
}
