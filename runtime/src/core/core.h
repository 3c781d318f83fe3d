// Core: the private data of a context; the part that generated code reads is in storage.h.
//
//   slots         chunks, their memory and holders                                       chunk.c
//   pools         free slots: one pool for each blueprint, one for all other entities    pool.c
//   groups        groups by number, found by matcher                                     group.c
//   watches       by component: the groups to notify of its changes                      watch.c
//   journals      by component: its last additions and removals                          journal.c
//   tool_journal  the journal of a tool, which notes all changes                         note.c
//   indices       entities by key                                                        index.c
//   owners        which owner retains which entity                                       retain.c
//   events        subscribers of the context and of single entities                      event.c
//   listeners     listeners of generated events                                          listener.c
//   slabs         values of boxed components                                             slab.c
//   last_values   values of removed components that events still deliver                 last_value.c
//   dispatch      changes under way, innermost first, and their payloads                 dispatch.c
//   store         images of its blocks in snapshots                                      store.c
//
// Invariants, checked by kin__context_is_valid():
//   1. chunks[n] exists for n < chunk_count; the other entries up to chunk_mask are chunks[0]
//   2. chunks below slots.assigned_chunks belong to pools; a slot there is living (alive bit and handle), free (in its
//      pool's list or not used yet), or pending: held or being destroyed
//   3. components[c].watchers is not 0 while watches[c] lists a group or its journal is on, or at the depth limit
//   4. the masks of watches[c] agree with the groups' matchers for every row (mask.h); a subscriber list's events
//      include those of its subscribers
//   5. components[c].replace_path leads to the only subscriber that a replace of c notifies, if there is one (direct.c)
//   6. at depth 0 there is no outgrown payload block, no ended subscriber and no retired owned block; while there is
//      one, `unsettled` is set
#ifndef KIN_SRC_CORE_H
#define KIN_SRC_CORE_H

#include "base/base.h"

#include <kin/collector.h>
#include <kin/generated/create.h>
#include <kin/generated/direct.h>
#include <kin/generated/members.h>

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

// One subscription in its list. `serial` grows with each subscription, and is 0 once it has ended: a change notifies
// only subscribers that began before it.
typedef struct kin__subscriber {
    uint64_t serial;
    uint32_t events; // a set of KIN__EVENT_…
    bool collects;   // the listener is a collector's: two calls for one change collect the entity once
    kin_listener *listener;
    void *user;
    struct kin__subscriber *next, *previous;
    kin_context *context;
    kin_group *group; // NULL: the subscriber of an entity or a context
    kin__subscriber_list *list;
    struct kin__subscriber *next_ended; // in the list of ended subscribers, or of spare ones
} kin__subscriber;

// Events of groups, in the order in which a replace notifies.
enum { KIN__EVENT_REMOVED = 1, KIN__EVENT_ADDED = 2, KIN__EVENT_MODIFIED = 4, KIN__EVENTS_OF_GROUPS = 7 };

// Added to KIN__EVENT_REMOVED when the component is removed, not replaced; and to KIN__EVENT_ADDED when the entity
// enters the group.
enum { KIN__EVENT_LOST = 1 << 12, KIN__EVENT_ENTERED = 1 << 14 };

// What the group needs to patch its array (patch.h).
typedef struct kin__patching {
    uint64_t seen[KIN__PATCHED_COMPONENTS]; // changes of each named component when the array was made or patched
    uint32_t gap;                           // unused places of `list` before the array
    uint32_t calls;                         // calls in a row that found few changes
    bool compares;                          // a row matches if (row & compared) == expected; rows have one word
    uint64_t compared, expected;
} kin__patching;

struct kin_group {
    kin_context *context;
    uint32_t number;     // in order of creation
    uint64_t serial;     // of its creation, see kin__dispatch
    kin_matcher matcher; // normalised
    uint64_t hash;       // of the matcher
    struct kin_group *next_in_bucket;
    kin__subscriber_list subscribers;
    uint32_t subscriber_count; // not ended
    uint32_t listener_count;   // of these: those that are not collectors
    bool has_room;             // its watches have reserved room for it

    kin_component_id *named; // components whose changes can change the group, each once; NULL: all
    uint32_t named_count;
    bool counts_alive; // creating and destroying entities can change the group too

    uint64_t counted_at; // the stamp (kin__group_stamp) of `count`; KIN__NEVER at first
    uint32_t count;
    kin__members *members; // stored after the context for a declared group, else `own`
    kin__members own;
    kin__array list; // of kin_entity: the members' array
    kin__patching patching;
};

