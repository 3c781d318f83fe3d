// store: contexts, slots, columns and values, what values own, and errors in words
//
// Owns the parts of a context and where every value is. The address of a value stays valid until its component is
// removed. Other rooms pass facts; the wording of errors and descriptions is here.
//
// Cycle: chunk.c, last_value.c, owned.c, pool.c, shared.c and value.c. A column releases what its values own.
#ifndef KIN_SRC_STORE_H
#define KIN_SRC_STORE_H

#include "base/base.h"

#include <kin/collector.h>
#include <kin/generated/create.h>
#include <kin/generated/direct.h>
#include <kin/generated/list.h>
#include <kin/generated/members.h>
#include <kin/info.h>
#include <kin/inventory.h>

#include <stdbool.h>

// Core: the private data of a context; the part that generated code reads is in storage.h.
//
// Invariants, checked by kin__context_is_valid():
//   1. chunks[n] exists for n < chunk_count; the other entries up to chunk_mask are chunks[0]
//   2. chunks below slots.assigned_chunks belong to pools; a slot there is living (alive bit and handle), free (in its
//      pool's list or not used yet), or pending: held or being destroyed
//   3. components[c].watchers is not 0 while watches[c] lists a group or its journal is on, or at the depth limit
//   4. the masks of watches[c] agree with the groups' matchers for every row (notify.h); a subscriber list's events
//      include those of its subscribers
//   5. components[c].replace_path leads to the only subscriber that a replace of c notifies, if there is one (watch.c)
//   6. at depth 0 there is no outgrown payload block, no ended subscriber and no retired owned block; while there is
//      one, `unsettled` is set

enum {
    KIN__MAX_DEPTH = 64,         // nested changes, including the outermost (DSP-13)
    KIN__MAX_SLOTS = 1 << 24,    // what fits into a handle
    KIN__MAX_COMPONENTS = 65535, // what fits into a kin_component_id; one id means "no component"
    KIN__PATCHED_COMPONENTS = 8, // groups that name more do not patch their arrays
};

#define KIN__MAX_CREATION_INDEX (((uint64_t)1 << 40) - 1)
#define KIN__NEVER              (~(uint64_t)0)

// The subscribers of one group, entity or context, in order of subscription.
typedef struct kin__subscriber_list {
    struct kin__subscriber *first, *last;
    uint32_t events; // of its subscribers; may include those of ended subscribers
} kin__subscriber_list;

// The groups to notify of changes of one component, by number. `version` counts the changes of the list; `reserved`
// counts the groups for which it has room.
typedef struct kin__watch {
    kin__array groups; // of kin_group *
    kin__array masks;  // of each group, see notify.h
    uint32_t count, reserved;
    uint32_t version;
    uint32_t listened;   // not 0 while a group of the list has a subscriber that is not a collector
    kin__direct *direct; // for direct calls (notify.h); NULL: not allocated
    uint32_t size;       // bytes of a value
    bool is_fast;        // a change writes only bits and the value: not unique, boxed, owning, keyed or soa; constant
    bool is_keyed;       // a replace writes only keys and the value: not boxed, owning or soa, of no relation; constant
    uint8_t side_effects; // of additions and removals: a set of KIN__SIDE_EFFECT_…
    uint8_t ownership;    // what values own: one of KIN__OWNERSHIP_…
} kin__watch;

enum {
    KIN__OWNERSHIP_NONE,
    KIN__OWNERSHIP_OWN,   // values own strings, opaque values or lists
    KIN__OWNERSHIP_SHARED // equal values are stored once, with their strings
};

enum {
    KIN__SIDE_EFFECT_CARRIER = 1,  // the component is unique: its carrier changes
    KIN__SIDE_EFFECT_JOURNAL = 2,  // the journal is on
    KIN__SIDE_EFFECT_RELATION = 4, // the component has a relation
    KIN__SIDE_EFFECT_SHARED = 8,   // values are shared: one holder less
    KIN__SIDE_EFFECT_NOTED = 16    // the journal of a tool notes all changes (notify.h)
};

// The entities of one context that a collector has collected, each once.
typedef struct kin__collected {
    uint64_t *marks;      // one bit for each slot of the context: its entity is in the array
    kin_entity *entities; // in order of collection, with room for every slot
    uint32_t count;
} kin__collected;

// An object outside the context that keeps data for each slot, or must know when the context ends, such as a collector.
// Functions that it does not need are NULL; `forget` is required.
typedef struct kin__slot_extension {
    struct kin__slot_extension *next;
    bool (*reserve)(struct kin__slot_extension *extension, uint32_t slot_count); // false when out of memory
    void (*forget)(struct kin__slot_extension *extension);                       // the context ends
    size_t (*used)(const struct kin__slot_extension *extension);                 // bytes of the context's memory in use
    void (*trim)(struct kin__slot_extension *extension);                         // releases spare memory
    // The name of the system that holds a dead entity with the extension, "" if it has none; NULL if it does not hold
    // it.
    const char *(*holder)(const struct kin__slot_extension *extension, kin_entity entity);
    const kin__collected *collected; // two, whose entities it holds; NULL: it holds none
    bool in_scope; // the snapshot that is saved or restored now has what it holds: see notify/notify.h
} kin__slot_extension;

typedef struct kin__slots {
    uint32_t assigned_chunks;               // chunks that belong to pools
    uint64_t created_before;                // entities created before the last reset
    uint64_t deaths;                        // entities destroyed
    uint32_t pending;                       // destroyed entities whose slots are not free yet: being destroyed, or held
    uint32_t held;                          // slots of dead entities that are held
    uint32_t about_to_be_destroyed;         // living entities whose KIN_ENTITY_WILL_BE_DESTROYED is being notified
    uint64_t rewinds;                       // what restores have taken from the counts of births and deaths
    uint64_t announced;                     // counts the notifications of KIN_ENTITY_WILL_BE_DESTROYED
    bool counts_holders;                    // chunks have arrays of holders
    kin__array endings;                     // of uint32_t *, by chunk
    uint32_t chunk_capacity, present_words; // of context.chunks; words of `present` for each component
    uint64_t *present;                      // by component, one bit a chunk: the chunk has a column
    kin__column **planes;                   // the columns of all components, by plane and chunk (chunk.c)
    uint32_t plane_count, plane_capacity;
} kin__slots;

// Bytes of context.watched and core.soa_row, which are one block.
static inline size_t kin__marks_size(const kin_context *context)
{
    return 2 * context->row_words * sizeof(uint64_t);
}

// One change whose notification is under way: `change` is what listeners are shown.
typedef struct kin__frame {
    kin_change change;
    uint64_t serial;            // subscribers that began later are not notified
    uint64_t epoch;             // the context's count of resets
    uint64_t deaths;            // the count of destroyed entities when the change began
    bool destroys;              // the entity is being destroyed or released: it is dead, but still notifies
    bool about_to_be_destroyed; // subscribers are notified that the entity will be destroyed
    const uint64_t *lost;       // the row of the components of an entity being destroyed; else NULL
    struct kin__frame *outer;   // the next frame in dispatch.frames
} kin__frame;

