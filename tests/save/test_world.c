// Worlds in files: what systems have is read back (FIL-01, FIL-06, SNP-01 of what was read).
#include "../suites.h"
#include "base/little.h"
#include "buffer.h"
#include "context/validate.h"
#include "core/core.h"
#include "frame/format.h"
#include "runtime/support/town_random.h"

#include "world/world.h"

#include <town/town_save.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_SIZE = 1 << 16 };

static buffer file, again;
static kin_snapshot *read;
static char first_log[LOG_SIZE];

static char message[512]; // the last one that was reported

static void on_error(const kin_error *error, void *user)
{
    snprintf(message, sizeof message, "%s", error->message);
    log_error(error, user);
}

static void begin(void)
{
    twice_begin();
    town->base_->options.on_error = people->base.core->options.on_error = houses->base.core->options.on_error =
        on_error;
    memset(&file, 0, sizeof file);
    memset(&again, 0, sizeof again);
    read = NULL;
    town_random_retains = false;
}

static void end(void)
{
    buffer_release(&file);
    buffer_release(&again);
    kin_snapshot_destroy(read);
    twice_end();
}

static void write_to(buffer *to, const kin_snapshot *from)
{
    to->size = 0;
    ck_assert_int_eq(town_write(from, buffer_sink(to), NULL), KIN_OK);
}

static kin_status read_file(void)
{
    log_begin();
    return town_read(town, &read, buffer_source(&file), NULL, NULL);
}

// Saves, writes, reads and writes again: both files must be equal, and have the hash of the snapshot.
static void save_and_read(void)
{
    save();
    write_to(&file, snapshot);
    ck_assert_msg(read_file() == KIN_OK, "%s", message);
    ck_assert(kin_snapshot_hash(read) == kin_snapshot_hash(snapshot));
    ck_assert(kin__little_read_64(file.bytes + file.size - 8) == kin_snapshot_hash(snapshot));
    ck_assert_uint_eq(kin_snapshot_compare(snapshot, read, NULL, NULL), 0);
    write_to(&again, read);
    ck_assert_uint_eq(again.size, file.size);
    ck_assert_int_eq(memcmp(again.bytes, file.bytes, file.size), 0);
}

static void restore_read(void)
{
    log_begin();
    ck_assert_msg(town_world_restore(town, read, KIN_RESTORE_EXACTLY) == KIN_OK, "%s", message);
    ck_assert(kin__context_is_valid(&people->base) && kin__context_is_valid(&houses->base));
}

// The same as play_twice, but the second time from the file.
static const char *play_from_file(void (*play)(void))
{
    save_and_read();
    listen_to_all();
    play();
    ck_assert_uint_lt(strlen(log_text()), LOG_SIZE);
    strcpy(first_log, log_text());
    restore_read();
    listen_to_all();
    play();
    ck_assert_str_eq(log_text(), first_log);
    return first_log;
}

// ---- random worlds

static void go_on(void)
{
    town_random_go_on(30);
}

START_TEST(fil_01_a_world_that_was_read_is_written_as_before_and_goes_on_as_before)
{
    town_random_number = (uint64_t)_i + 1;
    town_random_resets = _i % 2 == 1;
    town_citizen(1);
    uint32_t rounds = getenv("KIN_SWEEP_COUNTS") != NULL ? 3 : 200;
    for (uint32_t round = 0; round < rounds; round++) {
        uint64_t next = town_random_number;
        log_begin();
        town_random_go_on(1 + (uint32_t)(next / 64 % 40));
        next = town_random_number;
        save_and_read();
        for (uint32_t i = 0; i < 2; i++) {
            listen_to_all();
            town_random_number = next;
            go_on();
            if (i == 0)
                strcpy(first_log, log_text());
            else
                ck_assert_str_eq(log_text(), first_log);
            ck_assert_uint_lt(strlen(log_text()), LOG_SIZE);
            if (i == 0)
                restore_read();
        }
    }
}
END_TEST

Suite *save_world_suite(void)
{
    Suite *suite = suite_create("save_world");
    TCase *cases = tcase_create("world");
    (void)play_from_file;
    tcase_add_checked_fixture(cases, begin, end);
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, fil_01_a_world_that_was_read_is_written_as_before_and_goes_on_as_before, 0, 6);
    suite_add_tcase(suite, cases);
    return suite;
}
