#include "file/file.h"

#include "base/base.h"

#include <string.h>

typedef kin__file_number number;

size_t kin__file_width(kin_type type)
{
    switch (type) {
    case KIN_TYPE_BOOL:
    case KIN_TYPE_INT8:
    case KIN_TYPE_UINT8:
        return 1;
    case KIN_TYPE_INT16:
    case KIN_TYPE_UINT16:
        return 2;
    case KIN_TYPE_INT32:
    case KIN_TYPE_UINT32:
    case KIN_TYPE_FLOAT:
    case KIN_TYPE_ENUM:
        return 4;
    case KIN_TYPE_STRING:
    case KIN_TYPE_INLINE_STRING:
    case KIN_TYPE_OPAQUE:
        return 0;
    default:
        return 8;
    }
}

// ---- elements

// Returns the sum of numbers of 32 bits. It cannot overflow, as fewer than 2^32 of them are in a payload.
static uint64_t add_up(const unsigned char *numbers, size_t count, bool are_lengths)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t number = kin__little_read_32(numbers + i * sizeof number);
        bool is_missing = are_lengths && number == KIN__NO_TEXT;
        if (!is_missing)
            sum += number;
    }
    return sum;
}

// Returns the address of so many elements, and moves past them; NULL if fewer are left.
static const unsigned char *take(kin__decoder *decoder, uint64_t count, size_t width)
{
    if (count <= kin__decoder_left(decoder) / width)
        return kin__decode_bytes(decoder, (size_t)count * width);
    decoder->is_short = true;
    return NULL;
}

bool kin__file_elements_take(kin__file_elements *elements, kin__decoder *decoder, uint32_t values)
{
    size_t width = kin__file_width(elements->type);
    elements->counts = NULL;
    elements->total = values * (uint64_t)elements->per_value;
    if (elements->is_list) {
        elements->counts = take(decoder, values, sizeof(uint32_t));
        if (elements->counts == NULL)
            return false;
        elements->total = add_up(elements->counts, values, false);
    }
    if (width > 0) {
        elements->bytes = take(decoder, elements->total, width);
        return elements->bytes != NULL;
    }
    elements->lengths = take(decoder, elements->total, sizeof(uint32_t));
    if (elements->lengths == NULL)
        return false;
    elements->bytes = take(decoder, add_up(elements->lengths, (size_t)elements->total, true), 1);
    return elements->bytes != NULL;
}

// ---- numbers

static bool is_unsigned(kin_type type)
{
    return type >= KIN_TYPE_UINT8 && type <= KIN_TYPE_UINT64;
}

static bool has_no_sign(kin_type type)
{
    return is_unsigned(type) || type == KIN_TYPE_BOOL;
}

static uint64_t read_bits(const unsigned char *from, size_t width)
{
    KIN_ASSERT(width >= 1 && width <= 8);
    uint64_t bits = 0;
    for (size_t i = 0; i < width; i++)
        bits |= (uint64_t)from[i] << 8 * i;
    return bits;
}

static number read_number(kin_type type, uint64_t bits, size_t width)
{
    number number = {.is_floating = type == KIN_TYPE_FLOAT || type == KIN_TYPE_DOUBLE};
    uint32_t half = (uint32_t)bits;
    float narrow;
    if (type == KIN_TYPE_FLOAT) {
        memcpy(&narrow, &half, sizeof narrow);
        number.floating = (double)narrow;
    } else if (type == KIN_TYPE_DOUBLE) {
        memcpy(&number.floating, &bits, sizeof bits);
    } else if (has_no_sign(type) || width == 8) {
        number.integer = (int64_t)bits;
        number.is_large = is_unsigned(type) && number.integer < 0;
    } else {
        uint64_t sign = (uint64_t)1 << (8 * width - 1);
        number.integer = (int64_t)((bits ^ sign) - sign);
    }
    return number;
}

kin__file_number kin__file_number_read(kin_type type, const unsigned char *from)
{
    size_t width = kin__file_width(type);
    return read_number(type, read_bits(from, width), width);
}

double kin__file_number_as_double(const kin__file_number *number)
{
    if (number->is_floating)
        return number->floating;
    if (number->is_large)
        return (double)(uint64_t)number->integer;
    return (double)number->integer;
}

// ---- conversion

// Writes the lowest bytes of a number, in the order of the machine.
static void write_bits(uint64_t bits, size_t width, void *to)
{
    uint8_t one = (uint8_t)bits;
    uint16_t two = (uint16_t)bits;
    uint32_t four = (uint32_t)bits;
    KIN_ASSERT(width == 1 || width == 2 || width == 4 || width == 8);
    if (width == 1)
        memcpy(to, &one, width);
    else if (width == 2)
        memcpy(to, &two, width);
    else if (width == 4)
        memcpy(to, &four, width);
    else
        memcpy(to, &bits, width);
}