// One payload of `value_size` bytes for each depth
typedef struct kin__payload_block {
    struct kin__payload_block *next; // an older, smaller block, which outer changes still read
    size_t value_size;
    max_align_t values[];
} kin__payload_block;

typedef struct kin__owned_block kin__owned_block;
typedef struct kin__slab kin__slab;
typedef struct kin__shared kin__shared;

typedef struct kin__dispatch {
    kin__frame *frames;
    bool direct_waits;        // kin__settle must refresh the direct calls
    uint64_t serial;          // counts subscriptions and groups made
    uint64_t epoch;           // counts resets
    uint64_t *rows;           // two rows for each depth
    kin__payload_block *kept; // payloads; the current block first
    struct kin__subscriber *ended, *spare;
    kin__owned_block *first_retired, *last_retired; // of removed and replaced values, in order
    uint32_t loans; // spawns in progress, which may return opaque values to their callers
} kin__dispatch;

// Subscribers of the context and of its entities, and how many subscribe to what.
typedef struct kin__events {
    kin__subscriber_list subscribers;  // of the context
    uint32_t destroy_subscribers;      // that destroying an entity may notify or end
    uint32_t will_destroy_subscribers; // of these: of KIN_ENTITY_WILL_BE_DESTROYED
    uint32_t create_subscribers;       // of new entities
    uint32_t groups;                   // of new groups
    uint32_t change_subscribers;       // of changes of the components of one entity, or of all
    uint32_t any_change_subscribers;   // of these: of KIN_COMPONENT_CHANGED
    uint32_t scoped;                   // in checked builds: objects of C++ that have one, also an ended one
} kin__events;

// Listeners of generated events.
typedef struct kin__listeners {
    kin__array *blocks;                // by event: of kin__listener_block *, by chunk. NULL before the first listener
    uint32_t count;                    // not ended
    uint32_t calls_under_way;          // deliveries under way, nested ones included
    uint64_t serial;                   // counts listeners added
    struct kin__event_listener *ended; // ended during deliveries, still in their lists
} kin__listeners;

// The pairs of owners and the entities that they retain: an open hash table. Empty with fast_retain, which only counts.
typedef struct kin__owners {
    struct kin__owner *table;
    const char **names;       // by place in the table; NULL before the first name
    uint32_t count, capacity; // capacity: a power of two, at least twice the count; or 0
    struct kin__owner *spare; // a table without pairs, for the next restore of a snapshot; NULL: none
    const char **spare_names; // as many; NULL: none
    uint32_t spare_capacity;
} kin__owners;

// The components of the set that was cloned last, see entity.h.
typedef struct kin__clone_part {
    uint32_t id, size; // bytes of the value; 0 for a flag
} kin__clone_part;

typedef struct kin__clone_list {
    uint64_t row; // the set of components
    uint32_t count;
    kin__clone_part parts[64];
} kin__clone_list;

// How often sharing has begun, and the calls that failed since.
typedef struct kin__sharing {
    uint32_t begun;
    kin__counter refused;
} kin__sharing;

// A tool's function for each error, called beside on_error. All zero: none.
typedef struct kin__error_watch {
    void (*refused)(void *user, const kin_error *error);
    void *user;
} kin__error_watch;

struct kin__core {
    kin_context_options options;
    kin__memory memory; // the whole: its parts below, chunks and the context itself
    kin__memory column_memory, group_memory, collector_memory, index_memory, string_memory; // parts of memory
    kin__memory snapshot_memory;                                                            // another one
    size_t context_size;
    uint64_t factors[2];   // odd, from the seed, see base.h
    kin__component *alive; // the pseudo component of being alive: stored after the components
    uint64_t *soa_row;     // a row of the components with one column for each field
    kin__slots slots;
    kin__dispatch dispatch;
    kin__events events;
    kin__listeners listeners;
    struct kin__shelf *shelves;            // by component
    kin__slab **slabs;                     // by component. NULL before the first
    struct kin__last_values **last_values; // by component. NULL before the first
    uint32_t stashed;                      // stashed values
    kin__owners owners;
    kin__watch *watches;            // by component, and one for being alive at the end
    struct kin__journal **journals; // by component. NULL before the first
    kin__array groups;              // of kin_group *, by number
    uint32_t group_count;
    kin_group **buckets;
    uint32_t bucket_count;
    const struct kin__net_context *replicated; // what of it frames have; NULL: nothing, or not told
    kin__slot_extension *slot_extensions;
    struct kin__indices *indices;                       // NULL: the schema has none
    struct kin__relations *relations;                   // NULL: the schema has none
    uint32_t blueprint_count;                           // of the schema, and of its children
    struct kin__prefabs *prefabs;                       // NULL before the first
    kin__clone_list clone_list;                         // of the empty set before the first clone
    bool is_abandoned;                                  // a callback was left: nothing but destroying works
    bool is_sealed;                                     // its world follows a host: changes are refused
    uint32_t busy;                                      // systems running on this context now
    uint32_t reports;                                   // calls of on_error under way
    void (*caught)(const kin_error *error, void *user); // replaces on_error at depth 0; NULL: nothing does
    void *caught_user;
    kin__error_watch error_watch; // of the errors that are not caught
    kin__sharing sharing;
    kin_status value_error; // why the last value with a list was refused, unless memory was missing
    kin_status last_status; // of the last error that was reported
    uint32_t trims;         // calls of kin_context_trim
    bool is_in_world;       // a world owns the context and destroys it
    const uint32_t *runs;   // of that world, now under way; NULL: it has no world
    const char *culprit;    // the caller that messages name, such as "system 'Steer' "; NULL: the program
    uint64_t listed_at;     // the stamp of `list`; KIN__NEVER at first
    uint32_t listed;
    kin__array list;
    kin__shared **shared;             // shared values, by component. NULL before the first
    struct kin__store *store;         // images of snapshots. NULL before the first save
    struct kin__shape *shape;         // components in canonical order. NULL before the first hash of a snapshot
    struct kin_journal *tool_journal; // notes changes (notify.h); NULL: none
    bool notes_lives;                 // also of entities, as the journal said when it was set
};

// Endings: marks of entities that will be destroyed in a cascade (entity/entity.h), which are alive until then.
//
//   endings[chunk] → [ mark | mark | … ]   one for each slot; 0: not in a cascade
//
// A cascade stores in the mark of an entity to which one it returns afterwards, so that it needs no other memory. It
// reserves marks with the links of relations (lookup/lookup.h). Cost: 4 bytes a slot of chunks with holders or targets.
//
// Invariant: slots.about_to_be_destroyed counts the marked entities, and the frames that are marked so.

// Returns the mark of a slot; NULL if its chunk has none.
static inline uint32_t *kin__ending_of(const kin_context *context, uint32_t slot)
{
    const kin__array *endings = &context->core->slots.endings;
    uint32_t number = slot / KIN__CHUNK_SLOTS;
    uint32_t *marks = number < endings->capacity ? ((uint32_t *const *)endings->elements)[number] : NULL;
    return marks == NULL ? NULL : &marks[slot % KIN__CHUNK_SLOTS];
}

