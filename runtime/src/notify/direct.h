// Solos: for each component the only one who is told that it is replaced, if there is one (kin/direct.h). Found anew when
// somebody begins or ceases to be told of it: at once, or, inside a change, when everything has been told.
//
// Invariants, checked by kin__direct_is_valid():
//   1. a component whose way leads to one is watched by one group, which has one subscriber, who is told of one event;
//      what lies ready shows what that event shows, of the entities that the group contains
//   2. that component is plain, its value has room there, rows have one word and nobody listens to an entity
//   3. outside of changes every component of which that can be said has one
//   4. nobody minds a replace exactly where there are no watchers
//   5. that may become true of a component for which a group has room in its list, without more memory
#ifndef KIN_SRC_DIRECT_H
#define KIN_SRC_DIRECT_H

#include "core/core.h"

// Room for what lies ready, where the component may come to have one. False without memory.
bool kin__direct_reserve(kin_context *context, uint32_t id);

// Finds the way of a component anew: it has more watchers or fewer. Of an id behind all components there is none.
void kin__direct_refresh(kin_context *context, uint32_t id);

// All of them.
void kin__direct_refresh_all(kin_context *context);

bool kin__direct_is_valid(const kin_context *context, uint32_t id);

#endif
