// Lists of groups for tools (kin/inventory.h).

#include "base/base.h"
#include "group/group.h"

#include <kin/inventory.h>

#include <string.h>

uint32_t kin_context_groups(const kin_context *context, kin_group **groups, uint32_t capacity)
{
    uint32_t count = context->core->group_count, copied = count < capacity ? count : capacity;
    KIN_ASSERT(groups != NULL || capacity == 0);
    if (copied > 0)
        memcpy(groups, context->core->groups.elements, copied * sizeof *groups);
    return count;
}

const char *kin_group_name(const kin_group *group)
{
    for (uint32_t i = 0; group != NULL && i < group->context->info->group_count; i++)
        if (group->context->groups[i] == group)
            return group->context->info->groups[i].name;
    return NULL;
}

kin_context *kin_group_context(const kin_group *group)
{
    return group == NULL ? NULL : group->context;
}

uint32_t kin_group_listener_count(const kin_group *group)
{
    uint32_t count = 0;
    const kin__subscriber *each = group == NULL ? NULL : group->subscribers.first;
    for (; each != NULL; each = each->next)
        count += each->serial != 0 && !each->collects;
    return count;
}