// Returns whether the entity in a slot is in a cascade.
static inline bool kin__is_ending(const kin_context *context, uint32_t slot)
{
    const uint32_t *mark = kin__ending_of(context, slot);
    return mark != NULL && *mark != 0;
}

// Reserve the marks of a slot's chunk: false when out of memory; and release those of a chunk, none of which is set.
bool kin__endings_reserve(kin_context *context, uint32_t slot);
void kin__endings_trim(kin_context *context, uint32_t number);
void kin__endings_release(kin_context *context);
size_t kin__endings_used(const kin_context *context);

// Frames: the changes whose notifications are under way, innermost first.
//
//   dispatch.frames → frame → outer frame → …      each on the stack of the call that makes the change
//
// The list has only the frames that other code must find: of an entity about to be destroyed, of an entity being
// destroyed, and of a removed component that may leave a last value. These queries walk the list, which is at most as
// long as changes nest.
//
// Invariants, checked by kin__frames_are_valid():
//   1. each frame of the list shows a change of this context, and the list has at most as many frames as changes nest
//   2. slots.about_to_be_destroyed counts the frames that are marked so, and the marked entities

// Returns whether a listener, a system or the error handler of the context is being called: it cannot be destroyed now.
bool kin__context_is_in_use(const kin_context *context);

// Returns whether the entity, which is alive, is in a cascade, or its subscribers are told that it will be destroyed.
bool kin__has_will_destroy_frame(const kin_context *context, kin_entity entity);
static inline bool kin__is_about_to_be_destroyed(const kin_context *context, kin_entity entity)
{
    return context->core->slots.about_to_be_destroyed != 0 && kin__has_will_destroy_frame(context, entity);
}

// Returns the entity of the slot that is being destroyed, also one from before a reset; 0 if there is none.
kin_entity kin__being_destroyed_in(const kin_context *context, uint32_t slot);
bool kin__is_slot_being_destroyed(const kin_context *context, uint32_t slot);
bool kin__frames_are_valid(const kin_context *context);

// Sharing: threads read a context and write values in place, while its structure stands still.
//
//   sharing.begun     how often kin_context_begin_shared was called and not yet undone; 0: the context is not shared
//   sharing.refused   calls that failed meanwhile, counted by all threads, reported when sharing ends
//
// Invariants:
//   1. while a context is shared, its depth is KIN__MAX_DEPTH and all components are watched, as at the limit of
//      nesting: each change calls the library, which finds that it may not begin
//   2. meanwhile no function writes what another thread may read: caches are not made, errors are not reported
//
// Cost: none where a change is tested for the limit of nesting; elsewhere a load and a test.
//
// A context that replicates is sealed, in a world that follows a host, in the same way: its depth is KIN__MAX_DEPTH,
// and changes are refused with KIN_ERROR_REPLICA. Everything else works as if its depth were 0. To put another state in
// place the world's session breaks the seal, and seals it again.

static inline bool kin__context_is_shared(const kin_context *context)
{
    return context->core->sharing.begun > 0;
}

// Returns whether a listener of the context is being called, or threads share it.
static inline bool kin__context_is_inside(const kin_context *context)
{
    return context->depth > 0 && !context->core->is_sealed;
}

// Chunks and slots: where entities and their components are stored. storage.h has the picture. A pool chooses the slot
// of a new entity.
//
// A chunk is never moved, and released only with the context.
//
// Invariants, checked by kin__context_is_valid():
//   1. a chunk and a component have each other's bit, in `present` and kin__chunk_present, exactly where
//      columns[component] is not the shared empty column
//   2. each chunk has an array of holders if and only if slots.counts_holders
//   3. living entities = created - destroyed; pending slots are those of dead entities that no pool has back yet

// Appends a chunk that belongs to no pool. False when out of memory.
bool kin__chunk_append(kin_context *context);

// Releases all chunks and columns, when the context ends.
void kin__slots_release(kin_context *context);

// Gives all chunks, also those appended later, an array of holders. False, with nothing changed, when out of memory.
bool kin__holders_reserve(kin_context *context);

// Links an extension to the context, which calls it until it is removed or the context ends. Removing takes time linear
// in the number of extensions.
void kin__slot_extension_add(kin_context *context, kin__slot_extension *extension);
void kin__slot_extension_remove(kin_context *context, kin__slot_extension *extension);

// Returns which of 64 chunks may have matching entities: the components that the matcher needs have columns there.
uint64_t kin__chunks_present(const kin_context *context, const kin_matcher *normal, uint32_t word);

// Returns the bytes of all fields, without padding.
static inline size_t kin__fields_size(const kin_component_info *info)
{
    size_t size = 0;
    for (uint32_t i = 0; i < info->field_count; i++)
        size += info->fields[i].size;
    return size;
}

// Returns the bytes of a component's place in a column, or of its places in the columns of its fields.
static inline size_t kin__place_size(const kin_context *context, kin_component_id id)
{
    const kin_component_info *info = &context->info->components[id];
    if (info->is_boxed)
        return sizeof(void *);
    return info->is_soa ? kin__fields_size(info) : info->size;
}

// Returns the bytes that each value of a component has outside of the column. Shared values are counted on their own.
static inline size_t kin__cell_size(const kin_component_info *info)
{
    return info->is_boxed && !info->is_shared ? info->size : 0;
}

static inline kin__chunk *kin__chunk_of_slot(const kin_context *context, uint32_t slot)
{
    KIN_ASSERT(slot < context->chunk_count * KIN__CHUNK_SLOTS);
    return context->chunks[slot / KIN__CHUNK_SLOTS];
}

// Returns the column of a component in the chunk of a slot; the shared empty column if it does not exist.
static inline kin__column *kin__column_of(const kin_context *context, uint32_t slot, kin_component_id id)
{
    return kin__chunk_column(context, slot / KIN__CHUNK_SLOTS, id);
}

static inline bool kin__chunk_is_alive(const kin__chunk *chunk, uint32_t place)
{
    KIN_ASSERT(place < KIN__CHUNK_SLOTS);
    return kin__bits_have(chunk->alive, place);
}

// Returns which of the 64 slots around a slot are collected: an entry of a collector has the entity. (chunk.c)
uint64_t kin__collected_word(const kin_context *context, uint32_t slot);

// Returns how many entries of collectors have the entity of a slot. (chunk.c)
uint32_t kin__entries_of_slot(const kin_context *context, uint32_t slot);

static inline bool kin__is_held(const kin_context *context, uint32_t slot)
{
    const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    return chunk->holders != NULL && (chunk->holders[slot % KIN__CHUNK_SLOTS] > 0 ||
                                      (kin__collected_word(context, slot) >> (slot % 64) & 1) != 0);
}

// Returns the handle stored in a slot without a living entity. Slot 0 stores 1, because the handle 0, no entity, is
// looked up there.
static inline kin_entity kin__free_handle(uint32_t slot)
{
    return slot == 0;
}

// Marks the entity of a slot dead: its handle is no longer found.
static inline void kin__chunk_mark_dead(kin_context *context, kin__chunk *chunk, uint32_t slot)
{
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    KIN_ASSERT(kin__chunk_is_alive(chunk, place));
    chunk->alive[place / 64] ^= (uint64_t)1 << (place % 64);
    chunk->ids[place] = kin__free_handle(slot);
    context->core->slots.deaths++;
}

