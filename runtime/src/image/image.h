// Image: a copy of one block of a context at one moment. An image never changes. Snapshots in which the block was equal
// share one image, which counts its references.
//
//   number                               block            bytes
//   component                            a column         has[8] | values[512] | owned blocks[512]
//   kin__head_number                     a chunk          ids[512] | alive[8] | rows[512 × words]
//   kin__links_number(relation)          its links        kin__relation_block
//
// The layout of a column is that of the context, except that boxed values are copied to their places. The bytes at a
// place without a bit have no meaning. A shared value is stored as its address, as in the column.
//
// The image pins owned blocks instead of copying them: its strings and opaque values are the same memory as the
// context's. Lists may be written in place, so the image has its own copies of their elements, in `extra`.
//
// Invariants:
//   1. an image in the list of spare images has no references, every other image has at least one
//   2. an image with references holds one pin on the owned block or shared value at each of its places
#ifndef KIN_SRC_IMAGE_H
#define KIN_SRC_IMAGE_H

#include "store/store.h"

#include <kin/generated/relation.h>

// Apart from the bytes, so that counting references of many images touches few cache lines.
typedef struct kin__image {
    uint32_t references;
    uint32_t number;
    uint64_t hash; // of the content, cached by room compare; 0: not computed yet
    unsigned char *bytes;
    void *extra;             // the elements of its lists; NULL: none yet
    size_t extra_size;       // bytes allocated there
    struct kin__image *next; // in the list of spare images
    bool is_last;            // the block was equal to it at the last save or restore (store.h)
} kin__image;

static inline uint32_t kin__head_number(const kin_context_info *info)
{
    return info->component_count;
}

static inline uint32_t kin__links_number(const kin_context_info *info, uint32_t relation)
{
    return info->component_count + 1 + relation;
}

// Returns how many block numbers a chunk of the context has.
static inline uint32_t kin__image_numbers(const kin_context_info *info)
{
    return info->component_count + 1 + info->relation_count;
}

// For the image of a column: returns the bits of the places that have a value.
static inline const uint64_t *kin__image_has(const kin__image *image)
{
    return (const uint64_t *)(const void *)image->bytes;
}

// For the image of a head: return the handles, the alive bits and one row.
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

// For the image of links: returns the links.
static inline const kin__relation_block *kin__image_links(const kin__image *image)
{
    return (const kin__relation_block *)(const void *)image->bytes;
}

// For the image of a column: returns the value at a place with a bit, as the struct of the component. A soa value is
// gathered in `scratch`, which must have the component's size. For a flag, returns some address that is not NULL.
const void *kin__image_value(const kin_context_info *info, const kin__image *image, uint32_t place, void *scratch);

// For the image of a column of a soa component: returns the array of one field, for all 512 places.
const void *kin__image_field(const kin_context_info *info, const kin__image *image, uint32_t field);

// For the image of a column of a component that owns memory: returns the owned blocks by place.
kin__owned_block **kin__image_owned_blocks(const kin_context_info *info, const kin__image *image);

// Returns the size of an image in bytes.
size_t kin__image_size(const kin_context_info *info, uint32_t number);

#endif
