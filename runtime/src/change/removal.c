// Removing several components of an entity: each one after the other, with all its calls.

#include "notify/dispatch.h"
#include "report/error.h"

// Whether the entity is the one that the walk began with, and alive.
static bool goes_on(const kin_context *context, kin_entity entity, uint64_t epoch)
{
    return context->core->dispatch.epoch == epoch && kin__chunk_of(context, entity) != NULL;
}

static kin_status check(const kin_context *context, const kin__attempt *attempt)
{
    if (kin__chunk_of(context, attempt->entity) == NULL)
        return kin__refuse(context, KIN_ERROR_NOT_ALIVE, attempt);
    if (!kin__dispatch_may_nest(context))
        return kin__refuse(context, KIN_ERROR_LIMIT, attempt);
    return KIN_OK;
}

// What a listener adds ahead of the walk goes too.
kin_status kin__entity_clear(kin_context *context, kin_entity entity)
{
    kin__attempt attempt = {.verb = "remove all components of", .entity = entity};
    kin_status status = check(context, &attempt);
    uint64_t epoch = context->core->dispatch.epoch;
    for (uint32_t id = 0; id < context->info->component_count && status == KIN_OK; id++) {
        if (!goes_on(context, entity, epoch))
            return KIN_OK;
        if (kin__has(context, entity, (kin_component_id)id, context->row_words))
            status = kin__component_remove_fast(context, entity, (kin_component_id)id);
    }
    return status;
}

kin_status kin_remove_components(kin_context *context, kin_entity entity, kin_rule components)
{
    kin__attempt attempt = {.verb = "remove components of", .entity = entity};
    kin_status status = check(context, &attempt);
    if (status != KIN_OK)
        return status;
    kin_matcher matcher = {.count = 1, .rules = {components}};
    status = kin__matcher_check(&matcher, context->info->component_count, &attempt.reason);
    if (status != KIN_OK)
        return kin__refuse(context, status, &attempt);
    uint64_t epoch = context->core->dispatch.epoch;
    kin_matcher normal = kin__matcher_normalise(&matcher);
    for (uint32_t i = 0; i < normal.rules[0].count && status == KIN_OK; i++) {
        if (!goes_on(context, entity, epoch))
            return KIN_OK;
        if (kin__has(context, entity, normal.rules[0].ids[i], context->row_words))
            status = kin__component_remove_fast(context, entity, normal.rules[0].ids[i]);
    }
    return status;
}
