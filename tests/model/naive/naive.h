// The naive world: the rules of meaning, implemented one by one without regard to speed.
//
// Everything is an array, and everything that can be computed is computed for each query: the members of groups and
// indices, the entity that has a unique part, whether an entity is held. Stored are only the components of entities,
// the holders and watchers, and the order in which slots were freed.
#ifndef KIN_TESTS_MODEL_NAIVE_H
#define KIN_TESTS_MODEL_NAIVE_H

#include "model/model.h"

enum {
    NAIVE_SUBSCRIPTIONS = 4096,
    NAIVE_ENTRIES = 4096,
    NAIVE_CALLS = 256,
    NAIVE_HOLDS = 4096,
    NAIVE_DEPTH = 64, // DSP-13
    NAIVE_NODES = 64,
    NAIVE_EVENT_LISTENERS = 2048,
    NAIVE_LOST = KIN_MODIFIED + 1, // a trigger: removed, unless by a replace or by the flag of `off`
    NAIVE_RECURSION = 80           // levels of changes that release, which may be one deeper
};

typedef struct naive_slot {
    kin_entity entity; // the entity that used the slot last
    bool alive, leaving, destroying, fresh;
    uint32_t holders;  // of all kinds
    uint32_t retained; // those by retain, with fast_retain
    uint32_t parts;
    int32_t tags[MODEL_PARTS], last[MODEL_PARTS]; // last: when it was lost
    uint32_t stashed;                             // parts whose last tag is a stashed value
    uint32_t moved;                               // parts whose last tag was stashed and has been restored
    uint32_t coin, last_coin;                     // the numbers of the opaque values of PART_COIN
    int32_t given[MODEL_INDICES][2];              // the tags with which functions of keys were called last
} naive_slot;

typedef enum naive_source { SOURCE_GROUP, SOURCE_ENTITY, SOURCE_CONTEXT } naive_source;

// A subscriber: a listener, or one trigger of a collector. In order of subscription.
typedef struct naive_subscription {
    naive_source source;
    int32_t number;    // of the listener
    int32_t collector; // -1: a listener
    int32_t matcher;   // of a group
    kin_entity entity;
    int32_t event;
    bool ended;
} naive_subscription;

typedef struct naive_entries {
    kin_entity entries[NAIVE_ENTRIES];
    uint32_t count;
} naive_entries;

typedef struct naive_collector {
    bool made, active;
    uint32_t serial;                // counts the collectors created with this number
    int32_t matchers[2], events[2]; // the second may be -1: none
    naive_entries collected;
} naive_collector;

// A system in the collection: a reactive one, or the cleanup systems.
typedef struct naive_node {
    int32_t name; // place in model_names
    bool enabled, removed, deactivated, filtered;
    int32_t running;
    int32_t collector; // -1: a cleanup system
    int32_t part;      // of a cleanup system
} naive_node;

// A listener of a generated event, on an entity. In order of adding.
typedef struct naive_event_listener {
    kin_entity entity;
    int32_t event, number;
    bool ended;
} naive_event_listener;

typedef struct naive_event_system {
    bool enabled, deactivated, running;
} naive_event_system;

typedef struct naive_event_systems {
    naive_event_system systems[MODEL_EVENTS];
    uint32_t running; // phases, and walks that release entities
} naive_event_systems;

typedef struct naive_hold {
    kin_entity entity;
    int32_t owner;
    bool has_name; // not if a restore brought it back
} naive_hold;

// A context at the moment of a save: of the holders the owners alone, and nobody who listens or collects.
typedef struct naive_moment {
    naive_slot *slots; // NULL: none is saved
    uint32_t *freed;
    uint32_t touched, freed_count, begun;
    int32_t pools[MODEL_SLOTS / 512];
    uint64_t next_creation_index;
    naive_hold *holds;
    uint32_t hold_count;
    uint32_t *coins, coin_count;
} naive_moment;

