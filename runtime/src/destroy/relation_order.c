// The holders of one target in order: moves one, or destroys all.

#include "change/component.h"
#include "store/store.h"
#include "destroy/cascade.h"
#include "notify/notify.h"
#include "lookup/lookup.h"

// ---- moving

static kin_status refuse(const kin_context *context, const kin__relation *relation, kin_entity holder,
                         kin_status status, const char *reason)
{
    kin__attempt attempt = {.verb = "move", .entity = holder, .reason = reason};
    attempt.component = context->info->components[relation->info->component].name;
    return kin__report_error(context, status, &attempt);
}

static kin_status check_move(const kin_context *context, const kin__relation *relation, kin_entity holder,
                             kin_entity sibling)
{
    kin_entity target = kin__relation_target(context, relation, holder);
    if (kin__chunk_of(context, holder) == NULL)
        return refuse(context, relation, holder, KIN_ERROR_NOT_ALIVE, NULL);
    if (!kin__has(context, holder, relation->info->component, context->row_words))
        return refuse(context, relation, holder, KIN_ERROR_NO_COMPONENT, NULL);
    if (target == 0)
        return refuse(context, relation, holder, KIN_ERROR_INVALID, "it names no entity; give it one first");
    if (sibling != 0 && kin__relation_target(context, relation, sibling) != target)
        return refuse(context, relation, holder, KIN_ERROR_INVALID,
                      "the other entity does not name the same one; move it there first");
    return KIN_OK;
}

kin_status kin__relation_place_before(kin_context *context, uint32_t number, kin_entity holder, kin_entity sibling)
{
    kin__relation *relation = kin__relation_at(context, number);
    kin_status status = check_move(context, relation, holder, sibling);
    if (status != KIN_OK || holder == sibling)
        return status;
    kin__step step = {KIN__STEP_REPLACE, holder, relation->info->component, NULL};
    status = kin__component_begin_touch(context, &step);
    if (status != KIN_OK)
        return kin__component_report_error(context, status, "move", &step);
    kin__relation_move(context, relation, kin_entity_slot(holder), sibling);
    kin__component_end_touch(context, holder, relation->info->component);
    return KIN_OK;
}

// ---- destroying

// Returns the first holder that is not being destroyed yet; 0 if no holder is left.
static kin_entity find_holder(const kin_context *context, const kin__relation *relation, kin_entity target)
{
    kin_entity holder = kin__relation_first_of(context, relation, kin_entity_slot(target));
    while (holder != 0 && kin__is_about_to_be_destroyed(context, holder))
        holder = kin__relation_next_of(context, relation, kin_entity_slot(holder));
    return holder;
}

kin_status kin__relation_destroy_holders(kin_context *context, uint32_t number, kin_entity target)
{
    const kin__relation *relation = kin__relation_at(context, number);
    kin__attempt attempt = {.verb = "destroy those that name", .entity = target};
    uint64_t epoch = context->core->dispatch.epoch;
    kin_entity holder;
    if (kin__chunk_of(context, target) == NULL || !kin__dispatch_may_nest(context))
        return kin__report_error(
            context, kin__chunk_of(context, target) == NULL ? KIN_ERROR_NOT_ALIVE : KIN_ERROR_LIMIT, &attempt);
    if (!kin__cascade_is_allowed(context, target, relation))
        return KIN_ERROR_REFERENCED;
    while (context->core->dispatch.epoch == epoch && kin__chunk_of(context, target) != NULL &&
           (holder = find_holder(context, relation, target)) != 0)
        kin__cascade(context, holder);
    return KIN_OK;
}