// Returns how many entities were ever created, before resets too.
static inline uint64_t kin__created_count(const kin_context *context)
{
    const kin__core *core = context->core;
    return core->slots.created_before + context->next_creation_index - core->options.first_creation_index;
}

// Returns how many entities are alive, including those about to be destroyed.
static inline uint32_t kin__living(const kin_context *context)
{
    KIN_ASSERT(kin__created_count(context) >= context->core->slots.deaths);
    return (uint32_t)(kin__created_count(context) - context->core->slots.deaths);
}

// Returns how many slots are not free: of entities that are alive, being destroyed, or dead and held.
static inline uint32_t kin__slots_used(const kin_context *context)
{
    return kin__living(context) + context->core->slots.pending;
}

// Returns a number that grows with each entity created or destroyed, and each restore.
static inline uint64_t kin__population_stamp(const kin_context *context)
{
    return kin__created_count(context) + context->core->slots.deaths + context->core->slots.rewinds;
}

static inline uint64_t *kin__row_of(const kin_context *context, uint32_t slot)
{
    return kin__chunk_row(kin__chunk_of_slot(context, slot), context->row_words, slot % KIN__CHUNK_SLOTS);
}

// Writes the entities of the slots in `match`, all alive, up to `capacity`; returns how many there are in all.
uint32_t kin__entities_of_words(const kin__chunk *chunk, const uint64_t match[KIN__CHUNK_WORDS], kin_entity *entities,
                                uint32_t capacity);

// Columns: the values of one component in one chunk.
//
//   column   has[8] | values[512] | canary | owned blocks[512]
//
// The canary exists in checked builds only, owned blocks for components that own memory.
//
// The first value of a component in a chunk creates the column, and trimming the context frees empty columns. A chunk
// without the column points to one empty column, which all chunks share.
//
// Invariants, checked by kin__slot_is_valid() and kin__context_is_valid():
//   1. a bit of `has` is set if and only if the slot is alive and its row has the component's bit
//   2. `present` has a bit for each column that exists

// Returns the column of a component in the chunk of a slot; makes it if it does not exist. NULL when out of memory.
kin__column *kin__column_reserve(kin_context *context, uint32_t slot, kin_component_id id);

// Returns whether the column has no value.
bool kin__column_is_empty(const kin__column *column);

// Releases the columns that have no value.
void kin__columns_trim(kin_context *context);

// Returns the bytes in use: the values, and the `has` bits of each column that has a value.
size_t kin__columns_used(const kin_context *context);

// Adds the component's column in a chunk, if it exists, to `*usage`.
void kin__column_measure(const kin_context *context, uint32_t chunk, kin_component_id id, kin_component_usage *usage);

// Returns whether all canaries of a chunk are unchanged; true for the number of chunks, where a loop ends.
bool kin__chunk_is_intact(const kin_context *context, uint32_t number);

// Allocates a shelf for each component. False when out of memory.
bool kin__shelves_make(kin_context *context);

// Releases the shelves, whose columns were all returned.
void kin__shelves_release(kin_context *context);

// Owned blocks: the strings and opaque values that the context owns, in one block for each value of a component. Each
// list of a value has a block of its own.
//
//   column    has[8] | values[512] | owned blocks[512]
//                           |             |
//                           |             └→ [ next | id | size | the value | opaque record | string\0string\0 ]
//                           └ the same value: its strings point into the block, which never moves
//
// A block is complete before the first write. When its value is removed or replaced, the block is retired: it is kept
// until the outermost change has been notified, as payloads may point into it. Then its opaque values are dropped and
// it is freed. The list of retired blocks needs no memory. An event pins the block while it delivers a last value.
//
// If the new value of a replace contains an opaque value of the old one, the opaque value moves to the new block, and
// the old block does not drop it. `edit` writes other fields only in the column; the block keeps the fields that the
// value had at first.
//
// Invariants, checked by kin__owned_is_valid():
//   1. the strings of a value point into its block, which has the value's component id
//   2. a value has no block only if all its strings are NULL and the component has no opaque values and no lists

// Returns whether values of the component own strings, opaque values or lists.
static inline bool kin__is_owned(const kin_context *context, kin_component_id id)
{
    return context->core->watches[id].ownership == KIN__OWNERSHIP_OWN;
}

// Returns whether changes of the component write more than bits and a value, so that they always call the library.
static inline bool kin__is_special(const kin_context *context, kin_component_id id)
{
    const kin_component_info *info = &context->info->components[id];
    bool has_relation = (context->core->watches[id].side_effects & KIN__SIDE_EFFECT_RELATION) != 0;
    bool has_memory = info->is_boxed || kin__is_owned(context, id);
    return info->is_unique || info->is_stashable || has_memory || has_relation;
}

// Returns the size in bytes of all strings of a value, with their NULs. NULL strings have none.
size_t kin__strings_size(const kin_component_info *info, const void *value);

// Copies the strings of the value to `end` and makes it point to the copies.
void kin__strings_copy(const kin_component_info *info, void *value, char *end);

// Makes a block with a copy of the value, and makes `*value` point to the copy. A value that owns nothing gets no
// block: `*owned_block` is NULL and `*value` unchanged. For a shared value, `*owned_block` is the block of the equal
// value. False when out of memory; also for a list that is too long, or has a count without elements, which
// kin__report_error then reports instead (core.value_error).
bool kin__owned_block_make(kin_context *context, kin_component_id id, const void **value,
                           kin__owned_block **owned_block);

// Moves the opaque values that both blocks have from `replaced`, and from the retired blocks that it replaced, to
// `owned_block`. If `owned_block` is released instead of put into a slot, they belong to the caller. NULL is allowed.
void kin__owned_block_move_opaque(kin_context *context, kin__owned_block *owned_block, kin__owned_block *replaced);

// Returns the block of the value in a slot; NULL if it has none.
kin__owned_block *kin__owned_block_of(const kin_context *context, uint32_t slot, kin_component_id id);

// Return the owned blocks of a column, by place; and the value in a block.
kin__owned_block **kin__owned_blocks_of(const kin_context *context, const kin__column *column, kin_component_id id);
void *kin__owned_block_value(kin__owned_block *owned_block);

// Retires a block that was removed from its slot. NULL is allowed, here and below.
void kin__owned_block_retire(kin_context *context, kin__owned_block *owned_block);

// Pins a block: it is not dropped or freed, even if retired, until each pin is undone.
void kin__owned_block_pin(kin__owned_block *owned_block);
void kin__owned_block_unpin(kin_context *context, kin__owned_block *owned_block);

// Makes a block that an image has pinned the block of a current value again, so that unpinning does not free it.
// Retired blocks must be settled. NULL is allowed.
void kin__owned_block_revive(kin__owned_block *owned_block);

// Begins and ends a loan, during which no block is dropped or freed: a spawn that fails midway returns the caller's
// opaque values, even those that a listener has replaced or removed.
void kin__loan_begin(kin_context *context);
void kin__loan_end(kin_context *context);

