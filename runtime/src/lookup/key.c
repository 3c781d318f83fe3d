#include "lookup/lookup.h"

#include <string.h>

// Recursion is at most 32 deep: the generator limits how structs nest.
static uint32_t count_leaves(const kin_field_info *field)
{
    uint32_t count = field->type != KIN_TYPE_STRUCT;
    for (uint32_t i = 0; field->type == KIN_TYPE_STRUCT && i < field->of->field_count; i++)
        count += count_leaves(&field->of->fields[i]);
    return count;
}

uint32_t kin__key_count_leaves(const kin_index_info *info)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->key_count; i++)
        count += count_leaves(info->key[i].field);
    return info->function == NULL ? count : count_leaves(info->key_type);
}

static kin__leaf_kind kind_of(kin_type type)
{
    switch (type) {
    case KIN_TYPE_FLOAT:
        return KIN__LEAF_FLOAT;
    case KIN_TYPE_DOUBLE:
        return KIN__LEAF_DOUBLE;
    case KIN_TYPE_INLINE_STRING:
        return KIN__LEAF_TEXT;
    case KIN_TYPE_STRING:
        return KIN__LEAF_STRING;
    default:
        return KIN__LEAF_BYTES;
    }
}

static kin__leaf *list_leaves(const kin_field_info *field, kin__leaf from, kin__leaf *leaves)
{
    from.offset += field->offset;
    if (field->type == KIN_TYPE_STRUCT) {
        for (uint32_t i = 0; i < field->of->field_count; i++)
            leaves = list_leaves(&field->of->fields[i], from, leaves);
        return leaves;
    }
    *leaves = from;
    leaves->kind = kind_of(field->type);
    leaves->type = (uint8_t)field->type;
    leaves->size = field->type == KIN_TYPE_STRING ? KIN__WORD_SIZE : field->size;
    return leaves + 1;
}

void kin__key_list_leaves(const kin_index_info *info, kin__leaf *leaves)
{
    const kin__leaf *first = leaves;
    for (uint32_t i = 0; i < info->key_count; i++) {
        kin__leaf from = {.component = info->key[i].component, .is_descending = info->key[i].is_descending};
        leaves = list_leaves(info->key[i].field, from, leaves);
    }
    if (info->function != NULL)
        leaves = list_leaves(info->key_type, (kin__leaf){0}, leaves);
    KIN_ASSERT(leaves == first + kin__key_count_leaves(info));
    (void)first; // unused in a release build
}

static void append(kin__key *key, const kin__leaf *leaf, const void *value)
{
    float float_value;
    double double_value;
    const char *string;
    switch (leaf->kind) {
    case KIN__LEAF_BYTES:
        kin__key_append(key, value, leaf->size);
        break;
    case KIN__LEAF_FLOAT:
        memcpy(&float_value, value, sizeof float_value);
        kin__key_append_float(key, float_value);
        break;
    case KIN__LEAF_DOUBLE:
        memcpy(&double_value, value, sizeof double_value);
        kin__key_append_double(key, double_value);
        break;
    case KIN__LEAF_TEXT:
        kin__key_append_array(key, value, leaf->size);
        break;
    case KIN__LEAF_STRING:
        memcpy(&string, value, sizeof string);
        kin__key_append_string(key, string);
        break;
    }
}

// Returns the leaf of the new value of its component, if there is one; else of the value in the slot.
static const void *key_part(const kin_context *context, uint32_t slot, const kin__leaf *leaf,
                            kin__new_values new_values)
{
    KIN_ASSERT(leaf->offset < kin__value_size(context, leaf->component));
    for (uint32_t i = 0; i < new_values.item_count; i++)
        if (new_values.items[i].id == leaf->component)
            return (const char *)new_values.items[i].value + leaf->offset;
    if (new_values.value != NULL && new_values.id == leaf->component)
        return (const char *)new_values.value + leaf->offset;
    KIN_ASSERT(slot / KIN__CHUNK_SLOTS < context->chunk_count);
    return kin__value_part(context, slot, leaf->component, leaf->offset);
}

