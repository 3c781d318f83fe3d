/// Inventory: what a context and a collection of systems contain, listed with names, counts and memory. For inspectors,
/// profilers and tests.
///
/// Functions that fill an array write up to `capacity` elements and return how many there are, which may be more; the
/// array may be NULL when `capacity` is 0. Nothing here makes a group, an array of entities or a subscription, or
/// notifies a listener, so looking does not change what the game does. No function reports an error unless its comment
/// names one.
///
/// A visitor is called once for each item. It must not change the context or the collection, unless the function says
/// otherwise. Structs and strings that it is given are valid during the call only.
#ifndef KIN_INVENTORY_H
#define KIN_INVENTORY_H

#include <kin/memory.h>
#include <kin/profile.h>

KIN_BEGIN_DECLARATIONS

// ---- Groups

/// Lists the groups of the context in order of creation, the declared ones first. Cost: copies the pointers.
KIN_API uint32_t kin_context_groups(const kin_context *context, kin_group **groups, uint32_t capacity);

/// Returns the name of a declared group in the schema; NULL for a group that is not declared. If several declared
/// groups have equal matchers, and so are one group, the first name. The string is constant. Cost: compares the
/// declared groups.
KIN_API const char *kin_group_name(const kin_group *group);

/// Returns the context that the group belongs to, which stays valid until it is destroyed. Cost: one load.
KIN_API kin_context *kin_group_context(const kin_group *group);

/// Returns the number of subscriptions to the group, without those of collectors. Cost: visits each.
KIN_API uint32_t kin_group_listener_count(const kin_group *group);

// ---- Collectors

/// Lists the collectors with a trigger in the context in order of creation, also those of reactive systems, of event
/// systems and of declared systems that need last values. Cost: visits each, twice.
KIN_API uint32_t kin_context_collectors(const kin_context *context, kin_collector **collectors, uint32_t capacity);

/// Returns the name of the collector: the one that it was given, or that of its system; NULL without a name. The string
/// is valid until the collector gets another name or is destroyed. Cost: one load.
KIN_API const char *kin_collector_name(const kin_collector *collector);

/// Names the collector, for tools. The name is copied; NULL removes it. Errors: KIN_ERROR_INVALID without a collector;
/// KIN_ERROR_NO_MEMORY. Cost: an allocation.
KIN_API kin_status kin_collector_set_name(kin_collector *collector, const char *name);

/// Lists the triggers of the collector. Those of a context that was destroyed have no group. Cost: visits
/// each trigger.
KIN_API uint32_t kin_collector_triggers(const kin_collector *collector, kin_trigger *triggers, uint32_t capacity);

/// Returns whether the collector contains an entity of the context, alive or destroyed. Cost: a test of one bit, and if
/// it is set a search through the collected entities.
KIN_API bool kin_collector_contains(const kin_collector *collector, const kin_context *context, kin_entity entity);

/// Returns whether the collector is active, that is, collects. Cost: one load.
KIN_API bool kin_collector_is_active(const kin_collector *collector);

// ---- Unique components and indices

/// Returns the entity that has the unique component; 0 if none has it, the component is not unique or the id is out of
/// range. Cost: a few loads.
KIN_API kin_entity kin_context_carrier(const kin_context *context, kin_component_id id);

/// An entity in an index.
typedef struct kin_index_entry {
    const char *key;   ///< the key in words, such as `"bob"` or `(3, -1)`, escaped and shortened
    kin_entity entity; ///< an entity with this key
    uint32_t place;    ///< its number among the entities with this key, from 0
    uint32_t count;    ///< number of entities with this key; 1 in a primary index
} kin_index_entry;

/// Visits one entity of an index.
typedef void kin_index_visitor(const kin_index_entry *entry, void *user);

/// Returns the number of entities in an index; 0 for a number out of range. `index` is its number in `indices` of the
/// context's info. If a function gives the keys, an entity counts once for each of its keys, and kin_index_walk visits
/// it once for each. An entity that `off` of the schema switches off counts in a primary index, where its key
/// stays taken. Cost: of a multi index, visits each key.
KIN_API uint32_t kin_index_count(const kin_context *context, uint32_t index);

/// Returns how many entities match a grid but are in no cell, as a coordinate was infinite or a NaN when it was last
/// added, replaced, touched or refreshed; 0 for any other index, and for a number out of range. Cost: a load.
KIN_API uint32_t kin_index_lost(const kin_context *context, uint32_t index);

/// Visits each entity of an index, those with equal keys one after the other, by slot; keys by the lowest slot with
/// them. Does nothing for a number out of range. Cost: of a primary index, visits every slot that can have the first
/// component of the key; of a multi index, each key and entity; of a grid, sorts its cells; writes each key as text.
KIN_API void kin_index_walk(const kin_context *context, uint32_t index, kin_index_visitor *visit, void *user);

// ---- Counters

