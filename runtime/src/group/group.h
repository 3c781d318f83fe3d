// Groups: one for each matcher that was used, until the context ends.
//
//   core.groups    [ g0 | g1 | g2 | … ]       by number, in order of creation
//   core.buckets   hash → g → g → NULL        by matcher
//
// Members are not stored: the bits of the chunks say which entities match. The count and the array of members are
// cached with the stamp of their time.
//
// Invariants, checked by kin__groups_are_valid():
//   1. a group stands at its number in core.groups, and in the bucket of its hash
//   2. matchers are normalised; no two groups have equal ones
//   3. counted_at and listed_at are a stamp of the past or KIN__NEVER; while the stamp is equal, the cache is correct
//   4. the array in `list` has room for all entities that were returned last
//
// Cost: finding a group is a hash lookup; its stamp a sum over the components that it names; to count or list it a walk
// over the chunks that can have members. After few changes the array is corrected instead (patch.h).
#ifndef KIN_SRC_GROUP_H
#define KIN_SRC_GROUP_H

#include "store/store.h"

#include <kin/generated/iterator.h>

// Returns the group of a matcher, made if it is missing. NULL with the status and the reason of the refusal, which the
// caller reports.
kin_group *kin__group_find_or_make(kin_context *context, const kin_matcher *matcher, kin_status *status,
                                   const char **reason);

// Frees the groups from number `count` on. No listener was notified of them, and they have no subscribers.
void kin__groups_truncate(kin_context *context, uint32_t count);

// Returns the sum of the counters of all changes that can change the members. They only grow: if the sum is equal, the
// members are the same.
static inline uint64_t kin__group_stamp(const kin_group *group)
{
    const kin__component *components = group->context->components;
    uint64_t stamp = group->counts_alive ? kin__population_stamp(group->context) : 0;
    for (uint32_t i = 0; i < group->named_count; i++)
        stamp += components[group->named == NULL ? i : group->named[i]].changes;
    return stamp;
}

// Returns whether the group has no members now. Cost: stops at the first member; an empty group is walked once for each
// change of its components.
bool kin__group_is_empty(const kin_group *group);

// Makes the arrays of the declared groups look outdated, so that generated code asks the library for them; and undoes
// that.
void kin__groups_toggle_lists(kin_context *context);

// Reports that a function whose purpose is `verb` was given NULL as the group.
kin_status kin__group_report_null(const char *verb);

// Frees all groups.
void kin__groups_release(kin_context *context);

bool kin__groups_are_valid(const kin_context *context);

// Invariants 3 and 4, and those of patch.h.
bool kin__group_members_are_valid(const kin_group *group);

// Returns the first chunk, from `number` on, that can have members; the number of chunks if none can.
uint32_t kin__group_find_chunk(const kin_group *group, uint32_t number);

// Returns the place at which an iteration over the chunks from `first` to before `end`, which is not 0, begins.
static inline uint64_t kin__piece_place(uint64_t first, uint64_t end)
{
    return end << KIN__PIECE_SHIFT | first << 32;
}

#endif
