#include "capture/number.h"

#include <string.h>

kin__scalar_kind kin__scalar_kind_of(kin_type type)
{
    switch (type) {
    case KIN_TYPE_BOOL:
        return KIN__SCALAR_BOOL;
    case KIN_TYPE_FLOAT:
    case KIN_TYPE_DOUBLE:
        return KIN__SCALAR_REAL;
    case KIN_TYPE_STRING:
    case KIN_TYPE_INLINE_STRING:
        return KIN__SCALAR_TEXT;
    case KIN_TYPE_ENTITY:
        return KIN__SCALAR_ENTITY;
    case KIN_TYPE_ENUM:
        return KIN__SCALAR_ENUM;
    case KIN_TYPE_STRUCT:
    case KIN_TYPE_OPAQUE:
        return KIN__SCALAR_NONE;
    default:
        return type >= KIN_TYPE_UINT8 && type <= KIN_TYPE_UINT64 ? KIN__SCALAR_NATURAL : KIN__SCALAR_INTEGER;
    }
}

// Reads an integer of 1, 2, 4 or 8 bytes, with the sign if it has one.
static uint64_t read_integer(const void *at, size_t size, bool is_signed)
{
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    uint64_t value = 0;
    switch (size) {
    case 1:
        memcpy(&byte, at, 1);
        return is_signed ? (uint64_t)(int64_t)(int8_t)byte : byte;
    case 2:
        memcpy(&half, at, 2);
        return is_signed ? (uint64_t)(int64_t)(int16_t)half : half;
    case 4:
        memcpy(&word, at, 4);
        return is_signed ? (uint64_t)(int64_t)(int32_t)word : word;
    default:
        memcpy(&value, at, sizeof value);
        return value;
    }
}

static double read_real(const void *at, size_t size)
{
    float number;
    double value;
    if (size == sizeof number) {
        memcpy(&number, at, sizeof number);
        return (double)number;
    }
    memcpy(&value, at, sizeof value);
    return value;
}

kin__scalar kin__scalar_read(const kin_field_info *field, const void *at)
{
    kin__scalar scalar = {.kind = kin__scalar_kind_of(field->type)};
    size_t size = kin__element_size(field);
    switch (scalar.kind) {
    case KIN__SCALAR_NONE:
        break;
    case KIN__SCALAR_BOOL:
        scalar.as.boolean = *(const unsigned char *)at != 0;
        break;
    case KIN__SCALAR_REAL:
        scalar.as.real = read_real(at, size);
        break;
    case KIN__SCALAR_TEXT:
        if (field->type == KIN_TYPE_STRING)
            memcpy(&scalar.as.text, at, sizeof scalar.as.text);
        else
            scalar.as.text = at;
        break;
    default:
        scalar.as.natural =
            read_integer(at, size, scalar.kind == KIN__SCALAR_INTEGER || scalar.kind == KIN__SCALAR_ENUM);
    }
    return scalar;
}

void kin__scalar_write(const kin_field_info *field, void *at, uint64_t bits)
{
    uint8_t byte = (uint8_t)bits;
    uint16_t half = (uint16_t)bits;
    uint32_t word = (uint32_t)bits;
    switch (kin__element_size(field)) {
    case 1:
        memcpy(at, &byte, 1);
        break;
    case 2:
        memcpy(at, &half, 2);
        break;
    case 4:
        memcpy(at, &word, 4);
        break;
    default:
        memcpy(at, &bits, sizeof bits);
    }
}
