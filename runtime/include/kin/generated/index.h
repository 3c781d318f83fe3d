/// Index lookup, for generated code only. Changes with the interface version.
///
/// A key is a sequence of bytes, field by field without padding: numbers as they are (-0 as 0), strings of limited
/// length padded with zeros, structs member by member. Equal keys have equal bytes, with one exception: strings of any
/// length are stored as pointers and compared by content. A key that no entity can have (NaN, a NULL string, a string
/// that is too long) is marked `is_none`.
///
///   table   [ . word,value . . word,value … ]    open addressing, at most half full; an entry with value 0 is free
///
/// The word of a key of at most 8 bytes without pointers is the key itself, otherwise it is a hash of the key. In a
/// primary index the value is the entity.
///
/// Hashes and entry positions depend on two odd factors, which are derived from the context's hash_seed. For any two
/// words chosen without knowledge of the factors, the probability of the same position among n is at most 2/n + 2^-31.
/// No result depends on the factors.
#ifndef KIN_INTERNAL_INDEX_H
#define KIN_INTERNAL_INDEX_H

#include <kin/generated/storage.h>

#include <string.h>

KIN_BEGIN_DECLARATIONS

enum { KIN__WORD_SIZE = 8 }; // bytes of the longest key that is its own word

typedef struct kin__entry {
    uint64_t word, value;
} kin__entry;

struct kin__table {
    kin__entry *entries;
    uint32_t mask; // number of entries minus one; the number is a power of two
    uint32_t shift;
    uint32_t count;
    uint64_t factors[2]; // the factors of the context
};

typedef struct kin__key {
    unsigned char *bytes;
    size_t size;
    bool is_none;
    bool is_null; // is_none because of a string that is NULL
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

// Appends `size` characters, padded with zeros to `capacity` bytes.
static inline void kin__key_append_letters(kin__key *key, const char *text, size_t size, size_t capacity)
{
    memcpy(key->bytes + key->size, text, size);
    memset(key->bytes + key->size + size, 0, capacity - size);
    key->size += capacity;
}

// Appends a NUL-terminated string, padded to `capacity` bytes. The key is none for NULL and for a longer string.
static inline void kin__key_append_text(kin__key *key, const char *text, size_t capacity)
{
    size_t size = text != NULL ? strlen(text) : capacity;
    if (size < capacity)
        kin__key_append_letters(key, text, size, capacity);
    else
        key->is_none = true;
}

// Appends the string in an array of `capacity` bytes.
static inline void kin__key_append_array(kin__key *key, const char *text, size_t capacity)
{
    const char *end = (const char *)memchr(text, 0, capacity);
    kin__key_append_letters(key, text, end != NULL ? (size_t)(end - text) : capacity, capacity);
}

// Appends a string of any length. The string is not copied.
static inline void kin__key_append_string(kin__key *key, const char *string)
{
    memcpy(key->bytes + key->size, &string, sizeof string);
    key->size += KIN__WORD_SIZE;
    key->is_null = key->is_null || string == NULL;
    key->is_none = key->is_none || string == NULL;
}

// Hashes a word so that the upper bits of the result are evenly distributed. The sum maps two words to the same value
// with a probability of at most 2^-31; for two sums, the upper n bits of the products are equal with 2/2^n. The shift
// in between breaks up arithmetic progressions, which would otherwise fill a contiguous part of a table.
static inline uint64_t kin__mix(const uint64_t *factors, uint64_t word)
{
    word = word * factors[0] + (word << 32 | word >> 32);
    return (word ^ word >> 29) * factors[1];
}

static inline uint32_t kin__table_place(const kin__table *table, uint64_t word)
{
    return (uint32_t)(kin__mix(table->factors, word) >> table->shift);
}

// Look up a key of more than 8 bytes, and any key of a multi index. `number` is the number of the index in the context.
KIN_API kin_entity kin__index_find_bytes(const kin_context *context, uint32_t number, const unsigned char *bytes);
KIN_API const kin_entity *kin__index_entities(kin_context *context, uint32_t number, const kin__key *key,
                                              uint32_t *count);

// Copies up to `capacity` entities of a key of a multi index, in order of ascending slot. Returns how many there are.
KIN_API uint32_t kin__index_copy(const kin_context *context, uint32_t number, const kin__key *key, kin_entity *entities,
                                 uint32_t capacity);

// Looks up a key of a primary index whose keys a function gives. Returns 0 if there is none.
KIN_API kin_entity kin__index_find_given(const kin_context *context, uint32_t number, const kin__key *key);

// Looks up a key that is a single string, padded to `capacity` bytes, which are more than 8.
KIN_API kin_entity kin__index_find_text(const kin_context *context, uint32_t number, const char *text, size_t capacity);

// Looks up a key that is a single string of any length.
KIN_API kin_entity kin__index_find_string(const kin_context *context, uint32_t number, const char *string);

// Returns the value of the entry with the word, or 0. A free entry has value 0; its word may be anything.
static inline uint64_t kin__table_find(const kin__table *table, uint64_t word)
{
    uint32_t place = kin__table_place(table, word);
    while (table->entries[place].word != word && table->entries[place].value != 0)
        place = (place + 1) & table->mask;
    return table->entries[place].value;
}

// Returns the entity that has the key in a primary index, or 0.
static inline kin_entity kin__index_find(const kin_context *context, uint32_t number, const kin__key *key)
{
    if (key->is_none)
        return 0;
    if (key->size > KIN__WORD_SIZE)
        return kin__index_find_bytes(context, number, key->bytes);
    uint64_t word = 0;
    memcpy(&word, key->bytes, key->size);
    return kin__table_find(&context->tables[number], word);
}

// Returns the entity that a look-up found, or 0 if it has the flag `off` of its context.
static inline kin_entity kin__switched_on(const kin_context *context, kin_component_id off, uint32_t row_words,
                                          kin_entity found)
{
    return kin__has(context, found, off, row_words) ? 0 : found;
}

KIN_END_DECLARATIONS

#endif
