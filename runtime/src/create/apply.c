// Applying a blueprint, or the values of another entity (copy.c), to an entity: part by part, each replaced where the
// entity has it, added where it lacks it.
//
// All parts are checked and planned first. Then listeners may do anything: where one has added or removed a part, that
// part is replaced or added as by the user, with all its checks.

#include "base/base.h"
#include "change/component.h"
#include "store/store.h"
#include "create/blueprint.h"
#include "notify/notify.h"

kin_status kin__apply_check(kin_context *context, const kin__blueprint_use *use)
{
    KIN_ASSERT(kin__chunk_of(context, use->entity) != NULL);
    kin_status status = kin__blueprint_use_check_unique(context, use);
    if (status == KIN_OK)
        status = kin__blueprint_use_check_relations(context, use);
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
static bool reserve(const kin__blueprint_use *use)
{
    bool reserved = true;
    for (uint32_t i = 0; reserved && i < use->blueprint->part_count; i++) {
        const kin__part *part = &use->blueprint->parts[i];
        kin__step_kind kind = has(use->plan->context, use, i) ? KIN__STEP_REPLACE : KIN__STEP_ADD;
        kin__step step = {kind, use->entity, part->id, part->value};
        reserved = kin__plan_append(use->plan, &step, kin_entity_slot(use->entity));
    }
    return reserved;
}

// Makes a step that differs from the planned one. Its value is the planned copy, as listeners may have freed strings
// of the value that was copied. If refused, the plan still has the step and its value.
static kin_status make_unplanned(kin__plan *plan, kin__step *unplanned)
{
    kin_status status = kin__component_try_replace(plan->context, unplanned);
    if (status == KIN_OK)
        kin__plan_skip(plan);
    return status;
}

// Applies the next part. If a listener has added or removed its component since it was planned, `*unplanned` is the
// step that is made instead, else its entity is 0. A flag that the entity has is set already (FLG-02).
static kin_status apply_part(const kin__blueprint_use *use, kin__step *unplanned)
{
    kin__plan *plan = use->plan;
    kin_context *context = plan->context;
    const kin__plan_step *planned = &plan->steps[plan->done];
    bool alive = plan->epoch == context->core->dispatch.epoch && kin__chunk_of(context, use->entity) != NULL;
    bool has_now = alive && has(context, use, plan->done), is_flag = planned->storage.value == NULL;
    KIN_ASSERT(planned->id == use->blueprint->parts[plan->done].id);
    unplanned->entity = 0;
    if (!alive)
        return KIN_ERROR_NOT_ALIVE;
    if (use->adds || (has_now == planned->replaces && !(has_now && is_flag)))
        return kin__plan_commit(plan, use->entity);
    if (has_now && is_flag) {
        kin__plan_skip(plan);
        return KIN_OK;
    }
    *unplanned = (kin__step){KIN__STEP_ADD, use->entity, planned->id, planned->storage.value};
    return make_unplanned(plan, unplanned);
}

// Describes the refusal before it ends the plan, which has the value.
static kin_status report_unplanned(kin__plan *plan, kin_status status, const kin__step *step)
{
    char reason[KIN__CHANGE_REASON_SIZE];
    kin__attempt attempt = {.verb = "replace", .entity = step->entity};
    attempt.component = plan->context->info->components[step->id].name;
    attempt.reason = kin__change_describe(plan->context, status, step, reason) ? reason : NULL;
    kin__plan_end(plan);
    return attempt.reason != NULL
               ? kin__report_error(plan->context, status, &attempt)
               : kin__report_component_error(plan->context, status, attempt.verb, step->entity, step->id);
}

static kin_status report_part(const kin__blueprint_use *use, kin_status status, uint32_t part)
{
    kin__plan_failure failure;
    kin__plan_describe(use->plan, use->entity, status, &failure);
    return kin__blueprint_use_report_error(use->plan->context, use, status, part,
                                           failure.is_about_target ? failure.reason : NULL);
}

// Reports last, as `on_error` may call Kin.
kin_status kin__apply_parts(const kin__blueprint_use *use)
{
    kin__step unplanned = {0};
    uint32_t part = 0;
    kin_status status = KIN_OK;
    if (!reserve(use))
        return kin__blueprint_use_report_error(use->plan->context, use, KIN_ERROR_NO_MEMORY, KIN__NO_PART, NULL);
    for (; part < use->blueprint->part_count && status == KIN_OK; part++)
        status = apply_part(use, &unplanned);
    if (status != KIN_OK && unplanned.entity != 0)
        return report_unplanned(use->plan, status, &unplanned);
    if (status != KIN_OK)
        return report_part(use, status, part - 1);
    kin__plan_end(use->plan);
    return KIN_OK;
}

kin_status kin__apply(kin_context *context, uint32_t blueprint, kin_entity entity)
{
    kin__plan_step few[KIN__FEW_STEPS];
    kin__plan plan = {.context = context, .steps = few, .epoch = context->core->dispatch.epoch};
    kin__blueprint_use use = {.blueprint = &context->blueprints[blueprint], .entity = entity, .plan = &plan};
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    if (kin__chunk_of(context, entity) == NULL)
        return kin__blueprint_use_report_error(context, &use, KIN_ERROR_NOT_ALIVE, KIN__NO_PART, NULL);
    kin_status status = kin__apply_check(context, &use);
    if (status != KIN_OK)
        return status;
    if (!kin__plan_begin(&plan, use.blueprint->part_count, 0, NULL))
        return kin__blueprint_use_report_error(context, &use, KIN_ERROR_NO_MEMORY, KIN__NO_PART, NULL);
    return kin__apply_parts(&use);
}