typedef struct naive {
    model_side *side;
    const model_package *package; // with the matchers of its groups, which leave out what is off
    model_package own_package;
    model_matcher own_matchers[MODEL_MATCHER_LIMIT];
    model_options options;
    naive_slot slots[MODEL_SLOTS];
    uint32_t freed[MODEL_SLOTS], freed_count; // in order of freeing
    uint32_t begun;                           // slots in chunks that were begun
    int32_t pools[MODEL_SLOTS / 512];         // the pool of each chunk that was begun
    uint32_t touched;                         // slots that were ever used
    uint64_t next_creation_index;
    uint64_t life; // counts resets
    int32_t groups[MODEL_MATCHER_LIMIT];
    uint32_t group_count;
    naive_subscription subscriptions[NAIVE_SUBSCRIPTIONS];
    uint32_t subscription_count;
    naive_hold holds[NAIVE_HOLDS];
    uint32_t hold_count;
    // Collectors of systems follow the others, those of event systems are last.
    naive_collector collectors[MODEL_COLLECTORS + NAIVE_NODES + MODEL_SETS * MODEL_EVENTS];
    naive_node nodes[NAIVE_NODES];
    uint32_t node_count;
    uint32_t running; // nested executes and cleanups
    bool cleanup_enabled;
    naive_event_listener event_listeners[NAIVE_EVENT_LISTENERS];
    uint32_t event_listener_count, deliveries; // nested deliveries
    naive_event_systems events[MODEL_SETS];
    uint32_t depth;
    naive_slot *leaving[NAIVE_RECURSION];
    uint32_t leaving_count;
    naive_moment moments[MODEL_SNAPSHOTS];
    uint32_t next_coin;
} naive;

// ---- slots.c: which slots are alive, being destroyed, held or free, and which is used next (ENT-03)

void naive_slots_begin(naive *naive);
void naive_slots_reset(naive *naive);
enum { NAIVE_OTHERS = -1 }; // the pool of entities without a blueprint; other pools have their blueprint's number
uint64_t naive_slots_left(const naive *naive); // ENT-10: how many more entities the limits allow
naive_slot *naive_slots_take(naive *naive, int32_t pool);
int32_t naive_pool_of(const naive *naive, kin_entity entity);
void naive_slots_free(naive *naive, naive_slot *slot);        // if it is dead, not being destroyed, and not held
naive_slot *naive_find(naive *naive, kin_entity entity);      // the slot of a living entity, or NULL
naive_slot *naive_find_held(naive *naive, kin_entity entity); // or of a dead one that is held
uint32_t naive_count_alive(const naive *naive);               // all except those being destroyed
uint32_t naive_count_held(const naive *naive);
const naive_slot *naive_first_held(const naive *naive); // the lowest slot of those, or NULL
naive_slot *naive_carrier(naive *naive, int32_t part);

// ---- notify.c: the subscribers that a change calls, and calling them (DSP)

typedef struct naive_call {
    uint32_t subscription;
    int32_t event; // kin_group_event
} naive_call;

// One change, and its calls, which are found before the first is made.
typedef struct naive_change {
    kin_entity entity;
    int32_t part, previous, value;
    int32_t matcher; // of a created group
    int32_t event;   // kin_entity_event
    bool is_destruction;
    uint64_t life;
    naive_call calls[NAIVE_CALLS];
    uint32_t count;
} naive_change;

void naive_change_begin(const naive *naive, naive_change *change, kin_entity entity, int32_t part);
void naive_find_group(const naive *naive, naive_change *change, int32_t matcher, kin_group_event event);
void naive_find_own(const naive *naive, naive_change *change, kin_entity_event event);
void naive_find_changed(const naive *naive, naive_change *change, kin_entity_event event);
void naive_find_context(const naive *naive, naive_change *change, kin_context_event event);
void naive_notify(naive *naive, naive_change *change); // makes the calls and clears them
bool naive_may_nest(const naive *naive);
kin_status naive_refuse(naive *naive, kin_status status, kin_entity entity, int32_t part);

// ---- index.c

// Whether the entity may get these parts with these tags (IDX-03, IDX-08). `except` may have an equal key.
// Whether `off` of the package switches the entity off.
static inline bool naive_is_off(const naive *naive, const naive_slot *slot)
{
    return naive->package->off >= 0 && (slot->parts & model_bit(naive->package->off)) != 0;
}

kin_status naive_check_keys(naive *naive, const naive_slot *after, const naive_slot *except);

// The keys of the entity. Returns how many.
uint32_t naive_keys_of(const naive_slot *slot, model_index index, int64_t keys[MODEL_KEYS]);
bool naive_has_key(const naive_slot *slot, model_index index, int64_t key);
bool naive_is_in(const naive_slot *slot, model_index index); // has the parts that it needs

// Calls the functions of keys for an entity that had the parts `before` and got the part, or another tag of it
// (IDX-10).
void naive_give(naive_slot *slot, uint32_t before, int32_t part);
bool naive_is_in_primary(const naive_slot *slot); // a custom one

// ---- spawn.c

kin_entity naive_spawn(naive *naive, const model_operation *operation);
kin_status naive_spawn_many(naive *naive, const model_operation *operation);
kin_status naive_apply(naive *naive, int32_t blueprint, kin_entity entity);
kin_status naive_copy(naive *naive, const model_operation *operation);

