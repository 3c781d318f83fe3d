#include "destroy/end.h"

#include "destroy/cascade.h"
#include "destroy/destroy.h"
#include "destroy/destroy_collected.h"
#include "destroy/silent.h"
#include "notify/notify.h"
#include "store/store.h"

// Returns the number of subscribers that are still to be notified of a destroyed entity.
static inline uint32_t count_others(const kin_context *context)
{
    const kin__events *events = &context->core->events;
    return events->destroy_subscribers - events->will_destroy_subscribers;
}

// Without an announcement the entity is not silent (silent.h): the fast path would have destroyed it.
static inline kin_status announce_and_destroy(kin_context *context, kin__chunk *chunk, kin_entity entity, bool asks)
{
    KIN_ASSERT(kin__chunk_of(context, entity) == chunk && !kin__is_about_to_be_destroyed(context, entity));
    if (context->core->events.will_destroy_subscribers > 0) {
        if (context->relations != NULL)
            return asks ? kin__cascade_if_allowed(context, entity) : kin__cascade(context, entity);
        if (!kin__notify_will_be_destroyed(context, entity))
            return KIN_OK;
        uint32_t place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
        if (kin__entity_is_silent(context, chunk, place, count_others(context))) {
            kin__entity_destroy_silently(context, chunk, entity);
            return KIN_OK;
        }
    }
    if (chunk->holders == NULL || !kin__entity_destroy_collected(context, entity, count_others(context)))
        kin__entity_destroy_announced(context, entity);
    return KIN_OK;
}

void kin__entity_destroy_checked(kin_context *context, kin_entity entity)
{
    announce_and_destroy(context, kin__chunk_of_slot(context, kin_entity_slot(entity)), entity, false);
}

kin_status kin__entity_destroy(kin_context *context, kin_entity entity)
{
    kin__chunk *chunk = kin__chunk_of(context, entity);
    bool alive = chunk != NULL && !kin__is_about_to_be_destroyed(context, entity);
    if (alive && kin__dispatch_may_nest(context))
        return announce_and_destroy(context, chunk, entity, true);
    kin__attempt attempt = {.verb = entity == 0 ? "destroy an entity" : "destroy", .entity = entity};
    return kin__report_error(context, alive ? KIN_ERROR_LIMIT : KIN_ERROR_NOT_ALIVE, &attempt);
}
