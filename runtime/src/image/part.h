// Parts: a context at one moment. A snapshot of a context has one part, that of a world one for each context.
//
// A part has an image of each block (image.h), and a copy of the state that is not in blocks. It belongs to its context
// and uses the context's memory. When the context ends, it releases its parts, and their snapshots lose them.
#ifndef KIN_SRC_PART_H
#define KIN_SRC_PART_H

#include "image/image.h"

#define KIN__NO_POOL UINT32_MAX

// Where the first use of a shared value is: the slot of the lowest entity that has it; else, with KIN__SHARED_KEPT, the
// lowest slot with it as a last value. KIN__SHARED_FREE: the number is free.
#define KIN__SHARED_KEPT UINT32_C(0x80000000)
#define KIN__SHARED_FREE UINT32_MAX

// A block that grows.
typedef struct kin__bytes {
    void *at;
    size_t size, capacity;
} kin__bytes;

typedef struct kin__context_snapshot {
    kin_context *context; // the owner of its memory
    const kin_context_info *info;
    struct kin__context_snapshot **home;           // the snapshot's pointer to it, set to NULL when the context ends
    kin__memory *shell;                            // of that snapshot, to be separated then; NULL: not counted there
    struct kin__context_snapshot *next, *previous; // in the store's list of used or spare parts

    uint32_t chunk_count;   // later chunks had no entities
    kin__array images;      // of kin__image *: by chunk, then by number
    kin__array has;         // of uint64_t: by chunk, one bit for each number that has an image
    kin__array chunk_pools; // of uint32_t: by chunk, see kin__part_pool
    kin__pool *pools;       // of entities without a blueprint, then by blueprint

    uint64_t next_creation_index, first_creation_index;
    uint64_t created_before, deaths;
    uint32_t assigned_chunks, pending;
    bool is_held_outside; // a collector of the program held a slot; nothing would release it after a restore

    kin__array owners; // of kin__saved_owner (notify/notify.h)
    uint32_t owner_count;
    kin__array held; // of kin_entity: dead entities whose slots were held, in ascending slot
    uint32_t held_count;
    kin__bytes keepsakes;  // last values (store/store.h); their lists are in `kept_lists`
    kin__bytes kept_lists; // elements
    kin__bytes keys;       // that index functions returned (lookup/lookup.h)
    uint32_t *limits;      // by component: limit of the numbers of its shared values; NULL: no component is shared
    kin__array shared;     // of const void *: the shared values by number, by component; NULL: free
    kin__array first_uses; // of uint32_t: the first use of each of these values
    uint32_t shared_count;
} kin__context_snapshot;

static inline uint32_t kin__part_words(const kin_context_info *info)
{
    return (kin__image_numbers(info) + 63) / 64;
}

// Returns the images of a chunk by their numbers. Those without a bit are undefined.
static inline kin__image *const *kin__part_images(const kin__context_snapshot *part, uint32_t chunk)
{
    return (kin__image *const *)part->images.elements + (size_t)chunk * kin__image_numbers(part->info);
}

// Returns an image of a chunk; NULL if the block did not exist or was empty.
static inline kin__image *kin__part_image(const kin__context_snapshot *part, uint32_t chunk, uint32_t number)
{
    if (chunk >= part->chunk_count)
        return NULL;
    const uint64_t *has = (const uint64_t *)part->has.elements + (size_t)chunk * kin__part_words(part->info);
    if ((has[number / 64] >> (number % 64) & 1) == 0)
        return NULL;
    return kin__part_images(part, chunk)[number];
}

// Returns the number of the pool that owned a chunk: 0 for entities without a blueprint, else the number of the
// blueprint plus one; KIN__NO_POOL if no pool owned it.
static inline uint32_t kin__part_pool(const kin__context_snapshot *part, uint32_t chunk)
{
    return ((const uint32_t *)part->chunk_pools.elements)[chunk];
}

// Returns how many pools the context has.
static inline uint32_t kin__part_pool_count(const kin_context_info *info)
{
    return info->blueprint_count + 1;
}

// Returns the number of a pool of the context, and the pool with a number; NULL for KIN__NO_POOL.
uint32_t kin__pool_number(const kin_context *context, const kin__pool *pool);
kin__pool *kin__pool_at(kin_context *context, uint32_t number);

// The numbers of the shared values of one component.
typedef struct kin__part_numbers {
    const void *const *values;  // NULL: the number is free
    const uint32_t *first_uses; // by number
    uint32_t count;             // up to the last number with a use
} kin__part_numbers;

// Returns the numbers of a component's shared values; none if it is not shared.
kin__part_numbers kin__part_numbers_of(const kin__context_snapshot *part, kin_component_id id);

// Whether the values are numbered from 0 in the order of their first uses, as after reading a file that does not say
// otherwise.
bool kin__part_numbers_are_sorted(const kin__part_numbers *numbers);

// Returns how many entities were alive; and how many slots there were up to the last one of these.
uint32_t kin__part_count(const kin__context_snapshot *part);
uint32_t kin__part_slot_count(const kin__context_snapshot *part);

#endif
