// Parts: a context at one moment. A snapshot of a context has one part, that of a world one for each context.
//
// A part has an image of each block (image.h), and what a context has besides blocks, as it was. It belongs to its
// context, whose memory it uses; when the context ends, its snapshots let go of it.
#ifndef KIN_SRC_PART_H
#define KIN_SRC_PART_H

#include "image/image.h"

enum { KIN__NO_POOL = UINT32_MAX };

// One entry of the owners of a context (retain.c): the owner retains the entity.
typedef struct kin__part_owner {
    kin_entity entity;
    const void *owner;
    const char *name;
} kin__part_owner;

typedef struct kin__context_snapshot {
    kin_context *context; // whose memory it is
    const kin_context_info *info;
    struct kin__context_snapshot **home; // where the snapshot has it; set to NULL when the context ends
    struct kin__context_snapshot *next, *previous; // in the store: parts in use, or spare ones

    uint32_t chunk_count;    // of the chunks that belonged to pools or had pending slots
    kin__array images;       // of kin__image *: by chunk, then by number
    kin__array has;          // of uint64_t: by chunk, one bit for each number that has an image
    kin__array chunk_pools;  // of uint32_t: the pool of each chunk, see kin__part_pool; KIN__NO_POOL: none
    kin__pool *pools;        // of entities without a blueprint, then by blueprint

    uint64_t next_creation_index, first_creation_index;
    uint64_t created_before, deaths;
    uint32_t assigned_chunks;
    uint32_t pending; // slots of dead entities that are held
    bool is_foreign;  // has values that are not those of its context: made by a reader

    kin__array owners; // of kin__part_owner
    uint32_t owner_count;
    kin__array counted; // with fast_retain, of uint32_t: by chunk and place, how often retain has counted it
} kin__context_snapshot;

static inline uint32_t kin__part_words(const kin_context_info *info)
{
    return (kin__image_numbers(info) + 63) / 64;
}

// Returns an image of a chunk; NULL: the block did not exist, or had nothing.
static inline kin__image *kin__part_image(const kin__context_snapshot *part, uint32_t chunk, uint32_t number)
{
    if (chunk >= part->chunk_count)
        return NULL;
    const uint64_t *has = (const uint64_t *)part->has.elements + (size_t)chunk * kin__part_words(part->info);
    if ((has[number / 64] >> (number % 64) & 1) == 0)
        return NULL;
    return ((kin__image *const *)part->images.elements)[(size_t)chunk * kin__image_numbers(part->info) + number];
}

// Returns the number of the pool that had a chunk: 0 for that of entities without a blueprint, else one more than the
// number of the blueprint; KIN__NO_POOL.
static inline uint32_t kin__part_pool(const kin__context_snapshot *part, uint32_t chunk)
{
    return ((const uint32_t *)part->chunk_pools.elements)[chunk];
}

// Returns how many pools the context has.
static inline uint32_t kin__part_pool_count(const kin_context_info *info)
{
    return info->blueprint_count + 1;
}

// Returns how many entities are alive.
uint32_t kin__part_count(const kin__context_snapshot *part);

#endif
