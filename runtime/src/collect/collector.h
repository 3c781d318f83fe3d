// Collectors: the entities that triggers collect, and how a reactive system takes them.
//
//   source (one a context)   marks: a bit a slot              entries: the entities, in order of collection
//   collector                order: with several contexts, the source of each entry
//
// Marks, entries and order have two sides (buffer.h): one collects while a reactive system reads what was taken from
// the other. Both have room for every slot of the contexts, so collecting and taking need no memory.
//
//   collect.c          collects an entity
//   collector.c        what was collected: clearing, taking, showing
//   collector_make.c   making, activating and ending a collector, and its contexts' changes of size
//   collector_name.c   names, and what tools list
//
// Invariants; kin__collector_is_valid() checks 1, 3 and 4:
//   1. an entity is among the entries of a side exactly once if its mark is set there, else not
//   2. each entry on either side is a holder of its entity (hold.h), and waits for one last value if its source keeps
//      those
//   3. unless `taken`, that side is empty
//   4. with several contexts, counts[side] is the sum of sides[side].count of the sources; else it is 0
//   5. a trigger's subscriber has a group until the group's context ends, and is live exactly while `active`
//
// Cost: to collect, take or drop an entity is constant. To clear a collector visits its entries, and frees the slots of
// destroyed entities. Memory: 16 bytes and 2 bits a slot, 20 bytes with several contexts.
#ifndef KIN_SRC_COLLECTOR_H
#define KIN_SRC_COLLECTOR_H

#include "collect/buffer.h"
#include "store/store.h"

typedef struct kin__source {
    kin__slot_extension extension; // first, so that a pointer to it is one to the source
    kin__collected sides[KIN__SIDES];
    kin_collector *collector;
    kin_context *context; // NULL after the context has ended
    uint16_t number;
    uint32_t slot_count;                  // for which there is room
    kin__buffer entries;                  // of kin_entity
    uint32_t read[KIN__SIDES], kept;      // read: entries that a walk has passed; kept: entries that a filter has kept
    struct kin__last_values *last_values; // for which each entry waits; NULL: none
    bool is_simple;                       // the only source, and without last values
} kin__source;

struct kin_collector {
    kin__memory memory;
    kin_context_options options; // where to report errors
    kin__source *sources;
    uint32_t source_count;
    kin__subscriber *subscribers; // one for each trigger
    uint32_t trigger_count;
    bool active, taken;
    uint32_t clearing; // clears in progress, in which listeners may be called
    bool ended;        // being destroyed, maybe in such a listener: the outermost clear frees the memory
    kin__buffer order; // of uint16_t: numbers of sources; unused with a single source
    uint32_t counts[KIN__SIDES];
    kin__array shown, shown_contexts;
    uint32_t shown_count, shown_context_count; // elements of the arrays returned last
    const char *name;                          // for tools; NULL: none
    char *owned_name;                          // NULL: the name belongs to another object
    size_t owned_name_size;                    // bytes
    struct kin_trace *trace;                   // notes how entities are collected (trace.h); NULL: none
};

// Returns what is wrong with the triggers, as the reason of an error; NULL if they are valid.
const char *kin__collector_find_fault(const kin_trigger *triggers, size_t count);

// Makes a collector of valid triggers, and activates it. NULL when out of memory, not reported; the memory of the first
// trigger's context has the size that was refused.
kin_collector *kin__collector_make(const kin_trigger *triggers, size_t count);

// Names the collector by a string that lives as long as it does. NULL is allowed as the collector. (collector_name.c)
void kin__collector_borrow_name(kin_collector *collector, const char *name);

// Returns the source of an extension of slots; NULL if it is that of another object. (collector_make.c)
const kin__source *kin__source_of(const kin__slot_extension *extension);

// Frees a collector that is inactive, empty, and no longer linked to a context.
void kin__collector_release(kin_collector *collector);

// The listener of every trigger; `user` is its source (collect.c).
void kin__collect(const kin_change *change, void *user);

// The rest of kin__collect for a source that is not simple: the entity was appended. (collector.c)
void kin__collect_general(kin__source *source, kin_entity entity);

// Sets where the entities of both sides are, after the buffer was reserved, swapped, settled or trimmed.
static inline void kin__source_refresh(kin__source *source)
{
    source->sides[KIN__COLLECTING].entities = source->entries.sides[KIN__COLLECTING].elements;
    source->sides[KIN__TAKEN].entities = source->entries.sides[KIN__TAKEN].elements;
}

// Makes a new collector, whose one trigger is KIN_REMOVED, ignore removals that are part of a replace, and keep the
// last values of the component. `last_values` may be NULL: a flag has none.
void kin__collector_keep_last_values(kin_collector *collector, struct kin__last_values *last_values);

// Takes all that is collected, which leaves the collector empty. Nothing is taken yet.
void kin__collector_take(kin_collector *collector);

// Calls the filter for each taken entity, in order of collection; then drops those for which it returned false.
typedef bool kin__entity_filter(void *user, kin_context *context, kin_entity entity);
void kin__collector_filter(kin_collector *collector, kin__entity_filter *filter, void *user);

// Returns the taken entities of one source that are left, valid until they are dropped. NULL and 0 after its context
// has ended.
const kin_entity *kin__collector_taken(const kin__source *source, uint32_t *count);

// Drops all that was taken, which ends the take.
void kin__collector_drop_taken(kin_collector *collector);

// Returns whether threads share one of the contexts of the collector, which must not change then. Counts the call as
// refused.
bool kin__collector_refuses(const kin_collector *collector);

bool kin__collector_is_valid(const kin_collector *collector);

#endif
