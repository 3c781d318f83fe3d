#include "storage/private/shared_parts.h"
#include "base/base.h"

#include <string.h>

// ---- listing

typedef struct part_list {
    kin__shared_part *parts; // NULL: parts are only counted
    uint32_t count;
    kin__shared_part last;
} part_list;

static void append(part_list *list, kin__shared_part part)
{
    bool follows = list->count > 0 && list->last.kind == KIN__SHARED_BYTES && part.kind == KIN__SHARED_BYTES &&
                   list->last.offset + list->last.size == part.offset;
    if (follows)
        list->last.size += part.size;
    else {
        list->last = part;
        list->count++;
    }
    if (list->parts != NULL)
        list->parts[list->count - 1] = list->last;
}

static kin__shared_part_kind kind_of(kin_type type)
{
    KIN_ASSERT(type != KIN_TYPE_STRUCT);
    if (type == KIN_TYPE_STRING)
        return KIN__SHARED_STRING;
    return type == KIN_TYPE_INLINE_STRING ? KIN__SHARED_TEXT : KIN__SHARED_BYTES;
}

// Recursion is at most 32 deep: the generator limits how structs nest.
static void append_field(part_list *list, const kin_field_info *field, size_t offset)
{
    uint32_t count = field->count == 0 ? 1 : field->count;
    size_t size = field->size / count;
    KIN_ASSERT(!field->is_list);
    for (uint32_t i = 0; i < count; i++) {
        size_t at = offset + field->offset + i * size;
        for (uint32_t k = 0; field->type == KIN_TYPE_STRUCT && k < field->of->field_count; k++)
            append_field(list, &field->of->fields[k], at);
        if (field->type != KIN_TYPE_STRUCT)
            append(list, (kin__shared_part){kind_of(field->type), (uint32_t)at, (uint32_t)size});
    }
}

uint32_t kin__shared_parts_list(const kin_component_info *info, kin__shared_part *parts)
{
    part_list list = {.parts = parts};
    for (uint32_t i = 0; i < info->field_count; i++)
        append_field(&list, &info->fields[i], 0);
    return list.count;
}

// ---- hashing and comparing

static const char *string_at(const void *place)
{
    const char *string;
    memcpy(&string, place, sizeof string);
    return string;
}

// Returns the length of a string of at most `size` bytes, without its NUL.
static size_t text_length(const char *text, size_t size)
{
    const char *end = memchr(text, 0, size);
    return end == NULL ? size : (size_t)(end - text);
}

static uint64_t hash_bytes(const uint64_t *factors, uint64_t state, const char *at, size_t size)
{
    uint64_t word;
    for (; size >= sizeof word; at += sizeof word, size -= sizeof word) {
        memcpy(&word, at, sizeof word);
        state = kin__fold(state ^ word, factors[0]);
    }
    if (size == 0)
        return state;
    word = (uint64_t)size << 56; // fewer than eight bytes follow, so the highest one is free
    memcpy(&word, at, size < 4 ? size : 4);
    for (size_t i = 4; i < size; i++)
        word ^= (uint64_t)(unsigned char)at[i] << 8 * i;
    return kin__fold(state ^ word, factors[0]);
}

// NULL and an empty string have different hashes.
static uint64_t hash_part(const kin__shared_part *part, const uint64_t *factors, uint64_t state, const char *at)
{
    if (part->kind == KIN__SHARED_BYTES)
        return hash_bytes(factors, state, at, part->size);
    const char *string = part->kind == KIN__SHARED_STRING ? string_at(at) : at;
    if (string == NULL)
        return kin__fold(state, factors[1]);
    size_t length = part->kind == KIN__SHARED_STRING ? strlen(string) : text_length(string, part->size);
    return kin__fold(hash_bytes(factors, state, string, length) + length, factors[0]);
}

uint64_t kin__shared_parts_hash(const kin__shared_part *parts, uint32_t count, const uint64_t *factors,
                                const void *value)
{
    uint64_t state = factors[1];
    for (uint32_t i = 0; i < count; i++)
        state = hash_part(&parts[i], factors, state, (const char *)value + parts[i].offset);
    return kin__fold(state, factors[1]);
}

static bool are_strings_equal(const char *string, const char *other)
{
    return string == other || (string != NULL && other != NULL && strcmp(string, other) == 0);
}

bool kin__shared_parts_are_equal(const kin__shared_part *parts, uint32_t count, const void *value, const void *other)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *a = (const char *)value + parts[i].offset, *b = (const char *)other + parts[i].offset;
        bool is_equal = parts[i].kind == KIN__SHARED_BYTES    ? memcmp(a, b, parts[i].size) == 0
                        : parts[i].kind == KIN__SHARED_STRING ? are_strings_equal(string_at(a), string_at(b))
                                                              : strncmp(a, b, parts[i].size) == 0;
        if (!is_equal)
            return false;
    }
    return true;
}