kin__key kin__key_read(const kin_context *context, uint32_t slot, const kin__index *index, kin__new_values new_values,
                       unsigned char *bytes)
{
    kin__key key = kin__key_begin(bytes);
    for (uint32_t i = 0; i < index->leaf_count; i++) {
        const kin__leaf *leaf = &index->leaves[i];
        append(&key, leaf, key_part(context, slot, leaf, new_values));
    }
    KIN_ASSERT(key.size == index->key_size); // invariant 1
    return key;
}

void kin__key_of_value(const kin__index *index, const void *value, unsigned char *bytes)
{
    kin__key key = kin__key_begin(bytes);
    for (uint32_t i = 0; i < index->leaf_count; i++)
        append(&key, &index->leaves[i], (const char *)value + index->leaves[i].offset);
    KIN_ASSERT(key.size == index->key_size && !key.is_none);
}

void kin__key_to_value(const kin__index *index, const unsigned char *bytes, void *value)
{
    for (uint32_t i = 0; i < index->leaf_count; bytes += index->leaves[i++].size)
        memcpy((char *)value + index->leaves[i].offset, bytes, index->leaves[i].size);
}

// Hashes the bytes of a key, 16 at a time, like wyhash (Wang Yi, 2019), with the context's factors as the secret.
//
// A step multiplies two words of the key, each combined with a secret, and folds the 128 bits of the product. A word
// that equals its secret makes the product 0, so that the other word has no effect. Without the factors the chance of
// this is 2^-64 for each word, so an attacker cannot choose such keys. The size is multiplied by a factor, since the
// last two words overlap the ones before.

static uint64_t read_eight(const unsigned char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

// Reads fewer than eight bytes as a word.
static uint64_t read_few(const unsigned char *at, size_t size)
{
    if (size >= sizeof(uint32_t)) {
        uint32_t first, last;
        memcpy(&first, at, sizeof first);
        memcpy(&last, at + size - sizeof last, sizeof last);
        return (uint64_t)last << 32 | first;
    }
    return size == 0 ? 0 : (uint64_t)at[0] << 16 | (uint64_t)at[size / 2] << 8 | at[size - 1];
}

uint64_t kin__key_hash(const uint64_t *factors, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    const unsigned char *end = at + size;
    uint64_t state = factors[1] + size * factors[0];
    if (size < sizeof state)
        return kin__fold(read_few(at, size) ^ factors[0], state);
    if (size <= 2 * sizeof state)
        return kin__fold(read_eight(at) ^ factors[0], read_eight(end - 8) ^ state);
    for (; end - at > 16; at += 16)
        state = kin__fold(read_eight(at) ^ factors[0], read_eight(at + 8) ^ state);
    return kin__fold(read_eight(end - 16) ^ factors[0], read_eight(end - 8) ^ state);
}

// Keys: their words, comparisons and copies. A key without strings is compared as bytes; one with strings leaf by leaf,
// since it has pointers.

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

// Ordered keys: bytes from the highest of the first word on.

typedef struct order_writer {
    uint64_t *words;
    uint32_t size; // bytes so far
} order_writer;

// Returns the bytes of a leaf in an ordered key.
static uint32_t ordered_size(const kin__leaf *leaf)
{
    if (leaf->kind == KIN__LEAF_STRING)
        return KIN__ORDERED_STRING;
    if (leaf->kind == KIN__LEAF_TEXT)
        return (uint32_t)kin__min_size(leaf->size, KIN__ORDERED_STRING);
    return leaf->type == KIN_TYPE_ENTITY ? sizeof(uint32_t) : (uint32_t)leaf->size;
}

uint32_t kin__key_count_words(const kin__index *index)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < index->leaf_count; i++)
        size += ordered_size(&index->leaves[i]);
    return (size + KIN__WORD_SIZE - 1) / KIN__WORD_SIZE;
}

