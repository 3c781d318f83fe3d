// Marks the blueprints whose spawns must notify a subscriber or update an index. All others are spawned inline.
//
// A spawn adds the parts one by one, in order of their ids. It notifies a group when the entity matches after one of
// these steps, even if it does not match in the end. So a group that the entity never matches does not count, although
// it names a component of the blueprint. For an index see kin__matcher_may_hold.
//
// Invariant: blueprints[i].watchers is the number of parts that are special (kin__watch.is_fast is false for another
// reason than an index), of indices that the entity could be in, and of groups with subscribers that it passes through;
// and one more while KIN_COMPONENT_CHANGED has subscribers, and while the journal of a tool notes changes.
//
// Cost: for each blueprint, its parts times the rules of the group, when the group gets its first subscriber or loses
// its last one.
#ifndef KIN_SRC_SPAWN_WATCH_H
#define KIN_SRC_SPAWN_WATCH_H

#include "base/base.h"

#include <kin/generated/blueprint.h>

// Returns whether an entity matches at some moment while it is spawned.
bool kin__spawn_passes(const kin__blueprint *blueprint, const kin_matcher *normal);

// Adds or removes the group as a watcher of all blueprints whose spawns pass through it.
void kin__spawn_watch(kin_context *context, const kin_matcher *normal, bool on);

// Adds or removes one watcher of every blueprint.
void kin__spawn_watch_all(kin_context *context, bool on);

#endif
