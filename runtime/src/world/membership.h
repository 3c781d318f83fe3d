// Membership: the members of a group at the last turn of its system, and which entities entered and left since.
//
//   before    the members at the last turn              → left      members of `before` that are no longer members
//   now       the members when they were listed last    → entered   members of `now` that are not in `before`
//
// All four are arrays in order of ascending slot. There are no subscriptions: a turn compares the arrays, and compares
// nothing while the group's change counters are the same. After a reset of the context other entities may have equal
// handles, so all members of `before` have left and all members of `now` have entered.
//
// Invariants:
//   1. `left_count` <= `before.count` of the turn, `entered_count` <= `now.count`
//   2. outside of a turn that ran out of memory, `before` is the listing of the last turn
//
// Cost: a turn without changes sums the group's counters; otherwise it lists the group and merges two arrays.
#ifndef KIN_SRC_MEMBERSHIP_H
#define KIN_SRC_MEMBERSHIP_H

#include "snapshot/snapshot.h"

// The members of a group at one moment.
typedef struct kin__listing {
    kin__array array; // of kin_entity
    uint32_t count;
    uint64_t stamp, epoch; // kin__group_stamp and number of resets at that moment; KIN__NEVER: not listed yet
} kin__listing;

typedef struct kin__membership {
    kin_group *group;
    kin__memory *memory; // of the world
    kin__listing before, now;
    kin__array left, entered; // of kin_entity
    uint32_t left_count, entered_count;
    bool is_reset; // the context was reset between `before` and `now`: handles may be equal but not the entities
} kin__membership;

kin__membership kin__membership_of(kin_group *group, kin__memory *memory);

// Begins a turn: computes `left` and `entered`. Returns false, with nothing changed, when out of memory.
bool kin__membership_turn(kin__membership *membership);

// Undoes the last turn; the next turn computes the same again.
void kin__membership_undo(kin__membership *membership);

// Makes room in `left` for kin__membership_leave_all. Returns false when out of memory.
bool kin__membership_reserve_leave(kin__membership *membership);

// Makes all members of the last turn entities that left, as if the group were empty; none entered. The caller has made
// room.
void kin__membership_leave_all(kin__membership *membership);

// Returns the current members in order of ascending slot. The array stays unchanged until the next call of this
// function or of kin__membership_turn. Returns false when out of memory.
bool kin__membership_list(kin__membership *membership, const kin_entity **entities, uint32_t *count);

// Writes the members at the last turn to a state. Returns whether the context was not reset since.
bool kin__membership_save(const kin__membership *membership, kin__state *state);

// Reserves room for the saved members, and moves behind them. False when out of memory.
bool kin__membership_reserve(kin__membership *membership, kin__state *state);

// Puts the members back. `is_current`: the context was not reset since. If systems are to be told anew, the members
// stay those of the last turn before the restore, and the next turn finds that all have left and all have entered.
void kin__membership_restore(kin__membership *membership, kin__state *state, bool is_current);

void kin__membership_release(kin__membership *membership);

#endif
