#include "create/entity.h"

#include "base/base.h"
#include "store/store.h"
#include "notify/notify.h"

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
             "%s%" PRIu32 " entities, the limit max_entities, %s alive or held; raise it, destroy or release some",
             count == 1 ? "" : "more than ", core->options.max_entities, count == 1 ? "are" : "would be");
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