// The groups to notify of changes of one component, by number. `version` counts the changes of the list; `reserved`
// counts the groups for which it has room.
typedef struct kin__watch {
    kin__array groups; // of kin_group *
    kin__array masks;  // of each group, see mask.h
    uint32_t count, reserved;
    uint32_t version;
    uint32_t listened;    // not 0 while a group of the list has a subscriber that is not a collector
    kin__direct *direct;  // for direct calls (direct.h); NULL: not allocated
    uint32_t size;        // bytes of a value
    bool is_fast;         // a change writes only bits and the value: not unique, boxed, owning, keyed or soa
    bool toggles_fast;    // the same for additions and removals, which a journal notes too
    uint8_t side_effects; // of additions and removals: a set of KIN__SIDE_EFFECT_…
    uint8_t ownership;    // what values own: one of KIN__OWNERSHIP_…
} kin__watch;

enum {
    KIN__OWNERSHIP_NONE,
    KIN__OWNERSHIP_OWN,   // values own strings, opaque values or lists (owned.h)
    KIN__OWNERSHIP_SHARED // equal values are stored once, with their strings (shared.h)
};

enum {
    KIN__SIDE_EFFECT_CARRIER = 1,    // the component is unique: its carrier changes
    KIN__SIDE_EFFECT_JOURNAL = 2,    // the journal is on
    KIN__SIDE_EFFECT_RELATION = 4,   // the component has a relation
    KIN__SIDE_EFFECT_SHARED = 8,     // values are shared: one holder less
    KIN__SIDE_EFFECT_NOTED = 16,     // the journal of a tool notes all changes (note.h)
    KIN__SIDE_EFFECT_NOTED_FAST = 32 // of such a component: is_fast when it is not noted
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
    bool in_scope; // the snapshot that is saved or restored now has what it holds: see collect/collector_restore.h
} kin__slot_extension;

typedef struct kin__slots {
    uint32_t assigned_chunks;       // chunks that belong to pools
    uint64_t created_before;        // entities created before the last reset
    uint64_t deaths;                // entities destroyed
    uint32_t pending;               // destroyed entities whose slots are not free yet: being destroyed, or held
    uint32_t held;                  // slots of dead entities that are held
    uint32_t about_to_be_destroyed; // living entities whose KIN_ENTITY_WILL_BE_DESTROYED is being notified
    uint64_t rewinds;               // what restores have taken from the counts of births and deaths
    uint64_t announced;             // counts the notifications of KIN_ENTITY_WILL_BE_DESTROYED
    bool counts_holders;            // chunks have arrays of holders
    kin__array endings;             // of uint32_t *, by chunk: see ending.h
    uint32_t chunk_capacity;        // of context.chunks
    uint32_t present_words;
    uint64_t *present; // by component, one bit a chunk: the chunk has a column
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

// One payload of `value_size` bytes for each depth, see payload.h.
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
    kin__subscriber *ended, *spare;
    kin__owned_block *first_retired, *last_retired; // of removed and replaced values, in order; see owned.h
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

// The components of the set that was cloned last, see clone_list.h.
typedef struct kin__clone_part {
    uint32_t id, size; // bytes of the value; 0 for a flag
} kin__clone_part;

typedef struct kin__clone_list {
    uint64_t row; // the set of components
    uint32_t count;
    kin__clone_part parts[64];
} kin__clone_list;

// How often sharing has begun, and the calls that failed since (sharing.h).
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
    kin__slot_extension *slot_extensions;
    struct kin__indices *indices;                       // NULL: the schema has none
    struct kin__relations *relations;                   // NULL: the schema has none
    uint32_t blueprint_count;                           // of the schema, and of its children
    kin__clone_list clone_list;                         // of the empty set before the first clone
    bool is_abandoned;                                  // a callback was left: nothing but destroying works
    uint32_t busy;                                      // systems running on this context now
    uint32_t reports;                                   // calls of on_error under way
    void (*caught)(const kin_error *error, void *user); // replaces on_error at depth 0; NULL: nothing does
    void *caught_user;
    kin__error_watch error_watch; // of the errors that are not caught
    kin__sharing sharing;
    kin_status value_error; // why the last value with a list was refused, unless memory was missing (list.h)
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
    struct kin_journal *tool_journal; // notes changes (note.h); NULL: none
    bool notes_lives;                 // also of entities, as the journal said when it was set
};

#endif