// Returns the opaque values of a block that was put during the loan to the caller: neither the block nor those that
// replaced it drop them. The component must have opaque values.
void kin__owned_block_return_opaque(kin_context *context, kin__owned_block *owned_block);

// Zeroes the opaque values of such a block in a last value whose block is `shown`. Does nothing unless `shown` is this
// block or one that replaced it.
void kin__owned_block_clear_opaque(kin_context *context, kin__owned_block *owned_block, const kin__owned_block *shown,
                                   void *value);

// Drops and frees the retired blocks, in order, unless a change or a loan is under way.
void kin__owned_settle(kin_context *context);

// Values: reading and writing the value of a component, however it is stored.
//
//   plain    in its place in the column
//   boxed    in a cell of a slab; the place in the column points to it
//   shared   in a block that all places with an equal value point to; it is never written
//   soa      one column for each field: the value has no single address, owns nothing, and is copied field by field
//
// A removed value gives its cell back at once; its owned block is retired. Flags have no value.
//
// The functions below take a slot whose column exists; in general the slot has, or has just lost, the component.

static inline size_t kin__value_size(const kin_context *context, kin_component_id id)
{
    return context->info->components[id].size;
}

// Returns the address of the value. NULL for a flag. Not for soa components.
void *kin__value_of(const kin_context *context, uint32_t slot, kin_component_id id);

// Returns the address of the field at `offset` bytes in the value, of any component.
const void *kin__value_part(const kin_context *context, uint32_t slot, kin_component_id id, size_t offset);

// Copies the value, of any component. Does nothing for a flag.
void kin__value_read(const kin_context *context, uint32_t slot, kin_component_id id, void *value);

// Copies the value as the payload of the next change. NULL for a flag.
const void *kin__value_keep(const kin_context *context, uint32_t slot, kin_component_id id);

// Returns the value of an entity being destroyed, while its removal is notified. NULL for a flag, and for a soa
// component whose values no subscriber needs.
const void *kin__value_lost(const kin_context *context, uint32_t slot, kin_component_id id);

// Overwrites the value, of any component that is not shared. Not for a flag.
void kin__value_overwrite(kin_context *context, uint32_t slot, kin_component_id id, const void *value);

// The storage of a value: the memory that it needs besides its place in the column. It is allocated before the first
// write, so that writing cannot fail.
typedef struct kin__value_storage {
    const void *value;             // NULL for a flag; in the owned block if there is one
    void *box;                     // NULL: not boxed
    kin__owned_block *owned_block; // NULL: the value owns nothing; of a shared value: its block, with a reference
} kin__value_storage;

// Allocates the storage of a value. False when out of memory, with nothing to release. Release only a storage that was
// not written: the value then still belongs to the caller.
bool kin__value_storage_make(kin_context *context, kin_component_id id, const void *value, kin__value_storage *storage);
void kin__value_storage_release(kin_context *context, kin_component_id id, const kin__value_storage *storage);

// Writes a value into a slot that gets the component; the slot then owns the storage.
void kin__value_write(kin_context *context, uint32_t slot, kin_component_id id, const kin__value_storage *storage);

// Writes a value over that of a slot, which keeps its box. The slot then owns the storage, which has no box.
void kin__value_replace(kin_context *context, uint32_t slot, kin_component_id id, const kin__value_storage *storage);

// Returns the storage of a value that was written. All NULL for a soa component.
kin__value_storage kin__value_storage_of(const kin_context *context, uint32_t slot, kin_component_id id);

// Counts one holder less of the shared value in a slot, which has just lost the component and is not detached yet.
void kin__value_end_sharing(const kin_context *context, uint32_t slot, kin_component_id id);

// Detaches the value of a slot that has lost the component, and retires its storage.
void kin__value_drop(kin_context *context, uint32_t slot, kin_component_id id);

// Last values: the values that components had when they were removed, for event systems that deliver the removal later,
// and for the stash.
//
//   core.last_values[component] → blocks, one for each chunk in which the component has a column
//     block   kept[8]             one bit a slot: the block has its value
//             stashed[8]          one bit a slot: the value is stashed (entity.h)
//             holds[512]          how many collector entries, and the stash, still need the value of the slot
//             owned_blocks[512]   the owned block of each value
//             values[512]         the values; of a boxed component: pointers to the cells
//
// All holders of a slot need the same value: that of its last removal. A removal moves the value here before it is
// notified, as its listeners may add holds, and retires the value after that unless it is held. A block is made with
// its column, so that a removal never allocates. Moving a value costs a copy of it, or of its cell's address.
//
// Invariants, checked by kin__last_values_are_valid():
//   1. while there are users, a chunk that has a column of the component has a block
//   2. a held value is kept; other values are kept only while their removal is notified
//   3. a stashed value is held, of a living entity that does not have the component

typedef struct kin__last_values {
    kin_component_id id;
    uint32_t users;    // event systems, and the stash
    bool is_stash;     // the stash is a user
    kin__array blocks; // of kin__last_value_block *, by chunk; NULL: none
} kin__last_values;

typedef struct kin__last_value_block {
    uint64_t kept[KIN__CHUNK_WORDS];
    uint64_t stashed[KIN__CHUNK_WORDS];
    uint32_t holds[KIN__CHUNK_SLOTS];
    kin__owned_block *owned_blocks[KIN__CHUNK_SLOTS];
} kin__last_value_block;

_Static_assert(sizeof(kin__last_value_block) % KIN__CACHE_LINE == 0,
               "values follow the struct, aligned like a column's");

// Returns the block of a chunk, or NULL.
static inline kin__last_value_block *kin__last_value_block_of(const kin__last_values *last_values, uint32_t chunk)
{
    return chunk < last_values->blocks.capacity ? ((kin__last_value_block *const *)last_values->blocks.elements)[chunk]
                                                : NULL;
}

static inline bool kin__last_value_block_has(const kin__last_value_block *block, uint32_t place)
{
    return kin__bits_have(block->kept, place);
}

static inline bool kin__last_value_block_stashes(const kin__last_value_block *block, uint32_t place)
{
    return kin__bits_have(block->stashed, place);
}

// Returns NULL if the last values of the component are not needed.
static inline kin__last_values *kin__last_values_of(const kin_context *context, kin_component_id id)
{
    return context->core->last_values == NULL ? NULL : context->core->last_values[id];
}

// Add a user of the last values of a component, which is not a flag, or return NULL when out of memory; and remove a
// user, whose holds have ended.
kin__last_values *kin__last_values_add_user(kin_context *context, kin_component_id id);
void kin__last_values_remove_user(kin_context *context, kin__last_values *last_values);

// Moves the value of a removed component here, before the removal is notified. Its old address can be read until the
// place is used again. False, with nothing changed, if its last values are not needed.
bool kin__last_value_save(kin_context *context, uint32_t slot, kin_component_id id);

// Retires a saved value unless it is held, after the removal was notified. False if none was saved.
bool kin__last_value_settle(kin_context *context, uint32_t slot, kin_component_id id);

// Adds and removes a hold of a kept value. The last one retires the value, unless its removal is being notified.
void kin__last_value_add_hold(const kin__last_values *last_values, uint32_t slot);
void kin__last_value_remove_hold(kin_context *context, const kin__last_values *last_values, uint32_t slot);

