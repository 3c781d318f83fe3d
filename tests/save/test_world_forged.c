// Files of worlds that were damaged or forged, and reads without memory (FIL-03, FIL-04).
#include "../suites.h"
#include "entity/entity.h"
#include "file/file.h"
#include "world_case.h"

#include <stdlib.h>
#include <string.h>

// Returns the payload of the block SYST with a path, behind the path, and its size; NULL if there is none.
static unsigned char *system_in_file(const char *path, unsigned char **block)
{
    size_t at = KIN__MAGIC_SIZE, length = strlen(path);
    while (at < file.size) {
        *block = file.bytes + at;
        const unsigned char *payload = *block + KIN__BLOCK_HEAD;
        if (memcmp(*block, "SYST", 4) == 0 && (size_t)(payload[0] | payload[1] << 8) == length &&
            memcmp(payload + 2, path, length) == 0)
            return *block + KIN__BLOCK_HEAD + 2 + length;
        at += KIN__BLOCK_HEAD + kin__little_read_32(*block + 4);
    }
    return NULL;
}

enum { COLLECTED = 1 + 8 + 8 + 1 }; // the offset of what a system without a step has collected

static const struct {
    const char *path;
    size_t at;
    unsigned char byte;
    const char *text;
} forged[] = {
    {"evening/Watch", 0, 0x80, "unknown flag"},
    {"evening/Watch", 17, 2, "a clock shows no time"},
    {"evening/Watch", 16, 0x7f, ""}, // a frame
    {"evening/Watch", 8, 0x7f, ""},
    {"evening/Watch", COLLECTED + 3, 0x40, "it counts more than it has"},
    {"evening/Watch", COLLECTED + 4, 2, "there is no context with its number"},
    {"evening/Watch", COLLECTED + 4 + 4, 9, "whose slot is free"},
    {"evening/Watch", COLLECTED + 4 + 4 + 2, 0xff, "without a slot"},
    {"evening/Watch", COLLECTED + 4 + 4 + 3, 9, "has another one"},
    {"evening/Watch", 0, 0, "a disabled system has collected"},
    {"evening/Watch", 0, 9, "a disabled system has collected"},
    {"evening", 0, 0, "a disabled system"},
    {"evening/tavern/Patient", 0, 0, "a disabled system has messages"},
    {"evening/tavern/Patient", COLLECTED + 8 + 2, 7, "there is no message with its number"},
    {"evening/tavern/Patient", COLLECTED + 8 + 2 + 8, 200, "was not given"},
    {"evening/tavern/Patient", COLLECTED + 8 + 2 + 8 + 16, 0, "a message is there twice"},
    {"evening/tavern/Patient", COLLECTED + 8 + 2 + 7, 0x10, "it counts more than it has"},
    {"evening/Registry", COLLECTED + 4 + 4, 1, ""},
    {"evening/Registry", COLLECTED + 4 + 3, 0x10, "it counts more than it has"},
    {"", 0, 0, "the root has"},
    {"", 17, 1, ""},
    {"", COLLECTED + 4 + 4 + 2, 9, "the root has"},
};

START_TEST(fil_04_a_forged_state_of_systems_is_refused)
{
    unsigned char *block;
    write_busy();
    unsigned char *bytes = system_in_file(forged[_i].path, &block);
    ck_assert_ptr_nonnull(bytes);
    bytes[forged[_i].at] = forged[_i].byte;
    repair();
    kin_status status = read_file();
    ck_assert_msg(forged[_i].text[0] == '\0' || (status == KIN_ERROR_CORRUPT && strstr(reported, "[K13") != NULL &&
                                                 strstr(reported, forged[_i].text) != NULL),
                  "%s:%d: %s", forged[_i].path, (int)forged[_i].at, reported);
    if (status == KIN_OK)
        restore_read();
}
END_TEST

// Copies the file, with the block of this number so many times.
static void repeat_block(uint32_t number, uint32_t times)
{
    uint32_t count = 0;
    again.size = 0;
    kin_sink sink = buffer_sink(&again);
    ck_assert(sink.write(file.bytes, KIN__MAGIC_SIZE, sink.user));
    for (size_t at = KIN__MAGIC_SIZE, size; at < file.size; at += size, count++) {
        size = KIN__BLOCK_HEAD + kin__little_read_32(file.bytes + at + 4);
        for (uint32_t i = 0; i < (count == number ? times : 1); i++)
            ck_assert(sink.write(file.bytes + at, size, sink.user));
    }
    kin__little_write_32(again.bytes + again.size - 12, count - 2 + times); // of DONE
    buffer former = file;
    file = again;
    again = former;
    repair();
}

static void swap_files(void)
{
    buffer former = file;
    file = again;
    again = former;
}

START_TEST(fil_04_each_system_is_in_the_file_once_and_may_be_missing)
{
    unsigned char *root = NULL, *block = NULL;
    uint32_t number = 0;
    write_busy();
    ck_assert_ptr_nonnull(system_in_file("", &root));
    for (size_t at = KIN__MAGIC_SIZE; at < file.size; number++) {
        block = file.bytes + at;
        at += KIN__BLOCK_HEAD + kin__little_read_32(block + 4);
        if (memcmp(block, "SYST", 4) != 0)
            continue;
        bool is_root = block == root;
        repeat_block(number, 2);
        ck_assert_int_eq(read_file(), KIN_ERROR_CORRUPT);
        ck_assert_msg(strstr(reported, "there twice [K1308]") != NULL || is_root, "%s", reported);
        swap_files();
        repeat_block(number, 0);
        kin_status status = read_file();
        ck_assert_msg(status == (is_root ? KIN_ERROR_CORRUPT : KIN_OK), "%s", reported);
        ck_assert(!is_root || strstr(reported, "follow the root [K1309]") != NULL);
        swap_files();
        if (!is_root)
            restore_read();
        if (is_root)
            root = system_in_file("", &block) - KIN__BLOCK_HEAD - 2;
    }
}
END_TEST

