// Images: a copy of one block of a context as it was at one moment. An image never changes, and moments in which the
// block was equal share it by counting references.
//
//   number                               block            bytes
//   component                            a column         has[8] | values[512] | owned blocks[512]
//   kin__head_number                     a chunk          ids[512] | alive[8] | rows[512 × words]
//   kin__links_number(relation)          its links        kin__relation_block
//
// Columns are as they stand, but boxed values are brought together at their places. What stands at a place without a
// bit is nobody's. A shared value is the address of the value, as in the column.
//
// Owned blocks are pinned by the image and never copied: strings and opaque values in an image are those that the
// context had. Lists may be written in place, so the lists of a value in an image point to copies of their elements,
// which follow in `extra`.
//
// Invariants:
//   1. an image in the list of spare ones has no references, others have at least one
//   2. the owned blocks, or shared values, at the places of an image with references are pinned once for each
#ifndef KIN_SRC_IMAGE_H
#define KIN_SRC_IMAGE_H

#include "core/core.h"

#include <kin/generated/relation.h>

// The counts are apart from the bytes, so that references of many images are counted in few cache lines.
typedef struct kin__image {
    uint32_t references;
    uint32_t number;
    uint64_t hash; // of what the image says; 0: not computed yet. For those who compare
    unsigned char *bytes;
    void *extra;             // the elements of its lists; NULL: none so far
    size_t extra_size;       // bytes allocated there
    struct kin__image *next; // in the list of spare images
    bool is_last;            // its block was equal when it was saved or restored last (store.h)
} kin__image;

static inline uint32_t kin__head_number(const kin_context_info *info)
{
    return info->component_count;
}

static inline uint32_t kin__links_number(const kin_context_info *info, uint32_t relation)
{
    return info->component_count + 1 + relation;
}

// Returns how many numbers a context has.
static inline uint32_t kin__image_numbers(const kin_context_info *info)
{
    return info->component_count + 1 + info->relation_count;
}

// Returns which of the 512 places have a value, of the image of a column.
static inline const uint64_t *kin__image_has(const kin__image *image)
{
    return (const uint64_t *)(const void *)image->bytes;
}

// Return the handles, the alive bits and a row of the image of a chunk.
static inline const kin_entity *kin__image_ids(const kin__image *head)
{
    return (const kin_entity *)(const void *)head->bytes;
}

static inline const uint64_t *kin__image_alive(const kin__image *head)
{
    return (const uint64_t *)(const void *)(head->bytes + offsetof(kin__chunk, alive));
}

static inline const uint64_t *kin__image_row(const kin__image *head, uint32_t row_words, uint32_t place)
{
    return kin__image_alive(head) + KIN__CHUNK_WORDS + (size_t)place * row_words;
}

// Returns the links of a relation.
static inline const kin__relation_block *kin__image_links(const kin__image *image)
{
    return (const kin__relation_block *)(const void *)image->bytes;
}

// Returns the value at a place with a bit, of the image of a column, as the struct of the component; of a soa component
// it is gathered in `scratch`, which has its size. For a flag it is an address that is not NULL.
const void *kin__image_value(const kin_context_info *info, const kin__image *image, uint32_t place, void *scratch);

// Returns the array of one field for all 512 places, of the image of a column of a soa component.
const void *kin__image_field(const kin_context_info *info, const kin__image *image, uint32_t field);

// Returns the owned blocks by place, of the image of a column of a component that owns memory.
kin__owned_block **kin__image_owned_blocks(const kin_context_info *info, const kin__image *image);

// Returns the bytes of an image.
size_t kin__image_size(const kin_context_info *info, uint32_t number);

#endif