// Returns the kept value of a slot, with its storage.
kin__value_storage kin__last_value_storage(const kin_context *context, const kin__last_values *last_values,
                                           uint32_t slot);

// Releases last values without users, and blocks without a column and without values.
void kin__last_values_trim(kin_context *context);
size_t kin__last_values_used(const kin_context *context); // bytes of the kept values

// Retires all values and releases all blocks, when the context ends.
void kin__last_values_release(kin_context *context);

bool kin__last_values_are_valid(const kin_context *context);

// Keepsakes: the last values that a snapshot has: stashed ones, and those that events still have to
// tell.
//
//   saved   keepsake | value | keepsake | value | …      in ascending component, then slot
//
// A saved value is what the struct has; of a shared component, the address of the shared value, which the snapshot pins
// with kin__shared_image_pin. Its owned block is that of the last value: the snapshot pins it, and brings its lists
// back, as for places of columns.
//
// A restore is:
//
//   kin__keepsakes_reserve    can fail
//   kin__keepsakes_clear      retires what is kept now, silently
//   … heads and columns are written …
//   kin__keepsakes_restore    puts the saved values in place; stashed ones are held by the stash
//   … collectors of the scope get their entries, which hold what they wait for …
//   kin__keepsakes_settle     retires what nobody waits for
//
// Cost: linear in the keepsakes, and in the chunks with last values.

typedef struct kin__keepsake {
    kin__owned_block *owned_block; // NULL: the value owns nothing, or is shared
    uint32_t slot;
    kin_component_id id;
    uint16_t is_stashed; // 1 or 0; so that there is no padding
} kin__keepsake;

// Returns the bytes of all keepsakes, or of the stashed ones; 0 if there are none. No change may be under way.
size_t kin__keepsakes_size(const kin_context *context, bool only_stashed);

// Writes them. Two copies with equal bytes are equal.
void kin__keepsakes_save(const kin_context *context, bool only_stashed, void *bytes);

// Returns the saved keepsake at `*at`, which is 0 at first, and moves `*at` behind it. NULL at the end.
kin__keepsake *kin__keepsake_next(const kin_context *context, void *bytes, size_t size, size_t *at);

// Returns the saved value: a struct; of a shared component, a pointer to the address of the value.
void *kin__keepsake_value(kin__keepsake *keepsake);

// Reserves what kin__keepsakes_restore needs, when the chunks of the snapshot exist. False when out of memory. The
// cells of boxed values are not reserved: see kin__slab_reserve_cells.
bool kin__keepsakes_reserve(kin_context *context, void *bytes, size_t size);

// Returns how many cells of a boxed component kin__keepsakes_restore takes.
uint32_t kin__keepsakes_cells(const kin_context *context, void *bytes, size_t size, kin_component_id id);

void kin__keepsakes_clear(kin_context *context);
void kin__keepsakes_restore(kin_context *context, void *bytes, size_t size);
void kin__keepsakes_settle(kin_context *context);

// Lists: the fields of a value that are arrays of any length.
//
//   column        value { …, at, count }
//                            |
//   block of the list        └→ [ next | id | … | capacity | element 0 | … | element count - 1 | room ]
//                            ┌ the same address: freed with this block
//   block of the value      [ … | value { …, at, count at first } | … ]
//
// A list that grows gets a larger block, and its old block is retired, as payloads of running changes may
// point to it. While the block of the value is pinned, the outgrown block is instead kept, linked from the new one by
// `next`, until the last pin is removed.
//
// Invariants, checked by kin__lists_are_valid():
//   1. the column and the block of the value have the same address of each list
//   2. no list has more elements than its capacity
//   3. only lists of pinned blocks have outgrown blocks

// Returns the first list of a component from `field` on; the end of its fields if no list follows.
static inline const kin_field_info *kin__next_list(const kin_component_info *info, const kin_field_info *field)
{
    while (field < info->fields + info->field_count && !field->is_list)
        field++;
    return field;
}

#define KIN__EACH_LIST(field, info)                                                                                    \
    for (const kin_field_info *field = kin__next_list(info, (info)->fields);                                           \
         field < (info)->fields + (info)->field_count; field = kin__next_list(info, field + 1))

// Return the list in a value, which need not be aligned; and write it.
kin__list_field kin__list_field_read(const void *value, const kin_field_info *field);
void kin__list_field_write(void *value, const kin_field_info *field, kin__list_field list);

// Checks the lists of a value that a caller passes. KIN_OK, KIN_ERROR_LIMIT for a list that is too long, or
// KIN_ERROR_INVALID for a count without elements.
kin_status kin__lists_check(const kin_component_info *info, const void *value);

// Reserves room for `least` elements in a list of a slot that has the component. A list that grows is moved and at
// least doubles its capacity. False, with nothing changed, when out of memory.
bool kin__list_field_reserve(kin_context *context, uint32_t slot, kin_component_id id, const kin_field_info *field,
                             uint32_t least);

// Moves lists with spare capacity to smaller blocks, except lists of values that are being delivered, and lists for
// which no memory is available. No change may be under way.
void kin__lists_trim(kin_context *context);

// Drops the opaque values of a value that no context has.
void kin__opaque_drop_all(const kin_component_info *info, const void *value);

// Payloads: copies of former values for the listeners of the changes under way.
//
//   dispatch.kept → [ depth 0 | depth 1 | … | depth 63 ]   each value_size bytes
//                 → an older block with less room, which outer changes still read
//
// A payload must not change while its change is notified, whatever nested changes write to the component. The new value
// is the caller's copy; the former value is copied here, one for each depth. The first subscriber of a component makes
// the block, so that notifying never allocates. A block is an eighth of the size of a column.
//
// Invariants: blocks further in the list are smaller; at depth 0 there is at most one (invariant 6 of contexts).

// Makes room for payloads of `size` bytes. False when out of memory.
bool kin__payload_reserve(kin_context *context, size_t size);

// Free the outgrown blocks, while no change is under way; and all blocks.
void kin__payload_settle(kin_context *context);
void kin__payload_release(kin_context *context);

// Returns the place of the payload for a change at that depth.
static inline void *kin__payload_at(const kin_context *context, uint32_t depth, size_t size)
{
    const kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(depth < KIN__MAX_DEPTH);
    KIN_ASSERT(dispatch->kept != NULL && size <= dispatch->kept->value_size);
    (void)size;
    return (char *)dispatch->kept->values + depth * dispatch->kept->value_size;
}

// Copies a value as the payload of the next change, and returns the copy, valid until the change has been notified.
// NULL for a flag, whose size is 0.
static inline const void *kin__payload_keep(const kin_context *context, const void *value, size_t size)
{
    if (size == 0)
        return NULL;
    return kin__value_copy(kin__payload_at(context, context->depth, size), value, size);
}