// Changes bytes of any block and repairs the sums. Returns which one, for messages.
static size_t mutate(uint32_t count)
{
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        at = KIN__MAGIC_SIZE + town_random_below((uint32_t)(file.size - KIN__MAGIC_SIZE));
        file.bytes[at] = (unsigned char)(town_random_below(3) == 0 ? town_random_below(256)
                                                                   : file.bytes[at] ^ 1u << town_random_below(8));
    }
    repair();
    return at;
}

START_TEST(fil_04_what_is_read_of_a_mutant_can_be_restored_and_played)
{
    uint32_t accepted = 0, rounds = getenv("KIN_SWEEP_COUNTS") != NULL ? 50 : 3000;
    write_busy();
    town_random_number = (uint64_t)_i + 1;
    write_to(&again, saved_town);
    for (uint32_t round = 0; round < rounds; round++) {
        memcpy(file.bytes, again.bytes, again.size);
        file.size = again.size;
        mutate(1 + town_random_below(3));
        if (read_file() != KIN_OK) {
            ck_assert_msg(strstr(reported, "[K13") != NULL, "%s", reported);
            continue;
        }
        accepted++;
        restore_read();
        update_twice();
        ck_assert(kin__context_is_valid(&people->base) && kin__context_is_valid(&houses->base));
    }
    ck_assert_uint_gt(accepted, rounds / 50);
    ck_assert_int_eq(town_world_restore(town, saved_town, KIN_RESTORE_EXACTLY), KIN_OK);
}
END_TEST

START_TEST(fil_03_a_file_that_ends_early_is_refused_at_each_length)
{
    write_busy();
    for (size_t size = file.size; size-- > 0;) {
        file.size = size;
        ck_assert_int_eq(read_file(), KIN_ERROR_CORRUPT);
        ck_assert_ptr_null(file_snapshot);
    }
}
END_TEST

START_TEST(fil_03_a_file_with_a_flipped_bit_is_refused)
{
    write_busy();
    for (size_t bit = 0; bit < file.size * 8; bit++) {
        file.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        kin_status status = read_file();
        ck_assert_msg(status == KIN_ERROR_CORRUPT || status == KIN_ERROR_SHAPE, "bit %zu: %s", bit, reported);
        ck_assert_ptr_null(file_snapshot);
        file.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}
END_TEST

START_TEST(without_memory_a_world_is_not_read_and_nothing_has_changed)
{
    bool is_read = false;
    write_busy();
    for (uint32_t on = 0; on < 2; on++)
        for (uint64_t number = 1; number == 1 || !is_read; number++) {
            kin_snapshot *former = NULL;
            file_snapshot = NULL;
            guard_fail(&town_memory, number, on == 1);
            kin_status status = read_file();
            is_read = !guard_has_failed(&town_memory);
            guard_fail(&town_memory, 0, false);
            ck_assert_int_eq(status, is_read ? KIN_OK : KIN_ERROR_NO_MEMORY);
            ck_assert(is_read || file_snapshot == former);
            if (is_read)
                restore_read();
            kin_snapshot_destroy(file_snapshot);
            file_snapshot = NULL;
            kin_context_trim(&people->base);
            kin_context_trim(&houses->base);
        }
}
END_TEST

START_TEST(without_memory_a_snapshot_that_is_read_anew_stays_what_it_was)
{
    write_busy();
    ck_assert_int_eq(read_file(), KIN_OK);
    uint64_t hash = kin_snapshot_hash(file_snapshot);
    kin_snapshot_destroy(saved_town);
    saved_town = NULL;
    for (uint32_t i = 0; i < 300; i++)
        town_publish_gossip(town, (Gossip){i});
    save();
    write_to(&file, saved_town);
    bool is_read = false;
    for (uint64_t number = 1; !is_read; number++) {
        guard_fail(&town_memory, number, false);
        kin_status status = read_file();
        is_read = !guard_has_failed(&town_memory);
        guard_fail(&town_memory, 0, false);
        ck_assert_int_eq(status, is_read ? KIN_OK : KIN_ERROR_NO_MEMORY);
        ck_assert(is_read || kin_snapshot_hash(file_snapshot) == hash);
    }
    ck_assert(kin_snapshot_hash(file_snapshot) == kin_snapshot_hash(saved_town));
}
END_TEST

Suite *save_world_forged_suite(void)
{
    Suite *suite = suite_create("save_world_forged");
    TCase *cases = tcase_create("forged");
    tcase_add_checked_fixture(cases, world_case_begin, world_case_end);
    tcase_set_timeout(cases, 120);
    suite_add_tcase(suite, cases);
    tcase_add_test(cases, fil_04_each_system_is_in_the_file_once_and_may_be_missing);
    tcase_add_loop_test(cases, fil_04_a_forged_state_of_systems_is_refused, 0, sizeof forged / sizeof *forged);
    tcase_add_loop_test(cases, fil_04_what_is_read_of_a_mutant_can_be_restored_and_played, 0, 2);
    tcase_add_test(cases, fil_03_a_file_that_ends_early_is_refused_at_each_length);
    tcase_add_test(cases, fil_03_a_file_with_a_flipped_bit_is_refused);
    tcase_add_test(cases, without_memory_a_world_is_not_read_and_nothing_has_changed);
    tcase_add_test(cases, without_memory_a_snapshot_that_is_read_anew_stays_what_it_was);
    return suite;
}