// Appends the lower `size` bytes of a value. The words are 0 where nothing was written.
static inline void put(order_writer *writer, uint64_t value, uint32_t size, bool is_descending)
{
    uint64_t bits = (is_descending ? ~value : value) << (KIN__WORD_SIZE - size) * 8; // at the top of a word
    uint32_t used = writer->size % KIN__WORD_SIZE;
    uint64_t *word = writer->words + writer->size / KIN__WORD_SIZE;
    word[0] |= bits >> used * 8;
    if (used + size > KIN__WORD_SIZE)
        word[1] |= bits << (KIN__WORD_SIZE - used) * 8;
    writer->size += size;
}

// Appends the first bytes of a string, filled up with zeros, and whether there are more.
static void put_string(order_writer *writer, const char *string, size_t longest, const kin__leaf *leaf)
{
    uint32_t size = ordered_size(leaf);
    uint32_t length = 0;
    while (string != NULL && length < longest && length < size - 1 && string[length] != '\0')
        length++;
    for (uint32_t i = 0; i < size - 1; i++)
        put(writer, i < length ? (unsigned char)string[i] : 0, 1, leaf->is_descending);
    bool has_more = string != NULL && length == size - 1 && length < longest && string[length] != '\0';
    put(writer, has_more, 1, leaf->is_descending);
}

static uint64_t bits_of_float(const void *value)
{
    float number;
    uint32_t bits;
    memcpy(&number, value, sizeof number);
    if (number != number)
        return UINT32_MAX;
    number = number == 0 ? 0 : number;
    memcpy(&bits, &number, sizeof bits);
    return bits >> 31 != 0 ? (uint32_t)~bits : bits | UINT32_C(1) << 31;
}

static uint64_t bits_of_double(const void *value)
{
    double number;
    uint64_t bits;
    memcpy(&number, value, sizeof number);
    if (number != number)
        return UINT64_MAX;
    number = number == 0 ? 0 : number;
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

static uint64_t bits_of_unsigned(const void *value, size_t size)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (size) {
    case sizeof one:
        memcpy(&one, value, sizeof one);
        return one;
    case sizeof two:
        memcpy(&two, value, sizeof two);
        return two;
    case sizeof four:
        memcpy(&four, value, sizeof four);
        return four;
    default:
        KIN_ASSERT(size == sizeof eight);
        memcpy(&eight, value, sizeof eight);
        return eight;
    }
}

// Returns the value of a leaf that is no string, so that the lower bytes of two compare as the values do.
static uint64_t ordered_bits(const kin__leaf *leaf, const void *value)
{
    switch ((kin_type)leaf->type) {
    case KIN_TYPE_FLOAT:
        return bits_of_float(value);
    case KIN_TYPE_DOUBLE:
        return bits_of_double(value);
    case KIN_TYPE_INT8:
    case KIN_TYPE_INT16:
    case KIN_TYPE_INT32:
    case KIN_TYPE_INT64:
    case KIN_TYPE_ENUM:
        return bits_of_unsigned(value, leaf->size) ^ UINT64_C(1) << (leaf->size * 8 - 1);
    case KIN_TYPE_ENTITY: {
        kin_entity entity = bits_of_unsigned(value, leaf->size);
        return entity == 0 ? 0 : kin_entity_slot(entity) + UINT64_C(1);
    }
    default:
        return bits_of_unsigned(value, leaf->size);
    }
}

static void put_leaf(order_writer *writer, const kin__leaf *leaf, const void *value)
{
    if (leaf->kind == KIN__LEAF_STRING)
        put_string(writer, string_at(value), SIZE_MAX, leaf);
    else if (leaf->kind == KIN__LEAF_TEXT)
        put_string(writer, value, leaf->size, leaf);
    else
        put(writer, ordered_bits(leaf, value), ordered_size(leaf), leaf->is_descending);
}

