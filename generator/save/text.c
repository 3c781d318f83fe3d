// Values, handles and names as JSON.
#include "generator/save/save.h"

#include "base/base.h"
#include "generator/base/base.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <kin/entity.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_LIMIT ((uint64_t)1 << 53) // readers of JSON may keep numbers as doubles

enum { NUMBER_SIZE = 48 };

void save_append_quoted(text *out, const char *name)
{
    writer_append_quoted(out, name, strlen(name));
}

// ---- texts

static bool is_utf8(const unsigned char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        utf8_step step = utf8_next((const char *)bytes + at, size - at);
        if (step.code_point == UTF8_BROKEN)
            return false;
        at += step.size;
    }
    return true;
}

void save_append_bytes(text *out, const unsigned char *bytes, size_t size, bool is_opaque)
{
    if (!is_opaque && is_utf8(bytes, size)) {
        writer_append_quoted(out, (const char *)bytes, size);
        return;
    }
    text_append_string(out, "{\"hex\":\"");
    for (size_t i = 0; i < size; i++)
        text_append_format(out, "%02x", bytes[i]);
    text_append_string(out, "\"}");
}

// ---- numbers

void save_append_handle(text *out, uint64_t entity)
{
    if (entity == 0)
        text_append_string(out, "null");
    else
        text_append_format(out, "\"%" PRIu64 "@%" PRIu32 "\"", kin_entity_creation_index(entity),
                           kin_entity_slot(entity));
}

void save_append_unsigned(text *out, uint64_t number)
{
    const char *quote = number > EXACT_LIMIT ? "\"" : "";
    text_append_format(out, "%s%" PRIu64 "%s", quote, number, quote);
}

static void append_signed(text *out, int64_t number)
{
    bool is_exact = number <= (int64_t)EXACT_LIMIT && number >= -(int64_t)EXACT_LIMIT;
    const char *quote = is_exact ? "" : "\"";
    text_append_format(out, "%s%" PRId64 "%s", quote, number, quote);
}

// A NaN other than the two that computing gives is its bits.
static void append_special(text *out, uint64_t bits, int width)
{
    static const struct {
        uint64_t infinity, quiet;
    } types[] = {{0x7ff0000000000000, 0x7ff8000000000000}, {0x7f800000, 0x7fc00000}};
    bool is_float = width == 4;
    uint64_t sign = (uint64_t)1 << (8 * width - 1);
    const char *minus = (bits & sign) != 0 ? "-" : "";
    assert(width == 4 || width == 8);
    if ((bits & ~sign) == types[is_float].infinity)
        text_append_format(out, "\"%sinf\"", minus);
    else if ((bits & ~sign) == types[is_float].quiet)
        text_append_format(out, "\"%snan\"", minus);
    else
        text_append_format(out, "\"nan:%0*" PRIx64 "\"", 2 * width, bits);
}

// Decimal numbers of FLT_DIG digits read back as they are, but for the smallest floats.
static void append_float(text *out, uint32_t bits)
{
    char digits[NUMBER_SIZE];
    float number;
    float again;
    memcpy(&number, &bits, sizeof number);
    if (number - number != 0) { // infinite, or NaN
        append_special(out, bits, sizeof bits);
        return;
    }
    for (int count = fabsf(number) < FLT_MIN ? 1 : FLT_DIG; count <= 9; count++) {
        snprintf(digits, sizeof digits, "%.*g", count, (double)number);
        again = strtof(digits, NULL);
        if (memcmp(&again, &number, sizeof number) == 0)
            break;
    }
    text_append_string(out, digits);
}

void save_append_double(text *out, double number)
{
    char digits[NUMBER_SIZE];
    double again;
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    if (number - number != 0) {
        append_special(out, bits, sizeof bits);
        return;
    }
    for (int count = fabs(number) < DBL_MIN ? 1 : DBL_DIG; count <= 17; count++) {
        snprintf(digits, sizeof digits, "%.*g", count, number);
        again = strtod(digits, NULL);
        if (memcmp(&again, &number, sizeof number) == 0)
            break;
    }
    text_append_string(out, digits);
}

static int64_t sign_extended(uint64_t bits, size_t width)
{
    uint64_t sign = (uint64_t)1 << (8 * width - 1);
    assert(width >= 1 && width <= sizeof bits);
    return (int64_t)((bits ^ sign) - sign);
}

static void append_enum(text *out, const kin__file_leaf *leaf, int64_t number)
{
    for (uint32_t i = 0; i < leaf->value_count; i++)
        if (leaf->values[i].number == number) {
            save_append_quoted(out, leaf->values[i].name);
            return;
        }
    append_signed(out, number);
}

static void append_number(text *out, const kin__file_leaf *leaf, const unsigned char *bytes, size_t width)
{
    uint64_t bits = 0;
    double number;
    assert(width <= sizeof bits);
    for (size_t i = 0; i < width; i++)
        bits |= (uint64_t)bytes[i] << 8 * i;
    if (leaf->type == KIN_TYPE_BOOL) {
        text_append_string(out, bits != 0 ? "true" : "false");
    } else if (leaf->type == KIN_TYPE_ENTITY) {
        save_append_handle(out, bits);
    } else if (leaf->type == KIN_TYPE_ENUM) {
        append_enum(out, leaf, sign_extended(bits, width));
    } else if (leaf->type == KIN_TYPE_FLOAT) {
        append_float(out, (uint32_t)bits);
    } else if (leaf->type == KIN_TYPE_DOUBLE) {
        memcpy(&number, &bits, sizeof number);
        save_append_double(out, number);
    } else if (leaf->type >= KIN_TYPE_UINT8) {
        save_append_unsigned(out, bits);
    } else {
        append_signed(out, sign_extended(bits, width));
    }
}