/// The numbers of structural changes since the context was created. Resets do not reset these counters.
typedef struct kin_counts {
    uint64_t created;   ///< entities created
    uint64_t destroyed; ///< entities destroyed
    uint64_t changed;   ///< components and flags added or removed, also as parts of a new or destroyed entity
} kin_counts;

/// Returns the structural changes of the context. Nothing is counted for this that changes do not count anyway. Cost:
/// visits each component of the context.
KIN_API kin_counts kin_context_counts(const kin_context *context);

/// Returns how often an entity got or lost the component; 0 for an id out of range. Replaces are not counted. Cost: one
/// load.
KIN_API uint64_t kin_component_changes(const kin_context *context, kin_component_id id);

// ---- Memory

/// Returns the number of chunks of 512 slots that the context has. Ranges of chunks below it are valid. Cost: one load.
KIN_API uint32_t kin_context_chunk_count(const kin_context *context);

/// Memory of one component in a range of chunks.
typedef struct kin_component_usage {
    uint32_t columns; ///< chunks that have a column for the component
    uint32_t values;  ///< entities that have it
    kin_memory
        memory; ///< of these columns and, if it is boxed, the values; not of strings, opaque values and shared values
} kin_component_usage;

/// Measures a component in `count` chunks from `first` on; chunks that do not exist are skipped. Adding the results of
/// adjacent ranges gives that of the whole, so that a report can be spread over several frames. All zero for an id out
/// of range. Cost: a few loads for each chunk.
KIN_API kin_component_usage kin_component_memory(const kin_context *context, kin_component_id id, uint32_t first,
                                                 uint32_t count);

/// The slots for the entities of one blueprint, or for all entities that are not spawned.
typedef struct kin_pool_usage {
    uint32_t chunks;   ///< chunks of 512 slots that belong to the pool
    uint32_t entities; ///< living entities
    uint32_t free;     ///< slots without a living entity, also those that destroyed entities hold
} kin_pool_usage;

/// Adds the slots in `count` chunks from `first` on to `pools`, which has 1 + blueprint_count elements: pools[0] is for
/// entities that are not spawned, pools[1 + n] for those of blueprint n. Set the elements to zero first. Chunks that
/// belong to no pool yet are skipped. Cost: a few loads for each chunk.
KIN_API void kin_context_pools(const kin_context *context, uint32_t first, uint32_t count, kin_pool_usage *pools);

/// All living entities with the same set of components.
typedef struct kin_archetype {
    const kin_component_id *components; ///< ids in ascending order, flags included
    uint32_t component_count;           ///< number of them; 0: entities without components
    uint32_t entities;                  ///< number of entities
    size_t bytes; ///< of their handles, rows and values, boxed ones included; not of strings, opaque and shared values
    uint32_t
        chunks; ///< chunks of 512 slots with at least one of the entities; a chunk can have entities of several sets
    uint32_t unused; ///< slots of these chunks without a living entity
} kin_archetype;

/// Visits one set of components. It may change the context, but not destroy it.
typedef void kin_archetype_visitor(const kin_archetype *archetype, void *user);

/// Visits each set of components that a living entity has, in the order of the first slot that has it. Kin does not
/// store entities by their sets, so they are gathered on each call.
///
/// Errors, with nothing visited: KIN_ERROR_NO_MEMORY; KIN_ERROR_INVALID without a visitor. Cost: visits every living
/// entity, and allocates for each set.
KIN_API kin_status kin_context_archetypes(kin_context *context, kin_archetype_visitor *visit, void *user);

// ---- Systems

/// The kind of a system or collection.
typedef enum kin_system_kind {
    KIN_SYSTEM_COLLECTION, ///< a nested collection, such as a node of the schedule
    KIN_SYSTEM_PLAIN,      ///< a system without triggers and group, added by kin_systems_add or declared
    KIN_SYSTEM_REACTIVE,   ///< a system with triggers
    KIN_SYSTEM_GROUP,      ///< a declared system with a group
    KIN_SYSTEM_EVENT,      ///< the system of a generated event
    KIN_SYSTEM_CLEANUP     ///< the system of a `cleanup`
} kin_system_kind;

/// A system or nested collection.
typedef struct kin_system_entry {
    uint32_t place;           ///< its number in the walk, from 0
    uint32_t depth;           ///< collections around it, without the one that is walked
    kin_system_kind kind;     ///< what it is
    const char *name;         ///< its name, or NULL
    bool enabled;             ///< not disabled itself
    bool runs;                ///< enabled, and so are all collections around it
    kin_collector *collector; ///< of a reactive system or an event system, else NULL
    kin_counts counts; ///< structural changes made in its calls; zero unless kin_systems_count_changes was called
} kin_system_entry;

/// Visits one system or collection.
typedef void kin_systems_visitor(const kin_system_entry *entry, void *user);

/// Visits every system and nested collection in the order in which they run: a collection, then what it contains.
/// `systems` may be NULL. Cost: one call for each.
KIN_API void kin_systems_walk(const kin_systems *systems, kin_systems_visitor *visit, void *user);

