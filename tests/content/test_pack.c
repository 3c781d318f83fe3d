// Packs of content (CNT-28): what is written is read, equal packs have equal bytes, and damage is refused.
#include "pack/pack.h"
#include "save/scarce.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_HEAD = 16, HEAD_AT = 8 };

// ---- a pack with everything that packs can have

static const char *const sides[] = {"Red", "Blue"};
static const char *const of_game[] = {"game"};
static const kin__pack_leaf gun_leaves[] = {
    {.path = "interval", .type = KIN_TYPE_FLOAT, .elements = 1},
    {.path = "side", .type = KIN_TYPE_ENUM, .elements = 1, .names = sides, .name_count = 2},
};
static const kin__pack_leaf barrels_leaves[] = {
    {.path = "left", .type = KIN_TYPE_ENTITY, .elements = 1, .names = of_game, .name_count = 1}};
static const kin__pack_leaf route_leaves[] = {
    {.path = "name", .type = KIN_TYPE_STRING, .elements = 1},
    {.path = "open", .type = KIN_TYPE_BOOL, .elements = 3},
    {.path = "stops.x", .type = KIN_TYPE_DOUBLE, .is_list = true, .elements = 1},
};
static const kin__pack_component components[] = {
    {"Barrels", barrels_leaves, 1}, {"Gun", gun_leaves, 2}, {"Route", route_leaves, 3}};
static const kin__pack_context contexts[] = {{"game", components, 3}};

static const kin__pack_key gun_keys[] = {{"", 1, 0, false}, {"head", 1, 1, false}, {"head.left", 0, 0, false}};
static const kin__pack_key route_keys[] = {{"", 2, 0, false}, {"", 2, 1, false}, {"", 2, 2, true}};
static const kin__pack_keys keys[] = {{0, gun_keys, 3}, {0, route_keys, 3}};

static const unsigned char gun_values[] = {0, 0, 128, 62, 1, 1, 9, 'h', 'e', 'a', 'd', '.', 'l', 'e', 'f', 't', 0};
static const unsigned char route_values[] = {2, 'h', 'i', 0,  1, 0, 1, 2, 0, 0, 0, 0,
                                             0, 0,   240, 63, 0, 0, 0, 0, 0, 0, 0, 64};

static const kin__pack_part parts[] = {{"flag", 0}, {"flag.top", KIN__PACK_NONE}};
static const kin__pack_component_at added[] = {{"", 2}};
static const kin__pack_component_at gone[] = {{"head", 0}};
static const char *const gone_parts[] = {"head.radio"};
static const kin__pack_target targets[] = {{"", 1, "interval"}, {"head", 1, ""}};
static const kin__pack_knob knobs[] = {{"interval", targets, 2}};
static const kin__pack_prefab prefabs[] = {
    {.name = "Cannon", .doc = "", .kind = KIN__PACK_BLUEPRINT, .base = KIN__PACK_NONE, .writes = {KIN__PACK_NONE}},
    {.name = "FastCannon",
     .doc = "Cheap, and breaks early.",
     .base = 0,
     .parts = parts,
     .part_count = 2,
     .added = added,
     .added_count = 1,
     .gone_parts = gone_parts,
     .gone_part_count = 1,
     .gone = gone,
     .gone_count = 1,
     .knobs = knobs,
     .knob_count = 1,
     .writes = {0, gun_values, sizeof gun_values}},
};
static const kin__pack_instance named[] = {{"north_gun", route_values, sizeof route_values}};
static const kin__pack_instance plain[] = {{NULL, NULL, 0}, {NULL, NULL, 0}};
static const kin__pack_instance inner[] = {{"houses", route_values, sizeof route_values}};
static const kin__pack_run house_runs[] = {{0, 0, KIN__PACK_NONE, false, plain, 2}};
static const kin__pack_run runs[] = {{1, 0, 1, true, named, 1}, {KIN__PACK_NONE, 0, 1, true, inner, 1}};
static const kin__pack_level levels[] = {{"houses", 0, house_runs, 1, 0}, {"valley", 0, runs, 2, 0}};
static const kin__pack_unique uniques[] = {{0, 2, {1, route_values, sizeof route_values}}};

static const kin__pack_rename renames[] = {{KIN__PACK_NAMED_PREFAB, 1, "", "QuickCannon"},
                                           {KIN__PACK_NAMED_PART, 1, "flag.top", "tip"},
                                           {KIN__PACK_NAMED_LEVEL, 0, "", "homes"},
                                           {KIN__PACK_NAMED_INSTANCE, 1, "houses", "homes"}};

static kin__memory memory;
static kin__pack_bytes bytes;
static kin__pack whole;

