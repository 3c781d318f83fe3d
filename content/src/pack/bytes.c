#include "pack/pack.h"

#include <string.h>

// ---- appending

static bool reserve(kin__pack_bytes *bytes, size_t size)
{
    if (bytes->is_short || size <= bytes->capacity - bytes->size)
        return !bytes->is_short;
    size_t capacity = kin__max_size(bytes->capacity, 256);
    while (capacity - bytes->size < size && capacity <= SIZE_MAX / 4)
        capacity *= 2;
    unsigned char *grown = NULL;
    if (capacity - bytes->size >= size)
        grown = kin__allocate(bytes->memory, capacity);
    if (grown == NULL) {
        bytes->is_short = true;
        return false;
    }
    if (bytes->size > 0)
        memcpy(grown, bytes->at, bytes->size);
    kin__release(bytes->memory, bytes->at, bytes->capacity);
    bytes->at = grown;
    bytes->capacity = capacity;
    return true;
}

void kin__pack_append(kin__pack_bytes *bytes, const void *from, size_t size)
{
    if (size == 0 || !reserve(bytes, size))
        return;
    memcpy(bytes->at + bytes->size, from, size);
    bytes->size += size;
    KIN_ASSERT(bytes->size <= bytes->capacity);
}

void kin__pack_append_number(kin__pack_bytes *bytes, uint64_t number)
{
    unsigned char varint[10];
    size_t size = 0;
    for (; number >= 128; number >>= 7)
        varint[size++] = (unsigned char)(number | 128);
    varint[size++] = (unsigned char)number;
    kin__pack_append(bytes, varint, size);
}

void kin__pack_append_text(kin__pack_bytes *bytes, const char *text, size_t size)
{
    kin__pack_append_number(bytes, size);
    kin__pack_append(bytes, text, size);
    kin__pack_append(bytes, "", 1);
}

void kin__pack_append_little(kin__pack_bytes *bytes, uint64_t number, size_t width)
{
    unsigned char little[8];
    KIN_ASSERT(width <= sizeof little);
    kin__little_write_64(little, number);
    kin__pack_append(bytes, little, width);
}

void kin__pack_bytes_release(kin__pack_bytes *bytes)
{
    kin__release(bytes->memory, bytes->at, bytes->capacity);
    *bytes = (kin__pack_bytes){.memory = bytes->memory};
}

// ---- values

uint32_t kin__pack_width(kin_type type)
{
    static const unsigned char widths[] = {
        [KIN_TYPE_BOOL] = 1,   [KIN_TYPE_INT8] = 1,   [KIN_TYPE_INT16] = 2,  [KIN_TYPE_INT32] = 4,
        [KIN_TYPE_INT64] = 8,  [KIN_TYPE_UINT8] = 1,  [KIN_TYPE_UINT16] = 2, [KIN_TYPE_UINT32] = 4,
        [KIN_TYPE_UINT64] = 8, [KIN_TYPE_FLOAT] = 4,  [KIN_TYPE_DOUBLE] = 8, [KIN_TYPE_STRING] = 0,
        [KIN_TYPE_ENTITY] = 0, [KIN_TYPE_OPAQUE] = 0,
    };
    KIN_ASSERT(type < sizeof widths);
    return widths[type];
}

uint64_t kin__pack_next_number(kin__pack_cursor *cursor)
{
    uint64_t number = 0;
    for (unsigned shift = 0; cursor->at < cursor->end && shift < 64; shift += 7) {
        uint64_t byte = *cursor->at++;
        bool is_last = byte < 128;
        bool is_too_long = is_last && byte == 0 && shift > 0;
        bool is_too_large = shift == 63 && byte > 1;
        if (is_too_long || is_too_large)
            break;
        number |= (byte & 127) << shift;
        if (is_last)
            return number;
    }
    cursor->is_short = true;
    cursor->at = cursor->end;
    return 0;
}

const char *kin__pack_next_text(kin__pack_cursor *cursor, uint32_t *size)
{
    uint64_t count = kin__pack_next_number(cursor);
    size_t left = (size_t)(cursor->end - cursor->at);
    const unsigned char *text = cursor->at;
    *size = 0;
    if (count >= left || memchr(text, '\0', (size_t)count + 1) != text + count) {
        cursor->is_short = true;
        cursor->at = cursor->end;
        return "";
    }
    cursor->at += count + 1;
    KIN_ASSERT(cursor->at <= cursor->end);
    *size = (uint32_t)count;
    return (const char *)text;
}

uint32_t kin__pack_next_count(kin__pack_cursor *cursor, const kin__pack_leaf *leaf)
{
    KIN_ASSERT(leaf->elements > 0);
    if (!leaf->is_list)
        return leaf->elements;
    uint64_t length = kin__pack_next_number(cursor);
    if (length <= UINT32_MAX / leaf->elements)
        return (uint32_t)length * leaf->elements;
    cursor->is_short = true;
    return 0;
}

static uint64_t next_bits(kin__pack_cursor *cursor, uint32_t width)
{
    unsigned char little[8] = {0};
    KIN_ASSERT(width > 0 && width <= 8);
    if ((size_t)(cursor->end - cursor->at) < width) {
        cursor->is_short = true;
        cursor->at = cursor->end;
        return 0;
    }
    memcpy(little, cursor->at, width);
    cursor->at += width;
    return kin__little_read_64(little);
}

static kin__pack_element next_reference(kin__pack_cursor *cursor)
{
    kin__pack_element element = {.text = NULL};
    uint64_t kind = kin__pack_next_number(cursor);
    uint32_t size;
    if (kind > 2)
        cursor->is_short = true;
    if (kind == 2)
        element.text = kin__pack_next_text(cursor, &element.size);
    if (kind == 1 || kind == 2)
        element.part = kin__pack_next_text(cursor, &size);
    return element;
}

kin__pack_element kin__pack_next_element(kin__pack_cursor *cursor, const kin__pack_leaf *leaf)
{
    kin__pack_element element = {.text = NULL};
    switch (leaf->type) {
    case KIN_TYPE_STRING:
    case KIN_TYPE_INLINE_STRING:
        element.text = kin__pack_next_text(cursor, &element.size);
        break;
    case KIN_TYPE_ENTITY:
        return next_reference(cursor);
    case KIN_TYPE_ENUM:
        element.bits = kin__pack_next_number(cursor);
        if (element.bits >= leaf->name_count)
            cursor->is_short = true;
        break;
    default:
        element.bits = next_bits(cursor, kin__pack_width(leaf->type));
        if (leaf->type == KIN_TYPE_BOOL && element.bits > 1)
            cursor->is_short = true;
    }
    return element;
}

bool kin__pack_skip_value(kin__pack_cursor *cursor, const kin__pack_leaf *leaf)
{
    uint32_t count = kin__pack_next_count(cursor, leaf);
    uint64_t width = kin__pack_width(leaf->type);
    if (width > 0 && leaf->type != KIN_TYPE_BOOL) {
        if (count * width > (size_t)(cursor->end - cursor->at))
            cursor->is_short = true;
        else
            cursor->at += count * width;
        return !cursor->is_short;
    }
    for (uint32_t i = 0; i < count && !cursor->is_short; i++)
        kin__pack_next_element(cursor, leaf);
    return !cursor->is_short;
}
