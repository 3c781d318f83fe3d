// Schema systems: systems declared in the schema, as nodes of a world, and their turns.
//
// A turn has these steps: compare the group's members with those of the last turn and call `leave` and `enter`; read
// the messages of the inboxes; then call update, react or execute. A turn that runs out of memory before `leave` is
// skipped, and the next turn includes everything that it would have reported.
//
// Invariants:
//   1. the inboxes are open and the leave values collect exactly while the node and all collections around it are
//      enabled
//   2. a system has leave values only if it has `leave`
//   3. `in_turn` is set while a turn or a draw is in progress, so that a nested one is skipped
//   4. world->schema_systems[number] is the system with that number in the tables
//
// Cost: a turn without changes and messages is a sum over the counters of the group, and one test for each inbox.
#ifndef KIN_SRC_SCHEMA_SYSTEM_H
#define KIN_SRC_SCHEMA_SYSTEM_H

#include "lookup/lookup.h"
#include "world/leave_values.h"
#include "world/world.h"

struct kin__parallel;

// The fields that a turn without changes reads come first. Those that `info`, which is large, has too are copies.
typedef struct kin__schema_system {
    const kin__system_info *info;
    kin__world *world;
    kin__node *node; // NULL until it is added
    kin__tick_call *execute;
    uint32_t inbox_count;
    bool has_group;
    bool compares;    // it has `leave` or `enter`
    bool in_turn;     // a turn or a draw is in progress: a nested one is skipped, so arrays stay unchanged
    bool is_leaving;  // `leave` is in progress
    bool has_updated; // the first update has been called
    kin__inbox *inboxes;
    kin__leave_values *leave_values; // by number of `kept`
    void *message;                   // copy of the message being read
    kin__membership membership;
    kin__tree_order *order;         // of a system with `tree`, else NULL
    struct kin__parallel *parallel; // of a parallel system, else NULL (jobs.h)
} kin__schema_system;

// Creates a schema system, whose inboxes receive messages once they are open. Reports the error and returns
// NULL when out of memory.
kin__schema_system *kin__schema_system_create(kin__world *world, uint32_t number);

// Destroys a schema system that has not been added to a collection. NULL is allowed.
void kin__schema_system_destroy(kin__schema_system *schema_system);

// Adds a schema system as a node with its name. The node then owns it, and its collector if it is reactive. Returns
// false when out of memory, not reported.
bool kin__schema_system_add(kin_systems *systems, kin__schema_system *schema_system, kin_collector *collector);

// Makes room for kin__schema_system_leave_all. Returns false when out of memory, not reported. (schema_system_turn.c)
bool kin__schema_system_reserve_leave(kin__schema_system *schema_system);

// Calls `leave` with all members that the system knows, if it and all collections around it are enabled: a disabled
// system gets them in its next turn. Skips a system whose room, for members found since it was reserved, cannot be
// made. (schema_system_turn.c)
void kin__schema_system_leave_all(kin__schema_system *schema_system);

// Makes the next update the first one, after a reset. (schema_system_turn.c)
void kin__schema_system_restart(kin__schema_system *schema_system);

// Returns the system of a node; NULL if it is no system of the schema. kin__schema_system_parallel returns its jobs;
// NULL also if it is not parallel.
kin__schema_system *kin__schema_system_of(const kin__node *node);
const struct kin__parallel *kin__schema_system_parallel(const kin__node *node);

// Does all of a turn of a parallel system that comes before its jobs. Returns whether it has jobs in this turn; of a
// reactive system, kin__reactive_end follows them. (schema_system_turn.c)
bool kin__schema_system_prepare(kin__schema_system *schema_system);

// Runs one role of a node: initialize, start, execute (its turn), draw, cleanup, tear down or dispose.
// (schema_system_turn.c)
void kin__schema_system_run(kin__node *node, kin_role role, const kin_tick *tick);

// The same for a parallel system, whose turn is part of a batch. (schema_system_turn.c)
void kin__schema_system_run_parallel(kin__node *node, kin_role role, const kin_tick *tick);

#endif
