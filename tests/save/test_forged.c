// Single forgeries with right sums: each is refused for what it is (FIL-04, EVO-08).
#include "../suites.h"
#include "base/base.h"
#include "file/file.h"
#include "past_case.h"

#include <stdlib.h>
#include <string.h>

enum { SLOT_INDICES = 72, COLUMN_VALUES = 76, KEPT_BITS = 12, STASHED_BITS = 76, INDEX = 5 };

static past_context *written, *reader;
static buffer file;

static void setup(void)
{
    kin_context_options options = past_case_options();
    memset(&file, 0, sizeof file);
    written = past_context_create(&options);
    reader = past_context_create(&options);
}

static void teardown(void)
{
    past_context_destroy(written);
    past_context_destroy(reader);
    buffer_release(&file);
}

static void write_file(void)
{
    kin_snapshot *saved = NULL;
    ck_assert_int_eq(past_save(written, &saved), KIN_OK);
    ck_assert_int_eq(kin_snapshot_write(saved, buffer_sink(&file), NULL), KIN_OK);
    kin_snapshot_destroy(saved);
}

// Returns the payload of the only block of a kind. Makes all sums right again.
static unsigned char *payload_of(const char *kind)
{
    unsigned char *found = NULL;
    uint32_t number = 0;
    for (size_t at = KIN__MAGIC_SIZE; at < file.size; number++) {
        unsigned char *block = file.bytes + at;
        uint32_t size = kin__little_read_32(block + 4);
        kin__little_write_64(block + 8, kin__block_sum((char *)block, size, number, block + KIN__BLOCK_HEAD));
        if (memcmp(block, kind, 4) == 0) {
            ck_assert_ptr_null(found);
            found = block + KIN__BLOCK_HEAD;
        }
        at += KIN__BLOCK_HEAD + size;
    }
    ck_assert_ptr_nonnull(found);
    return found;
}

static void check_refused(kin_status expected, const char *text, const char *code)
{
    kin_snapshot *read = NULL;
    payload_of("DONE");
    past_case_error[0] = '\0';
    kin_status status = kin_context_read(&reader->base, &read, buffer_source(&file), NULL, NULL);
    ck_assert_int_eq(status, expected);
    ck_assert_ptr_null(read);
    ck_assert_msg(strstr(past_case_error, text) != NULL && strstr(past_case_error, code) != NULL, "%s",
                  past_case_error);
}

START_TEST(fil_04_two_entities_have_one_creation_index)
{
    past_create_entity(written);
    past_create_entity(written);
    write_file();
    unsigned char *indices = payload_of("SLOT") + SLOT_INDICES;
    memcpy(indices + INDEX, indices, INDEX);
    check_refused(KIN_ERROR_CORRUPT, "creation index 1", "[K1308]");
}
END_TEST

START_TEST(fil_04_a_value_is_stashed_and_there)
{
    past_entity one = past_create_entity(written), two = past_create_entity(written);
    past_add_memo(written, one, (Memo){.text = "one"});
    past_add_memo(written, two, (Memo){.text = "two"});
    past_stash_memo(written, two);
    write_file();
    unsigned char *kept = payload_of("KEEP");
    ck_assert_uint_eq(kept[KEPT_BITS], 2);
    ck_assert_uint_eq(kept[STASHED_BITS], 2);
    kept[KEPT_BITS] = kept[STASHED_BITS] = 1;
    check_refused(KIN_ERROR_CORRUPT, "it stashes a value", "[K1307]");
}
END_TEST

START_TEST(evo_13_a_tree_goes_in_a_circle)
{
    past_entity root = past_create_entity(written), child = past_create_entity(written);
    past_entity grandchild = past_create_entity(written);
    past_add_child_of(written, child, (ChildOf){root});
    past_add_child_of(written, grandchild, (ChildOf){child});
    write_file();
    unsigned char *parents = payload_of("COLM") + COLUMN_VALUES;
    ck_assert_uint_eq(kin__little_read_64(parents), root.id);
    kin__little_write_64(parents, grandchild.id);
    check_refused(KIN_ERROR_SHAPE, "below itself in a tree", "[K1308]");
}
END_TEST

START_TEST(fil_04_fewer_blocks_than_were_written)
{
    past_create_entity(written);
    write_file();
    kin__little_write_32(payload_of("DONE"), 3);
    check_refused(KIN_ERROR_CORRUPT, "3 blocks were written before it", "[K1307]");
}
END_TEST

START_TEST(evo_08_a_primary_key_is_there_once)
{
    for (int16_t i = 0; i < 2; i++)
        past_add_place(written, past_create_entity(written), (Place){.cell = (int16_t)(i + 7)});
    write_file();
    unsigned char *cells = payload_of("COLM") + COLUMN_VALUES + 4 * sizeof(float);
    ck_assert_uint_eq(cells[0], 7);
    cells[2] = 7;
    check_refused(KIN_ERROR_SHAPE, "entity 1 in slot 0 and entity 2 in slot 1 both have", "[K1308]");
}
END_TEST

Suite *save_forged_suite(void)
{
    Suite *suite = suite_create("save_forged");
    TCase *tests = tcase_create("forged");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, fil_04_two_entities_have_one_creation_index);
    tcase_add_test(tests, fil_04_a_value_is_stashed_and_there);
    tcase_add_test(tests, evo_13_a_tree_goes_in_a_circle);
    tcase_add_test(tests, fil_04_fewer_blocks_than_were_written);
    tcase_add_test(tests, evo_08_a_primary_key_is_there_once);
    suite_add_tcase(suite, tests);
    return suite;
}