static void begin(void)
{
    scarce_requests = -1;
    memory = kin__memory_of(scarce_allocator());
    bytes = (kin__pack_bytes){.memory = &memory};
    whole = (kin__pack){.package = "town",
                        .version = 7,
                        .contexts = contexts,
                        .context_count = 1,
                        .keys = keys,
                        .keys_count = 2,
                        .prefabs = prefabs,
                        .prefab_count = 2,
                        .levels = levels,
                        .level_count = 2,
                        .uniques = uniques,
                        .unique_count = 1,
                        .renames = renames,
                        .rename_count = 4};
    ck_assert(kin__pack_write(&whole, &bytes));
}

static void end(void)
{
    kin__pack_bytes_release(&bytes);
    ck_assert_uint_eq(scarce_used, 0);
}

// Reads a copy of exactly so many bytes, so that a sanitizer sees a read behind them. Returns its status.
static kin_status read_copy(const unsigned char *from, size_t size, char said[320])
{
    kin__pack pack;
    kin__pack_fault fault;
    unsigned char *copy = malloc(size + (size == 0));
    memcpy(copy, from, size);
    if (kin__pack_read(&pack, &memory, copy, size, &fault))
        kin__pack_release(&pack);
    strcpy(said, fault.text);
    free(copy);
    ck_assert_uint_eq(scarce_used, bytes.capacity);
    return fault.status;
}

// Returns the offset of the payload of a block.
static size_t payload_of(const char *kind)
{
    size_t at = HEAD_AT;
    while (memcmp(bytes.at + at, kind, 4) != 0)
        at += BLOCK_HEAD + kin__little_read_32(bytes.at + at + 4);
    return at + BLOCK_HEAD;
}

// Makes the sums of all blocks right again, as someone would who forges a pack.
static void sum(void)
{
    uint32_t number = 0;
    for (size_t at = HEAD_AT; at < bytes.size; number++) {
        unsigned char numbers[8];
        uint32_t size = kin__little_read_32(bytes.at + at + 4);
        kin__xxh64 hash = kin__xxh64_begin(0);
        kin__little_write_32(numbers, size);
        kin__little_write_32(numbers + 4, number);
        kin__xxh64_add(&hash, bytes.at + at, 4);
        kin__xxh64_add(&hash, numbers, sizeof numbers);
        kin__xxh64_add(&hash, bytes.at + at + BLOCK_HEAD, size);
        kin__little_write_64(bytes.at + at + 8, kin__xxh64_end(&hash));
        at += BLOCK_HEAD + size;
    }
}

// ---- tests

START_TEST(cnt_28_what_is_written_is_read)
{
    kin__pack pack;
    kin__pack_fault fault;
    kin__pack_bytes again = {.memory = &memory};
    ck_assert_msg(kin__pack_read(&pack, &memory, bytes.at, bytes.size, &fault), "%s", fault.text);
    ck_assert_str_eq(pack.package, "town");
    ck_assert_uint_eq(pack.version, 7);
    ck_assert_uint_eq(pack.content, whole.content);
    ck_assert_uint_ne(pack.content, 0);
    ck_assert_str_eq(pack.prefabs[1].doc, "Cheap, and breaks early.");
    ck_assert_str_eq(pack.prefabs[1].parts[1].path, "flag.top");
    ck_assert_str_eq(pack.prefabs[1].knobs[0].targets[0].field, "interval");
    ck_assert_uint_eq(pack.levels[1].instance_count, 3);
    ck_assert_uint_eq(pack.rename_count, 4);
    ck_assert_str_eq(kin__pack_name_now(&pack, KIN__PACK_NAMED_PART, 1, "flag.top", "top"), "tip");
    ck_assert_str_eq(kin__pack_name_now(&pack, KIN__PACK_NAMED_PART, 1, "flag", "flag"), "flag");
    ck_assert_str_eq(kin__pack_name_now(&pack, KIN__PACK_NAMED_LEVEL, 0, "", "houses"), "homes");
    ck_assert(kin__pack_write(&pack, &again));
    ck_assert_uint_eq(again.size, bytes.size);
    ck_assert_mem_eq(again.at, bytes.at, bytes.size);
    kin__pack_bytes_release(&again);
    kin__pack_release(&pack);
}
END_TEST

