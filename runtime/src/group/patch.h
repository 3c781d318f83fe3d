// Patching the array of a group: correcting the places of the entities that changed instead of making it anew.
//
//   list   [ gap | m0 | m1 | … | room ]       m0, m1, …: the array, in ascending slot
//
// A group whose array is asked for several times, each time after few changes, begins the journals of the components
// that it names (notify.h). From then on the entries since the last call are the slots where the array can be wrong.
// An entity that enters or leaves moves the members before it or those after it, whichever are fewer. The array is made
// anew when a journal misses a change, when there are many, or when the list has no room.
//
// Only groups that a change of their named components alone can change are patched: without an `only` rule, and with a
// rule other than `none`.
//
// Invariants, checked by kin__groups_are_valid():
//   1. while the array is current, seen[i] is the number of changes of named[i] when it was made or patched
//   2. an entity that has entered, left or been replaced by another one in its slot since then has changed one of
//      these components since then
//   3. gap + the number of members ≤ capacity of the list; gap is 0 for an empty array
//
// Cost: a step for each change since the last call, a search for each of them, and for each that entered or left
// moving at most half of the members.
#ifndef KIN_SRC_PATCH_H
#define KIN_SRC_PATCH_H

#include "store/store.h"

// Corrects the array by the journals. False if it must be made anew; its elements are then undefined.
bool kin__group_patch(kin_group *group);

// The array was made anew at the start of the list. Begins the journals if few changes preceded this call too.
void kin__group_relisted(kin_group *group);

// Checks invariant 3, and that nothing from the future was seen.
bool kin__group_patching_is_valid(const kin_group *group);

#endif
