// Which components' changes can change a group.

#include "group/group.h"

#include <string.h>

static bool has(const kin_component_id *ids, uint32_t count, kin_component_id id)
{
    for (uint32_t i = 0; i < count; i++)
        if (ids[i] == id)
            return true;
    return false;
}

// Writes the ids that the rules name, each once, and returns how many there are.
static uint32_t list_named(const kin_matcher *normal, kin_component_id *ids)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < normal->count; i++)
        for (uint32_t k = 0; k < normal->rules[i].count; k++)
            if (!has(ids, count, normal->rules[i].ids[k]))
                ids[count++] = normal->rules[i].ids[k];
    return count;
}

bool kin__group_watch_changes(kin_group *group)
{
    kin_component_id ids[KIN_MATCHER_MAX_RULES * KIN_RULE_MAX_IDS];
    const kin_context *context = group->context;
    group->counts_alive = kin__matcher_allows_empty(&group->matcher);
    if (kin__matcher_is_exact(&group->matcher)) {
        group->named_count = context->info->component_count;
        return true;
    }
    uint32_t count = list_named(&group->matcher, ids);
    group->named = kin__allocate(&context->core->group_memory, count * sizeof *ids);
    if (group->named == NULL)
        return false;
    memcpy(group->named, ids, count * sizeof *ids);
    group->named_count = count;
    return true;
}

void kin__group_forget_changes(kin_group *group)
{
    if (group->named != NULL)
        kin__release(&group->context->core->group_memory, group->named, group->named_count * sizeof *group->named);
}
