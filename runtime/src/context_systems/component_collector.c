#include "context_systems/component_collector.h"

#include "base/base.h"
#include "lookup/lookup.h"

kin_collector *kin__component_collector(kin_context *context, kin_component_id id, kin_group_event event,
                                        kin_status *status)
{
    kin_matcher matcher = {.count = 1, .rules = {{.kind = KIN_RULE_ALL, .count = 1, .ids = {id}}}};
    const char *reason = NULL;
    KIN_ASSERT(id < context->info->component_count);
    kin_trigger trigger = {kin__group_find_or_make(context, &matcher, status, &reason), event};
    if (trigger.group == NULL)
        return NULL;
    kin_collector *collector = kin__collector_make(&trigger, 1);
    *status = collector == NULL ? KIN_ERROR_NO_MEMORY : KIN_OK;
    return collector;
}
