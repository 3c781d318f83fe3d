/// Index: how generated code asks an index for what has a key. Not for users; it changes with the interface.
///
/// A key is a row of bytes, field by field without padding: numbers as they are (-0 as 0), texts filled up with zeros,
/// structs member by member. Equal keys are equal bytes, but for those with strings of any length, which stand in the
/// row as pointers and are compared by what these point to. A key that nothing can have (NaN, no text, one that is too
/// long) is none.
///
///   table   [ . word,value . . word,value … ]    open addressing, at most half full; an entry without a value is free
///
/// A word is the key itself when it has at most 8 bytes and no strings, else its hash. A value of a primary index is
/// the entity.
///
/// Hashes and places depend on two odd factors, which are made from the context's hash_seed. For any two words that are
/// chosen without knowing the factors, the chance that they get one place of n is at most 2/n + 2^-31. No answer
/// depends on the factors.
#ifndef KIN_GENERATED_INDEX_H
#define KIN_GENERATED_INDEX_H

#include <kin/generated/storage.h>

#include <string.h>

KIN_BEGIN_DECLARATIONS

enum { KIN__WORD_SIZE = 8 }; // bytes of a key that is its own word

typedef struct kin__entry {
    uint64_t word, value;
} kin__entry;

struct kin__table {
    kin__entry *entries;
    uint32_t mask; // one less than the number of entries, which is a power of two
    uint32_t shift;
    uint32_t count;
    uint64_t factors[2]; // those of the context
};

typedef struct kin__key {
    unsigned char *bytes;
    size_t size;
    bool is_none;
    bool is_null; // it is none for a string that is NULL
} kin__key;

static inline kin__key kin__key_begin(unsigned char *bytes)
{
    kin__key key;
    key.bytes = bytes;
    key.size = 0;
    key.is_none = false;
    key.is_null = false;
    return key;
}

static inline void kin__key_append(kin__key *key, const void *value, size_t size)
{
    memcpy(key->bytes + key->size, value, size);
    key->size += size;
}

static inline void kin__key_append_float(kin__key *key, float value)
{
    if (value == 0)
        value = 0; // not -0
    key->is_none = key->is_none || value != value;
    kin__key_append(key, &value, sizeof value);
}

static inline void kin__key_append_double(kin__key *key, double value)
{
    if (value == 0)
        value = 0; // not -0
    key->is_none = key->is_none || value != value;
    kin__key_append(key, &value, sizeof value);
}

// The `size` letters of a text for which the key has `capacity` bytes.
static inline void kin__key_append_letters(kin__key *key, const char *text, size_t size, size_t capacity)
{
    memcpy(key->bytes + key->size, text, size);
    memset(key->bytes + key->size + size, 0, capacity - size);
    key->size += capacity;
}

// A text that ends in a NUL, of which there is room for `capacity` bytes.
static inline void kin__key_append_text(kin__key *key, const char *text, size_t capacity)
{
    size_t size = text != NULL ? strlen(text) : capacity;
    if (size < capacity)
        kin__key_append_letters(key, text, size, capacity);
    else
        key->is_none = true;
}

// The text in an array of `capacity` bytes.
static inline void kin__key_append_array(kin__key *key, const char *text, size_t capacity)
{
    const char *end = (const char *)memchr(text, 0, capacity);
    kin__key_append_letters(key, text, end != NULL ? (size_t)(end - text) : capacity, capacity);
}

// A string of any length. It is not copied.
static inline void kin__key_append_string(kin__key *key, const char *string)
{
    memcpy(key->bytes + key->size, &string, sizeof string);
    key->size += KIN__WORD_SIZE;
    key->is_null = key->is_null || string == NULL;
    key->is_none = key->is_none || string == NULL;
}

// A word whose upper bits are evenly spread. The sum maps two words to one with a chance of 2^-31 at most; of two sums,
// the upper n bits of the product are the same with 2/2^n. The shift between breaks up arithmetic progressions, which
// would fill a stretch of a table otherwise.
static inline uint64_t kin__mix(const uint64_t *factors, uint64_t word)
{
    word = word * factors[0] + (word << 32 | word >> 32);
    return (word ^ word >> 29) * factors[1];
}

static inline uint32_t kin__table_place(const kin__table *table, uint64_t word)
{
    return (uint32_t)(kin__mix(table->factors, word) >> table->shift);
}

// For keys of more than 8 bytes, and for all keys of a multi index. `number` is that of the index in the context.
KIN_API kin_entity kin__index_find_bytes(const kin_context *context, uint32_t number, const unsigned char *bytes);
KIN_API const kin_entity *kin__index_entities(kin_context *context, uint32_t number, const kin__key *key,
                                              uint32_t *count);

// The same for a key that is one text, for which it has `capacity` bytes, more than 8.
KIN_API kin_entity kin__index_find_text(const kin_context *context, uint32_t number, const char *text, size_t capacity);

// The same for a key that is one string of any length.
KIN_API kin_entity kin__index_find_string(const kin_context *context, uint32_t number, const char *string);

// The entity that has the key in a primary index, 0 when none has. A free entry has no value, whatever its word is.
static inline kin_entity kin__index_find(const kin_context *context, uint32_t number, const kin__key *key)
{
    if (key->is_none)
        return 0;
    if (key->size > KIN__WORD_SIZE)
        return kin__index_find_bytes(context, number, key->bytes);
    uint64_t word = 0;
    memcpy(&word, key->bytes, key->size);
    const kin__table *table = &context->tables[number];
    uint32_t place = kin__table_place(table, word);
    while (table->entries[place].word != word && table->entries[place].value != 0)
        place = (place + 1) & table->mask;
    return table->entries[place].value;
}

KIN_END_DECLARATIONS

#endif