// ---- component.c

kin_status naive_add(naive *naive, kin_entity entity, int32_t part, int32_t tag);
kin_status naive_replace(naive *naive, kin_entity entity, int32_t part, int32_t tag);
kin_status naive_remove(naive *naive, kin_entity entity, int32_t part);
kin_status naive_readd(naive *naive, kin_entity entity, int32_t part, int32_t tag);
kin_status naive_stash(naive *naive, kin_entity entity, int32_t part);
kin_status naive_restore(naive *naive, kin_entity entity, int32_t part);
kin_status naive_restore_or_add(naive *naive, kin_entity entity, int32_t part, int32_t tag);
kin_status naive_ensure(naive *naive, kin_entity entity, int32_t part);
kin_status naive_touch(naive *naive, kin_entity entity, int32_t part);
kin_status naive_set(naive *naive, kin_entity entity, int32_t part, bool on);
void naive_edit(naive *naive, kin_entity entity, int32_t part, int32_t tag);
kin_status naive_remove_all(naive *naive, kin_entity entity);
kin_status naive_remove_some(naive *naive, kin_entity entity, uint32_t parts);
kin_status naive_check_add(naive *naive, const naive_slot *slot, int32_t part, int32_t tag);
void naive_put(naive *naive, naive_slot *slot, int32_t part, int32_t tag);

// ---- entity.c

kin_entity naive_create(naive *naive);
kin_entity naive_begin_entity(naive *naive, int32_t pool); // without checks
void naive_end_entity(naive *naive, naive_slot *slot);
kin_status naive_destroy(naive *naive, kin_entity entity);
kin_status naive_destroy_all(naive *naive);
kin_status naive_reset(naive *naive);
void naive_destroy_members(naive *naive, int32_t matcher); // -1: all

// ---- copy.c: clones and unique parts

kin_status naive_check_create(naive *naive, uint32_t count);
kin_status naive_check_step(naive *naive, naive_slot *slot, int32_t part,
                            int32_t tag); // of the entity that is being created
uint32_t naive_cloned_parts(const naive_slot *source);
kin_entity naive_clone(naive *naive, kin_entity source);
kin_entity naive_set_unique(naive *naive, int32_t part, int32_t tag, kin_status *status);
kin_entity naive_replace_unique(naive *naive, int32_t part, int32_t tag);
kin_status naive_remove_unique(naive *naive, int32_t part);
kin_status naive_set_unique_flag(naive *naive, int32_t part, bool on);

// ---- hold.c

void naive_hold_entity(naive *naive, kin_entity entity);
void naive_end_hold(naive *naive, kin_entity entity);
int32_t naive_shown_names(const naive *naive, const naive_slot *slot); // of its owners, in an error
kin_status naive_retain(naive *naive, kin_entity entity, int32_t owner);
kin_status naive_release(naive *naive, kin_entity entity, int32_t owner);

// ---- watch.c: groups, subscriptions, collectors

bool naive_has_group(const naive *naive, int32_t matcher);
bool naive_can_report_group(const naive *naive); // a new group
void naive_report_group(naive *naive, int32_t matcher);
bool naive_make_group(naive *naive, int32_t matcher);
kin_status naive_watch(naive *naive, const model_operation *operation);
void naive_end_own(naive *naive, kin_entity entity, bool released_too);
void naive_begin_collector(naive *naive, int32_t number, const int32_t *matchers, const int32_t *events);
void naive_end_collector(naive *naive, int32_t number);
void naive_set_active(naive *naive, int32_t collector, bool active);
void naive_collect(naive *naive, int32_t collector, kin_entity entity);
void naive_clear(naive *naive, int32_t collector);

// ---- systems.c

void naive_systems_begin(naive *naive);
kin_status naive_systems(naive *naive, const model_operation *operation);

// ---- event.c

kin_status naive_event(naive *naive, const model_operation *operation);
void naive_end_event_listeners(naive *naive, kin_entity entity);
bool naive_keeps(const naive *naive, uint32_t slot, int32_t part);

// ---- rewind.c: snapshots (SNP), by deep copy

kin_status naive_save(naive *naive, int32_t number);
kin_status naive_rewind(naive *naive, const model_operation *operation);
void naive_end_snapshot(naive *naive, int32_t number);
uint32_t naive_count_coins(const naive *naive); // those of snapshots too, each once

// ---- show.c

void naive_show_entity(void *self, kin_entity entity);
void naive_show_all(void *self);
kin_status naive_ask(naive *naive, kin_entity entity);
kin_status naive_walk(naive *naive, int32_t matcher, bool by_blocks);

#endif
