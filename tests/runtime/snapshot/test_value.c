// The bytes of values, literally: the same on every machine.
#include "snapshot/snapshot.h"
#include "suites.h"

#include <check.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum side { LEFT = -1, RIGHT = 258 } side;

typedef struct pair {
    int8_t tag;
    uint16_t both[2];
} pair;

typedef struct all {
    bool on;
    side side;
    double number;
    float third[3];
    kin_entity target;
    const char *name;
    char label[6];
    pair pairs[2];
    struct {
        const pair *at;
        uint32_t count;
    } list;
} all;

static const kin_type_info side_type = {.name = "Side", .size = sizeof(side)};
static const kin_field_info pair_fields[] = {
    {.name = "tag", .type = KIN_TYPE_INT8, .offset = offsetof(pair, tag), .size = 1},
    {.name = "both", .type = KIN_TYPE_UINT16, .count = 2, .offset = offsetof(pair, both), .size = 4},
};
static const kin_type_info pair_type = {.name = "Pair", .size = sizeof(pair), .fields = pair_fields, .field_count = 2};
static const kin_field_info fields[] = {
    {.name = "on", .type = KIN_TYPE_BOOL, .offset = offsetof(all, on), .size = 1},
    {.name = "side", .type = KIN_TYPE_ENUM, .offset = offsetof(all, side), .size = sizeof(side), .of = &side_type},
    {.name = "number", .type = KIN_TYPE_DOUBLE, .offset = offsetof(all, number), .size = 8},
    {.name = "third", .type = KIN_TYPE_FLOAT, .count = 3, .offset = offsetof(all, third), .size = 12},
    {.name = "target", .type = KIN_TYPE_ENTITY, .offset = offsetof(all, target), .size = 8},
    {.name = "name", .type = KIN_TYPE_STRING, .offset = offsetof(all, name), .size = sizeof(char *)},
    {.name = "label", .type = KIN_TYPE_INLINE_STRING, .offset = offsetof(all, label), .size = 6},
    {.name = "pairs",
     .type = KIN_TYPE_STRUCT,
     .count = 2,
     .offset = offsetof(all, pairs),
     .size = 2 * sizeof(pair),
     .of = &pair_type},
    {.name = "list",
     .type = KIN_TYPE_STRUCT,
     .offset = offsetof(all, list),
     .size = sizeof(((all *)NULL)->list),
     .of = &pair_type,
     .is_list = true,
     .element_size = sizeof(pair)},
};

enum { FIELDS = sizeof fields / sizeof *fields, ROOM = 64 };

// The leaves of one field, and the bytes that a test has encoded.
static kin__value_leaf leaf_memory[ROOM];
static kin__dimension dimension_memory[ROOM];
static char letter_memory[1024];
static unsigned char written[1 << 16];
static size_t written_size;

static bool write_bytes(const void *bytes, size_t size, void *user)
{
    (void)user;
    ck_assert_uint_le(written_size + size, sizeof written);
    memcpy(written + written_size, bytes, size);
    written_size += size;
    return true;
}

