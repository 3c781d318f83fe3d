// Systems: collections as lists of nodes, and the running of their phases.
//
// A node is a system, a reactive system or another collection. What is removed while a collection runs is only marked,
// and goes when neither the collection nor anything in the node runs any more.
//
// Invariants:
//   1. a collection that is in another has its node there as `place`; it is in one at most
//   2. a collection's roles are at least those of all in it: where it has not the one of a walk, nobody need be asked
//   3. a reactive node collects exactly when it is neither deactivated nor removed, and it and all around are enabled
#ifndef KIN_SRC_SYSTEMS_H
#define KIN_SRC_SYSTEMS_H

#include "base/fixed_step.h"
#include "collect/collector.h"
#include "systems/cleanup_system.h"
#include "systems/event_system.h"
#include "systems/profile.h"

#include <kin/systems.h>

typedef struct kin__reactive {
    kin_reactive_system system;
    kin_collector *collector;
    bool running, deactivated;
} kin__reactive;

// Exactly one of reactive.collector and nested is not NULL in a node of that kind; one that a schema declares may be
// reactive, too.
typedef struct kin__node {
    struct kin__node *next;
    kin_systems *owner;
    bool enabled, removed;
    kin_systems *nested;
    struct kin__schema_system *schema_system; // the system of a world; NULL: of none
    kin__profile *profile;                    // NULL: it is not measured
    void (*execute)(void *self,
                    const kin_tick *tick); // all that executing it is; NULL: there is more to it, or nothing
    void *self;                            // of that

    kin__profile *next_profile; // while measuring begins
    kin__reactive reactive;
    kin_system plain;
    kin__cleanup_system *cleanup_system; // that `plain` runs, NULL: none
    kin__event_system *event_system;     // that `reactive` runs, whose collector is the deliverer's; NULL: none
    char *name;                          // NULL: none, and for a collection, which has its own
} kin__node;

struct kin_systems {
    kin__slot_extension extension; // the first member, so that one is the other
    kin_context *context;          // that made them, and counts their memory; NULL: none, or one that has ended
    kin__memory memory;
    kin_context_options options; // whom to tell
    char *name;                  // NULL: none
    kin__node *first, *last;
    kin__node *place;   // in the collection that it is in; NULL: in none
    uint32_t running;   // phases, and walks that let go of entities, that are under way
    uint32_t refreshes; // begun in it and all in it, where it is in no other
    bool removing;      // a node is marked
    bool is_world;      // they are all systems of a world, which alone ends them
    bool is_off;        // the collection, or one around it, is removed or disabled
    kin__roles roles;   // that somebody in it has, or had
    double time;
    uint64_t frame;
    kin__fixed_step *fixed_step; // of a collection that runs in fixed steps; NULL: once an execute
    const kin__pushed *pushed;   // what stands in place of the clocks; NULL: there never is anything
};

// Runs what draws; nothing else of the collection.
void kin__systems_draw(kin_systems *systems);

// A run of a reactive node on what it has collected; nothing when it is running already.
void kin__reactive_run(kin__reactive *reactive);

// The same for a reactive node, which is measured where somebody asked for it.
void kin__node_react(kin__node *node);

// Adds a deliverer as a reactive node named like its event, which owns it from now on. False without memory.
bool kin__systems_add_event_system(kin_systems *systems, kin__event_system *event_system);

// The roles that a system has functions for, or all in a collection.
kin__roles kin__node_roles(const kin__node *node);

// Makes reactive nodes collect or not, as invariant 3 says, in the collection and all in it.
void kin__systems_refresh(kin_systems *systems);

// The same for one node and all in it.
void kin__node_refresh(kin__node *node);

// Tells whoever the systems were made to tell, NULL: the default handler, and returns the status.
kin_status kin__systems_refuse(const kin_systems *systems, kin_status status, const char *verb, const char *reason);

// Has the context that made the systems count their memory.
void kin__systems_belong(kin_systems *systems, kin_context *context);

// Adds a system of a world as a node of its name, which owns it from now on, and also its collector where it is
// reactive. False without memory.
bool kin__systems_add_schema_system(kin_systems *systems, struct kin__schema_system *schema_system,
                                    kin_collector *collector);

// Has a collection that is in no other one run in fixed steps. False without memory.
bool kin__systems_set_fixed_step(kin_systems *systems, double step, uint32_t max_steps);

// A copy of a name; NULL stays NULL. False without memory.
bool kin__systems_copy_name(kin__memory *memory, const char *name, char **copy);

// Ends a collection that is in no other one, with all in it. Nothing of it runs.
void kin__systems_release(kin_systems *systems);

// Ends a node that is in no list any more, or not yet.
void kin__systems_release_node(kin_systems *owner, kin__node *node);

// Whether the collection or one in it runs a phase.
bool kin__systems_are_running(const kin_systems *systems);

// Gives back what was marked, in the collection and those around it, where nothing runs any more.
void kin__systems_settle(kin_systems *systems);

// Begins and ends an operation of several steps with callbacks: until it ends, neither the collection nor anything in
// it is released.
void kin__systems_hold(kin_systems *systems);
void kin__systems_let_go(kin_systems *systems);

// The first node of that name, depth first; NULL when there is none.
kin__node *kin__systems_find(const kin_systems *systems, const char *name);

// The same; where there is none, somebody is told. `systems` may be NULL.
kin__node *kin__systems_find_or_refuse(const kin_systems *systems, const char *name, const char *verb);

#endif
