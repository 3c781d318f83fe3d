// Declared: a system of a schema, as it stands in a world, and its turn.
//
// A turn: who left its group and who entered, the messages of its inboxes, then what it is there for. A turn that has
// no memory to begin with waits for the next one, with all that it would have been told.
//
// Invariants:
//   1. its inboxes are open, and its farewells collect, exactly while it and all around it are enabled
//   2. the roster is used by a group system alone, farewells only by one that has `leave`
#ifndef KIN_SRC_SCHEMA_SYSTEM_H
#define KIN_SRC_SCHEMA_SYSTEM_H

#include "systems/leave_values.h"
#include "systems/world.h"

// What a turn looks at where nothing has changed stands first, and is copied from `info`, which is large.
typedef struct kin__schema_system {
    const kin__system_info *info;
    kin__world *world;
    kin__node *node; // that it stands in; NULL: in none yet
    kin__tick_call *execute;
    uint32_t inbox_count;
    bool has_group;
    bool compares;    // it is told who left or entered
    bool in_turn;     // it has its turn, or a group is drawn: a turn inside is skipped, so that arrays stay as shown
    bool is_leaving;  // `leave` is under way
    bool has_updated; // and so had its first update
    kin__inbox *inboxes;
    kin__leave_values *leave_values; // by number of `kept`
    void *message;                   // the one that is being read
    kin__membership membership;
} kin__schema_system;

// The system of that number, with inboxes that get what is published from now on. NULL, which has been told, without
// memory.
kin__schema_system *kin__schema_system_create(kin__world *world, uint32_t number);

// NULL is allowed.
void kin__schema_system_destroy(kin__schema_system *schema_system);

// Opens or closes what reaches it between turns.
void kin__schema_system_set_open(kin__schema_system *schema_system, bool open);

// Its part of one walk over all systems: initialize, start, execute (its turn), draw, cleanup, tear down or dispose.
void kin__schema_system_run(kin__schema_system *schema_system, kin_role role, const kin_tick *tick);

// The roles that it has.
kin__roles kin__schema_system_roles(const kin__schema_system *schema_system);

#endif
