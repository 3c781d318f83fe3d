// reading: reads files of any version of the schema as snapshots
//
//   file reading               the blocks of a file in their order, its schema matched with the current one
//      ├ reading               of each context: what the file has of it, on its way to a part of a snapshot
//      │    └ migrating        the components about which functions of the program decide, chunk by chunk
//      └ systems reading       of the world
//
// Blocks are read first, each into memory of its reading. What needs all of them comes then, in this order: migrations,
// relations to entities that are not alive, free slots, what systems have collected, links, kept values, shared values,
// keys.
//
// A recorder's player (recording/) reads the blocks of a moment or a frame with the same functions.
//
// Invariants:
//   1. a snapshot is changed when everything is made, or not at all
//   2. a function that returns false has noted a fault, unless it says otherwise; or it wants the file to be read again
//      with migrations (kin__asking)
//   3. every decision that does not depend on values is made by the match, before the first value is read
//   4. each slot is alive, fresh, free in one pool, or the slot of a dead entity that systems have collected. Any other
//      slot was held by an owner, which files do not have: it is free, after all others of its pool, by slot
//   5. when a reading ends, each opaque value that was loaded has been dropped, or an image or a keepsake owns it
//
// Cycle: column.c, migrate.c: a column is stored at once, or when a migration has decided about its values
#ifndef KIN_SRC_SAVE_READING_H
#define KIN_SRC_SAVE_READING_H

#include "file/file.h"
#include "world/world.h"

#include <kin/generated/save.h>

// ---- values

// An opaque value that was loaded but is not stored yet.
typedef struct kin__loaded_value {
    struct kin__loaded_value *next;
    const kin_type_info *type;
    const void *value;
    uint32_t number; // of the value that contains it
} kin__loaded_value;

// The values of up to 512 entities, decoded leaf by leaf into structs.
typedef struct kin__read_values {
    kin__block_reader *reader;
    const struct kin__reading *reading; // of the context; NULL for values of a message
    kin__heap *heap;                    // for strings and elements, until the values have been stored
    const kin__file_component *component;
    const kin_entity *entities; // that have the values, for errors; NULL for a message
    uint32_t count;
    unsigned char *values; // structs of component->now->info->size bytes; NULL for a dropped component
    kin__decoder *decoder;
    kin_read_report *report;
    kin__loaded_value *loaded;
} kin__read_values;

// ---- migrations

// A component that a migration decides about, and its values in the pending chunk.
typedef struct kin__decided {
    const kin__component_shape *now;
    const kin__file_component *file; // NULL if the file lacks it
    const kin__migration *migration;
    uint64_t has[KIN__CHUNK_WORDS];
    kin__read_values values;
    uint32_t done;                                     // how many of the values have been decided
    struct kin__kept_value *stashed[KIN__CHUNK_SLOTS]; // by place
    uint64_t asked[KIN__CHUNK_WORDS];                  // places whose entities the function is called for
    const kin__image *present;                         // in a frame of a recording: a column whose values stay, or NULL
    uint64_t kept[KIN__CHUNK_WORDS];                   // the places of these values
} kin__decided;

// The migrations of a reading. A chunk is pending until all of its blocks have been read.
typedef struct kin__migrating {
    kin__decided *decided; // in order of component id
    uint32_t count;
    kin__heap heap; // of the pending chunk
    uint32_t chunk;
    bool is_pending;
    bool is_of_frame;                             // the caller says when a chunk is pending
    struct kin__record_column *columns, *stashed; // by number of the component in the file
} kin__migrating;

// Whether migrations are asked about components of the same shape as now, whose values have to meet conditions that
// another version of the schema may not have had: targets that are alive, no circles in trees, one entity for each key.
// The file is read again when a value does not.
typedef struct kin__asking {
    bool is_asked, is_wanted;
} kin__asking;

// ---- the reading of a context