// Whether the key is one field that is no string; and the word of that, which is all of the key.
static bool is_one_number(const kin__index *index)
{
    return index->leaf_count == 1 && index->leaves->kind != KIN__LEAF_STRING && index->leaves->kind != KIN__LEAF_TEXT;
}

static uint64_t word_of_number(const kin__leaf *leaf, const void *value)
{
    uint64_t bits = ordered_bits(leaf, value);
    return (leaf->is_descending ? ~bits : bits) << (KIN__WORD_SIZE - ordered_size(leaf)) * 8;
}

static order_writer begin_order(const kin__index *index, uint64_t *words)
{
    memset(words, 0, index->key_size);
    return (order_writer){.words = words};
}

void kin__key_order(const kin_context *context, uint32_t slot, const kin__index *index, kin__new_values new_values,
                    uint64_t *words)
{
    const kin__leaf *leaf = index->leaves;
    if (is_one_number(index)) {
        words[0] = word_of_number(leaf, key_part(context, slot, leaf, new_values));
        return;
    }
    order_writer writer = begin_order(index, words);
    for (uint32_t i = 0; i < index->leaf_count; i++)
        put_leaf(&writer, &leaf[i], key_part(context, slot, &leaf[i], new_values));
}

void kin__key_order_parts(const kin__index *index, const void *const *parts, uint64_t *words)
{
    const kin__leaf *leaf = index->leaves;
    if (is_one_number(index)) {
        words[0] = word_of_number(leaf, (const char *)parts[0] + (leaf->offset - index->info->key[0].field->offset));
        return;
    }
    order_writer writer = begin_order(index, words);
    for (uint32_t i = 0; i < index->info->key_count; i++) {
        const kin_field_info *field = index->info->key[i].field;
        const kin__leaf *end = leaf + count_leaves(field);
        if (field->type == KIN_TYPE_INLINE_STRING)
            put_string(&writer, string_at(parts[i]), SIZE_MAX, leaf++);
        for (; leaf < end; leaf++)
            put_leaf(&writer, leaf, (const char *)parts[i] + (leaf->offset - field->offset));
    }
}

// Keys as text, for messages and tools: `"bob"`, `(3, -1)`. Shortened to the size of the buffer.

// Returns where to cut a text that is longer than `size`: not within a character of several bytes.
static size_t cut_at(const char *text, size_t size)
{
    size_t shorter = size;
    while (shorter > 0 && size - shorter < 3 && ((unsigned char)text[shorter] & 0xC0) == 0x80)
        shorter--;
    return shorter;
}

// Ends a text that did not fit with three dots.
static void shorten(const kin__writer *writer, char *text, size_t size)
{
    if (writer->length + 1 >= size && size > 4)
        memcpy(text + cut_at(text, size - 4), "...", 4);
}

void kin__key_describe(const kin_context *context, uint32_t slot, const kin_index_info *info,
                       kin__new_values new_values, char *text, size_t size)
{
    kin__writer writer = kin__writer_begin(text, size);
    writer.is_key = true;
    kin__writer_append(&writer, info->key_count > 1 ? "(" : "");
    for (uint32_t i = 0; i < info->key_count; i++) {
        const kin_key_info *part = &info->key[i];
        kin__leaf first = {.component = part->component, .offset = part->field->offset};
        kin__writer_append(&writer, i == 0 ? "" : ", ");
        kin__value_describe(&writer, part->field, key_part(context, slot, &first, new_values));
    }
    kin__writer_append(&writer, info->key_count > 1 ? ")" : "");
    shorten(&writer, text, size);
}

void kin__key_describe_value(const kin_index_info *info, const void *value, char *text, size_t size)
{
    kin__writer writer = kin__writer_begin(text, size);
    kin__value_describe(&writer, info->key_type, value);
    shorten(&writer, text, size);
}
