// Applying a blueprint to an entity: part by part, each replaced where the entity has it, added where it lacks it.
//
// All parts are checked and planned first. Then listeners may do anything: where one has added or removed a part, that
// part is replaced or added as by the user, with all its checks.

#include "base/assertion.h"
#include "change/blueprint.h"
#include "change/component.h"
#include "change/plan.h"
#include "notify/dispatch.h"
#include "storage/chunk.h"

static kin_status check(kin_context *context, const kin__blueprint_use *use)
{
    if (kin__chunk_of(context, use->entity) == NULL)
        return kin__blueprint_use_report_error(context, use, KIN_ERROR_NOT_ALIVE, KIN__NO_PART, NULL);
    kin_status status = kin__blueprint_use_check_unique(context, use);
    if (status == KIN_OK)
        status = kin__blueprint_use_check_keys(context, use);
    if (status != KIN_OK || kin__dispatch_may_nest(context))
        return status;
    return kin__blueprint_use_report_error(context, use, KIN_ERROR_LIMIT, KIN__NO_PART, NULL);
}

static bool has(const kin_context *context, const kin__blueprint_use *use, size_t part)
{
    return kin__has(context, use->entity, use->blueprint->parts[part].id, context->row_words);
}

// False when out of memory: the plan has ended.
static bool reserve(kin__plan *plan, const kin__blueprint_use *use)
{
    uint32_t count = use->blueprint->part_count;
    bool reserved = kin__plan_begin(plan, count, 0, NULL);
    for (uint32_t i = 0; reserved && i < count; i++) {
        const kin__part *part = &use->blueprint->parts[i];
        kin__step_kind kind = has(plan->context, use, i) ? KIN__STEP_REPLACE : KIN__STEP_ADD;
        kin__step step = {kind, use->entity, part->id, part->value};
        reserved = kin__plan_append(plan, &step, kin_entity_slot(use->entity));
    }
    return reserved;
}

// Applies the next part. If a listener has added or removed its component since it was planned, `*unplanned` is the
// step that is made instead, else its entity is 0. A flag that the entity has is set already (FLG-02).
static kin_status apply_part(kin__plan *plan, const kin__blueprint_use *use, kin__step *unplanned)
{
    kin_context *context = plan->context;
    size_t part = plan->done;
    bool alive = plan->epoch == context->core->dispatch.epoch && kin__chunk_of(context, use->entity) != NULL;
    bool has_now = alive && has(context, use, part), had = plan->steps[part].replaces;
    KIN_ASSERT(plan->steps[part].id == use->blueprint->parts[part].id);
    unplanned->entity = 0;
    if (!alive)
        return KIN_ERROR_NOT_ALIVE;
    if (has_now == had && !(had && plan->steps[part].storage.value == NULL))
        return kin__plan_commit(plan, use->entity);
    kin__plan_skip(plan);
    if (has_now && use->blueprint->parts[part].value == NULL)
        return KIN_OK;
    *unplanned =
        (kin__step){KIN__STEP_ADD, use->entity, use->blueprint->parts[part].id, use->blueprint->parts[part].value};
    return kin__component_try_replace(context, unplanned);
}

// Reports last, as `on_error` may destroy the context.
kin_status kin__apply(kin_context *context, uint32_t blueprint, kin_entity entity)
{
    kin__plan_step few[KIN__FEW_STEPS];
    kin__plan plan = {.context = context, .steps = few, .epoch = context->core->dispatch.epoch};
    kin__blueprint_use use = {.blueprint = &context->blueprints[blueprint], .entity = entity};
    kin__step unplanned = {0};
    uint32_t part = 0;
    kin_status status = check(context, &use);
    if (status != KIN_OK)
        return status;
    if (!reserve(&plan, &use))
        return kin__blueprint_use_report_error(context, &use, KIN_ERROR_NO_MEMORY, KIN__NO_PART, NULL);
    for (; part < use.blueprint->part_count && status == KIN_OK; part++)
        status = apply_part(&plan, &use, &unplanned);
    kin__plan_end(&plan);
    if (status == KIN_OK)
        return KIN_OK;
    return unplanned.entity != 0 ? kin__component_report_error(context, status, "replace", &unplanned)
                                 : kin__blueprint_use_report_error(context, &use, status, part - 1, NULL);
}
