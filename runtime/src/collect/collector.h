// Collectors: what they gather, and how a reactive system takes it.
//
//   source (one a context)   collected: a bit a slot          entries: the entities, in order of collection
//   collector                order: for several contexts, whose entry comes next
//
// Entries and order have two sides: one collects while a run works on what was taken on the other. Room for every slot
// of the contexts is kept on both, so that collecting and taking never need memory.
//
// Invariants:
//   1. an entity whose bit is set stands once among the entries of the collecting side
//   2. each entry on either side is one holder of its entity, and waits for one keepsake where its source has those
//   3. while nothing is taken, the other side is empty
#ifndef KIN_SRC_COLLECTOR_H
#define KIN_SRC_COLLECTOR_H

#include "core/core.h"

// Two sides of one array. While the side that does not collect is in use it must not move: what it is to become when
// its contexts grew meanwhile waits.
typedef struct kin__buffer {
    kin__array sides[2];
    kin__array waiting;
    size_t size; // of an element
} kin__buffer;

typedef struct kin__source {
    kin__slot_extension extension; // the first member, so that one is the other
    kin_collector *collector;
    kin_context *context; // NULL once it has ended
    uint16_t number;
    uint64_t *collected;
    uint32_t slot_count;                  // that there is room for
    kin__buffer entries;                  // of kin_entity
    uint32_t counts[2], read[2], kept;    // read: how far a walk over a side has come; kept: what has passed a sieve
    struct kin__last_values *last_values; // each entry on either side waits for one; NULL: for none
    bool is_simple;                       // it is the only one, and has no keepsakes
} kin__source;

struct kin_collector {
    kin__memory memory;
    kin_context_options options; // whom to tell
    kin__source *sources;
    uint32_t source_count;
    kin__subscriber *subscribers; // one a trigger
    uint32_t trigger_count;
    bool active, taken;
    uint32_t clearing; // clears under way, in which listeners may be called
    bool ended;        // being destroyed, maybe in such a listener: its memory goes with the outermost of them
    uint32_t side;     // that collects
    kin__buffer order; // of uint16_t: numbers of sources; unused with a single source
    uint32_t counts[2];
    kin__array shown, shown_contexts;
    uint32_t shown_count, shown_context_count; // what was given out last
};

// What is wrong with the triggers, in words; NULL when nothing is.
const char *kin__collector_find_fault(const kin_trigger *triggers, size_t count);

// Makes a collector of triggers without fault. NULL without memory: nobody is told, and the memory of the first
// trigger's context knows how much was refused.
kin_collector *kin__collector_make(const kin_trigger *triggers, size_t count);

// What a collector does as a follower, by one of its sources: says what it uses of that context's memory, and gives
// back what it has beyond room for every slot.
size_t kin__collector_used(const kin__slot_extension *extension);
void kin__collector_trim(kin__slot_extension *extension);

// The memory of a collector that has been cleared and follows nobody any more.
void kin__collector_release(kin_collector *collector);

// The listener of every trigger; `user` is its source (collect.c).
void kin__collect(const kin_change *change, void *user);

// Its longer way, for several contexts and for keepsakes: appends an entity whose bit it has set.
void kin__collect_general(kin__source *source, kin_entity entity);

// Has a new collector, whose one trigger is KIN_REMOVED, collect real losses only, not what a replace tells as one, and
// keep the last values where there are any (keepsakes, NULL: none).
void kin__collector_keep(kin_collector *collector, struct kin__last_values *last_values);

// Takes all that is collected, leaving the collector empty. Nothing is taken already.
void kin__collector_take(kin_collector *collector);

// Asks about each entity that was taken, in order of collection, then lets go of those that did not pass.
typedef bool kin__sieve(void *user, kin_context *context, kin_entity entity);
void kin__collector_sieve(kin_collector *collector, kin__sieve *sieve, void *user);

// What was taken from one source and passed. NULL and 0 when its context has ended.
const kin_entity *kin__collector_taken(const kin__source *source, uint32_t *count);

// Lets go of all that was taken.
void kin__collector_put_back(kin_collector *collector);

#endif
