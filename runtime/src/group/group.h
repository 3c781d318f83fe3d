// Groups: making them, and what is worked out from the bits when somebody asks.
#ifndef KIN_SRC_GROUP_H
#define KIN_SRC_GROUP_H

#include "storage/chunk.h"

// The group of a matcher, made when there is none. NULL with the status and reason of the refusal, not yet told.
kin_group *kin__group_find_or_make(kin_context *context, const kin_matcher *matcher, kin_status *status,
                                   const char **reason);

// Takes back the groups that were made since there were `count` of them: nobody was told of them, nobody listens.
void kin__groups_unmake(kin_context *context, uint32_t count);

// Finds whose changes can change a new group. False without memory.
bool kin__group_watch_changes(kin_group *group);
void kin__group_forget_changes(kin_group *group);

// The sum of counters that only grow: equal exactly when none of them has, and then the members are the same.
static inline uint64_t kin__group_stamp(const kin_group *group)
{
    const kin__component *components = group->context->components;
    uint64_t stamp = group->counts_alive ? kin__population_stamp(group->context) : 0;
    for (uint32_t i = 0; i < group->named_count; i++)
        stamp += components[group->named == NULL ? i : group->named[i]].changes;
    return stamp;
}

// Tells that there is no group for what `verb` says.
kin_status kin__group_refuse_none(const char *verb);

// All groups' memory.
void kin__groups_release(kin_context *context);

#endif