// ---- values

// Appends an element, and moves the value past it.
static void append_element(text *out, save_leaf_value *value)
{
    if (value->letters == NULL) {
        append_number(out, value->leaf, value->elements, value->element_size);
    } else {
        uint32_t length = kin__little_read_32(value->elements);
        if (length == SAVE_TEXT_NULL) {
            text_append_string(out, "null");
        } else {
            save_append_bytes(out, value->letters, length, value->leaf->type == KIN_TYPE_OPAQUE);
            value->letters += length;
        }
    }
    value->elements += value->element_size;
}

// Appends up to `count` elements, and moves the value past them.
static void append_elements(text *out, save_leaf_value *value, uint32_t count, bool is_array)
{
    if (is_array)
        text_append_string(out, "[");
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            text_append_string(out, ",");
        append_element(out, value);
    }
    if (is_array)
        text_append_string(out, "]");
}

void save_append_leaf(text *out, const save_leaf_value *value)
{
    save_leaf_value rest = *value;
    append_elements(out, &rest, value->count, value->leaf->is_list || value->leaf->elements > 1);
}

void save_append_number(text *out, const save_leaf_value *value, uint32_t element)
{
    assert(element < value->count);
    append_number(out, value->leaf, value->elements + element * value->element_size, value->element_size);
}

// Returns how many bytes both paths begin with, up to a point.
static size_t common_size(const char *one, const char *other)
{
    size_t common = 0;
    for (size_t i = 0; one[i] != '\0' && one[i] == other[i]; i++)
        if (one[i] == '.')
            common = i + 1;
    return common;
}

// Closes the structs of the previous path that the next one is not in, and opens those that it is in. Either may be "".
static void append_key(text *out, const char *previous, const char *path)
{
    size_t common = common_size(previous, path);
    for (const char *at = previous + common; (at = strchr(at, '.')) != NULL; at++)
        text_append_string(out, "}");
    if (previous[0] != '\0' && path[0] != '\0')
        text_append_string(out, ",");
    for (const char *at = path + common, *end; *at != '\0'; at = end + (*end == '.')) {
        end = at + strcspn(at, ".");
        writer_append_quoted(out, at, (size_t)(end - at));
        text_append_string(out, ":");
        if (*end == '.')
            text_append_string(out, "{");
    }
}

// Appends one element of a list of structs, whose leaves have paths after `prefix` bytes.
static void append_struct(text *out, save_leaf_value *leaves, uint32_t count, size_t prefix)
{
    const char *previous = "";
    assert(count > 0);
    text_append_string(out, "{");
    for (uint32_t i = 0; i < count; i++) {
        const char *path = leaves[i].leaf->path + prefix;
        append_key(out, previous, path);
        append_elements(out, &leaves[i], leaves[i].leaf->elements, leaves[i].leaf->elements > 1);
        previous = path;
    }
    append_key(out, previous, "");
    text_append_string(out, "}");
}

static void append_list(text *out, save_leaf_value *leaves, uint32_t count, size_t prefix)
{
    uint32_t elements = leaves[0].count / leaves[0].leaf->elements;
    assert(count > 0);
    text_append_string(out, "[");
    for (uint32_t i = 0; i < elements; i++) {
        text_separate(out, i, ",");
        append_struct(out, leaves, count, prefix + 1);
    }
    text_append_string(out, "]");
}

// Returns how many leaves from the first one on are of the same list of structs, or 0 if the first one is of none.
static uint32_t count_of_list(const save_leaf_value *leaves, uint32_t count)
{
    const kin__file_leaf *first = leaves[0].leaf;
    uint32_t same = 1;
    assert(count > 0);
    if (!first->is_list || strchr(first->path, '.') == NULL)
        return 0;
    while (same < count && save_leaves_are_of_one_list(first, leaves[same].leaf))
        same++;
    return same;
}

// Appends leaves that are sorted: those of a list of structs as an array, others by their paths.
static void append_leaves(text *out, save_leaf_value *leaves, uint32_t count)
{
    const char *previous = "";
    for (uint32_t i = 0; i < count;) {
        const char *path = leaves[i].leaf->path;
        uint32_t of_list = count_of_list(&leaves[i], count - i);
        if (of_list == 0) {
            append_key(out, previous, path);
            save_append_leaf(out, &leaves[i++]);
            previous = path;
            continue;
        }
        size_t prefix = strcspn(path, ".");
        append_key(out, previous, "");
        if (previous[0] != '\0')
            text_append_string(out, ",");
        writer_append_quoted(out, path, prefix);
        text_append_string(out, ":");
        append_list(out, &leaves[i], of_list, prefix);
        i += of_list;
        previous = "";
        if (i < count)
            text_append_string(out, ",");
    }
    append_key(out, previous, "");
}

void save_append_taken(text *out, const save_values *values)
{
    if (values->component->leaf_count == 0) {
        text_append_string(out, "true");
        return;
    }
    text_append_string(out, "{");
    append_leaves(out, values->next, values->component->leaf_count);
    text_append_string(out, "}");
}

void save_append_value(text *out, save_values *values)
{
    for (uint32_t i = 0; i < values->component->leaf_count; i++)
        values->next[i] = save_values_next(values, i);
    save_append_taken(out, values);
}
