// Core: what the library keeps for one context, behind the part that storage.h shows to generated code.
//
//   slots      chunks, their memory and holders                                     chunk.c
//   pools      which slots are free, of blueprints and of all others                pool.c
//   groups     the groups by number, found by matcher                               group.c
//   watches    for each component the groups that must be told of its changes       watch.c
//   indices    entities by key                                                      index.c
//   owners     who retains which entity                                             retain.c
//   events     who listens to the context and to single entities                    event.c
//   listeners  those of generated events                                            listener.c
//   slabs      the values of boxed components                                      slab.c
//   keepsakes  values that were lost and of which events still have to tell         last_value.c
//   dispatch   the changes being told now, innermost first, and what they show      dispatch.c
//
// Invariants, checked by kin__context_is_valid():
//   1. chunks[n] exists for n < chunk_count, and those below slots.given belong to pools; the others
//      up to chunk_mask are chunks[0]
//   2. a slot is living (alive bit and handle), free (in its pool's list), or held or being stripped (neither)
//   3. components[c].watchers is not 0 while watches[c] names a group, or at the limit of depth
//   4. the masks of watches[c] say of every row what the groups' matchers say (mask.h); an audience's events are at
//      least those of its subscribers
//   5. components[c].replace_path leads to the only subscriber who is told of a replace of c, where there is one (direct.c)
//   6. at depth 0 no outgrown block of values, no ended subscriber and no parcel that is gone is left; while one is,
//      `unsettled` says so
#ifndef KIN_SRC_CORE_H
#define KIN_SRC_CORE_H

#include "base/bits.h"
#include "base/matcher.h"
#include "base/memory.h"

#include <kin/collector.h>
#include <kin/generated/create.h>
#include <kin/generated/direct.h>
#include <kin/generated/members.h>

enum {
    KIN__MAX_DEPTH = 64,         // changes within changes, the outermost counted (DSP-13)
    KIN__MAX_SLOTS = 1 << 24,    // what a handle can say
    KIN__MAX_COMPONENTS = 65535, // what a kin_component_id can say, one of them kept for "no component"
};

#define KIN__MAX_CREATION_INDEX (((uint64_t)1 << 40) - 1)
#define KIN__NEVER              (~(uint64_t)0)

// Those who listen to one group, one entity or one context, in order of subscription.
typedef struct kin__subscriber_list {
    struct kin__subscriber *first, *last;
    uint32_t events; // those of its subscribers, and maybe of some that have ended
} kin__subscriber_list;

// One listener's place in its audience. `serial` says when it began, 0 once it has ended; a change is told only to
// those that began before it.
typedef struct kin__subscriber {
    uint64_t serial;
    uint32_t events; // of KIN__EVENT_…
    bool collects;   // the listener is a collector's: called twice for one change it collects once
    kin_listener *listener;
    void *user;
    struct kin__subscriber *next, *previous;
    kin_context *context;
    kin_group *group; // NULL of those who listen to an entity or a context
    kin__subscriber_list *list;
    struct kin__subscriber *next_ended; // waiting to be unlinked, or to be used again
} kin__subscriber;

// Of groups, in the order in which a replace tells them.
enum { KIN__EVENT_REMOVED = 1, KIN__EVENT_ADDED = 2, KIN__EVENT_MODIFIED = 4, KIN__EVENTS_OF_GROUPS = 7 };

// A removal that is none of these three: the component is gone, nothing took the value's place.
enum { KIN__EVENT_LOST = 1 << 12 };

struct kin_group {
    kin_context *context;
    uint32_t number;     // in order of creation
    uint64_t serial;     // when it was made
    kin_matcher matcher; // normalised
    uint64_t hash;       // of the matcher
    struct kin_group *next_in_bucket;
    kin__subscriber_list subscribers;
    uint32_t subscriber_count; // that have not ended
    bool has_room;             // in the lists of watching groups

    kin_component_id *named; // those whose changes can change it, each once; NULL: all
    uint32_t named_count;
    bool counts_alive; // and births and deaths

    uint64_t counted_at; // the stamp (kin__group_stamp) of `count`; KIN__NEVER at first, as of its members
    uint32_t count;
    kin__members *members; // behind the context for a declared group, else its own
    kin__members own;
    kin__array list; // of kin_entity: where they stand
};

// The groups that must be told of changes of one component, by number. `version` counts the changes of the list;
// `reserved` the groups that may come in, for which there is room.
typedef struct kin__watch {
    kin__array groups; // of kin_group *
    kin__array masks;  // of each group, see mask.h
    uint32_t count, reserved;
    uint32_t version;
    kin__direct *direct; // what the only one who is told of a replace is shown; NULL: there never is one
    uint32_t size;       // bytes of a value
    bool is_fast;        // its changes concern bits, value and listeners alone: not unique, boxed, owning, keyed or soa
} kin__watch;

// Somebody who keeps something for each slot of the context, or has to know when it ends: a collector. What one need
// not do is NULL, but for `forget`.
typedef struct kin__slot_extension {
    struct kin__slot_extension *next;
    bool (*reserve)(struct kin__slot_extension *extension, uint32_t slot_count); // false without memory
    void (*forget)(struct kin__slot_extension *extension);                       // the context ends
    size_t (*used)(const struct kin__slot_extension *extension); // bytes of the context's that hold something
    void (*trim)(struct kin__slot_extension *extension);         // gives spare memory back
} kin__slot_extension;

