// Keys: the fields of an entity's components that an index reads, as bytes (kin/generated/index.h).
//
//   key    [ leaf | leaf | leaf ]       a leaf: a field, or a field of a struct in it, that is not a struct itself
//   word   the key itself, if it has at most 8 bytes and no strings; else its hash
//
// The leaves are listed when the context is made, so that reading a key is a walk over a flat list. A change is checked
// before it is made; so the new values are passed beside those of the entity.
//
// A string of any length is a pointer in the key, valid as long as the value that it was read from. So no index keeps
// such a key: it compares with the components of the entity that has the word.
//
// Invariants:
//   1. the sizes of the leaves add up to the size of the key
//   2. a key that is in an index, or is looked up, has no string that is NULL
//
// Cost: reading and comparing are linear in the leaves, hashing in the bytes; only kin__key_copy allocates.
#ifndef KIN_SRC_KEY_H
#define KIN_SRC_KEY_H

#include "index/table.h"
#include "store/store.h"

typedef enum kin__leaf_kind {
    KIN__LEAF_BYTES,
    KIN__LEAF_FLOAT,
    KIN__LEAF_DOUBLE,
    KIN__LEAF_TEXT,
    KIN__LEAF_STRING
} kin__leaf_kind;

typedef struct kin__leaf {
    kin_component_id component;
    kin__leaf_kind kind;
    size_t offset; // in the component's value
    size_t size;   // in the key
} kin__leaf;

typedef struct kin__index kin__index;

typedef struct kin__item {
    kin_component_id id;
    const void *value; // NULL for a flag
} kin__item;

// Values that are about to replace those of an entity's components: one, whose `value` may be NULL for none, and
// others.
typedef struct kin__new_values {
    kin_component_id id;
    const void *value;
    const kin__item *items;
    uint32_t item_count;
} kin__new_values;

// Returns the number of leaves of a key; and writes them. If a function gives the keys, those of the key's type.
uint32_t kin__key_count_leaves(const kin_index_info *info);
void kin__key_list_leaves(const kin_index_info *info, kin__leaf *leaves);

// Returns the leaf of the new value of its component, if there is one; else of the value in the slot.
const void *kin__key_part(const kin_context *context, uint32_t slot, const kin__leaf *leaf, kin__new_values new_values);

// Returns the key of the entity in the slot with the new values, in `bytes`. It is none (is_none) if it has a NaN or a
// string that is NULL.
kin__key kin__key_read(const kin_context *context, uint32_t slot, const kin__index *index, kin__new_values new_values,
                       unsigned char *bytes);

// Writes the key that a function has given as `value`, a value of the key's type; and the value that makes a key.
void kin__key_of_value(const kin__index *index, const void *value, unsigned char *bytes);
void kin__key_to_value(const kin__index *index, const unsigned char *bytes, void *value);

// Returns the word of a key.
uint64_t kin__key_word(const kin_context *context, const kin__index *index, const unsigned char *bytes);

bool kin__keys_are_equal(const kin__index *index, const unsigned char *a, const unsigned char *b);

// Whether the components of the entity in the slot make the key.
bool kin__key_is_of_slot(const kin_context *context, uint32_t slot, const kin__index *index,
                         const unsigned char *bytes);

// Returns a copy of a key, followed by copies of its strings, in one block of `*size` bytes that the caller frees. NULL
// without memory.
unsigned char *kin__key_copy(kin__memory *memory, const kin__index *index, const unsigned char *bytes, size_t *size);

// Returns the hash of a key. The caller leaves out zeros at its end. `factors` are those of the context.
uint64_t kin__key_hash(const uint64_t *factors, const void *bytes, size_t size);

// Writes a key for a message, shortened to `size` bytes: `"bob"`, `(3, -1)`.
void kin__key_describe(const kin_context *context, uint32_t slot, const kin_index_info *info,
                       kin__new_values new_values, char *text, size_t size);

// The same for a value of the key's type that a function has given.
void kin__key_describe_value(const kin_index_info *info, const void *value, char *text, size_t size);

#endif
