// Systems: collections as lists of nodes, and the phases that run them.
//
//   collection → node → node → …     in order of adding
//                  │
//                  └ a system, a reactive system, a nested collection, or a node of a later room (kin__node_type)
//
// A node that is removed while its collection runs is only marked. It is destroyed once neither the collection nor
// anything in the node runs.
//
// Invariants; kin__systems_is_valid() checks 1 to 3:
//   1. `first` to `last` are the nodes, and each has the collection as its owner
//   2. a nested collection has the node that contains it in `place`, so it is in at most one collection
//   3. `roles` includes the roles of every node, so that a walk may skip a collection without the role
//   4. a reactive node collects exactly while it is neither deactivated nor removed, and it and all collections around
//      it are enabled
//
// Cost: a phase makes one call for each function, and one test for each node and each skipped collection.
#ifndef KIN_SRC_SYSTEMS_H
#define KIN_SRC_SYSTEMS_H

#include "base/base.h"
#include "notify/notify.h"
#include "systems/profile.h"

#include <kin/inventory.h>

typedef struct kin__node kin__node;
struct kin__saved_node;
struct kin__state;

// The roles for which nothing is prepared before the call.
#define KIN__OPEN_ROLES                                                                                                \
    ((kin__roles)1 << KIN_ROLE_START | (kin__roles)1 << KIN_ROLE_EXECUTE | (kin__roles)1 << KIN_ROLE_INBOX |           \
     (kin__roles)1 << KIN_ROLE_UPDATE)

// A kind of node that a later room adds. Functions that are NULL have the default.
typedef struct kin__node_type {
    // Runs one role. Default: the functions of the node.
    void (*run)(kin__node *node, kin_role role, const kin_tick *tick);
    // Returns the kind of the node, for tools. Default: reactive if it has a collector, else plain.
    kin_system_kind (*kind)(const kin__node *node);
    // The roles of the node, for profiling. Default: those of its functions.
    kin__roles (*roles)(const kin__node *node);
    // Called whenever the node may have become enabled or disabled; `open`: it and all collections around it are
    // enabled. Default: nothing. The node's collector is activated in any case.
    void (*set_open)(void *object, bool open);
    // Drops what the object has collected, besides the node's collector. Default: nothing.
    void (*clear)(void *object);
    // Destroys the object, after the node's collector. Default: nothing.
    void (*destroy)(void *object);
    // Returns the object's collectors by number, from 0; NULL after the last one. Default: none.
    kin_collector *(*collector)(void *object, uint32_t number);
    // What snapshots have of the object besides its collectors (snapshot/snapshot.h). `save` writes it, and sets
    // flags and counts of the node. `reserve` returns false when out of memory. Default: nothing.
    void (*save)(const void *object, struct kin__saved_node *saved, struct kin__state *state);
    bool (*reserve)(void *object, const struct kin__saved_node *saved, struct kin__state *state);
    void (*restore)(void *object, const struct kin__saved_node *saved, struct kin__state *state);
} kin__node_type;

typedef void kin__node_call(void *self);

typedef struct kin__reactive {
    kin_collector *collector;                                            // owned; NULL: the node is not reactive
    bool (*filter)(void *self, kin_context *context, kin_entity entity); // NULL: all living entities pass
    void (*execute)(void *self, kin_context *context, const kin_entity *entities, uint32_t count); // NULL: none
    bool running, deactivated;
} kin__reactive;

struct kin__node {
    kin__node *next;
    kin_systems *owner;
    bool enabled, removed;
    kin__roles open;                                   // roles in which a probe may change the contexts
    kin_systems *nested;                               // owned; NULL: the node is not a collection
    const kin__node_type *type;                        // NULL: a collection, or a system that the user added
    void *object;                                      // of the type; owned
    kin__profile *profile;                             // NULL: neither timed nor probed; of a collection never timed
    void (*execute)(void *self, const kin_tick *tick); // all that the node does in execute; NULL: nothing, or more
    void *self;                                        // passed to all functions
    kin__node_call *initialize, *cleanup, *tear_down;  // NULL: none
    kin__reactive reactive;
    kin__profile *next_profile; // while profiling starts
    char *name;                 // NULL: none; a collection has its own
    kin__profile untimed;       // what `profile` is while it only has a probe
};

