// Destroys all members of a group, one by one unless the fast path applies.

#include "change/fast.h"
#include "store/store.h"
#include "lookup/lookup.h"
#include "notify/notify.h"

// Lists the members first: an entity that becomes a member meanwhile is not destroyed.
static kin_status destroy_each(kin_group *group, const kin__attempt *attempt)
{
    kin_context *context = group->context;
    uint32_t count = kin_group_count(group);
    kin_entity *members = count == 0 ? NULL : kin__allocate(&context->core->group_memory, count * sizeof *members);
    if (count > 0 && members == NULL)
        return kin__report_error(context, KIN_ERROR_NO_MEMORY, attempt);
    kin_group_copy_entities(group, members, count);
    uint64_t epoch = context->core->dispatch.epoch;
    for (uint32_t i = 0; i < count && context->core->dispatch.epoch == epoch; i++)
        if (kin_group_contains(group, members[i]) && !kin__is_about_to_be_destroyed(context, members[i]))
            kin__entity_destroy_fast(context, members[i]); // reports a refusal, and goes on
    kin__release(&context->core->group_memory, members, count * sizeof *members);
    return KIN_OK;
}

kin_status kin_group_destroy_entities(kin_group *group)
{
    kin__attempt attempt = {.verb = "destroy the entities of a group"};
    if (group == NULL)
        return kin__group_report_null(attempt.verb);
    if (!kin__dispatch_may_nest(group->context))
        return kin__report_error(group->context, KIN_ERROR_LIMIT, &attempt);
    return kin__group_destroy_fast(group) ? KIN_OK : destroy_each(group, &attempt);
}
