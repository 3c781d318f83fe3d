// Damaged files of three contexts: cut, with another bit, and with blocks that are swapped, doubled or left out.
#include "../suites.h"
#include "base/base.h"
#include "file/file.h"
#include "past_case.h"
#include "save_others.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 128, CONTEXTS = 3 };

// A block of a file, with its head.
typedef struct part {
    const unsigned char *bytes;
    size_t size;
} part;

static buffer file, whole;
static kin_context *context, *reader;
static kin_snapshot *saved, *read;
static uint64_t hash;
static size_t step; // the sweep looks at few of the damages

static void make_contexts(int which)
{
    kin_context_options options = past_case_options();
    if (which == 0) {
        past_case_has_badges = true;
        past_case_begin(12);
        context = &past->base;
        reader = &past_context_create(&options)->base;
        return;
    }
    context = which == 1 ? save_almanac_create(true) : save_archive_create(true);
    reader = which == 1 ? save_almanac_create(false) : save_archive_create(false);
}

static void begin(int which, int level)
{
    kin_write_options options = {.level = level};
    memset(&file, 0, sizeof file);
    memset(&whole, 0, sizeof whole);
    saved = read = NULL;
    step = getenv("KIN_SWEEP_COUNTS") == NULL ? 1 : 97;
    make_contexts(which);
    ck_assert_int_eq(kin__context_save(context, &saved), KIN_OK);
    ck_assert_int_eq(kin_snapshot_write(saved, buffer_sink(&whole), &options), KIN_OK);
    ck_assert_int_eq(kin_snapshot_write(saved, buffer_sink(&file), &options), KIN_OK);
    ck_assert_int_eq(kin_context_read(reader, &read, buffer_source(&file), NULL, NULL), KIN_OK);
    hash = kin_snapshot_hash(read);
    ck_assert_uint_eq(hash, kin_snapshot_hash(saved));
}

static void end(int which)
{
    kin_snapshot_destroy(read);
    kin_snapshot_destroy(saved);
    kin__context_destroy(reader);
    if (which == 0)
        past_case_end();
    else
        kin__context_destroy(context);
    buffer_release(&file);
    buffer_release(&whole);
}

static void check_refused(const char *what, size_t number)
{
    past_case_error[0] = '\0';
    kin_status status = kin_context_read(reader, &read, buffer_source(&file), NULL, NULL);
    ck_assert_msg(status == KIN_ERROR_CORRUPT, "%s %zu: status %d", what, number, (int)status);
    ck_assert_msg(strstr(past_case_error, "[K13") != NULL, "%s %zu: %s", what, number, past_case_error);
}

// The snapshot of before is as it was, and the context that reads has no entity.
static void check_nothing_changed(void)
{
    ck_assert_uint_eq(kin_snapshot_hash(read), hash);
    ck_assert_uint_eq(kin__entity_count(reader), 0);
}

START_TEST(fil_03_a_save_that_is_cut_anywhere_is_refused)
{
    begin(_i / 2, _i % 2);
    for (file.size = 0; file.size < whole.size; file.size += step)
        check_refused("cut at", file.size);
    check_nothing_changed();
    end(_i / 2);
}
END_TEST

