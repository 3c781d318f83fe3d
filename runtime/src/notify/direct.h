// Direct calls: for each component the subscriber that kin__replace_fast calls without the library, where one
// subscriber is all that a replace notifies (kin/generated/direct.h).
//
//   watches[id].direct            the change as that subscriber is shown it, its listener, and the rows that match
//   components[id].replace_path   0: no subscriber; KIN__PATH_LIBRARY; or the address of `direct` with flags
//
// A refresh follows each begin and end of a subscription. Inside a change it is deferred to kin__settle, since `direct`
// may be in use.
//
// Invariants, checked by kin__direct_is_valid():
//   1. replace_path is 0 exactly while the component has no watchers but its journal; that of being alive is always 0
//   2. replace_path leads to `direct` only while one group watches the component, its mask is exact, a replace calls
//      one live subscriber of the group once, or only subscribers of one collector, and no subscriber waits for changes
//      of one entity or of all entities
//   3. the component is then fast, its value fits into `direct`, and rows have one word
//   4. `direct` has that subscriber's listener, user and group, and the values of its event (previous, value or both)
//   5. at depth 0 replace_path leads to `direct` wherever 2 and 3 allow it and the group can have members
//
// Cost: a refresh is a walk over the subscribers of one group, up to the second one that a replace calls. `direct` is
// allocated by kin__direct_reserve, so a refresh needs no memory.
#ifndef KIN_SRC_DIRECT_H
#define KIN_SRC_DIRECT_H

#include "store/store.h"

// Allocates `direct` of a component that can have a direct call. False when out of memory.
bool kin__direct_reserve(kin_context *context, uint32_t id);

// Refreshes the direct call of a component. Does nothing for being alive: the number of components as `id`.
void kin__direct_refresh(kin_context *context, uint32_t id);

// Refreshes the direct call of every component.
void kin__direct_refresh_all(kin_context *context);

bool kin__direct_is_valid(const kin_context *context, uint32_t id);

#endif
