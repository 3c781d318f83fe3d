#include "entity/entity.h"

#include <inttypes.h>
#include <stdio.h>

bool kin_entity_is_alive(const kin_context *context, kin_entity entity)
{
    return kin__chunk_of(context, entity) != NULL;
}

static const char *find_limit(const kin_context *context, uint32_t count, char text[KIN__LIMIT_SIZE])
{
    const kin__core *core = context->core;
    KIN_ASSERT(count > 0);
    if (!kin__dispatch_may_nest(context))
        return kin__nesting_reason(context);
    if (context->next_creation_index + (count - 1) > KIN__MAX_CREATION_INDEX)
        return "all creation indices up to 2^40 - 1, which is the limit, are used; reset the context";
    if ((uint64_t)kin__slots_used(context) + count <= core->options.max_entities)
        return NULL;
    snprintf(text, KIN__LIMIT_SIZE,
             count == 1
                 ? "%" PRIu32 " entities, the limit max_entities, are alive or held; raise it, destroy or release some"
                 : "more than %" PRIu32
                   " entities, the limit max_entities, would be alive or held; raise it, destroy or release some",
             core->options.max_entities);
    return text;
}

// The creation index below which entities can be created without checking a limit.
static uint64_t fast_end(const kin_context *context)
{
    KIN_ASSERT(kin__slots_used(context) <= context->core->options.max_entities);
    uint64_t end = context->next_creation_index + context->core->options.max_entities - kin__slots_used(context);
    return end < KIN__MAX_CREATION_INDEX + 1 ? end : KIN__MAX_CREATION_INDEX + 1;
}

uint32_t kin__entities_allowed(const kin_context *context, uint32_t count)
{
    uint64_t left = fast_end(context) - context->next_creation_index;
    return left < count ? (uint32_t)left : count;
}

const char *kin__entities_find_limit(kin_context *context, uint32_t count, char text[KIN__LIMIT_SIZE])
{
    const char *limit = find_limit(context, count, text);
    if (limit == NULL)
        context->fast_end = fast_end(context);
    return limit;
}

kin_status kin__entity_find_slot(kin_context *context, const kin__pool *pool, uint32_t *slot,
                                 char text[KIN__LIMIT_SIZE], const char **reason)
{
    *reason = kin__entities_find_limit(context, 1, text);
    kin_status status = *reason != NULL ? KIN_ERROR_LIMIT : kin__pool_reserve(context, pool, slot);
    if (status == KIN_ERROR_LIMIT && *reason == NULL)
        *reason = KIN__NO_SLOT_LEFT;
    return status;
}

kin_status kin__entity_reserve(kin_context *context, const kin__pool *pool, uint32_t *slot)
{
    char text[KIN__LIMIT_SIZE];
    kin__attempt attempt = {.verb = "create an entity"};
    kin_status status = kin__entity_find_slot(context, pool, slot, text, &attempt.reason);
    return status == KIN_OK ? KIN_OK : kin__report_error(context, status, &attempt);
}

kin_entity kin__entity_create_reserved(kin_context *context, kin__pool *pool)
{
    KIN_ASSERT(kin__dispatch_may_nest(context));
    kin_entity entity = kin__pool_take(context, pool);
    KIN_ASSERT(kin__chunk_of(context, entity) != NULL);
    if (context->core->alive->watchers != 0)
        kin__notify_created(context, entity);
    return entity;
}

kin_entity kin__entity_create(kin_context *context)
{
    uint32_t slot;
    return kin__entity_reserve(context, &context->pool, &slot) == KIN_OK
               ? kin__entity_create_reserved(context, &context->pool)
               : 0;
}

uint32_t kin__entity_count(const kin_context *context)
{
    KIN_ASSERT(kin__living(context) >= context->core->slots.about_to_be_destroyed);
    return kin__living(context) - context->core->slots.about_to_be_destroyed;
}

// Removes the entities that are about to be destroyed from a list, and returns how many stay.
static uint32_t without_announced(const kin_context *context, kin_entity *list, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!kin__is_about_to_be_destroyed(context, list[i]))
            list[kept++] = list[i];
    return kept;
}

const kin_entity *kin__entities(kin_context *context, uint32_t *count)
{
    kin__core *core = context->core;
    uint64_t now = kin__population_stamp(context) + core->slots.announced;
    *count = 0;
    if (kin__context_is_shared(context)) {
        kin__refuse_shared(context);
        return NULL;
    }
    if (core->listed_at != now) {
        if (!kin__array_reserve(&core->memory, &core->list, kin__living(context), sizeof(kin_entity))) {
            kin__attempt attempt = {.verb = "list the entities"};
            kin__report_error(context, KIN_ERROR_NO_MEMORY, &attempt);
            return NULL;
        }
        kin_entity *list = core->list.elements;
        core->listed = 0;
        for (uint32_t i = 0; i < context->chunk_count && core->listed < kin__living(context); i++)
            core->listed += kin__entities_of_words(context->chunks[i], context->chunks[i]->alive, list + core->listed,
                                                   kin__living(context) - core->listed);
        if (core->slots.about_to_be_destroyed > 0)
            core->listed = without_announced(context, list, core->listed);
        KIN_ASSERT(core->listed == kin__entity_count(context));
        core->listed_at = now;
    }
    *count = core->listed;
    return core->listed == 0 ? NULL : core->list.elements;
}

// ---- removing several components

// Removes a component if the entity is still the one with which the walk began, alive, and has it.
static kin_status remove_present(kin_context *context, kin_entity entity, kin_component_id id, uint64_t epoch)
{
    bool present = context->core->dispatch.epoch == epoch && kin__has(context, entity, id, context->row_words);
    return present ? kin__component_remove_fast(context, entity, id) : KIN_OK;
}

static kin_status check_removals(const kin_context *context, const kin__attempt *attempt)
{
    if (kin__chunk_of(context, attempt->entity) == NULL)
        return kin__report_error(context, KIN_ERROR_NOT_ALIVE, attempt);
    if (!kin__dispatch_may_nest(context))
        return kin__report_error(context, KIN_ERROR_LIMIT, attempt);
    return KIN_OK;
}

// Also removes a component that a listener adds, if its id is larger than the one that is being removed.
kin_status kin__entity_clear(kin_context *context, kin_entity entity)
{
    kin__attempt attempt = {.verb = "remove all components of", .entity = entity};
    kin_status status = check_removals(context, &attempt);
    uint64_t epoch = context->core->dispatch.epoch;
    for (uint32_t id = 0; id < context->info->component_count && status == KIN_OK; id++)
        status = remove_present(context, entity, (kin_component_id)id, epoch);
    return status;
}

kin_status kin_remove_components(kin_context *context, kin_entity entity, kin_rule components)
{
    kin__attempt attempt = {.verb = "remove components of", .entity = entity};
    kin_status status = check_removals(context, &attempt);
    if (status != KIN_OK)
        return status;
    kin_matcher matcher = {.count = 1, .rules = {components}};
    status = kin__matcher_check(&matcher, context->info, &attempt.reason);
    if (status == KIN_ERROR_LIMIT)
        attempt.reason = "the rule has more than 30 ids, which is the limit; remove the others with a second call";
    if (status != KIN_OK)
        return kin__report_error(context, status, &attempt);
    uint64_t epoch = context->core->dispatch.epoch;
    kin_matcher normal = kin__matcher_normalise(&matcher);
    for (uint32_t i = 0; i < normal.rules[0].count && status == KIN_OK; i++)
        status = remove_present(context, entity, normal.rules[0].ids[i], epoch);
    return status;
}

// Unique components: at most one entity has each, and the context knows which.

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
