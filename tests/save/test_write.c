// Writing snapshots, and reading them with the schema that wrote them.
#include "../suites.h"
#include "base/base.h"
#include "file/file.h"
#include "past_case.h"
#include "shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static buffer file, again;
static past_context *other;
static kin_snapshot *read;

static void setup(void)
{
    kin_context_options options = past_case_options();
    memset(&file, 0, sizeof file);
    memset(&again, 0, sizeof again);
    other = past_context_create(&options);
    read = NULL;
}

static void teardown(void)
{
    kin_snapshot_destroy(read);
    past_context_destroy(other);
    buffer_release(&file);
    buffer_release(&again);
}

static void read_file(void)
{
    kin_status status = kin_context_read(&other->base, &read, buffer_source(&file), NULL, NULL);
    ck_assert_msg(status == KIN_OK, "%s", past_case_error);
}

static void check_round_trip(uint32_t count)
{
    past_case_begin(count);
    past_case_write(&file);
    read_file();
    ck_assert_uint_eq(kin_snapshot_compare(past_snapshot, read, NULL, NULL), 0);
    ck_assert_uint_eq(kin_snapshot_hash(past_snapshot), kin_snapshot_hash(read));
    ck_assert_int_eq(kin_snapshot_write(read, buffer_sink(&again), NULL), KIN_OK);
    ck_assert_uint_eq(file.size, again.size);
    ck_assert_int_eq(memcmp(file.bytes, again.bytes, file.size), 0);
    past_case_end();
}

START_TEST(fil_01_what_was_read_is_written_as_it_was)
{
    check_round_trip(40);
}
END_TEST

START_TEST(fil_01_an_empty_context_is_written_as_it_was)
{
    check_round_trip(0);
}
END_TEST

START_TEST(fil_01_many_chunks_are_written_as_they_were)
{
    check_round_trip(3000);
}
END_TEST

// Writes the state of a context that is no case, and reads it.
static void write_and_read(past_context *of)
{
    kin_snapshot *saved = NULL;
    ck_assert_int_eq(past_save(of, &saved), KIN_OK);
    ck_assert_int_eq(kin_snapshot_write(saved, buffer_sink(&file), NULL), KIN_OK);
    read_file();
    ck_assert_uint_eq(kin_snapshot_hash(saved), kin_snapshot_hash(read));
    ck_assert_uint_eq(kin_snapshot_compare(saved, read, NULL, NULL), 0);
    ck_assert_int_eq(past_restore(other, read, KIN_RESTORE_EXACTLY), KIN_OK);
    kin_snapshot_destroy(saved);
}

START_TEST(fil_01_large_creation_indices_are_written)
{
    kin_context_options options = past_case_options();
    options.first_creation_index = ((uint64_t)5 << 32) - 1;
    past_context *of = past_context_create(&options);
    past_entity entities[3];
    for (int i = 0; i < 3; i++)
        entities[i] = past_create_entity(of);
    write_and_read(of);
    for (int i = 0; i < 3; i++)
        ck_assert(past_entity_is_alive(other, entities[i]));
    past_context_destroy(of);
}
END_TEST

START_TEST(fil_01_long_lists_of_structs_are_written)
{
    enum { COUNT = 200 };
    kin_context_options options = past_case_options();
    past_context *of = past_context_create(&options);
    past_entity entity = past_create_entity(of);
    Spot stops[COUNT];
    Side sides[COUNT];
    for (int i = 0; i < COUNT; i++) {
        stops[i] = (Spot){(float)i, (float)-i};
        sides[i] = i % 2 == 0 ? SIDE_RED : SIDE_BLUE;
    }
    past_add_path(of, entity, (Path){.stops = {stops, COUNT}, .sides = {sides, COUNT}});
    write_and_read(of);
    const Path *path = past_get_path(other, entity);
    ck_assert_uint_eq(path->stops.count, COUNT);
    ck_assert_mem_eq(path->stops.at, stops, sizeof stops);
    ck_assert_mem_eq(path->sides.at, sides, sizeof sides);
    past_context_destroy(of);
}
END_TEST

