// Unique components: at most one entity has each, and the context knows which.

#include "base/base.h"
#include "change/component.h"
#include "store/store.h"
#include "create/entity.h"
#include "create/plan.h"
#include "destroy/end.h"
#include "lookup/lookup.h"

static const char setting[] = "set the unique";

static kin_status report_failure(const kin_context *context, kin_status status, const kin__plan_failure *failure)
{
    return kin__plan_report_failure(context, status, failure, (kin__attempt){.verb = setting, .is_unique = true});
}

// Reports an entity that the value names and that is not alive.
static kin_status report_target(const kin_context *context, kin_status status, const kin__step *step)
{
    kin__plan_failure failure = {.id = step->id};
    failure.is_about_target = kin__relations_describe(context, step, failure.reason);
    return report_failure(context, status, &failure);
}

// Creates an entity for the component. `*carrier` is valid if this returns KIN_OK.
static kin_status set(kin_context *context, kin_component_id id, const void *value, kin_entity *carrier)
{
    kin__plan_step only;
    kin__plan plan = {.context = context, .steps = &only};
    kin__step step = {KIN__STEP_ADD, 0, id, value};
    uint32_t slot;
    KIN_ASSERT(context->info->components[id].is_unique);
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    kin_status status = context->carriers[id] != 0 ? KIN_ERROR_UNIQUE : kin__relations_check(context, &step);
    if (status == KIN_ERROR_NOT_ALIVE)
        return report_target(context, status, &step);
    if (status == KIN_OK)
        status = kin__indices_check(context, &step);
    if (status == KIN_ERROR_INVALID || status == KIN_ERROR_DUPLICATE_KEY)
        return kin__indices_report_error(context, &step, setting, true);
    if (status != KIN_OK)
        return kin__report_unique_error(context, status, setting, id);
    status = kin__entity_reserve(context, &context->pool, &slot);
    if (status != KIN_OK)
        return status;
    if (!kin__plan_append(&plan, &step, slot))
        return kin__report_unique_error(context, KIN_ERROR_NO_MEMORY, setting, id);
    kin__plan_failure failure;
    status = kin__plan_make_all(&plan, &context->pool, carrier, &failure);
    return status == KIN_OK ? KIN_OK : report_failure(context, status, &failure);
}

kin_entity kin__unique_set(kin_context *context, kin_component_id id, const void *value)
{
    kin_entity carrier;
    return set(context, id, value, &carrier) == KIN_OK ? carrier : 0;
}

kin_entity kin__unique_replace(kin_context *context, kin_component_id id, const void *value)
{
    kin_entity carrier = context->carriers[id];
    KIN_ASSERT(carrier == 0 || kin__has(context, carrier, id, context->row_words));
    if (carrier == 0)
        return kin__unique_set(context, id, value);
    return kin__component_replace(context, carrier, id, value) == KIN_OK ? carrier : 0;
}

kin_status kin__unique_remove(kin_context *context, kin_component_id id)
{
    if (context->carriers[id] != 0)
        return kin__entity_destroy(context, context->carriers[id]);
    return kin__report_unique_error(context, KIN_ERROR_NO_COMPONENT, "remove the unique", id);
}

kin_status kin__unique_switch(kin_context *context, kin_component_id id, bool on)
{
    kin_entity carrier;
    if ((context->carriers[id] != 0) == on)
        return KIN_OK;
    return on ? set(context, id, NULL, &carrier) : kin__unique_remove(context, id);
}