// Pools: choose the slot of a new entity. Each blueprint has a pool, so that its entities are side by side; all other
// entities share one. A clone uses the pool of its source.
//
//   chunks   | 0: others | 1: Bomb | 2: others | 3: Bomb | 4, 5 …: unassigned |
//   pool     free_slot → slot → …   the freed slots, the last freed first
//            fresh … fresh_end      a run of unused slots in the pool's newest chunk, used when no freed slot is left;
//                                   one run a chunk, unless slots in it were held or being destroyed at a reset
//
// A pool without free slots takes the next unassigned chunk, but only when an entity is created: previewing and
// reserving change no pool. A reset takes all chunks back from the pools. Taking and freeing a slot take constant time.
//
// Invariants, checked by kin__pools_are_valid():
//   1. the slots of a pool's list and run are free, in chunks of the pool; the rows of the run are empty
//   2. chunks below slots.assigned_chunks belong to pools, the others to none
//   3. all slots of the pools' chunks are in use, listed, or fresh

// Adjacent free slots of one chunk, in the order in which the pool gives them.
typedef struct kin__run {
    uint32_t first, count; // the lowest slot
    bool descends;         // the highest slot comes first
} kin__run;

// Iterates the slots that a pool will give, in order. No slot may be taken or freed meanwhile.
typedef struct kin__pool_preview {
    kin_context *context;
    kin__pool pool;  // a copy, as it will be
    uint32_t number; // of the next unassigned chunk
} kin__pool_preview;

kin__pool_preview kin__pool_preview_begin(kin_context *context, const kin__pool *pool);

// Returns in `*run` the next run of at most `most` slots; appends chunks for it. KIN_ERROR_LIMIT if the context has no
// more slots, or KIN_ERROR_NO_MEMORY.
kin_status kin__pool_preview_next(kin__pool_preview *preview, uint32_t most, kin__run *run);

// Makes sure that the pool has a free slot, and returns the next one in `*slot`. Errors as above.
kin_status kin__pool_reserve(kin_context *context, const kin__pool *pool, uint32_t *slot);

// Takes the next slot, which was reserved, and returns a new entity without components.
kin_entity kin__pool_take(kin_context *context, kin__pool *pool);

// Takes the next run, for which the caller writes rows and handles. The caller must have reserved its slots.
kin__run kin__pool_take_run(kin_context *context, kin__pool *pool, uint32_t most);

// Puts a slot, whose entity is dead and not held, at the front of its pool's list.
static inline void kin__pool_put(kin__chunk *chunk, uint32_t slot, uint32_t row_words)
{
    KIN_ASSERT(chunk->pool != NULL && !kin__bits_have(chunk->alive, slot % KIN__CHUNK_SLOTS));
    KIN_ASSERT(chunk->pool->free_slot != slot);
    kin__chunk_row(chunk, row_words, slot % KIN__CHUNK_SLOTS)[0] = chunk->pool->free_slot;
    chunk->pool->free_slot = slot;
}

// Frees the pending slot of a dead entity that is not held.
static inline void kin__slot_free_unheld(kin_context *context, kin__chunk *chunk, uint32_t slot)
{
    kin__slots *slots = &context->core->slots;
    KIN_ASSERT(slots->pending > 0 && !kin__bits_have(chunk->alive, slot % KIN__CHUNK_SLOTS));
    KIN_ASSERT(chunk->holders == NULL || chunk->holders[slot % KIN__CHUNK_SLOTS] == 0);
    slots->pending--;
    if (slot / KIN__CHUNK_SLOTS < slots->assigned_chunks) // else a reset took the chunk back from its pool
        kin__pool_put(chunk, slot, context->row_words);
}

// Counts the entries of collectors that have a destroyed entity as its holders. If it is held, stores its handle in its
// row, until the last hold is removed. Returns whether it is held. (pool.c)
bool kin__slot_keep_held(kin_context *context, kin__chunk *chunk, kin_entity entity);

// Frees the pending slot of an entity that was destroyed just now, unless the entity is held.
static inline void kin__slot_free(kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    kin__chunk *chunk = context->chunks[slot / KIN__CHUNK_SLOTS];
    if (chunk->holders != NULL && kin__slot_keep_held(context, chunk, entity))
        return;
    kin__slot_free_unheld(context, chunk, slot);
}

// Takes all chunks back, so that slots are given in order as in a new context. Slots that are held or being destroyed
// are skipped. All entities are dead.
void kin__slots_reset(kin_context *context);

// Returns how many slots are in the pools' lists, computed from the counts of the context.
uint32_t kin__pools_reusable(const kin_context *context);

bool kin__pools_are_valid(const kin_context *context);

// Shared values: equal values of a component with `storage: shared` are stored once.
//
//   column    has[8] | values[512]
//                        |                     number → values → the block
//                        └→ the value          hash  → entries → the number
//
//   block     [ number | holders | hash ][ owned block: next | id | references | the value | string\0string\0 ]
//
// The block of a shared value is an owned block. Its `pins` count the references to it: from places in
// columns, from storages that are not written yet, from last values, and from values that are being delivered.
// `holders` counts the living entities that have the value, but none whose removal or death is being notified.
//
// When the last reference is removed, the block is retired like the owned block of a removed value. It stays in the
// table until it is freed; until then, a change in a listener may refer to it again.
//
// A new value gets the lowest free number, so the order of the numbers depends on the changes alone, not on hashes or
// addresses.
//
// Invariants, checked by kin__shared_is_valid() and kin__shared_all_are_valid():
//   1. no two values of a table are equal
//   2. a value has at least as many references as holders
//   3. a value without references is in the list of retired blocks
//   4. the free numbers are a heap, lowest first; all are below `limit`
//
// Cost: finding a value is linear in its bytes and strings; making one also copies it. Assigning and freeing a number
// are logarithmic in the count of free numbers.

// Whether equal values of the component are stored once.
static inline bool kin__is_shared(const kin_context *context, kin_component_id id)
{
    return context->core->watches[id].ownership == KIN__OWNERSHIP_SHARED;
}

// Releases the tables without values, and the spare memory of other tables.
void kin__shared_trim(kin_context *context);

// Releases all values and tables at the end of the context.
void kin__shared_end(kin_context *context);

// Returns the bytes in use by values and tables.
size_t kin__shared_used(const kin_context *context);

// Checks the invariants for all values, and that `holders` agrees with the entities that have the components.
bool kin__shared_all_are_valid(const kin_context *context);

// Restoring shared values: the functions on tables of shared values that snapshots need.
//
//   table    number → block       values that the context refers to
//   parked   hash   → block       values to which only images of snapshots refer
//
// An image refers to the same blocks as the columns do, and pins a block once for each place. Pins are not references:
// when the context releases a value, its number becomes free, with or without snapshots. The block is parked as long as
// an image pins it. If an equal value is made again, the parked block gets a new number. So equal values have one
// address as long as anything refers to them, and comparing addresses is enough to compare places.
//
// A restore calls kin__shared_restore_place for each place of a column that it writes. At its end,
// kin__shared_numbers_restore restores the table.
//
// Invariant: parked blocks have image pins and no references; room is reserved to park every block with image pins.
//
// Cost: constant for each pin and place; linear in the numbers for the table. A value is passed by its address.

// Reserves room to pin all current values of the component. False when out of memory.
bool kin__shared_images_reserve(kin_context *context, kin_component_id id);

