// Roster: who was in a group at the last turn of its system, and what has changed since.
//
//   before    the members at the last turn, by slot      → left      those of them that are members no more
//   now       the members when they were listed last     → entered   those of now that are not among them
//
// Nobody is subscribed: what is compared are two arrays, and nothing while the group's counters stand still. A context
// that was reset gives equal handles to others: then all of before have left, and all of now have entered.
#ifndef KIN_SRC_MEMBERSHIP_H
#define KIN_SRC_MEMBERSHIP_H

#include "core/core.h"

// The members of a group, and when they were listed.
typedef struct kin__listing {
    kin__array array; // of kin_entity
    uint32_t count;
    uint64_t stamp, epoch; // kin__group_stamp and the count of resets; KIN__NEVER: not listed yet
} kin__listing;

typedef struct kin__membership {
    kin_group *group;
    kin__memory *memory; // the world's
    kin__listing before, now;
    kin__array left, entered; // of kin_entity
    uint32_t left_count, entered_count;
    bool is_reset; // between before and now: handles of those who left may be those of others
} kin__membership;

kin__membership kin__membership_of(kin_group *group, kin__memory *memory);

// A turn begins: finds who has left and entered. False, with nothing changed, without memory.
bool kin__membership_turn(kin__membership *membership);

// Undoes a turn that found a change: the next one finds it again.
void kin__roster_undo(kin__membership *membership);

// The members of now by slot; the array stays as it is until the next call of either. False without memory.
bool kin__membership_list(kin__membership *membership, const kin_entity **entities, uint32_t *count);

void kin__membership_release(kin__membership *membership);

#endif
