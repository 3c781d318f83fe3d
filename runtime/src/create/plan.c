#include "create/plan.h"

#include "base/base.h"
#include "change/fast.h"
#include "create/entity.h"
#include "notify/notify.h"
#include "store/store.h"

bool kin__plan_begin(kin__plan *plan, size_t capacity, size_t values_size, char **values)
{
    size_t steps_size = kin__round_up(capacity * sizeof *plan->steps);
    KIN_ASSERT(plan->count == 0 && plan->size == 0);
    if (capacity <= KIN__FEW_STEPS && values_size == 0)
        return true;
    kin__plan_step *steps = kin__allocate(&plan->context->core->memory, steps_size + values_size);
    if (steps == NULL)
        return false;
    plan->steps = steps;
    plan->size = steps_size + values_size;
    if (values != NULL)
        *values = (char *)steps + steps_size;
    return true;
}

bool kin__plan_append(kin__plan *plan, const kin__step *step, uint32_t slot)
{
    kin__plan_step *next = &plan->steps[plan->count];
    KIN_ASSERT(step->kind != KIN__STEP_REMOVE);
    *next = (kin__plan_step){.id = step->id, .replaces = step->kind == KIN__STEP_REPLACE};
    bool reserved = slot == KIN__NO_SLOT ? kin__value_storage_make(plan->context, step->id, step->value, &next->storage)
                                         : kin__change_reserve(plan->context, slot, step, &next->storage);
    if (reserved)
        plan->count++;
    else
        kin__plan_end(plan);
    return reserved;
}

kin_status kin__plan_commit(kin__plan *plan, kin_entity entity)
{
    const kin__plan_step *next = &plan->steps[plan->done];
    KIN_ASSERT(plan->done < plan->count);
    kin__step step = {next->replaces ? KIN__STEP_REPLACE : KIN__STEP_ADD, entity, next->id, next->storage.value};
    kin_status status = kin__change_commit(plan->context, &step, &next->storage, plan->epoch);
    if (status == KIN_OK)
        plan->done++;
    return status;
}

void kin__plan_skip(kin__plan *plan)
{
    KIN_ASSERT(plan->done < plan->count);
    kin__value_storage_release(plan->context, plan->steps[plan->done].id, &plan->steps[plan->done].storage);
    plan->done++;
}

void kin__plan_restart(kin__plan *plan)
{
    KIN_ASSERT(plan->done == plan->count);
    plan->count = plan->done = 0;
}

void kin__plan_end(kin__plan *plan)
{
    while (plan->done < plan->count)
        kin__plan_skip(plan);
    kin__plan_restart(plan);
    if (plan->size > 0)
        kin__release(&plan->context->core->memory, plan->steps, plan->size);
    plan->size = 0;
}

// A removed event that is not delivered yet shows zeros instead of an opaque value that the caller has again.
static void hide_value(kin_context *context, kin_entity entity, kin_component_id id, kin__owned_block *owned_block)
{
    uint32_t slot = kin_entity_slot(entity);
    const kin__last_values *last_values = kin__last_values_of(context, id);
    const kin__last_value_block *block =
        last_values == NULL ? NULL : kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    if (block == NULL || !kin__last_value_block_has(block, slot % KIN__CHUNK_SLOTS))
        return;
    kin__value_storage kept = kin__last_value_storage(context, last_values, slot);
    kin__owned_block_clear_opaque(context, owned_block, kept.owned_block, (void *)(uintptr_t)kept.value);
}

void kin__plan_return_opaque(kin__plan *plan, size_t number, kin_entity entity)
{
    const kin__plan_step *step = &plan->steps[number];
    KIN_ASSERT(number < plan->done);
    if (!plan->context->info->components[step->id].has_drops)
        return;
    hide_value(plan->context, entity, step->id, step->storage.owned_block);
    kin__owned_block_return_opaque(plan->context, step->storage.owned_block);
}

kin_status kin__plan_make(kin__plan *plan, kin__pool *pool, size_t step_count, kin_entity *made)
{
    kin_status status = KIN_OK;
    KIN_ASSERT(step_count <= plan->count - plan->done);
    plan->epoch = plan->context->core->dispatch.epoch; // before any listener can reset the context
    *made = kin__entity_create_reserved(plan->context, pool);
    for (size_t i = 0; i < step_count && status == KIN_OK; i++)
        status = kin__plan_commit(plan, *made);
    return status;
}

void kin__plan_describe(const kin__plan *plan, kin_entity entity, kin_status status, kin__plan_failure *failure)
{
    const kin__plan_step *next = &plan->steps[plan->done];
    kin__step step = {next->replaces ? KIN__STEP_REPLACE : KIN__STEP_ADD, entity, next->id, next->storage.value};
    bool is_alive = plan->epoch == plan->context->core->dispatch.epoch && kin__chunk_of(plan->context, entity) != NULL;
    bool may_be = is_alive && (status == KIN_ERROR_NOT_ALIVE || status == KIN_ERROR_CIRCLE);
    failure->id = next->id;
    failure->is_about_target = may_be && kin__relations_describe(plan->context, &step, failure->reason);
}

kin_status kin__plan_report_failure(const kin_context *context, kin_status status, const kin__plan_failure *failure,
                                    kin__attempt attempt)
{
    if (!failure->is_about_target)
        return attempt.is_unique
                   ? kin__report_unique_error(context, status, attempt.verb, failure->id)
                   : kin__report_component_error(context, status, attempt.verb, attempt.entity, failure->id);
    attempt.component = context->info->components[failure->id].name;
    attempt.reason = failure->reason;
    return kin__report_error(context, status, &attempt);
}

// An entity that is not alive any more has been destroyed by a listener, or its handle belongs to an earlier epoch.
kin_status kin__plan_make_all(kin__plan *plan, kin__pool *pool, kin_entity *made, kin__plan_failure *failure)
{
    kin_context *context = plan->context;
    uint64_t epoch = context->core->dispatch.epoch;
    kin_status status = kin__plan_make(plan, pool, plan->count, made);
    if (status != KIN_OK)
        kin__plan_describe(plan, *made, status, failure);
    kin__plan_end(plan);
    if (status != KIN_OK && epoch == context->core->dispatch.epoch && kin__chunk_of(context, *made) != NULL)
        kin__entity_destroy_checked_fast(context, *made);
    return status;
}
