// The real world: a context of a generated package, with the guard as its allocator, changed through its port.
#ifndef KIN_TESTS_MODEL_REAL_H
#define KIN_TESTS_MODEL_REAL_H

#include "model/model.h"
#include "port.h"
#include "runtime/support/guard.h"

#include <kin/snapshot.h>

enum { REAL_LISTENERS = 1 << 16 };

typedef struct real_listener {
    struct real *real;
    int32_t number, matcher; // -1: of an entity or the context
    kin_subscription subscription;
} real_listener;

typedef struct real_system {
    struct real *real;
    int32_t name;
} real_system;

typedef struct real_event_listener {
    model_event_listener listener; // the first member, so that pointers to both are equal
    struct real *real;
    int32_t event, number;
} real_event_listener;

typedef struct real {
    model_side *side;
    const model_package *package;
    const model_port *port;
    guard memory;
    void *typed; // the context, for the port
    kin_context *context;
    real_listener listeners[REAL_LISTENERS]; // by number; a ring
    kin_collector *collectors[MODEL_COLLECTORS];
    kin_snapshot *snapshots[MODEL_SNAPSHOTS];
    bool is_refusing;                        // while it saves or restores: no memory is not told
    kin_matcher normal[MODEL_MATCHER_LIMIT]; // by number
    int32_t matchers[MODEL_MATCHER_LIMIT];   // of the known groups, in order of creation
    uint32_t group_count, shown, faults, calls;
    kin_systems *systems, *events[MODEL_SETS];
    uint32_t walks;               // walks in progress over runs and blocks
    uint32_t entered[MODEL_SETS]; // nested calls of functions of `events`
    real_event_listener event_listeners[MODEL_EVENTS][MODEL_EVENT_LISTENERS];
    real_system names[MODEL_NAMES];
    char owners[MODEL_OWNERS];
} real;

// The tag of a value; MODEL_NO_VALUE for none.
int32_t real_read(const real *real, int32_t part, const void *value);

// The part with an id, MODEL_NO_PART for no component, MODEL_PARTS for one that the model does not use.
int32_t real_part(const real *real, uint32_t id);

kin_matcher real_matcher(const real *real, int32_t number);
kin_group *real_group(const real *real, int32_t number); // NULL if it was refused
void real_learn_groups(real *real);                      // finds the groups created since, some by event systems

// Whether the operation is made by id, not by the typed function: every second one, by what the operation is.
bool real_is_by_id(const model_operation *operation);
kin_status real_change(real *real, const model_operation *operation); // change.c: components of one entity
kin_status real_watch(real *real, const model_operation *operation);  // watch.c
kin_status real_systems(real *real, const model_operation *operation);
void real_systems_begin(real *real);
kin_status real_event(real *real, const model_operation *operation); // event.c
void real_events_begin(real *real);
void real_show_entity(void *self, kin_entity entity); // show.c
void real_show_all(void *self);
kin_status real_ask(real *real, kin_entity entity);
kin_status real_walk(real *real, int32_t matcher, bool by_blocks);
kin_status real_save(real *real, const model_operation *operation); // rewind.c
void real_refuse_no_more(real *real);
kin_status real_rewind(real *real, const model_operation *operation);
kin_status real_end_snapshot(real *real, int32_t number);
void real_measure(real *real); // memory.c: compares the usage that the context reports with the guard
kin_status real_trim(real *real);
kin_status real_describe(real *real, kin_entity entity, int32_t matcher);

#endif
