// Manifest: a written manifest is read back unchanged, and any other text is refused with the number of the bad line.
// Hashes are XXH64.
#include "generator/render/internal.h"

#include "generator/base/base.h"
#include "generator/reading.h"
#include "suites.h"

#include <check.h>
#include <string.h>

#define HEAD "# Written by kin, which knows by it what it wrote here. Do not edit.\nkin-manifest 1\n"

START_TEST(hashes_equal_those_of_other_implementations)
{
    static const struct {
        const char *bytes;
        uint64_t hash;
    } known[] = {{"", 0xef46db3751d8e999},
                 {"a", 0xd24ec4f1a98c6e5b},
                 {"abc", 0x44bc2cf5ad770999},
                 {"Nobody inspects the spammish repetition", 0xfbcea83c8a378bf1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        ck_assert_uint_eq(hash_of(known[i].bytes, strlen(known[i].bytes)), known[i].hash);
}
END_TEST

// The hashes of all prefixes differ: every byte and the length count.
START_TEST(every_byte_counts_at_any_length)
{
    char bytes[97] = {0};
    for (size_t size = 1; size < sizeof bytes; size++) {
        uint64_t plain = hash_of(bytes, size);
        ck_assert(plain != hash_of(bytes, size - 1));
        for (size_t i = 0; i < size; i++) {
            bytes[i] = 1;
            ck_assert_msg(plain != hash_of(bytes, size), "byte %zu of %zu", i, size);
            bytes[i] = 0;
        }
    }
}
END_TEST

static manifest example(void)
{
    manifest manifest = manifest_create(reading_arena());
    manifest_append(&manifest, (manifest_entry){"b.h", 2, 20});
    manifest_append(&manifest, (manifest_entry){"a.h", 3, 30});
    manifest_append(&manifest, (manifest_entry){"a.h", 1, 0});
    manifest_append(&manifest, (manifest_entry){"b.h", 2, 20});
    manifest_sort(&manifest);
    return manifest;
}

static size_t parse(const char *text, manifest *manifest)
{
    *manifest = manifest_create(reading_arena());
    return manifest_parse(manifest, text, strlen(text));
}

START_TEST(a_manifest_is_sorted_and_read_back_unchanged)
{
    manifest written = example(), read;
    text text = manifest_text(&written);
    ck_assert_ptr_eq(strstr(text.bytes, HEAD "0000000000000001 0 a.h\n0000000000000003 30 a.h\n"
                                             "0000000000000002 20 b.h\nend "),
                     text.bytes);
    ck_assert_uint_eq(parse(text.bytes, &read), 0);
    ck_assert_uint_eq(read.count, 3);
    ck_assert_str_eq(manifest_text(&read).bytes, text.bytes);
    manifest none = manifest_create(reading_arena());
    ck_assert_uint_eq(parse(manifest_text(&none).bytes, &read), 0);
    ck_assert_uint_eq(read.count, 0);
}
END_TEST

START_TEST(a_name_is_found_with_all_its_contents)
{
    manifest manifest = example(), none = manifest_create(reading_arena());
    ck_assert_ptr_eq(manifest_find(&manifest, "a.h"), &manifest.entries[0]);
    ck_assert_ptr_eq(manifest_find(&manifest, "b.h"), &manifest.entries[2]);
    ck_assert_ptr_null(manifest_find(&manifest, "a"));
    ck_assert_ptr_null(manifest_find(&manifest, "c.h"));
    ck_assert_ptr_null(manifest_find(&none, "a.h"));
    ck_assert(manifest_has(&manifest, &(manifest_entry){"a.h", 3, 30}));
    ck_assert(!manifest_has(&manifest, &(manifest_entry){"a.h", 3, 31}));
    ck_assert(!manifest_has(&manifest, &(manifest_entry){"b.h", 3, 30}));
    ck_assert(!manifest_has(&none, &(manifest_entry){"b.h", 3, 30}));
}
END_TEST

START_TEST(a_manifest_says_whether_there_was_a_lock_and_where_the_schema_is)
{
    manifest written = example(), read;
    written.made = 7;
    written.is_locked = true;
    written.schema = "../../a town.yaml";
    text text = manifest_text(&written);
    ck_assert_ptr_eq(strstr(text.bytes, HEAD "made 0000000000000007\nlocked\nschema ../../a town.yaml\n"
                                             "0000000000000001 0 a.h\n"),
                     text.bytes);
    ck_assert_uint_eq(parse(text.bytes, &read), 0);
    ck_assert(read.is_locked);
    ck_assert_str_eq(read.schema, written.schema);
    ck_assert_str_eq(manifest_text(&read).bytes, text.bytes);
}
END_TEST

// Tries every prefix, and every change of one byte.
START_TEST(a_manifest_is_accepted_only_as_a_whole)
{
    manifest written = example(), read;
    text text = manifest_text(&written);
    char *copy = arena_copy(reading_arena(), text.bytes, text.size);
    for (size_t i = 0; i < text.size; i++) {
        copy[i] = '\0';
        ck_assert_uint_ne(parse(copy, &read), 0);
        read = manifest_create(reading_arena());
        ck_assert_uint_ne(manifest_parse(&read, copy, text.size), 0);
        copy[i] = (char)(text.bytes[i] ^ 1);
        ck_assert_uint_ne(parse(copy, &read), 0);
        copy[i] = text.bytes[i];
    }
    ck_assert_uint_ne(parse(arena_format(reading_arena(), "%s\n", copy), &read), 0);
}
END_TEST

static const struct {
    const char *lines;
    size_t wrong;
} bad[] = {
    {"0000000000000001 1 b.h\n0000000000000001 1 a.h\n", 4},
    {"locked\nlocked\n", 4},
    {"locked \n", 3},
    {"schema a\nlocked\n", 4},
    {"schema a\nmade 0000000000000001\n", 4},
    {"schema a\nschema a\n", 4},
    {"schema \n", 3},
    {"schema a\tb\n", 3},
    {"0000000000000001 1 b.h\nschema a\n", 4},
    {"locked\nmade 0000000000000001\n", 4},
    {"0000000000000001 1 b.h\nlocked\n", 4},
    {"0000000000000001 1 b.h\n0000000000000001 1 b.h\n", 4},
    {"0000000000000001 1 ../a.h\n", 3},
    {"0000000000000001 1 .a.h\n", 3},
    {"0000000000000001 1 a b\n", 3},
    {"0000000000000001 1 \n", 3},
    {"000000000000000A 1 a.h\n", 3},
    {"00000000000000001 1 a.h\n", 3},
    {"0000000000000001 01 a.h\n", 3},
    {"0000000000000001 -1 a.h\n", 3},
    {"0000000000000001 1234567890123 a.h\n", 3},
    {"\n", 3},
};

// The last line, a checksum, is correct in each case.
START_TEST(a_line_that_kin_would_not_write_is_refused)
{
    text text = text_create(reading_arena());
    text_append_format(&text, HEAD "%s", bad[_i].lines);
    text_append_format(&text, "end %016llx\n", (unsigned long long)hash_of(text.bytes, text.size));
    manifest read;
    ck_assert_uint_eq(parse(text.bytes, &read), bad[_i].wrong);
}
END_TEST

Suite *manifest_suite(void)
{
    Suite *suite = suite_create("manifest");
    TCase *cases = tcase_create("manifest");
    tcase_add_checked_fixture(cases, reading_begin, reading_end);
    tcase_add_test(cases, hashes_equal_those_of_other_implementations);
    tcase_add_test(cases, every_byte_counts_at_any_length);
    tcase_add_test(cases, a_manifest_is_sorted_and_read_back_unchanged);
    tcase_add_test(cases, a_name_is_found_with_all_its_contents);
    tcase_add_test(cases, a_manifest_says_whether_there_was_a_lock_and_where_the_schema_is);
    tcase_add_test(cases, a_manifest_is_accepted_only_as_a_whole);
    tcase_add_loop_test(cases, a_line_that_kin_would_not_write_is_refused, 0, sizeof bad / sizeof *bad);
    suite_add_tcase(suite, cases);
    return suite;
}