// A pool of the file.
typedef struct kin__file_pool {
    uint32_t number; // of the part; KIN__NO_POOL if its blueprint no longer exists
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

// A value that was removed and is still needed, or that is stashed.
typedef struct kin__kept_value {
    struct kin__kept_value *next;
    kin_component_id id;
    uint32_t slot;
    bool is_stashed;
    bool is_refused;            // by a migration, or as the schema has no place for it
    bool owns;                  // the opaque values of `value` are dropped when the reading ends
    void *value;                // the struct, in the memory of the reading
    const kin__keepsake *taken; // the keepsake of another part that has the value, or NULL
} kin__kept_value;

// The order of the shared values of a component, as a file has it: their first uses (snapshot/snapshot.h) by number.
typedef struct kin__file_order {
    uint32_t *first_uses;
    uint32_t count, capacity; // if `count` is 0, the values are in the order of their first uses
} kin__file_order;

typedef struct kin__reading {
    kin_context *context;
    const kin__shape *shape;
    const kin_read_options *options;
    const kin__migrations *migrations; // or NULL
    kin__asking *asking;               // NULL if the file cannot be read again
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
    kin__file_order *orders; // by component; NULL while none was read
    kin__kept_value *kept;   // values that were removed or stashed, newest first
    uint32_t kept_count;
    bool has_repairs;    // kin__links_repair has changed something
    bool has_systems;    // systems of a world are read, which may hold slots of dead entities
    unsigned char *seen; // by slot, once slots were checked: 1 if it is alive, fresh or free
    kin_entity *held;    // by slot, with systems: the dead entity that they hold
    uint32_t *last_free; // by pool of the part: the slot that was linked last
    kin_read_report report;
} kin__reading;

// Returns the head of a chunk, which changes until the part is complete; NULL while the chunk has no entities.
static inline kin__image *kin__reading_head(const kin__reading *reading, uint32_t chunk)
{
    return kin__part_image(reading->part, chunk, kin__head_number(reading->context->info));
}

static inline uint64_t *kin__reading_row(const kin__reading *reading, const kin__image *head, uint32_t place)
{
    return (uint64_t *)(uintptr_t)kin__image_row(head, reading->context->row_words, place);
}

// Returns the component among those that migrations decide about, or NULL.
static inline kin__decided *kin__decided_of(const kin__reading *reading, kin_component_id id)
{
    for (uint32_t i = 0; i < reading->migrating.count; i++)
        if (reading->migrating.decided[i].now->id == id)
            return &reading->migrating.decided[i];
    return NULL;
}

// Takes memory for the values of a block.
bool kin__reading_take_values(kin__reading *reading);

// Completes the part of a context, whose slots were checked.
bool kin__reading_finish(kin__reading *reading);

// Completes a part whose slots and values are complete, and that has no numbers of shared values: makes these and, if
// it is to, the links, all in order of slots; checks trees and keys. For parts that are not read of a file; `reading`
// has the context, the part, heaps and a fault.
bool kin__reading_derive(kin__reading *reading, bool makes_links);

// ---- blocks of a context

// Read a block, after the number of its context.
bool kin__context_block_read(kin__reading *reading, kin__decoder *decoder);
bool kin__slots_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk);
bool kin__column_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk);
bool kin__kept_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk);
bool kin__links_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk);

// Returns the number of the current relation of a field of the file; the count of relations if it has none.
uint32_t kin__links_relation(const kin__reading *reading, const kin__file_component *component, uint32_t leaf);

// Reads a block SHAR, the order of shared values (snapshot/snapshot.h), from the number of its component on. Its row
// replaces the one that the order has.
bool kin__shared_order_read(kin__reading *reading, kin__decoder *decoder, uint32_t row);

// Ends the order of a component of the file before a row, which no longer exists.
bool kin__shared_order_cut(kin__reading *reading, uint32_t component, uint32_t row);

// ---- what a frame of a recording takes over

// Makes the order of a component that of a part.
bool kin__shared_order_share(kin__reading *reading, const kin__context_snapshot *present, kin_component_id id);

// Takes a value over from another part of the context, which stays until the part is complete.
bool kin__kept_share(kin__reading *reading, kin__keepsake *keepsake);

// Appends the holders of a target, in the memory of the reading.
void kin__holders_append(kin__reading *reading, kin__file_holders *holders);

// Returns a new image with the values of some places of another one, for the caller to put into a part. NULL, with a
// fault noted, when out of memory.
kin__image *kin__column_copy(kin__reading *reading, const kin__image *image, const uint64_t has[KIN__CHUNK_WORDS]);

// ---- when all blocks were read

// Saves of a schema in which a field was no relation may name entities that are not alive. They become what they would
// be if the target was destroyed now: the holder is destroyed (`destroy`), loses the component (`remove`), or names no
// entity (`clear`, and `refuse`, as the target does not exist any more). Call it before free slots are checked.
bool kin__links_repair(kin__reading *reading);