START_TEST(cnt_28_values_are_read_one_after_the_other)
{
    kin__pack_cursor cursor = kin__pack_cursor_of(gun_values, sizeof gun_values);
    ck_assert_uint_eq(kin__pack_next_element(&cursor, &gun_leaves[0]).bits, 0x3e800000);
    ck_assert_uint_eq(kin__pack_next_element(&cursor, &gun_leaves[1]).bits, 1);
    kin__pack_element left = kin__pack_next_element(&cursor, &barrels_leaves[0]);
    ck_assert_ptr_null(left.text);
    ck_assert_str_eq(left.part, "head.left");
    cursor = kin__pack_cursor_of(route_values, sizeof route_values);
    kin__pack_element name = kin__pack_next_element(&cursor, &route_leaves[0]);
    ck_assert_str_eq(name.text, "hi");
    ck_assert_uint_eq(name.size, 2);
    ck_assert(kin__pack_skip_value(&cursor, &route_leaves[1]));
    ck_assert_uint_eq(kin__pack_next_count(&cursor, &route_leaves[2]), 2);
    ck_assert_uint_eq(kin__pack_next_element(&cursor, &route_leaves[2]).bits, UINT64_C(0x3ff0000000000000));
    kin__pack_next_element(&cursor, &route_leaves[2]);
    ck_assert_ptr_eq(cursor.at, cursor.end);
    ck_assert(!cursor.is_short);
    kin__pack_next_element(&cursor, &route_leaves[2]);
    ck_assert(cursor.is_short);
}
END_TEST

START_TEST(cnt_28_a_pack_that_is_cut_anywhere_is_refused_with_block_and_offset)
{
    char said[320];
    for (size_t size = 0; size < bytes.size; size++) {
        ck_assert_int_eq(read_copy(bytes.at, size, said), KIN_ERROR_CORRUPT);
        ck_assert_ptr_nonnull(strstr(said, size < HEAD_AT ? "[K1301]" : "[K1302]"));
    }
    read_copy(bytes.at, payload_of("PREF") + 3, said);
    ck_assert_ptr_nonnull(strstr(said, "block 2 (PREF) at byte "));
}
END_TEST

START_TEST(cnt_28_every_changed_byte_is_refused)
{
    char said[320];
    for (size_t at = 0; at < bytes.size; at++)
        for (int bit = 0; bit < 8; bit++) {
            bytes.at[at] ^= (unsigned char)(1 << bit);
            kin_status status = read_copy(bytes.at, bytes.size, said);
            ck_assert_msg(status != KIN_OK && strstr(said, " [K13") != NULL, "byte %zu: %s", at, said);
            bytes.at[at] ^= (unsigned char)(1 << bit);
        }
}
END_TEST

// The sums are right then, so that the checks of the content itself are reached. Some changes are other valid packs.
START_TEST(cnt_28_every_forged_byte_is_refused_or_read)
{
    char said[320];
    size_t refused = 0;
    for (size_t at = HEAD_AT + BLOCK_HEAD; at < bytes.size; at++)
        for (int value = 0; value < 256; value++) {
            unsigned char former = bytes.at[at];
            bool is_size = bytes.at[at] != former;
            for (size_t block = HEAD_AT; block < bytes.size;
                 block += BLOCK_HEAD + kin__little_read_32(bytes.at + block + 4))
                is_size = is_size || (at >= block && at < block + BLOCK_HEAD);
            if (is_size)
                break;
            bytes.at[at] = (unsigned char)value;
            sum();
            refused += read_copy(bytes.at, bytes.size, said) != KIN_OK;
            bytes.at[at] = former;
        }
    sum();
    ck_assert_int_eq(read_copy(bytes.at, bytes.size, said), KIN_OK);
    ck_assert_uint_gt(refused, 1000);
}
END_TEST

// A block of one number, in place of the payload.
static void forge(const char *kind, const unsigned char *payload, size_t size)
{
    size_t at = payload_of(kind);
    size_t former = kin__little_read_32(bytes.at + at - 12);
    ck_assert_uint_ge(former, size);
    memcpy(bytes.at + at, payload, size);
    memmove(bytes.at + at + size, bytes.at + at + former, bytes.size - at - former);
    bytes.size -= former - size;
    kin__little_write_32(bytes.at + at - 12, (uint32_t)size);
    sum();
}

START_TEST(cnt_28_counts_of_2_32_minus_1_allocate_nothing)
{
    static const char *const kinds[] = {"SHAP", "PREF", "LEVL", "VALS"};
    static const unsigned char huge[] = {0xff, 0xff, 0xff, 0xff, 0x0f};
    char said[320];
    forge(kinds[_i], huge, sizeof huge);
    scarce_requests = 2; // a reader that believed the count would need more
    ck_assert_int_eq(read_copy(bytes.at, bytes.size, said), KIN_ERROR_CORRUPT);
    scarce_requests = -1;
    ck_assert_ptr_nonnull(strstr(said, "its counts exceed its size"));
    ck_assert_ptr_nonnull(strstr(said, kinds[_i]));
    ck_assert_ptr_nonnull(strstr(said, "[K1307]"));
}
END_TEST