START_TEST(fil_03_a_save_with_another_bit_is_refused)
{
    begin(_i, 0);
    for (size_t bit = 0; bit < whole.size * 8; bit += step) {
        file.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        check_refused("bit", bit);
        file.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    check_nothing_changed();
    end(_i);
}
END_TEST

// Some bits of a frame of zstd mean nothing: the bytes of the blocks are those that were written, as their sums show.
START_TEST(fil_03_a_compressed_save_with_another_bit_is_refused_or_the_same)
{
    size_t accepted = 0;
    begin(_i, 1);
    for (size_t bit = 0; bit < whole.size * 8; bit += step) {
        file.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        if (kin_context_read(reader, &read, buffer_source(&file), NULL, NULL) == KIN_OK)
            accepted++;
        ck_assert_msg(kin_snapshot_hash(read) == hash, "bit %zu", bit);
        file.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    ck_assert_uint_lt(accepted, whole.size / 8);
    check_nothing_changed();
    end(_i);
}
END_TEST

// ---- blocks

static size_t find_parts(part parts[MOST_BLOCKS])
{
    size_t count = 0;
    for (size_t at = KIN__MAGIC_SIZE; at < whole.size; at += parts[count++].size) {
        ck_assert_uint_lt(count, MOST_BLOCKS);
        parts[count] = (part){whole.bytes + at, KIN__BLOCK_HEAD + kin__little_read_32(whole.bytes + at + 4)};
    }
    return count;
}

// Makes the file of these blocks; makes the sums those of their new numbers, or leaves them as they were.
static void join(const part *parts, size_t count, bool is_forged)
{
    kin_sink sink = buffer_sink(&file);
    file.size = KIN__MAGIC_SIZE;
    for (size_t i = 0; i < count; i++) {
        size_t at = file.size;
        sink.write(parts[i].bytes, parts[i].size, sink.user);
        unsigned char *block = file.bytes + at;
        if (is_forged)
            kin__little_write_64(block + 8, kin__block_sum((char *)block, (uint32_t)(parts[i].size - KIN__BLOCK_HEAD),
                                                           (uint32_t)i, block + KIN__BLOCK_HEAD));
    }
}

static bool has_other_order(const part *one, const part *other)
{
    return one->size != other->size || memcmp(one->bytes, other->bytes, one->size) != 0;
}

START_TEST(fil_03_swapped_blocks_are_refused)
{
    part parts[MOST_BLOCKS];
    begin(_i / 2, 0);
    size_t count = find_parts(parts);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k += step) {
            part one = parts[i];
            if (!has_other_order(&parts[i], &parts[k]))
                continue;
            parts[i] = parts[k];
            parts[k] = one;
            join(parts, count, _i % 2 == 1);
            check_refused("swapped", i * count + k);
            parts[k] = parts[i];
            parts[i] = one;
        }
    check_nothing_changed();
    end(_i / 2);
}
END_TEST

START_TEST(fil_03_doubled_blocks_are_refused)
{
    part parts[MOST_BLOCKS], more[MOST_BLOCKS + 1];
    begin(_i / 2, 0);
    size_t count = find_parts(parts);
    for (size_t i = 0; i + 1 < count; i++) {
        memcpy(more, parts, (i + 1) * sizeof *parts);
        memcpy(more + i + 1, parts + i, (count - i) * sizeof *parts);
        join(more, count + 1, _i % 2 == 1);
        check_refused("doubled", i);
    }
    check_nothing_changed();
    end(_i / 2);
}
END_TEST

START_TEST(fil_03_missing_blocks_are_noticed)
{
    part parts[MOST_BLOCKS], fewer[MOST_BLOCKS];
    begin(_i / 2, 0);
    size_t count = find_parts(parts);
    for (size_t i = 0; i < count; i++) {
        memcpy(fewer, parts, i * sizeof *parts);
        memcpy(fewer + i, parts + i + 1, (count - i - 1) * sizeof *parts);
        join(fewer, count - 1, _i % 2 == 1);
        check_refused("left out", i);
    }
    check_nothing_changed();
    end(_i / 2);
}
END_TEST

Suite *save_damage_suite(void)
{
    Suite *suite = suite_create("save_damage");
    TCase *tests = tcase_create("damage");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, fil_03_a_save_that_is_cut_anywhere_is_refused, 0, 2 * CONTEXTS);
    tcase_add_loop_test(tests, fil_03_a_save_with_another_bit_is_refused, 0, CONTEXTS);
    tcase_add_loop_test(tests, fil_03_a_compressed_save_with_another_bit_is_refused_or_the_same, 0, CONTEXTS);
    tcase_add_loop_test(tests, fil_03_swapped_blocks_are_refused, 0, 2 * CONTEXTS);
    tcase_add_loop_test(tests, fil_03_doubled_blocks_are_refused, 0, 2 * CONTEXTS);
    tcase_add_loop_test(tests, fil_03_missing_blocks_are_noticed, 0, 2 * CONTEXTS);
    suite_add_tcase(suite, tests);
    return suite;
}
