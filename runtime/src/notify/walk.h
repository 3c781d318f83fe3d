// A walk over the groups that watch a component, in order of creation.
//
// Listeners may add and remove watching groups meanwhile. The list's version then differs, and the walk goes on with
// the first group that was created after the last one visited. A walk does not allocate; each step is constant unless
// the list has changed.
#ifndef KIN_SRC_WALK_H
#define KIN_SRC_WALK_H

#include "store/store.h"

typedef struct kin__walk {
    const kin__watch *watch;
    uint32_t index, version;
} kin__walk;

static inline kin__walk kin__walk_begin(const kin_context *context, kin_component_id id)
{
    const kin__watch *watch = &context->core->watches[id];
    return (kin__walk){.watch = watch, .version = watch->version};
}

// Moves to the group that follows `last`.
static inline void kin__walk_next(kin__walk *walk, const kin_group *last)
{
    walk->index++;
    if (walk->version == walk->watch->version)
        return;
    kin_group *const *groups = walk->watch->groups.elements;
    walk->version = walk->watch->version;
    for (walk->index = 0; walk->index < walk->watch->count; walk->index++)
        if (groups[walk->index]->number > last->number)
            return;
}

// Returns the current group; NULL at the end.
static inline kin_group *kin__walk_group(const kin__walk *walk)
{
    kin_group *const *groups = walk->watch->groups.elements;
    return walk->index < walk->watch->count ? groups[walk->index] : NULL;
}

#endif