START_TEST(cnt_28_a_large_count_allocates_nothing)
{
    static const unsigned char large[] = {0x80, 0x80, 0x80, 0x80, 0x04}; // 2^30
    char said[320];
    forge("VALS", large, sizeof large);
    ck_assert_int_eq(read_copy(bytes.at, bytes.size, said), KIN_ERROR_CORRUPT);
    ck_assert_ptr_nonnull(strstr(said, "its counts exceed its size"));
}
END_TEST

START_TEST(cnt_28_bytes_that_follow_the_content_of_a_block_are_refused)
{
    static const unsigned char more[] = {0, 0};
    char said[320];
    forge("VALS", more, sizeof more);
    ck_assert_int_eq(read_copy(bytes.at, bytes.size, said), KIN_ERROR_CORRUPT);
    ck_assert_ptr_nonnull(strstr(said, "1 bytes follow its content [K1307]"));
}
END_TEST

START_TEST(cnt_28_a_hash_of_other_content_is_refused)
{
    char said[320];
    bytes.at[payload_of("HEAD") + 8] ^= 1;
    sum();
    ck_assert_int_eq(read_copy(bytes.at, bytes.size, said), KIN_ERROR_CORRUPT);
    ck_assert_ptr_nonnull(strstr(said, "the hash in the head is of other content [K1303]"));
}
END_TEST

START_TEST(cnt_28_numbers_with_more_bytes_than_needed_are_refused)
{
    static const unsigned char long_zero[] = {0x80, 0x00};
    char said[320];
    forge("VALS", long_zero, sizeof long_zero);
    ck_assert_int_eq(read_copy(bytes.at, bytes.size, said), KIN_ERROR_CORRUPT);
    ck_assert_ptr_nonnull(strstr(said, "[K1307]"));
}
END_TEST

START_TEST(cnt_28_a_save_or_a_newer_pack_is_refused_with_the_reason)
{
    char said[320];
    size_t at = payload_of("HEAD");
    bytes.at[at] = 2;
    sum();
    ck_assert_int_eq(read_copy(bytes.at, bytes.size, said), KIN_ERROR_SHAPE);
    ck_assert_ptr_nonnull(strstr(said, "it has format 2, and this version of Kin reads format 1 [K1304]"));
    bytes.at[at] = 1;
    bytes.at[at + 2] = 1;
    sum();
    ck_assert_int_eq(read_copy(bytes.at, bytes.size, said), KIN_ERROR_CORRUPT);
    ck_assert_ptr_nonnull(strstr(said, "it is a file of Kin, but not content [K1301]"));
}
END_TEST

START_TEST(cnt_28_every_request_for_memory_can_fail)
{
    kin__pack_fault fault;
    kin__pack pack;
    int64_t requests = 0;
    for (;; requests++) {
        kin__pack_bytes again = {.memory = &memory};
        scarce_requests = requests;
        bool is_written = kin__pack_write(&whole, &again);
        bool is_read = is_written && kin__pack_read(&pack, &memory, again.at, again.size, &fault);
        scarce_requests = -1;
        if (is_written && !is_read)
            ck_assert_int_eq(fault.status, KIN_ERROR_NO_MEMORY);
        if (is_read)
            kin__pack_release(&pack);
        kin__pack_bytes_release(&again);
        ck_assert_uint_eq(scarce_used, bytes.capacity);
        if (is_read)
            break;
    }
    ck_assert_int_gt(requests, 3);
}
END_TEST

Suite *content_pack_suite(void)
{
    Suite *suite = suite_create("content_pack");
    TCase *packs = tcase_create("packs");
    tcase_add_checked_fixture(packs, begin, end);
    tcase_add_test(packs, cnt_28_what_is_written_is_read);
    tcase_add_test(packs, cnt_28_values_are_read_one_after_the_other);
    tcase_add_test(packs, cnt_28_a_pack_that_is_cut_anywhere_is_refused_with_block_and_offset);
    tcase_add_test(packs, cnt_28_every_changed_byte_is_refused);
    tcase_add_test(packs, cnt_28_every_forged_byte_is_refused_or_read);
    tcase_add_loop_test(packs, cnt_28_counts_of_2_32_minus_1_allocate_nothing, 0, 4);
    tcase_add_test(packs, cnt_28_a_large_count_allocates_nothing);
    tcase_add_test(packs, cnt_28_bytes_that_follow_the_content_of_a_block_are_refused);
    tcase_add_test(packs, cnt_28_a_hash_of_other_content_is_refused);
    tcase_add_test(packs, cnt_28_numbers_with_more_bytes_than_needed_are_refused);
    tcase_add_test(packs, cnt_28_a_save_or_a_newer_pack_is_refused_with_the_reason);
    tcase_add_test(packs, cnt_28_every_request_for_memory_can_fail);
    suite_add_tcase(suite, packs);
    return suite;
}