typedef struct kin__slots {
    uint32_t given;                 // chunks that belong to pools
    uint64_t created_before;        // entities created before the last reset
    uint64_t deaths;                // entities destroyed
    uint32_t waiting;               // of those, whose slots are not free yet: being stripped, or held
    uint32_t held;                  // dead slots with a holder
    uint32_t about_to_be_destroyed; // entities that are alive while it is told that they will be destroyed
    uint64_t left;                  // how many there ever were
    bool holding;                   // chunks have holders
    uint32_t chunk_capacity;        // of the array of chunks
    uint32_t present_words;
    uint64_t *present; // a bit a chunk for each component: it has a column
} kin__slots;

// Bytes of context.watched and core.scattered, which are one block.
static inline size_t kin__marks_size(const kin_context *context)
{
    return 2 * context->row_words * sizeof(uint64_t);
}

// One change being told: `change` is what listeners are shown, with the group whose turn it is.
typedef struct kin__frame {
    kin_change change;
    uint64_t serial;            // subscribers that began later are not told
    uint64_t epoch;             // the context's count of resets
    uint64_t deaths;            // and of entities destroyed, when it began: the entity was alive
    bool destroys;              // the entity is being stripped or released: its calls are told though it is dead
    bool about_to_be_destroyed; // it is told that the entity will be destroyed
    const uint64_t *lost;       // the row of what an entity loses that is stripped; else NULL
    struct kin__frame *outer;   // of those that others may have to find
} kin__frame;

// Room for a value of `value_size` bytes at each depth.
typedef struct kin__payload_block {
    struct kin__payload_block *next; // an older one with less room, which outer changes still use
    size_t value_size;
    max_align_t values[];
} kin__payload_block;

typedef struct kin__owned_block kin__owned_block;
typedef struct kin__slab kin__slab;

typedef struct kin__dispatch {
    kin__frame *frames;
    bool direct_waits;        // components may have another one, who alone is told of a replace, or one at all
    uint64_t serial;          // counts subscriptions and groups
    uint64_t epoch;           // counts resets
    uint64_t *rows;           // two for each depth
    kin__payload_block *kept; // values that were overwritten or removed, while that is told
    kin__subscriber *ended, *spare;
    kin__owned_block *first_gone, *last_gone; // what removed and replaced values owned, in order; see owned.h
    uint32_t loans;                           // batches under way, which may return opaque values to their callers
} kin__dispatch;

// Who listens to the context and to entities of it.
typedef struct kin__events {
    kin__subscriber_list subscribers;  // of the context
    uint32_t destroy_subscribers;      // who may have to be told of the end of an entity, or end with it
    uint32_t will_destroy_subscribers; // of those: who are told that an entity will be destroyed
    uint32_t create_subscribers;       // who are told of new entities
    uint32_t groups;                   // who are told of new groups
    uint32_t entity_subscribers;       // who are told of changes of an entity of theirs
} kin__events;

// Listeners of generated events. A delivery is the telling of one event about one entity.
typedef struct kin__listeners {
    kin__array *listener_slots;        // by event: of kin__listener_slots *, by chunk. NULL before the first listener
    uint32_t count;                    // who have not ended
    uint32_t calls_under_way;          // under way, outer ones counted
    uint64_t serial;                   // counts those that were ever added
    struct kin__event_listener *ended; // during those deliveries, and still in their lists
} kin__listeners;

// Who retains which entity: an open hash table. Nothing is in it where holders are only counted.
typedef struct kin__owners {
    struct kin__owner *table;
    uint32_t count, capacity; // capacity: a power of two, at least twice the count; or 0
} kin__owners;

struct kin__core {
    kin_context_options options;
    kin__memory memory; // all of it; what is in no part is that of chunks and of the context itself
    kin__memory column_memory, group_memory, collector_memory, index_memory, string_memory; // parts of it
    size_t context_size;
    uint64_t factors[2];   // odd, from the seed: of all hashes, see seed.h
    kin__component *alive; // being alive: the one behind the components
    uint64_t *soa_row;     // a row of the components that have a column for each field
    kin__slots slots;
    kin__dispatch dispatch;
    kin__events events;
    kin__listeners listeners;
    kin__slab **slabs;                     // by component. NULL before the first
    struct kin__last_values **last_values; // by component. NULL before the first
    uint32_t stashed;                      // values that are
    kin__owners owners;
    kin__watch *watches; // by component, one more at the end for being alive
    kin__array groups;   // of kin_group *, by number
    uint32_t group_count;
    kin_group **buckets;
    uint32_t bucket_count;
    kin__slot_extension *slot_extensions;
    struct kin__indices *indices; // NULL: the schema has none
    uint32_t busy;                // reactive systems that run on this context now
    uint32_t reports;             // errors of this context that are being reported now, each within a handler
    bool is_in_world;             // a world owns the context, and alone destroys it
    uint64_t listed_at;           // the count of births and deaths that `list` shows; all ones: never
    uint32_t listed;
    kin__array list;
};

#endif