static const kin_field_info *field_named(const char *name)
{
    for (size_t i = 0; i < FIELDS; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    ck_abort_msg("no field %s", name);
    return NULL;
}

static void encode_fields(const kin_field_info *first, uint32_t count, const kin__value_source *source,
                          const uint64_t has[8])
{
    kin__leaf_memory memory = {leaf_memory, dimension_memory, letter_memory};
    kin__leaves leaves = kin__leaves_make(&memory, first, count);
    kin__encoder encoder;
    written_size = 0;
    kin__encoder_begin(&encoder, write_bytes, NULL);
    for (uint32_t i = 0; i < leaves.count; i++)
        kin__encode_leaf(&encoder, &leaves.leaves[i], source, has);
    ck_assert(kin__encoder_flush(&encoder));
}

// Compares the bytes of a field of two values with `expected`, in hexadecimal digits and spaces.
static void expect(const char *name, const all values[2], const char *expected)
{
    static const uint64_t has[8] = {1, 0, 0, 0, 0, 0, 0, 1};
    char hex[2048] = "";
    all *places = calloc(512, sizeof *places);
    ck_assert_ptr_nonnull(places);
    places[0] = values[0];
    places[7 * 64] = values[1];
    kin__value_source source = {.values = (const unsigned char *)places, .stride = sizeof *places};
    encode_fields(field_named(name), 1, &source, has);
    for (size_t i = 0; i < written_size; i++)
        snprintf(hex + 2 * i, sizeof hex - 2 * i, "%02x", written[i]);
    ck_assert_str_eq(hex, expected);
    free(places);
}

START_TEST(numbers_are_little_endian)
{
    all values[2] = {{.on = true, .side = LEFT, .number = 1.5, .target = UINT64_C(0x0102030405060708)},
                     {.on = false, .side = RIGHT, .number = -0.0, .target = 0}};
    expect("on", values, "0100");
    expect("side", values, "ffffffff02010000");
    expect("number", values, "000000000000f83f0000000000000080");
    expect("target", values, "08070605040302010000000000000000");
}
END_TEST

START_TEST(arrays_follow_each_other)
{
    all values[2] = {{.third = {1, 2, 3}}, {.third = {4, 5, 6}}};
    expect("third", values, "0000803f0000004000004040000080400000a0400000c040");
}
END_TEST

// Bits that are not a number are kept, also those of a signalling one.
START_TEST(a_nan_keeps_its_bits)
{
    uint64_t bits = UINT64_C(0x7FF4000000000001);
    all values[2] = {{0}, {0}};
    memcpy(&values[0].number, &bits, sizeof bits);
    expect("number", values, "010000000000f47f0000000000000000");
}
END_TEST

START_TEST(strings_are_lengths_then_letters)
{
    all values[2] = {{.name = "bob", .label = "ab"}, {.name = NULL, .label = "abcde"}};
    expect("name", values, "03000000ffffffff626f62");
    expect("label", values, "020000000500000061626162636465");
    values[1].name = "";
    expect("name", values, "0300000000000000626f62");
}
END_TEST

START_TEST(what_follows_the_nul_of_a_string_is_not_encoded)
{
    all values[2] = {{.label = "ab"}, {.label = {'a', 'b', 'c', 'd', 'e', 'f'}}};
    values[0].label[4] = 'x';
    expect("label", values, "02000000060000006162616263646566");
}
END_TEST

START_TEST(structs_in_arrays_give_one_leaf_a_field)
{
    all values[2] = {{.pairs = {{1, {2, 3}}, {4, {5, 6}}}}, {.pairs = {{-1, {7, 8}}, {-2, {9, 10}}}}};
    expect("pairs", values,
           "02000300050006000700080009000a00" // pairs.both[2]
           "0104fffe");                       // pairs.tag
}
END_TEST

START_TEST(lists_are_counts_then_elements)
{
    static const pair one[] = {{1, {2, 3}}, {4, {5, 6}}};
    all values[2] = {{.list = {one, 2}}, {.list = {NULL, 0}}};
    expect("list", values,
           "04000000000000000200030005000600" // list.both[2]: four elements and none
           "02000000000000000104");           // list.tag
}
END_TEST

// Of 512 places, some without a value, in a column that is longer than the room of the encoder.
START_TEST(a_column_has_the_values_of_its_bits)
{
    enum { COUNT = 512 };
    static double numbers[COUNT];
    static const kin_field_info number = {.name = "number", .type = KIN_TYPE_DOUBLE, .size = sizeof *numbers};
    uint64_t has[8] = {UINT64_MAX, 0,          1,         UINT64_C(0x8000000000000000), UINT64_C(0xAAAAAAAAAAAAAAAA),
                       UINT64_MAX, UINT64_MAX, UINT64_MAX};
    kin__value_source source = {.values = (const unsigned char *)numbers, .stride = sizeof *numbers};
    size_t at = 0;
    for (int i = 0; i < COUNT; i++)
        numbers[i] = i;
    encode_fields(&number, 1, &source, has);
    for (unsigned i = 0; i < COUNT; i++) {
        if ((has[i / 64] >> (i % 64) & 1) == 0)
            continue;
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        ck_assert_uint_eq(kin__little_read_64(written + at), bits);
        at += sizeof bits;
    }
    ck_assert_uint_eq(at, written_size);
}
END_TEST

// Pointers to values, and a field with an array of its own, give what whole values in a column give.
START_TEST(the_bytes_do_not_depend_on_where_values_are)
{
    static all values[512];
    static const void *pointers[512];
    static float thirds[512][3];
    unsigned char whole[sizeof thirds];
    uint64_t has[8] = {UINT64_MAX, 3, 0, 5, 0, 0, 0, UINT64_MAX};
    const kin_field_info *field = field_named("third");
    kin__value_source source = {.values = (const unsigned char *)values, .stride = sizeof *values};
    for (int i = 0; i < 512; i++) {
        for (int k = 0; k < 3; k++)
            values[i].third[k] = thirds[i][k] = (float)(i * 3 + k);
        pointers[i] = &values[i];
    }
    encode_fields(field, 1, &source, has);
    size_t size = written_size;
    memcpy(whole, written, size);
    source = (kin__value_source){(const unsigned char *)pointers, sizeof *pointers, 0, true};
    encode_fields(field, 1, &source, has);
    ck_assert_uint_eq(written_size, size);
    ck_assert_mem_eq(written, whole, size);
    source = (kin__value_source){(const unsigned char *)thirds, sizeof *thirds, field->offset, false};
    encode_fields(field, 1, &source, has);
    ck_assert_uint_eq(written_size, size);
    ck_assert_mem_eq(written, whole, size);
}
END_TEST

static bool refuse(const void *bytes, size_t size, void *user)
{
    (void)bytes;
    (void)size;
    ++*(int *)user;
    return false;
}

START_TEST(a_sink_that_failed_is_not_called_again)
{
    static const char many[10000];
    int calls = 0;
    kin__encoder encoder;
    kin__encoder_begin(&encoder, refuse, &calls);
    kin__encode_bytes(&encoder, many, 0);
    ck_assert(kin__encoder_flush(&encoder));
    for (int i = 0; i < 3; i++) {
        kin__encode_8(&encoder, 1);
        kin__encode_bytes(&encoder, many, sizeof many);
        ck_assert(!kin__encoder_flush(&encoder));
    }
    ck_assert_int_eq(calls, 1);
}
END_TEST

Suite *runtime_encode_value_suite(void)
{
    Suite *suite = suite_create("runtime_encode_value");
    TCase *test = tcase_create("value");
    tcase_add_test(test, numbers_are_little_endian);
    tcase_add_test(test, arrays_follow_each_other);
    tcase_add_test(test, a_nan_keeps_its_bits);
    tcase_add_test(test, strings_are_lengths_then_letters);
    tcase_add_test(test, what_follows_the_nul_of_a_string_is_not_encoded);
    tcase_add_test(test, structs_in_arrays_give_one_leaf_a_field);
    tcase_add_test(test, lists_are_counts_then_elements);
    tcase_add_test(test, a_column_has_the_values_of_its_bits);
    tcase_add_test(test, the_bytes_do_not_depend_on_where_values_are);
    tcase_add_test(test, a_sink_that_failed_is_not_called_again);
    suite_add_tcase(suite, test);
    return suite;
}