struct kin_systems {
    kin__slot_extension extension; // first member: its address is that of the collection
    kin_context *context;          // counts the collection's memory; NULL: none, or destroyed
    kin__memory memory;
    kin_context_options options;         // where errors are reported
    const kin__error_watch *error_watch; // of an outermost collection, for all inside it; NULL: none
    char *name;                          // NULL: none
    kin__node *first, *last;
    kin__node *place;            // the node that contains the collection; NULL: none
    uint32_t running;            // walks in progress; nodes are destroyed only at 0
    uint32_t refreshes;          // of the outermost collection: counts the refreshes of all inside it
    bool removing;               // a node is marked as removed
    bool is_world;               // the systems of a world, which alone destroys them
    bool is_off;                 // the collection, or one around it, is removed or disabled
    kin__roles roles;            // of all nodes, including former ones
    bool is_paced;               // an execute around it does not just walk it: see kin__systems_update_paced
    bool is_manual;              // an execute around it skips it; kin__systems_run_manual runs it
    double time;                 // the sum of all deltas
    uint64_t frame;              // number of executes
    kin_tick tick;               // of the last execute
    const kin_tick *inner_tick;  // of the fixed step or manual run in progress inside it; NULL: none
    kin__fixed_step *fixed_step; // NULL: runs once for each execute
    const kin__pushed *pushed;   // ticks that replace the clocks; NULL: never
    void (*end_stage)(void *);   // called in an execute before each nested collection and at the end; NULL: nothing
    void *end_stage_user;
};

// ---- collections

// Makes a collection, not in another one, run in fixed steps. Returns false when out of memory.
bool kin__systems_set_fixed_step(kin_systems *systems, double step, uint32_t max_steps);

// Makes a collection, not in another one, manual: only kin__systems_run_manual runs it. `pushed` replaces its clock.
void kin__systems_set_manual(kin_systems *systems, const kin__pushed *pushed);

// Makes executes of a collection, not the outermost one, call a function after the nodes before each nested collection,
// and after the last node.
void kin__systems_set_stages(kin_systems *systems, void (*end_stage)(void *), void *user);

// Sets `is_paced`: the collection has a fixed step, stages or a probe, or is manual.
void kin__systems_update_paced(kin_systems *systems);

// Returns the tick of the fixed step or manual run in progress inside the collection. Otherwise returns the tick of its
// last execute; all zero before the first, except for a time that was set.
kin_tick kin__systems_tick(const kin_systems *systems);

// Sets the time of the collection and of all nested ones.
void kin__systems_set_time(kin_systems *systems, double time);

// Makes `context` count the memory of the collection.
void kin__systems_attach(kin_systems *systems, kin_context *context);

// Destroys a collection that does not run, with everything in it. `place` is not read.
void kin__systems_release(kin_systems *systems);

// Returns whether the collection or a nested one runs.
bool kin__systems_are_running(const kin_systems *systems);

// Ends all runs of the collection and of nested ones, which will never return, so that it can be released.
void kin__systems_forget_runs(kin_systems *systems);

// Destroys the nodes marked as removed, in the collection and those around it, where nothing runs any more.
void kin__systems_destroy_removed(kin_systems *systems);

// Begins and ends an operation that calls back several times: until it ends, neither the collection nor anything in it
// is destroyed. The end destroys what was removed meanwhile.
void kin__systems_pin(kin_systems *systems);
void kin__systems_unpin(kin_systems *systems);

// Returns the first node with the name, in depth-first order, or NULL.
kin__node *kin__systems_find(const kin_systems *systems, const char *name);

// The same, but reports an error when there is none. `systems` may be NULL.
kin__node *kin__systems_find_or_report(const kin_systems *systems, const char *name, const char *verb);

// Reports an error to the handler of the collection (NULL: the default handler) and returns the status.
kin_status kin__systems_report_error(const kin_systems *systems, kin_status status, const char *verb,
                                     const char *reason);

bool kin__systems_is_valid(const kin_systems *systems);

// ---- nodes

// Makes an enabled node that is in no list yet; the name is copied. NULL when out of memory, not reported.
kin__node *kin__node_create(kin_systems *systems, const char *name);

// Adds a node at the end, when all its fields are set.
void kin__systems_append(kin_systems *systems, kin__node *node);

// Destroys a node that is in no list.
void kin__node_destroy(kin__node *node);

// The roles that the node has functions for; of a collection, those of all its nodes.
kin__roles kin__node_roles(const kin__node *node);

// Returns the kind of the node, for tools.
kin_system_kind kin__node_kind(const kin__node *node);

// ---- enabling

// Brings every reactive node in the collection into the state of invariant 4, and calls set_open of every type.
void kin__systems_refresh(kin_systems *systems);

// The same for one node and everything in it.
void kin__node_refresh(kin__node *node);

// ---- clearing

// Clears the collectors of all nodes, disabled ones too, and calls clear of every type.
void kin__systems_clear(kin_systems *systems);

// ---- running

// Executes a manual collection by its own clock. `root` is the collection of the world that contains it.
void kin__systems_run_manual(kin_systems *root, kin_systems *systems, double delta);

// Calls the `draw` of the systems of a world.
void kin__systems_draw(kin_systems *systems);

// Runs a reactive node on what it has collected. Does nothing while the node already runs. (reactive.c)
void kin__reactive_run(kin__node *node);

// The two halves of a run that executes something else. The first takes and filters what was collected, and returns
// false if there is nothing, or the node already runs. The second releases it.
bool kin__reactive_begin(kin__node *node);
void kin__reactive_end(kin__node *node);

// Ends a run that will never return, but for the release.
void kin__reactive_forget(kin__node *node);

// The same, and profiles it.
void kin__node_react(kin__node *node);

#endif