// Pins a value, for which room must have been reserved; and removes the pin, which frees a value without references and
// other pins.
void kin__shared_image_pin(const void *value);
void kin__shared_image_unpin(kin_context *context, kin_component_id id, const void *value);

// Returns the value of this context that equals `value`, pinned; parks a new one if none exists. NULL when out of
// memory. For images that are made from another context or a file.
const void *kin__shared_adopt(kin_context *context, kin_component_id id, const void *value);

// Returns the highest number in use plus one; 0 without values.
uint32_t kin__shared_limit(const kin_context *context, kin_component_id id);

// Writes the values by number, up to the limit; NULL where the number is free. The caller pins each.
void kin__shared_numbers_save(const kin_context *context, kin_component_id id, const void **values);

// Returns the number of a value of the table.
uint32_t kin__shared_number_of(const void *value);

// Reserves the table for so many numbers. False when out of memory.
bool kin__shared_numbers_reserve(kin_context *context, kin_component_id id, uint32_t limit);

// Moves a reference and a holder from the old value of a place to its new one; NULL: no value. A restore calls this for
// each place that changes. Until it calls kin__shared_numbers_restore, no other function may use shared values.
void kin__shared_restore_place(const void *before, const void *after);

// Restores the table, once places and last values refer to the saved values. A value without references gets no number:
// only a last value referred to it, and the event system that would report it no longer exists. Only for a component
// that has a table, or whose limit is not 0.
void kin__shared_numbers_restore(kin_context *context, kin_component_id id, const void *const *values, uint32_t limit);

// Slabs: the values of boxed components, each in a cell that does not move.
//
//   core.slabs[component] → slab → block → block …
//     slab    [ … | the spare value ]
//     block   [ free: one bit a cell | cell | cell | … ]     cell: the value, then a pointer to its block
//
// The first block of a component has one cell; each further block doubles the number of cells, up to 64 cells a block.
// So a unique component costs one cell, and a common one few blocks.
//
// Column places without a value point at the spare value. So a program that iterates a run of places may read and write
// all of them, even if components were removed meanwhile, without reaching a value that now belongs to another entity.
//
// Invariants, checked by kin__slot_is_valid() and assertions:
//   1. a component with a column or a last value has a slab; that of shared values has only the spare one
//   2. a place whose bit is set does not point at the spare value
//   3. a block is in the list of open blocks exactly when it has a free cell
//   4. cell_count is the sum of the blocks' cells

// Returns the spare value. The slab must exist, here and below.
void *kin__slab_spare(const kin_context *context, kin_component_id id);

// Takes a cell, whose value is not initialised. NULL when out of memory.
void *kin__slab_take(kin_context *context, kin_component_id id);

// Makes sure that so many cells can be taken without memory. Makes the slab if that is not 0. False when out of memory.
bool kin__slab_reserve_cells(kin_context *context, kin_component_id id, uint32_t count);

// Returns a cell to its block. NULL is allowed.
void kin__slab_put(kin_context *context, kin_component_id id, void *cell);

// Releases blocks without a value and slabs without a block. Trim the columns first: an empty one may still point at
// the spare value.
void kin__slabs_trim(kin_context *context);

// Releases all slabs at the end of the context. No value may be left.
void kin__slabs_release(kin_context *context);

// Invariants of one slot:
//   1. a column has the slot's bit exactly where the slot is alive and its row has the component's bit
//   2. a boxed value of a living slot is not the spare value; an owned one has a valid block
//   3. the canaries of its columns are unchanged
//   4. the slot stores a handle that names it exactly when it is alive
bool kin__slot_is_valid(const kin_context *context, uint32_t slot);

// Descriptions of matchers and entities, for messages and for users (kin/context.h, kin/reflect.h).
//   all(Position, Velocity), none(Frozen)               rules and ids in normal order, with the names of the schema
//   entity 7 in slot 6 (Frozen, Position {x: 1, y: 2})  components by id, with their values
//
// In messages a long description ends in an ellipsis, to leave room for the rest of the sentence.

// Writes the description of a normal matcher, with its NUL, into `size` bytes, at least 8. A longer one ends in "...".
void kin__matcher_describe(const kin_context_info *info, const kin_matcher *normal, char *text, size_t size);

// Values in words: `{x: 1.5, side: Red, name: "bob"}`.
//
//   number    the shortest decimal that reads back as the same number, with a point in any locale
//   enum      its name; the number where the schema has no name for it
//   entity    creation index and slot, `entity 7 in slot 6`; `no entity`
//   string    quoted, escaped and shortened; NULL
//   array     [1, 2, 3]
//   opaque    its type in angle brackets, `<Sprite>`

// Appends the value of the field at `place`.
void kin__value_describe(kin__writer *writer, const kin_field_info *field, const char *place);

// Appends the name of the field, a colon and its value.
void kin__field_describe(kin__writer *writer, const kin_field_info *field, const char *place);

// Errors of callers: one sentence each, reported once to the context's handler before the status is returned.
//
//   <context>: cannot <verb> [<component> of] [entity …]: <reason>; <fix>
//
// Reporting is the last thing that a failing call does, as the handler may destroy or change anything but the context.

// The failed call of the caller. `reason` replaces the usual reason of the status.
typedef struct kin__attempt {
    const char *verb;
    kin_entity entity;       // 0: no entity
    const char *component;   // NULL: none
    const char *reason;      // NULL: the usual reason
    const char *preposition; // between component and entity; NULL: of
    bool is_unique;          // a call about a unique component, which names no entity
    const char *culprit;     // the caller, with a space, such as "system 'Steer' "; NULL: the program
} kin__attempt;

// Where an error goes. All NULL: to stderr.
typedef struct kin__receiver {
    const kin_context_options *options;
    const kin__error_watch *watch;
    const char *context; // name that the message begins with
} kin__receiver;

// Reports an error to the context's handler and returns its status. While threads share the context it only counts the
// call, as the handler is called by the thread that updates; what the limit of nesting refuses is KIN_ERROR_INVALID.
kin_status kin__report_error(const kin_context *context, kin_status status, const kin__attempt *attempt);

// Counts a call that is refused because threads share the context, and returns KIN_ERROR_INVALID.
kin_status kin__refuse_shared(const kin_context *context);

// Returns why a change may not begin at the limit of nesting: that limit, or the context was abandoned.
const char *kin__nesting_reason(const kin_context *context);

// Reports an error of a call about a component of an entity.
kin_status kin__report_component_error(const kin_context *context, kin_status status, const char *verb,
                                       kin_entity entity, kin_component_id id);

// Reports an error of a call about a unique component, which names no entity.
kin_status kin__report_unique_error(const kin_context *context, kin_status status, const char *verb,
                                    kin_component_id id);

// Report an error without a context: `refused` is the size for KIN_ERROR_NO_MEMORY; `options` may be NULL.
kin_status kin__report_error_to(const kin_context_options *options, kin_status status, const kin__attempt *attempt,
                                size_t refused);
kin_status kin__report_error_at(const kin__receiver *receiver, kin_status status, const kin__attempt *attempt,
                                size_t refused);

#endif
