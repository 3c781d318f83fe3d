// Keys: what an index reads of an entity's components, as the bytes that kin/index.h describes.
//
// The fields of a key are taken apart into leaves when the context is made, so that reading one is a walk over a flat
// list. A change is looked at before it is made, so the changed component's value is given beside those that stand.
//
// A string of any length is a pointer in the row, good as long as what it was read of. So no index keeps such rows: it
// asks who has a word whether the components of that entity make the key.
#ifndef KIN_SRC_KEY_H
#define KIN_SRC_KEY_H

#include "index/table.h"
#include "storage/value.h"

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
    const void *value; // NULL of a flag
} kin__item;

// A value that is about to stand in place of the component's, or NULL for none; and others that are.
typedef struct kin__news {
    kin_component_id id;
    const void *value;
    const kin__item *items;
    uint32_t item_count;
} kin__news;

// How many leaves a key has, and the leaves.
uint32_t kin__key_count_leaves(const kin_index_info *info);
void kin__key_list_leaves(const kin_index_info *info, kin__leaf *leaves);

// Where the leaf begins in what is in the slot with the news.
const void *kin__key_part(const kin_context *context, uint32_t slot, const kin__leaf *leaf, kin__news news);

// The key of what is in the slot with the news. The key is none when there is NaN or a string that is NULL in it.
kin__key kin__key_read(const kin_context *context, uint32_t slot, const kin__index *index, kin__news news,
                       unsigned char *bytes);

// The word of a key, see kin/index.h.
uint64_t kin__key_word(const kin_context *context, const kin__index *index, const unsigned char *bytes);

bool kin__keys_are_equal(const kin__index *index, const unsigned char *a, const unsigned char *b);

// Whether the components in the slot make the key.
bool kin__key_is_of(const kin_context *context, uint32_t slot, const kin__index *index, const unsigned char *bytes);

// A copy of a key with its strings behind it, in one block of `*size` bytes. NULL without memory.
unsigned char *kin__key_copy(kin__memory *memory, const kin__index *index, const unsigned char *bytes, size_t *size);

// The hash of a longer key whose last byte is not 0: zeros at its end are left out. `factors` are the context's.
uint64_t kin__key_hash(const uint64_t *factors, const void *bytes, size_t size);

// The same key in words, cut off where it is long: `"bob"`, `(3, -1)`.
void kin__key_describe(const kin_context *context, uint32_t slot, const kin_index_info *info, kin__news news,
                       char *text, size_t size);

#endif
