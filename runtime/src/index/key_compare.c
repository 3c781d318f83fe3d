// Keys: their words, comparisons and copies. A key without strings is compared as bytes; one with strings leaf by leaf,
// since it has pointers.
#include "index/index.h"

#include "base/base.h"

#include <string.h>

// An inline string is filled up with zeros. Those at the end are not hashed, so that finding by a lone text needs no
// copy of it with zeros.
static uint64_t word_of_bytes(const uint64_t *factors, const unsigned char *bytes, size_t size)
{
    uint64_t word = 0;
    if (size <= KIN__WORD_SIZE) {
        memcpy(&word, bytes, size);
        return word;
    }
    while (size > 0 && bytes[size - 1] == 0)
        size--;
    return kin__key_hash(factors, bytes, size);
}

static const char *string_at(const void *place)
{
    const char *string;
    memcpy(&string, place, sizeof string);
    return string;
}

// The word of a string that is the whole key is its hash.
static uint64_t word_of_leaves(const uint64_t *factors, const kin__index *index, const unsigned char *bytes)
{
    uint64_t word = 0;
    for (uint32_t i = 0; i < index->leaf_count; bytes += index->leaves[i++].size) {
        const kin__leaf *leaf = &index->leaves[i];
        const void *part = leaf->kind == KIN__LEAF_STRING ? string_at(bytes) : (const void *)bytes;
        KIN_ASSERT(part != NULL); // invariant 2
        size_t size = leaf->kind == KIN__LEAF_STRING ? strlen(part) : leaf->size;
        word = (word ^ word >> 29) * UINT64_C(0xBF58476D1CE4E5B9) + kin__key_hash(factors, part, size);
    }
    return word;
}

uint64_t kin__key_word(const kin_context *context, const kin__index *index, const unsigned char *bytes)
{
    const uint64_t *factors = context->core->factors;
    KIN_ASSERT((factors[0] & factors[1] & 1) == 1); // odd, from the seed
    return index->has_strings ? word_of_leaves(factors, index, bytes) : word_of_bytes(factors, bytes, index->key_size);
}

// Compares a leaf of a key with that of another key or of a component. Zeros of both signs are equal; the bytes after
// the NUL of a text are ignored.
static bool is_equal(const kin__leaf *leaf, const void *part, const void *value)
{
    float floats[2];
    double doubles[2];
    const char *string;
    switch (leaf->kind) {
    case KIN__LEAF_FLOAT:
        memcpy(&floats[0], part, sizeof *floats);
        memcpy(&floats[1], value, sizeof *floats);
        return floats[0] == floats[1];
    case KIN__LEAF_DOUBLE:
        memcpy(&doubles[0], part, sizeof *doubles);
        memcpy(&doubles[1], value, sizeof *doubles);
        return doubles[0] == doubles[1];
    case KIN__LEAF_TEXT:
        return strncmp(part, value, leaf->size) == 0;
    case KIN__LEAF_STRING:
        KIN_ASSERT(string_at(part) != NULL); // invariant 2
        string = string_at(value);
        return string != NULL && strcmp(string_at(part), string) == 0;
    default:
        return memcmp(part, value, leaf->size) == 0;
    }
}

bool kin__keys_are_equal(const kin__index *index, const unsigned char *a, const unsigned char *b)
{
    if (!index->has_strings)
        return memcmp(a, b, index->key_size) == 0;
    size_t at = 0;
    for (uint32_t i = 0; i < index->leaf_count; at += index->leaves[i++].size)
        if (!is_equal(&index->leaves[i], a + at, b + at))
            return false;
    return true;
}

bool kin__key_is_of_slot(const kin_context *context, uint32_t slot, const kin__index *index, const unsigned char *bytes)
{
    for (uint32_t i = 0; i < index->leaf_count; bytes += index->leaves[i++].size) {
        const kin__leaf *leaf = &index->leaves[i];
        if (!is_equal(leaf, bytes, kin__value_part(context, slot, leaf->component, leaf->offset)))
            return false;
    }
    return true;
}

static size_t strings_size(const kin__index *index, const unsigned char *bytes)
{
    size_t size = 0;
    for (uint32_t i = 0; i < index->leaf_count; bytes += index->leaves[i++].size)
        if (index->leaves[i].kind == KIN__LEAF_STRING)
            size += strlen(string_at(bytes)) + 1;
    return size;
}

unsigned char *kin__key_copy(kin__memory *memory, const kin__index *index, const unsigned char *bytes, size_t *size)
{
    *size = index->key_size + strings_size(index, bytes);
    unsigned char *copy = kin__allocate(memory, *size);
    if (copy == NULL)
        return NULL;
    memcpy(copy, bytes, index->key_size);
    KIN_ASSERT(index->has_strings);
    unsigned char *part = copy;
    char *end = (char *)copy + index->key_size;
    for (uint32_t i = 0; i < index->leaf_count; part += index->leaves[i++].size) {
        if (index->leaves[i].kind != KIN__LEAF_STRING)
            continue;
        const char *string = string_at(part);
        size_t length = strlen(string) + 1;
        memcpy(end, string, length);
        memcpy(part, &end, sizeof end);
        end += length;
    }
    KIN_ASSERT(end == (char *)copy + *size);
    return copy;
}