static bool write_floating(const number *from, size_t width, void *to)
{
    double broad = kin__file_number_as_double(from);
    float narrow = (float)broad;
    double most = 9007199254740992.0; // all integers up to here are exact
    if (width == sizeof narrow)
        most = 16777216.0;
    bool is_exact = broad <= most && broad >= -most;
    if (!from->is_floating && !is_exact)
        return false;
    if (width == sizeof broad) {
        memcpy(to, &broad, sizeof broad);
        return true;
    }
    bool fits = (double)narrow == broad || broad != broad;
    if (fits)
        memcpy(to, &narrow, sizeof narrow);
    return fits;
}

static bool write_integer(const number *from, bool to_unsigned, size_t width, void *to)
{
    KIN_ASSERT(!from->is_large || from->integer < 0);
    size_t bits = 8 * width;
    if (!to_unsigned)
        bits--;
    int64_t most = INT64_MAX;
    if (width < 8)
        most = ((int64_t)1 << bits) - 1;
    int64_t least = 0;
    if (!to_unsigned)
        least = -most - 1;
    bool fits = from->integer >= least && from->integer <= most;
    if (from->is_large)
        fits = to_unsigned && width == 8;
    if (fits)
        write_bits((uint64_t)from->integer, width, to);
    return fits;
}

static bool is_flag(int64_t number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

// A number of flags, each of which is a value, has the flags of now; those that are given up are left out. Any other
// number without a name stays.
static kin__conversion combine_flags(const kin__file_leaf *leaf, number *number)
{
    int64_t rest = number->integer;
    int64_t now = 0;
    bool is_lost = false;
    bool is_kept = rest <= 0;
    for (uint32_t i = 0; i < leaf->value_count && !is_kept; i++) {
        const kin__file_value *value = &leaf->values[i];
        if (!is_flag(value->number) || (rest & value->number) == 0)
            continue;
        rest &= ~value->number;
        if (value->is_known) {
            is_kept = !is_flag(value->now);
            now |= value->now;
        } else if (!value->is_given_up) {
            is_lost = true;
        }
    }
    if (is_kept || rest != 0)
        return KIN__CONVERTED;
    number->integer = now;
    if (is_lost)
        return KIN__UNFIT;
    return KIN__CONVERTED;
}

static kin__conversion name_enum(const kin__file_leaf *leaf, number *number)
{
    const kin__file_value *value = leaf->values;
    const kin__file_value *end = leaf->values + leaf->value_count;
    while (value < end && value->number != number->integer)
        value++;
    if (value == end)
        return combine_flags(leaf, number);
    number->integer = value->now;
    if (value->is_known)
        return KIN__CONVERTED;
    if (value->is_given_up)
        return KIN__GIVEN_UP;
    return KIN__UNFIT;
}

static bool is_value(const kin_type_info *type, const number *number)
{
    for (uint32_t i = 0; i < type->value_count; i++)
        if (!number->is_large && type->values[i].value == number->integer)
            return true;
    return false;
}

kin__conversion kin__convert(const kin__file_leaf *leaf, const unsigned char *from, void *to)
{
    const kin_field_info *field = leaf->now->field;
    size_t width = kin__file_width(leaf->type);
    uint64_t bits = read_bits(from, width);
    number number = read_number(leaf->type, bits, width);
    if (!kin__leaf_allows(leaf->type, bits))
        return KIN__WRONG;
    if (leaf->type == field->type && leaf->type != KIN_TYPE_ENUM) {
        write_bits(bits, width, to);
        return KIN__CONVERTED;
    }
    bool fits;
    if (leaf->type == KIN_TYPE_ENUM && field->type == KIN_TYPE_ENUM) {
        kin__conversion named = name_enum(leaf, &number);
        if (named != KIN__CONVERTED)
            return named;
    } else if (field->type == KIN_TYPE_ENUM && !is_value(field->of, &number)) {
        return KIN__UNFIT;
    }
    if (field->type == KIN_TYPE_FLOAT || field->type == KIN_TYPE_DOUBLE)
        fits = write_floating(&number, leaf->now->width, to);
    else
        fits = write_integer(&number, is_unsigned(field->type), leaf->now->width, to);
    if (!fits)
        return KIN__UNFIT;
    return KIN__CONVERTED;
}
