#include "change/entity.h"

#include "base/assertion.h"
#include "change/destroy.h"
#include "hold/hold.h"
#include "notify/dispatch.h"
#include "notify/notify.h"
#include "report/error.h"
#include "storage/chunk.h"
#include "storage/pool.h"
#include "storage/slot.h"

#include <inttypes.h>
#include <stdio.h>

bool kin_entity_is_alive(const kin_context *context, kin_entity entity)
{
    return kin__chunk_of(context, entity) != NULL;
}

static const char *find_limit(const kin_context *context, uint32_t count, char text[KIN__LIMIT_SIZE])
{
    const kin__core *core = context->core;
    if (!kin__dispatch_may_nest(context))
        return "changes nest 64 deep in listeners, which is the limit; change less inside them";
    if (context->next_creation_index + (count - 1) > KIN__MAX_CREATION_INDEX)
        return "its creation indices are used up at 2^40 - 1, which is the limit; reset the context";
    if ((uint64_t)kin__slots_used(context) + count <= core->options.max_entities)
        return NULL;
    snprintf(text, KIN__LIMIT_SIZE, "%smax_entities, %" PRIu32 ", %s alive or held; raise it, destroy or release some",
             count == 1 ? "" : "more than ", core->options.max_entities, count == 1 ? "are" : "would be");
    return text;
}

// The index up to which entities can be created without looking at a limit: that many places are left.
static uint64_t fast_end(const kin_context *context)
{
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
    return status == KIN_OK ? KIN_OK : kin__refuse(context, status, &attempt);
}

kin_entity kin__entity_begin(kin_context *context, kin__pool *pool)
{
    kin_entity entity = kin__pool_take(context, pool);
    if (context->core->alive->watchers != 0)
        kin__notify_created(context, entity);
    return entity;
}

kin_entity kin__entity_create(kin_context *context)
{
    uint32_t slot;
    return kin__entity_reserve(context, &context->pool, &slot) == KIN_OK ? kin__entity_begin(context, &context->pool)
                                                                         : 0;
}

uint32_t kin__entity_count(const kin_context *context)
{
    return kin__living(context) - context->core->slots.about_to_be_destroyed;
}

// Takes out of a list those that are told to leave, and returns how many stay.
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
    uint64_t now = kin__population_stamp(context) + core->slots.left;
    *count = 0;
    if (core->listed_at != now) {
        if (!kin__array_reserve(&core->memory, &core->list, kin__living(context), sizeof(kin_entity))) {
            kin__attempt attempt = {.verb = "list the entities"};
            kin__refuse(context, KIN_ERROR_NO_MEMORY, &attempt);
            return NULL;
        }
        kin_entity *list = core->list.elements;
        core->listed = 0;
        for (uint32_t i = 0; i < context->chunk_count && core->listed < kin__living(context); i++)
            core->listed += kin__entities_of_words(context->chunks[i], context->chunks[i]->alive, list + core->listed,
                                                   kin__living(context) - core->listed);
        if (core->slots.about_to_be_destroyed > 0)
            core->listed = without_announced(context, list, core->listed);
        core->listed_at = now;
    }
    *count = core->listed;
    return core->listed == 0 ? NULL : core->list.elements;
}

// One round over those that are alive at its start. What listeners make meanwhile has a later creation index, unless
// one of them resets the context: then nothing is left of this round.
static void destroy_round(kin_context *context)
{
    uint64_t last = context->next_creation_index, epoch = context->core->dispatch.epoch;
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
        if (slot % 64 == 0 && chunk->alive[slot % KIN__CHUNK_SLOTS / 64] == 0) {
            slot += 63;
            continue;
        }
        uint64_t index = kin_entity_creation_index(chunk->ids[slot % KIN__CHUNK_SLOTS]);
        if (index != 0 && index < last && !kin__is_about_to_be_destroyed(context, chunk->ids[slot % KIN__CHUNK_SLOTS]))
            kin__entity_end_fast(context, chunk->ids[slot % KIN__CHUNK_SLOTS]);
        if (context->core->dispatch.epoch != epoch)
            return;
    }
}

// Destroys at once what is told to leave further out, whose handle must not outlive a reset.
static void destroy_announced(kin_context *context)
{
    for (kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->about_to_be_destroyed) {
            frame->about_to_be_destroyed = false;
            context->core->slots.about_to_be_destroyed--;
            kin__entity_die(context, frame->change.entity);
        }
}

// Tells when dead entities are still held.
static kin_status report_held(const kin_context *context, const char *verb)
{
    char reason[160];
    uint32_t held = context->core->slots.held;
    if (held == 0)
        return KIN_OK;
    kin_entity first = kin__first_held(context);
    snprintf(reason, sizeof reason,
             "%" PRIu32 " destroyed %s still held, the first of them entity %" PRIu64 " in slot %" PRIu32
             "; release them and clear collectors",
             held, held == 1 ? "entity is" : "entities are", kin_entity_creation_index(first), kin_entity_slot(first));
    return kin__refuse(context, KIN_ERROR_RETAINED, &(kin__attempt){.verb = verb, .reason = reason});
}

kin_status kin__entity_destroy_all(kin_context *context)
{
    const char *verb = "let go of all entities";
    if (!kin__dispatch_may_nest(context))
        return kin__refuse(context, KIN_ERROR_LIMIT, &(kin__attempt){.verb = verb});
    while (kin__entity_count(context) > 0)
        destroy_round(context);
    return report_held(context, verb);
}

// What is still held is told last, as whoever is told of it may already use the context anew.
kin_status kin__context_reset(kin_context *context)
{
    const char *verb = "let go of all entities in a reset";
    if (!kin__dispatch_may_nest(context))
        return kin__refuse(context, KIN_ERROR_LIMIT, &(kin__attempt){.verb = verb});
    do {
        while (kin__entity_count(context) > 0)
            destroy_round(context);
        destroy_announced(context);
    } while (kin__entity_count(context) > 0);
    context->core->dispatch.epoch++;
    kin__slots_reset(context);
    return report_held(context, verb);
}
