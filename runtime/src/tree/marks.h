// Marks: the entities that changed after the last turn of a system with `only: changed`.
//
// Listeners mark the slot of each entity
//
//   that enters the group of the system
//   whose component in `reads` is replaced or touched; added or removed, if members may lack it
//   whose place in the tree changes
//
// Marks of entities that are not members are never read. When memory for a mark runs out, all entities count as
// changed.
#ifndef KIN_SRC_MARKS_H
#define KIN_SRC_MARKS_H

#include "base/base.h"

#include <kin/generated/tree.h>

typedef struct kin__marks {
    kin__memory *memory;
    kin__array words; // one bit for each slot
    bool has_all;     // all entities count as changed: before the first turn, and when out of memory
    kin_subscription *subscriptions;
    uint32_t subscription_count, capacity;
} kin__marks;

// Starts marking changes. False, not reported, when out of memory: the caller then releases the marks.
bool kin__marks_begin(kin__marks *marks, kin_group *group, const kin__tree_info *info, kin__memory *memory);
void kin__marks_release(kin__marks *marks);

// Removes all marks.
void kin__marks_clear(kin__marks *marks);

#endif
