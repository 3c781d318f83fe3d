// A reading: what a file has of a context, on its way to a part of a snapshot.
#ifndef KIN_SRC_READING_H
#define KIN_SRC_READING_H

#include "read/match.h"
#include "read/record.h"
#include "read/values.h"
#include "snapshot/snapshot.h"
#include "store/store.h"

#include <kin/generated/save.h>

// A pool of the file.
typedef struct kin__file_pool {
    uint32_t number; // of the part; KIN__NO_POOL: its blueprint no longer exists
    uint32_t fresh, fresh_end;
    uint64_t usable[KIN__CHUNK_WORDS];
    uint32_t *free; // slots, next one first
    uint32_t free_count;
} kin__file_pool;

// The holders of one target, in order.
typedef struct kin__file_holders {
    struct kin__file_holders *next;
    uint32_t relation, target, count;
    uint32_t *slots;
} kin__file_holders;

// A value that was lost or put aside.
typedef struct kin__kept_value {
    struct kin__kept_value *next;
    kin_component_id id;
    uint32_t slot;
    bool is_stashed;
    bool is_refused;            // by a migration, or as the schema has no place for it
    bool owns;                  // the opaque values of `value` are dropped when the reading ends
    void *value;                // the struct, in the memory of the reading
    const kin__keepsake *taken; // the value is in this keepsake of another part; NULL: in the memory of the reading
} kin__kept_value;

// The order of the shared values of a component, as a file has it: their first uses (snapshot/snapshot.h) by number.
typedef struct kin__file_order {
    uint32_t *first_uses;
    uint32_t count, capacity; // count 0: the values are in the order of their first uses
} kin__file_order;

// The places of a chunk that a block KEEP has values of, and of those that were put aside.
typedef struct kin__kept_places {
    uint32_t chunk;
    uint64_t kept[KIN__CHUNK_WORDS], stashed[KIN__CHUNK_WORDS];
} kin__kept_places;

// A component that a migration decides about, and its values in the pending chunk.
typedef struct kin__decided {
    const kin__component_shape *now;
    const kin__file_component *file; // NULL: the file lacks it
    const kin__migration *migration;
    uint64_t has[KIN__CHUNK_WORDS];
    kin__read_values values;
    uint32_t done;                              // of the values: those that have been decided
    kin__kept_value *stashed[KIN__CHUNK_SLOTS]; // by place
    uint64_t asked[KIN__CHUNK_WORDS];           // places whose entities the function is called for
    const kin__image *present;                  // in a frame of a recording: a column whose values stay; NULL: none
    uint64_t kept[KIN__CHUNK_WORDS];            // the places of these values
} kin__decided;

// The migrations of a reading. A chunk is pending until all of its blocks have been read.
typedef struct kin__migrating {
    kin__decided *decided; // in order of component id
    uint32_t count;
    kin__heap heap; // of the pending chunk
    uint32_t chunk;
    bool is_pending;
    bool is_of_frame;                      // the caller says when a chunk is pending
    kin__record_column *columns, *stashed; // by number of the component in the file
} kin__migrating;

// Whether migrations are asked about components of the same shape as now, whose values have to meet conditions that
// another version of the schema may not have had: targets that are alive, no circles in trees, one entity for each key.
// The file is read again when a value does not.
typedef struct kin__asking {
    bool is_asked, is_wanted;
} kin__asking;

typedef struct kin__reading {
    kin_context *context;
    const kin__shape *shape;
    const kin_read_options *options;
    const kin__migrations *migrations; // NULL: none
    kin__asking *asking;               // NULL: the file cannot be read again
    kin__migrating migrating;
    uint32_t version;          // of the file
    kin__block_reader *blocks; // of the file
    kin__fault *fault;
    kin__heap heap, value_heap;  // of the whole reading, and of the values of one block
    kin__file_context *file;     // what is read of it; NULL before it is found, and if the file has none
    uint32_t number;             // of that context in the file
    kin__context_snapshot *part; // NULL before its CTXT
    kin__file_pool *pools;
    uint32_t pool_count;
    uint16_t *chunk_pools; // of the file
    uint32_t chunk_count;  // of the file; those after the assigned ones of the part have only kept values
    unsigned char *values; // 512 structs of any component
    kin__file_holders *first_holders, *last_holders;
    kin__file_order *orders; // by component; NULL: none so far
    kin__kept_value *kept;   // values that were removed or stashed, newest first
    uint32_t kept_count;
    bool has_repairs;    // kin__links_repair has changed something
    bool has_systems;    // of a world is read, which may hold slots of dead entities
    unsigned char *seen; // by slot, once slots were checked: 1 if it is alive, fresh or free
    kin_entity *held;    // by slot, with systems: the dead entity that they hold
    uint32_t *last_free; // by pool of the part: the slot that was linked last
    kin_read_report report;
} kin__reading;

// Returns the head of a chunk, which changes until the part is complete; NULL: no entities so far.
static inline kin__image *kin__reading_head(const kin__reading *reading, uint32_t chunk)
{
    return kin__part_image(reading->part, chunk, kin__head_number(reading->context->info));
}

static inline uint64_t *kin__reading_row(const kin__reading *reading, const kin__image *head, uint32_t place)
{
    return (uint64_t *)(uintptr_t)kin__image_row(head, reading->context->row_words, place);
}

// Returns the component among those that are decided; NULL: it is not.
static inline kin__decided *kin__decided_of(const kin__reading *reading, kin_component_id id)
{
    for (uint32_t i = 0; i < reading->migrating.count; i++)
        if (reading->migrating.decided[i].now->id == id)
            return &reading->migrating.decided[i];
    return NULL;
}

// Returns whether the migration of a component is to be asked about values that do not meet a condition of now, which
// ends this reading without a fault. False if it has none, or has decided.
static inline bool kin__migrating_ask(const kin__reading *reading, kin_component_id id)
{
    kin__asking *asking = reading->asking;
    if (asking == NULL || asking->is_asked || kin__decided_of(reading, id) != NULL)
        return false;
    asking->is_wanted = reading->context->info->components[id].migrates;
    return asking->is_wanted;
}

#endif