/// Writes the durations of a role of the system with this number in the walk to `timing`, as kin_systems_timing does by
/// name. Returns false, with `timing` unchanged, when there is no such system, and when it is not profiled or does not
/// have the role. Cost: sorts the recorded calls.
KIN_API bool kin_systems_timing_at(const kin_systems *systems, uint32_t place, kin_role role, kin_timing *timing);

/// Enables or disables the system or collection with this number in the walk, as kin_systems_set_enabled does by name.
/// Adding and removing systems changes the numbers. Errors: KIN_ERROR_INVALID without a collection, and when there is
/// no such number. Cost: also that of activating or deactivating the collectors.
KIN_API kin_status kin_systems_set_enabled_at(kin_systems *systems, uint32_t place, bool enabled);

/// Counts, from now on, the structural changes that each call of each profiled system makes in the contexts, those of
/// listeners that it causes included. kin_systems_walk shows the sums. A `count` of 0 stops counting. Profile the
/// systems first; kin_systems_profile stops counting too. The contexts must not be destroyed while they are counted.
///
/// Errors: KIN_ERROR_INVALID without a collection, from inside a run of it, for a context that is NULL, and when a
/// system is not profiled; KIN_ERROR_NO_MEMORY. Cost: for each call of a system, visits each component of the contexts
/// twice. Systems that are not counted cost nothing more.
KIN_API kin_status kin_systems_count_changes(kin_systems *systems, kin_context *const *contexts, uint32_t count);

// ---- Networks

struct kin__world;

/// How the session of a world fares; <kin/net.h> says what its numbers mean.
typedef struct kin_network {
    const char *role;        ///< "alone", "host", "replica" or "standby"
    const char *transport;   ///< the name of its transport
    uint32_t peer;           ///< its own number; 0: none
    uint32_t epoch;          ///< of the host
    uint64_t frame;          ///< the last one, or the one that is shown
    uint64_t behind;         ///< frames that the host is ahead of a replica
    uint64_t applied_us;     ///< between the arrival of the last frame and its showing
    uint64_t applied_us_p99; ///< the same, of 99 of 100
    uint64_t bytes_in;       ///< on the transport
    uint64_t bytes_out;      ///< on the transport
    uint64_t queue_bytes;    ///< of frames that wait for others
    uint64_t queue_frames;   ///< the age of the oldest of them
    uint64_t resyncs;        ///< how often a replica began again
    uint64_t wrong_hashes;   ///< frames after which a replica differed from the host
    uint64_t predicted;      ///< frames that were predicted
    bool has_lease;          ///< it is a host, and its transport has leases
    uint64_t lease_left_ms;  ///< how long the lease lasted when it was renewed
    bool is_converted;       ///< it is a replica, and the host has another version of the schema
} kin_network;

/// How a peer of a host fares.
typedef struct kin_network_peer {
    uint32_t peer;       ///< its number
    uint32_t zone_count; ///< that it has chosen, or is shown
    bool sees_all;       ///< it sees all zones
    uint64_t frame;      ///< the last one that it is known to have; 0: not known
    uint64_t behind;     ///< frames between that and the last one: its round trip
    uint64_t bytes_in;   ///< that came from it
    uint64_t bytes_out;  ///< that were sent to it alone
    uint64_t taken;      ///< messages that were taken
    uint64_t dropped;    ///< messages that were dropped
    bool is_converted;   ///< it has another version of the schema
} kin_network_peer;

/// What bytes of frames were for. Without names: which entities they are of, heads and sums.
typedef struct kin_network_cost {
    const char *context;   ///< its name
    const char *component; ///< its name
    const char *field;     ///< path of the field, "at.x"
    uint64_t bytes;        ///< of all values of the field
} kin_network_cost;

/// Visits a cost.
typedef void kin_network_visitor(const kin_network_cost *cost, void *user);

/// What tools such as the inspector ask of a session; libkin-net has it. Texts are constant.
typedef struct kin_network_face {
    void (*look)(const void *session, kin_network *network);                   ///< writes how it fares
    bool (*peer)(const void *session, uint32_t index, kin_network_peer *peer); ///< false after the last one
    /// The name of a reason, and how often something was refused for it; NULL after the last one.
    const char *(*refused)(const void *session, uint32_t index, uint64_t *count);
    /// Visits what the frames of the last update were for, and returns their bytes: of a host those that it made, each
    /// once; of a replica those that it applied, from the second call on. Costs that are 0 are left out.
    uint64_t (*costs)(void *session, kin_network_visitor *visit, void *user);
} kin_network_face;

/// Returns the face of a world's session, and sets `*session` to it; NULL if it has none, and for NULL. Cost: constant.
KIN_API const kin_network_face *kin_network_face_of(const struct kin__world *world, void **session);

KIN_END_DECLARATIONS

#endif