START_TEST(fil_06_a_snapshot_that_was_read_is_restored)
{
    kin_snapshot *saved = NULL;
    past_case_begin(700);
    past_case_write(&file);
    read_file();
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(past_restore(other, read, KIN_RESTORE_EXACTLY), KIN_OK);
        ck_assert_int_eq(past_save(other, &saved), KIN_OK);
        ck_assert_uint_eq(kin_snapshot_compare(past_snapshot, saved, NULL, NULL), 0);
        past_entity one = past_create_entity(past), same = past_create_entity(other);
        ck_assert_uint_eq(one.id, same.id);
        ck_assert_uint_eq(past_spawn_citizen(past).id, past_spawn_citizen(other).id);
        past_destroy_all_entities(other);
        ck_assert_int_eq(past_restore(past, past_snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    }
    ck_assert_int_eq(past_restore(other, saved, KIN_RESTORE_EXACTLY), KIN_OK);
    buffer_release(&again);
    ck_assert_int_eq(kin_snapshot_write(saved, buffer_sink(&again), NULL), KIN_OK);
    ck_assert_uint_eq(file.size, again.size);
    ck_assert_int_eq(memcmp(file.bytes, again.bytes, file.size), 0);
    kin_snapshot_destroy(saved);
    past_case_end();
}
END_TEST

START_TEST(fil_06_children_are_in_their_order)
{
    past_case_begin(40);
    past_case_write(&file);
    read_file();
    ck_assert_int_eq(past_restore(other, read, KIN_RESTORE_EXACTLY), KIN_OK);
    uint32_t count;
    const past_entity *entities = past_entities(past, &count);
    for (uint32_t i = 0; i < count; i++) {
        past_entity child = past_children_first(past, entities[i]), same = past_children_first(other, entities[i]);
        for (; child.id != 0; child = past_children_next(past, child), same = past_children_next(other, same))
            ck_assert_uint_eq(child.id, same.id);
        ck_assert_uint_eq(same.id, 0);
    }
    past_case_end();
}
END_TEST

START_TEST(fil_03_the_hash_of_the_state_is_at_the_end)
{
    past_case_begin(40);
    past_case_write(&file);
    ck_assert_uint_eq(kin__little_read_64(file.bytes + file.size - 8), kin_snapshot_hash(past_snapshot));
    past_case_end();
}
END_TEST

START_TEST(a_file_is_compressed_and_has_meta)
{
    kin_write_options options = {.level = 3, .meta = "a title", .meta_size = 7};
    kin_file_info info;
    char meta[8] = "";
    past_case_begin(700);
    past_case_write(&again);
    ck_assert_int_eq(kin_snapshot_write(past_snapshot, buffer_sink(&file), &options), KIN_OK);
    ck_assert_uint_lt(file.size, again.size);
    ck_assert_int_eq(kin_file_look(buffer_source(&file), &info, meta, sizeof meta), KIN_OK);
    ck_assert_str_eq(info.package, "past");
    ck_assert_uint_eq(info.version, 1);
    ck_assert_str_eq(meta, "a title");
    read_file();
    ck_assert_uint_eq(kin_snapshot_compare(past_snapshot, read, NULL, NULL), 0);
    past_case_end();
}
END_TEST

START_TEST(fil_03_a_file_that_is_cut_or_has_another_bit_is_refused)
{
    kin_status status;
    size_t step = getenv("KIN_SWEEP_COUNTS") == NULL ? 1 : 97;
    past_case_begin(12);
    past_case_write(&file);
    read_file();
    uint64_t hash = kin_snapshot_hash(read);
    size_t whole = file.size;
    for (file.size = 0; file.size < whole; file.size += step) {
        status = kin_context_read(&other->base, &read, buffer_source(&file), NULL, NULL);
        ck_assert_msg(status == KIN_ERROR_CORRUPT, "cut at %zu", file.size);
        ck_assert_ptr_nonnull(strstr(past_case_error, "[K13"));
    }
    file.size = whole;
    for (size_t bit = 0; bit < whole * 8; bit += step) {
        file.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        status = kin_context_read(&other->base, &read, buffer_source(&file), NULL, NULL);
        ck_assert_msg(status == KIN_ERROR_CORRUPT, "bit %zu", bit);
        file.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    ck_assert_uint_eq(kin_snapshot_hash(read), hash);
    past_case_end();
}
END_TEST

static uint64_t random_state = 88172645463325252u;

static uint32_t random_below(uint32_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 20) % limit;
}

// Changes some bytes of payloads, and makes all sums right again.
static void forge(void)
{
    static const unsigned char bytes[] = {0, 255, 127, 128, 1};
    for (uint32_t i = 1 + random_below(4); i > 0; i--) {
        size_t at = KIN__MAGIC_SIZE + random_below((uint32_t)file.size - KIN__MAGIC_SIZE);
        file.bytes[at] =
            (unsigned char)(random_below(2) ? bytes[random_below(5)] : file.bytes[at] ^ 1u << random_below(8));
    }
    uint32_t number = 0;
    for (size_t at = KIN__MAGIC_SIZE; at + KIN__BLOCK_HEAD <= file.size; number++) {
        memcpy(file.bytes + at, again.bytes + at, 8);
        uint32_t size = kin__little_read_32(file.bytes + at + 4);
        kin__little_write_64(file.bytes + at + 8,
                             kin__block_sum((char *)file.bytes + at, size, number, file.bytes + at + KIN__BLOCK_HEAD));
        at += KIN__BLOCK_HEAD + size;
    }
}

// Restoring in a checked build checks the whole context.
START_TEST(fil_04_a_forged_file_is_refused_or_gives_a_valid_context)
{
    uint32_t accepted = 0, tries = getenv("KIN_SWEEP_COUNTS") == NULL ? 4000 : 20;
    if (getenv("KIN_FORGED") != NULL)
        tries = (uint32_t)atoi(getenv("KIN_FORGED"));
    past_case_begin(24);
    past_case_write(&file);
    past_case_write(&again);
    for (uint32_t i = 0; i < tries; i++) {
        memcpy(file.bytes, again.bytes, file.size);
        forge();
        kin_status status = kin_context_read(&other->base, &read, buffer_source(&file), NULL, NULL);
        if (status != KIN_OK) {
            ck_assert_msg(status == KIN_ERROR_CORRUPT || status == KIN_ERROR_SHAPE, "%s", past_case_error);
            continue;
        }
        accepted++;
        ck_assert_int_eq(past_restore(other, read, KIN_RESTORE_EXACTLY), KIN_OK);
        past_create_entity(other);
        past_destroy_all_entities(other);
    }
    ck_assert_uint_gt(accepted, 0);
    past_case_end();
}
END_TEST

// The file is cut everywhere, so that a reading ends with values of every kind that no part has taken.
START_TEST(opaque_values_of_a_reading_that_fails_are_dropped_once)
{
    past_case_has_badges = true;
    past_case_begin(80);
    for (uint32_t i = 0; i < 3; i++) {
        past_entity entity = past_create_entity(past);
        past_add_worn(past, entity, (Worn){.badge = past_case_badge(40 + (int)i)});
        past_stash_worn(past, entity);
    }
    kin_snapshot_destroy(past_snapshot);
    past_snapshot = NULL;
    ck_assert_int_eq(past_save(past, &past_snapshot), KIN_OK);
    past_case_write(&file);
    int made = past_case_badges;
    buffer cut = file;
    for (cut.size = 0; cut.size < file.size; cut.size++) {
        ck_assert_int_ne(kin_context_read(&other->base, &read, buffer_source(&cut), NULL, NULL), KIN_OK);
        ck_assert_msg(past_case_badges == made, "%d badges of %d after %zu bytes", past_case_badges, made, cut.size);
    }
    read_file();
    ck_assert_int_gt(past_case_badges, made);
    kin_snapshot_destroy(read);
    read = NULL;
    ck_assert_int_eq(past_case_badges, made);
    past_case_end();
    ck_assert_int_eq(past_case_badges, 0);
}
END_TEST

START_TEST(opaque_values_are_loaded_and_dropped_once)
{
    past_case_has_badges = true;
    past_case_begin(80);
    past_case_write(&file);
    int made = past_case_badges;
    ck_assert_int_gt(made, 3);
    past_case_bad_badge = 33; // of entities 0, 11, 22, 33 and so on
    ck_assert_int_eq(kin_context_read(&other->base, &read, buffer_source(&file), NULL, NULL), KIN_ERROR_SHAPE);
    ck_assert_ptr_nonnull(strstr(past_case_error, "Worn.badge of entity 34 in slot 26 has a value, which its load "
                                                  "function refuses; read former values there, or write "
                                                  "'migrate: true' at the component"));
    ck_assert_int_eq(past_case_badges, made);
    past_case_bad_badge = 1000000;
    read_file();
    ck_assert_int_gt(past_case_badges, made);
    ck_assert_uint_eq(kin_snapshot_hash(past_snapshot), kin_snapshot_hash(read));
    ck_assert_int_eq(kin_snapshot_write(read, buffer_sink(&again), NULL), KIN_OK);
    ck_assert_uint_eq(file.size, again.size);
    ck_assert_int_eq(memcmp(file.bytes, again.bytes, file.size), 0);
    ck_assert_int_eq(past_restore(other, read, KIN_RESTORE_EXACTLY), KIN_OK);
    kin_snapshot_destroy(read);
    read = NULL;
    past_destroy_all_entities(other);
    kin_context_trim(&other->base);
    ck_assert_int_eq(past_case_badges, made);
    past_case_end();
    ck_assert_int_eq(past_case_badges, 0);
}
END_TEST

START_TEST(what_is_passed_is_checked)
{
    kin_write_options options = {.meta = "", .meta_size = KIN_META_SIZE + 1};
    kin_sink none = {NULL, NULL};
    past_case_begin(1);
    ck_assert_int_eq(kin_snapshot_write(past_snapshot, none, NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_snapshot_write(past_snapshot, buffer_sink(&file), &options), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, NULL, NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_context_read(&other->base, NULL, buffer_source(&file), NULL, NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_context_read(&other->base, &read, (kin_source){NULL, NULL, NULL}, NULL, NULL),
                     KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_context_read_path(&other->base, &read, NULL, NULL, NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_context_read_path(&other->base, &read, "/none/at/all", NULL, NULL), KIN_ERROR_STREAM);
    ck_assert_ptr_null(read);
    ck_assert_uint_eq(file.size, 0);
    past_case_end();
}
END_TEST

START_TEST(a_file_at_a_path_is_written_and_read)
{
    char path[256];
    snprintf(path, sizeof path, "%s/kin-test-save-XXXXXX", shell_scratch());
    int number = mkstemp(path);
    kin_read_report report;
    ck_assert_int_ge(number, 0);
    past_case_begin(100);
    ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, path, NULL), KIN_OK);
    ck_assert_int_eq(kin_context_read_path(&other->base, &read, path, NULL, &report), KIN_OK);
    ck_assert_uint_eq(kin_snapshot_compare(past_snapshot, read, NULL, NULL), 0);
    ck_assert_uint_eq(report.entities, past_entity_count(past));
    ck_assert_uint_eq(report.converted + report.defaulted + report.dropped + report.migrated, 0);
    FILE *emptied = fopen(path, "w");
    ck_assert_ptr_nonnull(emptied);
    fclose(emptied);
    ck_assert_int_eq(kin_context_read_path(&other->base, &read, path, NULL, NULL), KIN_ERROR_CORRUPT);
    ck_assert_msg(strstr(past_case_error, path) != NULL, "%s", past_case_error);
    remove(path);
    past_case_end();
}
END_TEST

Suite *save_write_suite(void)
{
    Suite *suite = suite_create("save_write");
    TCase *tests = tcase_create("write");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, fil_01_what_was_read_is_written_as_it_was);
    tcase_add_test(tests, fil_01_an_empty_context_is_written_as_it_was);
    tcase_add_test(tests, fil_01_many_chunks_are_written_as_they_were);
    tcase_add_test(tests, fil_01_large_creation_indices_are_written);
    tcase_add_test(tests, fil_01_long_lists_of_structs_are_written);
    tcase_add_test(tests, fil_06_a_snapshot_that_was_read_is_restored);
    tcase_add_test(tests, fil_06_children_are_in_their_order);
    tcase_add_test(tests, fil_03_the_hash_of_the_state_is_at_the_end);
    tcase_add_test(tests, a_file_is_compressed_and_has_meta);
    tcase_add_test(tests, fil_03_a_file_that_is_cut_or_has_another_bit_is_refused);
    tcase_add_test(tests, fil_04_a_forged_file_is_refused_or_gives_a_valid_context);
    tcase_add_test(tests, opaque_values_are_loaded_and_dropped_once);
    tcase_add_test(tests, opaque_values_of_a_reading_that_fails_are_dropped_once);
    tcase_add_test(tests, what_is_passed_is_checked);
    tcase_add_test(tests, a_file_at_a_path_is_written_and_read);
    suite_add_tcase(suite, tests);
    return suite;
}
