// A reading: what a file has of a context, on its way to a part of a snapshot.
#ifndef KIN_SRC_READING_H
#define KIN_SRC_READING_H

#include "image/store.h"
#include "read/match.h"

#include <kin/generated/save.h>

// A pool of the file.
typedef struct kin__file_pool {
    uint32_t number; // of the part; KIN__NO_POOL: its blueprint is no more
    uint32_t fresh, fresh_end;
    uint64_t usable[KIN__CHUNK_WORDS];
    uint32_t *free; // slots, the next one first
    uint32_t free_count;
} kin__file_pool;

// The holders of one target, in order.
typedef struct kin__file_holders {
    struct kin__file_holders *next;
    uint32_t relation, target, count;
    uint32_t *slots;
} kin__file_holders;

typedef struct kin__kept_value kin__kept_value;

typedef struct kin__reading {
    kin_context *context;
    const kin__shape *shape;
    const kin_read_options *options;
    const kin__migrations *migrations; // NULL: none
    kin__block_reader *blocks;         // of the file
    kin__fault *fault;
    kin__heap heap, value_heap;  // of the whole reading, and of the values of one block
    kin__file_context *file;     // what is read of it; NULL before it is found, and if the file has none
    uint32_t number;             // of that context in the file
    kin__context_snapshot *part; // NULL before its CTXT
    kin__file_pool *pools;
    uint32_t pool_count;
    uint16_t *chunk_pools; // of the file
    uint32_t chunk_count;  // of the file; those behind the assigned ones of the part have only kept values
    unsigned char *values; // 512 structs of any component
    kin__file_holders *first_holders, *last_holders;
    kin__kept_value *kept; // values that were lost or put aside, the newest first
    uint32_t kept_count;
    bool has_systems;    // of a world is read, which may hold slots of dead entities
    unsigned char *seen; // by slot, once slots were checked: 1 if it is alive, fresh or free
    kin_entity *held;    // by slot, with systems: the dead entity that they hold
    uint32_t *last_free; // by pool of the part: the slot that was linked last
    kin_read_report report;
} kin__reading;

// Returns the head of a chunk, which is changed until the part is complete; NULL: it has no entities so far.
static inline kin__image *kin__reading_head(const kin__reading *reading, uint32_t chunk)
{
    return kin__part_image(reading->part, chunk, kin__head_number(reading->context->info));
}

static inline uint64_t *kin__reading_row(const kin__reading *reading, const kin__image *head, uint32_t place)
{
    return (uint64_t *)(uintptr_t)kin__image_row(head, reading->context->row_words, place);
}

#endif
