// Files as blocks: writing them, compressed or not, and what of them is read or refused.
#include "../suites.h"
#include "buffer.h"
#include "file/file.h"

#include <stdlib.h>
#include <string.h>

static buffer file;

static void setup(void)
{
    memset(&file, 0, sizeof file);
}

static void teardown(void)
{
    buffer_release(&file);
}

// Writes a head, and as many blocks of so many bytes.
static kin_status write_file(int level, const char *meta, uint32_t blocks, size_t size)
{
    kin__fault fault = {KIN_OK, ""};
    kin__output output;
    kin__block_writer writer;
    kin__head head = {.version = 7, .frame = 1800, .package = "town"};
    kin_write_options options = {level, meta, meta == NULL ? 0 : strlen(meta)};
    if (kin__output_begin(&output, buffer_sink(&file), level, &fault)) {
        kin__block_writer_begin(&writer, &output);
        kin__head_write(&writer, &head, &options);
        for (uint32_t i = 0; i < blocks; i++) {
            for (size_t k = 0; k < size; k += 8)
                kin__write_64(&writer, k * i);
            kin__block_writer_put(&writer, "TEST");
        }
        kin__block_writer_end(&writer);
    }
    kin__output_end(&output);
    return fault.status;
}

// Reads all blocks. Returns how many there were behind the head.
static uint32_t read_file(uint64_t limit, kin__fault *fault)
{
    kin__input input;
    kin__block_reader reader;
    kin__head head;
    uint32_t count = 0;
    *fault = (kin__fault){KIN_OK, ""};
    kin__block_reader_begin(&reader, &input);
    if (kin__input_begin(&input, buffer_source(&file), limit, fault) && kin__head_read(&reader, &head))
        while (count < 3 && kin__block_reader_next(&reader, KIN__BLOCK_LIMIT)) {
            kin__decoder decoder = kin__decoder_of(&reader);
            if (kin__block_reader_is(&reader, "META"))
                continue;
            for (size_t k = 0; k < reader.size; k += 8)
                ck_assert_uint_eq(kin__decode_64(&decoder), k * count);
            ck_assert(kin__decoder_end(&decoder, &reader));
            count++;
        }
    if (fault->status == KIN_OK)
        kin__input_is_over(&input);
    kin__block_reader_end(&reader);
    kin__input_end(&input);
    return count;
}

START_TEST(blocks_are_read_as_they_were_written)
{
    static const int levels[] = {0, 1, 3, 19, 22, -5};
    kin__fault fault;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        ck_assert_int_eq(write_file(levels[i], NULL, 3, 70000), KIN_OK);
        file.part = 0;
        ck_assert_uint_eq(read_file(UINT64_MAX, &fault), 3);
        ck_assert_msg(fault.status == KIN_OK, "%s", fault.text);
        file.part = 7;
        ck_assert_uint_eq(read_file(UINT64_MAX, &fault), 3);
        ck_assert_msg(fault.status == KIN_OK, "%s", fault.text);
        buffer_release(&file);
    }
}
END_TEST

START_TEST(fil_02_no_more_is_read_than_allowed)
{
    kin__fault fault;
    for (int level = 0; level < 2; level++) {
        ck_assert_int_eq(write_file(level, NULL, 3, 200000), KIN_OK);
        ck_assert_uint_eq(read_file(500000, &fault), 2);
        ck_assert_int_eq(fault.status, KIN_ERROR_LIMIT);
        ck_assert_ptr_nonnull(strstr(fault.text, "500000 bytes"));
        buffer_release(&file);
    }
}
END_TEST

START_TEST(fil_02_a_sink_that_fails_is_reported_and_not_called_again)
{
    for (int level = 0; level < 2; level++) {
        file.fail_after = 1;
        ck_assert_int_eq(write_file(level, NULL, 3, 2000000), KIN_ERROR_STREAM);
        ck_assert_uint_eq(file.calls, 2);
        buffer_release(&file);
    }
}
END_TEST

START_TEST(fil_03_a_file_that_is_cut_anywhere_is_refused)
{
    kin__fault fault;
    for (int level = 0; level < 2; level++) {
        ck_assert_int_eq(write_file(level, "title", 3, 64), KIN_OK);
        size_t whole = file.size;
        for (file.size = 0; file.size < whole; file.size++) {
            read_file(UINT64_MAX, &fault);
            ck_assert_msg(fault.status == KIN_ERROR_CORRUPT, "%zu of %zu bytes were read", file.size, whole);
            ck_assert_ptr_nonnull(strstr(fault.text, "[K13"));
        }
        buffer_release(&file);
    }
}
END_TEST

