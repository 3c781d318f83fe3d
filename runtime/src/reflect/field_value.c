#include "reflect/field_value.h"

#include "base/base.h"

#include <float.h>
#include <string.h>

// The kinds of values that are read and written in the same way.
typedef enum kind { KIND_BOOL, KIND_SIGNED, KIND_UNSIGNED, KIND_NUMBER, KIND_STRING, KIND_ENTITY, KIND_OTHER } kind;

// Of a number that is no type, which a caller can pass: KIND_OTHER.
static kind kind_of(kin_type type)
{
    static const kind kinds[] = {
        [KIN_TYPE_BOOL] = KIND_BOOL,       [KIN_TYPE_INT8] = KIND_SIGNED,          [KIN_TYPE_INT16] = KIND_SIGNED,
        [KIN_TYPE_INT32] = KIND_SIGNED,    [KIN_TYPE_INT64] = KIND_SIGNED,         [KIN_TYPE_ENUM] = KIND_SIGNED,
        [KIN_TYPE_UINT8] = KIND_UNSIGNED,  [KIN_TYPE_UINT16] = KIND_UNSIGNED,      [KIN_TYPE_UINT32] = KIND_UNSIGNED,
        [KIN_TYPE_UINT64] = KIND_UNSIGNED, [KIN_TYPE_FLOAT] = KIND_NUMBER,         [KIN_TYPE_DOUBLE] = KIND_NUMBER,
        [KIN_TYPE_STRING] = KIND_STRING,   [KIN_TYPE_INLINE_STRING] = KIND_STRING, [KIN_TYPE_ENTITY] = KIND_ENTITY,
        [KIN_TYPE_STRUCT] = KIND_OTHER,    [KIN_TYPE_OPAQUE] = KIND_OTHER,
    };
    return (size_t)type < sizeof kinds / sizeof *kinds ? kinds[type] : KIND_OTHER;
}

// ---- reading

static const char *read_string(kin_type type, const void *bytes)
{
    const char *string = bytes;
    if (type == KIN_TYPE_STRING)
        memcpy(&string, bytes, sizeof string);
    return string;
}

kin_field_value kin__field_value_read(const kin__field_place *place, const void *bytes)
{
    kin_field_value value = {.type = place->field->type};
    switch (kind_of(value.type)) {
    case KIND_BOOL:
        value.as.boolean = *(const bool *)bytes;
        break;
    case KIND_SIGNED:
        value.as.integer = kin__read_signed(bytes, place->size);
        break;
    case KIND_UNSIGNED:
        value.as.natural = kin__read_unsigned(bytes, place->size);
        break;
    case KIND_NUMBER:
        value.as.number = kin__read_floating(bytes, place->size);
        break;
    case KIND_STRING:
        value.as.string = read_string(value.type, bytes);
        break;
    case KIND_ENTITY:
        memcpy(&value.as.entity, bytes, sizeof value.as.entity);
        break;
    case KIND_OTHER:
        break;
    }
    return value;
}

// ---- writing

static const char out_of_range[] = "the number is outside the range of the field's type; pass one in its range";
static const char other_type[] = "the value has another type than the field; pass one of the field's type";

static void write_bits(void *bytes, uint64_t bits, size_t size)
{
    uint8_t one = (uint8_t)bits;
    uint16_t two = (uint16_t)bits;
    uint32_t four = (uint32_t)bits;
    if (size == sizeof one)
        memcpy(bytes, &one, sizeof one);
    else if (size == sizeof two)
        memcpy(bytes, &two, sizeof two);
    else if (size == sizeof four)
        memcpy(bytes, &four, sizeof four);
    else
        memcpy(bytes, &bits, sizeof bits);
}

static bool has_enumerator(const kin_type_info *of, int64_t number)
{
    for (uint32_t i = 0; i < of->value_count; i++)
        if (of->values[i].value == number)
            return true;
    return false;
}

// An integer that may be signed or not, whose sign is known.
static const char *write_integer(const kin__field_place *place, uint64_t bits, bool is_negative, void *bytes)
{
    kin_type type = place->field->type;
    uint64_t most = UINT64_MAX >> (64 - 8 * place->size);
    bool is_signed = kind_of(type) == KIND_SIGNED;
    if (is_negative ? !is_signed || ~bits > most / 2 : bits > (is_signed ? most / 2 : most))
        return out_of_range;
    if (type == KIN_TYPE_ENUM && !has_enumerator(place->field->of, (int64_t)bits))
        return "the enum has no value with this number; pass one of the schema";
    write_bits(bytes, bits, place->size);
    return NULL;
}

static const char *write_number(const kin__field_place *place, double number, void *bytes)
{
    if (place->size == sizeof number) {
        memcpy(bytes, &number, sizeof number);
        return NULL;
    }
    bool is_infinite = number - number != 0; // or NaN
    if (!is_infinite && (number > (double)FLT_MAX || number < -(double)FLT_MAX))
        return out_of_range;
    float narrow = (float)number;
    memcpy(bytes, &narrow, sizeof narrow);
    return NULL;
}

static const char *write_string(const kin__field_place *place, const char *string, void *bytes)
{
    if (place->field->type == KIN_TYPE_STRING) {
        memcpy(bytes, &string, sizeof string);
        return NULL;
    }
    if (string == NULL)
        return "the string is NULL; pass an empty one";
    if (strlen(string) >= place->size)
        return "the string is too long for the field; shorten it";
    strncpy(bytes, string, place->size);
    return NULL;
}

const char *kin__field_value_write(const kin__field_place *place, const kin_field_value *value, void *bytes)
{
    kind given = kind_of(value->type), wanted = kind_of(place->field->type);
    bool is_integer = given == KIND_SIGNED || given == KIND_UNSIGNED;
    if (is_integer && (wanted == KIND_SIGNED || wanted == KIND_UNSIGNED))
        return given == KIND_SIGNED ? write_integer(place, (uint64_t)value->as.integer, value->as.integer < 0, bytes)
                                    : write_integer(place, value->as.natural, false, bytes);
    if (given != wanted || given == KIND_OTHER)
        return other_type;
    if (given == KIND_NUMBER)
        return write_number(place, value->as.number, bytes);
    if (given == KIND_STRING)
        return write_string(place, value->as.string, bytes);
    if (given == KIND_ENTITY)
        memcpy(bytes, &value->as.entity, sizeof value->as.entity);
    else
        memcpy(bytes, &value->as.boolean, sizeof value->as.boolean);
    return NULL;
}
