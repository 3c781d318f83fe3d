// Declared: a system of a schema, as it stands in a world, and its turn.
//
// A turn: who left its group and who entered, the messages of its inboxes, then what it is there for. A turn that has
// no memory to begin with waits for the next one, with all that it would have been told.
//
// Invariants:
//   1. its inboxes are open, and its farewells collect, exactly while it and all around it are enabled
//   2. the roster is used by a group system alone, farewells only by one that has `leave`
#ifndef KIN_SRC_DECLARED_H
#define KIN_SRC_DECLARED_H

#include "systems/farewell.h"
#include "systems/world.h"

// What a turn looks at where nothing has changed stands first, and is copied from `info`, which is large.
typedef struct kin__declared {
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
    kin__farewell *farewells; // by number of `kept`
    void *message;            // the one that is being read
    kin__roster roster;
} kin__declared;

// The system of that number, with inboxes that get what is published from now on. NULL, which has been told, without
// memory.
kin__declared *kin__declared_create(kin__world *world, uint32_t number);

// NULL is allowed.
void kin__declared_destroy(kin__declared *declared);

// Opens or closes what reaches it between turns.
void kin__declared_set_open(kin__declared *declared, bool open);

// Its part of one walk over all systems: initialize, start, execute (its turn), draw, cleanup, tear down or dispose.
void kin__declared_run(kin__declared *declared, kin_role role, const kin_tick *tick);

// The roles that it has.
kin__roles kin__declared_roles(const kin__declared *declared);

#endif