START_TEST(fil_03_a_file_with_another_bit_is_refused)
{
    kin__fault fault;
    ck_assert_int_eq(write_file(0, NULL, 3, 64), KIN_OK);
    for (size_t bit = 0; bit < file.size * 8; bit++) {
        file.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        read_file(UINT64_MAX, &fault);
        ck_assert_msg(fault.status == KIN_ERROR_CORRUPT, "bit %zu", bit);
        file.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
}
END_TEST

START_TEST(fil_03_what_is_wrong_is_told_with_block_byte_and_code)
{
    kin__fault fault;
    ck_assert_int_eq(write_file(0, NULL, 3, 64), KIN_OK);
    file.bytes[file.size - 1] ^= 1;
    read_file(UINT64_MAX, &fault);
    ck_assert_str_eq(fault.text, "block 3 (TEST) at byte 217: its checksum does not match [K1303]");
    file.bytes[0] = 'x';
    read_file(UINT64_MAX, &fault);
    ck_assert_str_eq(fault.text, "it is not a file of Kin [K1301]");
}
END_TEST

START_TEST(blocks_in_another_order_are_refused)
{
    kin__fault fault;
    unsigned char block[80];
    ck_assert_int_eq(write_file(0, NULL, 3, 64), KIN_OK);
    memcpy(block, file.bytes + file.size - 80, 80);
    memcpy(file.bytes + file.size - 80, file.bytes + file.size - 160, 80);
    memcpy(file.bytes + file.size - 160, block, 80);
    ck_assert_uint_eq(read_file(UINT64_MAX, &fault), 1);
    ck_assert_int_eq(fault.status, KIN_ERROR_CORRUPT);
}
END_TEST

START_TEST(what_a_head_claims_is_not_allocated)
{
    kin__fault fault = {KIN_OK, ""};
    kin__input input;
    kin__block_reader reader;
    ck_assert_int_eq(write_file(0, NULL, 0, 0), KIN_OK);
    kin__little_write_32(file.bytes + KIN__MAGIC_SIZE + 4, KIN__BLOCK_LIMIT);
    kin__block_reader_begin(&reader, &input);
    ck_assert(kin__input_begin(&input, buffer_source(&file), UINT64_MAX, &fault));
    ck_assert(!kin__block_reader_next(&reader, KIN__BLOCK_LIMIT));
    ck_assert_uint_le(reader.capacity, 1 << 16);
    ck_assert_ptr_nonnull(strstr(fault.text, "[K1302]"));
    kin__block_reader_end(&reader);
    kin__input_end(&input);
}
END_TEST

START_TEST(a_file_says_what_it_is)
{
    kin_file_info info;
    char meta[8] = "";
    ck_assert_int_eq(write_file(3, "title", 3, 64), KIN_OK);
    ck_assert_int_eq(kin_file_look(buffer_source(&file), &info, meta, 3), KIN_OK);
    ck_assert_str_eq(info.package, "town");
    ck_assert_uint_eq(info.version, 7);
    ck_assert_uint_eq(info.format, 1);
    ck_assert_uint_eq(info.frame, 1800);
    ck_assert(!info.is_recording);
    ck_assert_uint_eq(info.meta_size, 5);
    ck_assert_str_eq(meta, "tit");
    buffer_release(&file);
    ck_assert_int_eq(write_file(0, NULL, 1, 64), KIN_OK);
    ck_assert_int_eq(kin_file_look(buffer_source(&file), &info, NULL, 0), KIN_OK);
    ck_assert_uint_eq(info.meta_size, 0);
}
END_TEST

START_TEST(what_is_no_file_says_nothing)
{
    kin_file_info info = {.version = 5};
    ck_assert_int_eq(kin_file_look(buffer_source(&file), &info, NULL, 0), KIN_ERROR_CORRUPT);
    ck_assert_int_eq(kin_file_look((kin_source){NULL, NULL, NULL}, &info, NULL, 0), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_file_look(buffer_source(&file), NULL, NULL, 0), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_file_look(buffer_source(&file), &info, NULL, 4), KIN_ERROR_INVALID);
    ck_assert_uint_eq(info.version, 5);
}
END_TEST

// The sum of the block is made right again.
static void set_head(size_t offset, unsigned char byte)
{
    unsigned char *block = file.bytes + KIN__MAGIC_SIZE;
    uint32_t size = kin__little_read_32(block + 4);
    block[KIN__BLOCK_HEAD + offset] = byte;
    kin__little_write_64(block + 8, kin__block_sum("HEAD", size, 0, block + KIN__BLOCK_HEAD));
}

START_TEST(evo_11_a_newer_format_is_refused)
{
    kin_file_info info;
    ck_assert_int_eq(write_file(0, NULL, 1, 64), KIN_OK);
    set_head(0, 2);
    ck_assert_int_eq(kin_file_look(buffer_source(&file), &info, NULL, 0), KIN_ERROR_SHAPE);
    set_head(0, 0);
    ck_assert_int_eq(kin_file_look(buffer_source(&file), &info, NULL, 0), KIN_ERROR_CORRUPT);
}
END_TEST

START_TEST(fil_04_names_are_utf_8)
{
    static const char *const names[] = {"a",    "Ünï",          "日本",        "\xf0\x9f\x99\x82",
                                        "\xc3", "\xed\xa0\x80", "\xc0\x80",    "\xf5\x80\x80\x80",
                                        "a\n",  "\x80",         "\xe0\x80\x80"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_msg(kin__is_name(names[i], strlen(names[i])) == (i < 4), "%zu", i);
    ck_assert(!kin__is_name("a\0b", 3));
}
END_TEST

Suite *save_frame_suite(void)
{
    Suite *suite = suite_create("save_frame");
    TCase *tests = tcase_create("frame");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, blocks_are_read_as_they_were_written);
    tcase_add_test(tests, fil_02_no_more_is_read_than_allowed);
    tcase_add_test(tests, fil_02_a_sink_that_fails_is_reported_and_not_called_again);
    tcase_add_test(tests, fil_03_a_file_that_is_cut_anywhere_is_refused);
    tcase_add_test(tests, fil_03_a_file_with_another_bit_is_refused);
    tcase_add_test(tests, fil_03_what_is_wrong_is_told_with_block_byte_and_code);
    tcase_add_test(tests, blocks_in_another_order_are_refused);
    tcase_add_test(tests, what_a_head_claims_is_not_allocated);
    tcase_add_test(tests, a_file_says_what_it_is);
    tcase_add_test(tests, what_is_no_file_says_nothing);
    tcase_add_test(tests, evo_11_a_newer_format_is_refused);
    tcase_add_test(tests, fil_04_names_are_utf_8);
    suite_add_tcase(suite, tests);
    return suite;
}
