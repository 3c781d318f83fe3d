// Core: what the library keeps for one context, behind the part that storage.h shows to generated code.
//
//   slots      chunks, their memory, free slots and holders                         chunk.c
//   groups     the groups by number, found by matcher                               group.c
//   watches    for each component the groups that must be told of its changes       watch.c
//   indices    entities by key                                                      index.c
//   owners     who retains which entity                                             retain.c
//   events     who listens to the context and to single entities                    event.c
//   listeners  those of generated events                                            listener.c
//   keepsakes  values that were lost and of which events still have to tell         keepsake.c
//   dispatch   the changes being told now, innermost first, and what they show      dispatch.c
//
// Invariants, checked by kin__context_is_valid():
//   1. chunks[n] exists for n < chunk_count, and those below slots.given belong to the pool of entities
//   2. a slot is living (alive bit and handle), free (in the free list), or held or being stripped (neither)
//   3. components[c].watchers is not 0 while watches[c] names a group, or at the limit of depth
//   4. at depth 0 no frame, no outgrown block of values, no ended subscriber and no parcel that is gone is left
#ifndef KIN_SRC_CORE_H
#define KIN_SRC_CORE_H

#include "matcher.h"
#include "memory.h"

#include <kin/collector.h>
#include <kin/storage.h>

enum {
    KIN__MAX_DEPTH = 64,         // changes within changes, the outermost counted (DSP-13)
    KIN__MAX_SLOTS = 1 << 24,    // what a handle can say
    KIN__MAX_COMPONENTS = 65535, // what a kin_component_id can say, one of them kept for "no component"
};

#define KIN__MAX_CREATION_INDEX (((uint64_t)1 << 40) - 1)

// Those who listen to one group, one entity or one context, in order of subscription.
typedef struct kin__audience {
    struct kin__subscriber *first, *last;
} kin__audience;

// One listener's place in its audience. `serial` says when it began, 0 once it has ended; a change is told only to
// those that began before it.
typedef struct kin__subscriber {
    uint64_t serial;
    uint32_t events; // of KIN__EVENT_…
    kin_listener *listener;
    void *user;
    kin_context *context;
    kin_group *group; // NULL of those who listen to an entity or a context
    kin__audience *audience;
    struct kin__subscriber *previous, *next;
    struct kin__subscriber *next_ended; // waiting to be unlinked, or to be used again
} kin__subscriber;

enum { KIN__EVENT_ADDED = 1, KIN__EVENT_REMOVED = 2, KIN__EVENT_MODIFIED = 4 };

struct kin_group {
    kin_context *context;
    uint32_t number;     // in order of creation
    uint64_t serial;     // when it was made
    kin_matcher matcher; // normalised
    uint64_t hash;       // of the matcher
    struct kin_group *next_in_bucket;
    kin__audience audience;
    uint32_t subscriber_count; // that have not ended
    bool has_room;             // in the lists of watching groups

    uint64_t counted_at; // the stamp (kin__group_stamp) of `count`; all ones: never
    uint32_t count;
    uint64_t listed_at; // likewise of `list`
    uint32_t listed;
    kin__array list; // of kin_entity
};

// The groups that must be told of changes of one component, by number. `version` counts the changes of the list;
// `reserved` the groups that may come in, for which there is room.
typedef struct kin__watch {
    kin__array groups; // of kin_group *
    uint32_t count, reserved;
    uint32_t version;
} kin__watch;

// Somebody who keeps something for each slot of the context, or has to know when it ends: a collector.
typedef struct kin__follower {
    struct kin__follower *next;
    bool (*reserve)(struct kin__follower *follower, uint32_t slot_count); // false without memory
    void (*forget)(struct kin__follower *follower);                       // the context ends
} kin__follower;

typedef struct kin__slots {
    uint32_t given;          // chunks whose slots are in use or in the free list
    uint64_t births_before;  // entities created before the last reset
    uint64_t deaths;         // entities destroyed
    uint64_t freed;          // of those, whose slots are free again
    uint32_t held;           // dead slots with a holder
    uint32_t leaving;        // entities that are alive while it is told that they will be destroyed
    uint64_t left;           // how many there ever were
    bool holding;            // chunks have holders
    uint32_t chunk_capacity; // of the array of chunks
    uint32_t present_words;
    uint64_t *present; // a bit a chunk for each component: it has a column
} kin__slots;

// One change being told.
typedef struct kin__frame {
    struct kin__frame *outer;
    kin_context *context;
    kin_entity entity;
    kin_component_id component;
    bool strip;   // the entity is being stripped or released: its calls are told though it is dead
    bool leaving; // it is told that the entity will be destroyed
    const void *previous, *value;
    uint64_t serial;        // subscribers that began later are not told
    uint64_t life;          // the context's count of resets
    uint64_t *before, *row; // of the strip: the whole row, and what is left of it; else both the row of the change
} kin__frame;

// Room for a value of `value_size` bytes at each depth.
typedef struct kin__block {
    struct kin__block *next; // an older one with less room, which outer changes still use
    size_t value_size;
    max_align_t values[];
} kin__block;

typedef struct kin__parcel kin__parcel;

typedef struct kin__dispatch {
    kin__frame *frames;
    uint32_t depth;
    uint64_t serial;  // counts subscriptions and groups
    uint64_t life;    // counts resets
    uint64_t *rows;   // two for each depth
    kin__block *kept; // values that were overwritten or removed, while that is told
    kin__subscriber *ended, *spare;
    kin__parcel *first_gone, *last_gone; // what removed and replaced values owned, in order; see owned.h
} kin__dispatch;

// Who listens to the context and to entities of it.
typedef struct kin__events {
    kin__audience audience; // of the context
    uint32_t mourners;      // who may have to be told of the end of an entity, or end with it
    uint32_t partings;      // of those: who are told that an entity will be destroyed
    uint32_t births;        // who are told of new entities
    uint32_t groups;        // who are told of new groups
    uint32_t observers;     // who are told of changes of an entity of theirs
} kin__events;

// Listeners of generated events. A delivery is the telling of one event about one entity.
typedef struct kin__listeners {
    kin__array *perches;     // by event: of kin__perch *, by chunk. NULL before the first listener
    uint32_t count;          // who have not ended
    uint32_t deliveries;     // under way, outer ones counted
    uint64_t serial;         // counts those that were ever added
    struct kin__hook *ended; // during those deliveries, and still in their lists
} kin__listeners;

// Who retains which entity: an open hash table. Nothing is in it where holders are only counted.
typedef struct kin__owners {
    struct kin__owner *table;
    uint32_t count, capacity; // capacity: a power of two, at least twice the count; or 0
} kin__owners;

struct kin__core {
    kin_context_options options;
    kin__memory memory;
    size_t context_size;
    kin__component *life; // being alive: the one behind the components
    kin__slots slots;
    kin__dispatch dispatch;
    kin__events events;
    kin__listeners listeners;
    struct kin__keepsakes **keepsakes; // by component. NULL before the first
    kin__owners owners;
    kin__watch *watches; // by component, one more at the end for being alive
    kin__array groups;   // of kin_group *, by number
    uint32_t group_count;
    kin_group **buckets;
    uint32_t bucket_count;
    kin__follower *followers;
    struct kin__indices *indices; // NULL: the schema has none
    uint32_t busy;                // reactive systems that run on this context now
    uint64_t listed_at;           // the count of births and deaths that `list` shows; all ones: never
    uint32_t listed;
    kin__array list;
};

#endif