// Links the free slots, and checks that each slot is there once.
bool kin__slots_check(kin__reading *reading);

// Makes a chunk pending. False, with a fault noted, when out of memory.
bool kin__migrating_open(kin__reading *reading, uint32_t chunk);

// Decides about the pending chunk: calls the functions for all of its entities, by component id, then by slot. What a
// value points to is copied after each call.
bool kin__migrating_finish(kin__reading *reading);

// Drop what was loaded and not decided, and the opaque values of which no part has become the owner. They are always
// called.
void kin__migrating_end(kin__reading *reading);
void kin__kept_end(kin__reading *reading);

// ---- systems

// What a collector of the file has collected, and, once it is resolved, the entries of the current collector.
typedef struct kin__read_collected {
    uint32_t count;
    uint32_t *contexts; // numbers in the file
    kin_entity *entities;
    uint32_t entry_count;
    kin__saved_entry *entries;
} kin__read_collected;

typedef struct kin__read_inbox {
    uint32_t number;                   // of the message in the file
    const kin__component_shape *shape; // of the current message, whose number is `id`; NULL if it no longer exists
    uint32_t count;
    bool is_warned;
    uint64_t *serials;
    unsigned char *values; // structs of shape->info->size bytes
} kin__read_inbox;

typedef struct kin__read_node {
    kin__node *node;              // of the world; NULL if it no longer exists
    const kin__saved_node *saved; // as the world would save it now: which pieces it has
    const char *path;
    size_t path_size;
    bool is_read; // the file has it, and so what follows
    uint32_t flags;
    bool has_step;
    kin__saved_clock clock;
    uint32_t collector_count, member_count, inbox_count, word_count;
    kin__read_collected *collected;
    kin_entity *members;
    kin__read_inbox *inboxes;
    uint64_t *words; // marks of a system over a tree
} kin__read_node;

// The state of the systems of a world. The nodes are those of the world now, found by their paths. What the file has of
// others is checked and left out; nodes that the file lacks are as in a new world.
typedef struct kin__systems_reading {
    kin__world *world;
    kin__block_reader *blocks;
    kin__fault *fault;
    kin__heap heap;
    kin__reading *contexts; // of the world that are saved, by name
    uint32_t context_count;
    kin__file_schema *schema; // of the file
    kin__message_leaves leaves;
    kin__component_shape *messages; // of the world; their `id` is the number there
    unsigned char *now;             // the state of the world now (snapshot.h)
    kin__read_node *nodes;          // in order of running
    uint32_t node_count;
    bool has_root;
    kin__saved_world root;
    uint32_t **marks; // by context and slot: the number of the collector that had the entity last
    uint32_t collector_count;
} kin__systems_reading;

// Makes the nodes of the world, and ends what this and the others have made.
bool kin__systems_begin(kin__systems_reading *systems);
void kin__systems_end(kin__systems_reading *systems);

// Matches the messages of the file with those of the world.
bool kin__systems_match_schema(kin__systems_reading *systems, kin__file_schema *schema);

// Reads a block SYST.
bool kin__system_block_read(kin__systems_reading *systems, kin__decoder *decoder);

// Finds the collectors of what was collected, and holds the slots of dead entities, which were checked. Entities of
// contexts and triggers that no longer exist are left out, and so are those whose last value is missing.
bool kin__systems_resolve(kin__systems_reading *systems);

// Writes the state into the snapshot, which has room for it, unless it is NULL. Returns the size of the state.
size_t kin__systems_write_state(const kin__systems_reading *systems, kin_snapshot *snapshot);

// ---- files

// A file that is read. What it has of other contexts is passed over, and so are systems unless a world is read.
typedef struct kin__file_reading {
    kin__block_reader blocks;
    kin__file_schema schema;
    kin__heap heap; // of the schema
    const kin_package_info *package;
    const kin_read_options *options;
    kin__reading *contexts; // that are read
    uint32_t context_count;
    kin__systems_reading *systems; // NULL if a context is read
    uint64_t position;             // of the last block, so that none is twice or out of order
    kin__head head;                // its texts are not valid any more
    kin__fault *fault;
} kin__file_reading;

// Reads a recording, whose readings have shapes, values and systems: first the head and the names, then the blocks of
// one moment up to DONE, and completes the parts of the contexts, which the caller releases.
bool kin__file_read_names(kin__file_reading *file);
bool kin__file_read_moment(kin__file_reading *file);

#endif
