#include "change/end.h"

#include "change/destroy.h"
#include "change/silent.h"
#include "notify/dispatch.h"
#include "notify/notify.h"
#include "report/error.h"

static inline void announce_and_destroy(kin_context *context, kin__chunk *chunk, kin_entity entity)
{
    const kin__events *events = &context->core->events;
    KIN_ASSERT(kin__chunk_of(context, entity) == chunk && !kin__is_about_to_be_destroyed(context, entity));
    if (events->will_destroy_subscribers > 0 && !kin__notify_will_be_destroyed(context, entity))
        return;
    uint32_t others = events->destroy_subscribers - events->will_destroy_subscribers;
    if (kin__entity_is_silent(context, chunk, kin_entity_slot(entity) % KIN__CHUNK_SLOTS, others))
        kin__entity_destroy_silently(context, chunk, entity);
    else
        kin__entity_destroy_announced(context, entity);
}

void kin__entity_destroy_checked(kin_context *context, kin_entity entity)
{
    announce_and_destroy(context, kin__chunk_of_slot(context, kin_entity_slot(entity)), entity);
}

kin_status kin__entity_destroy(kin_context *context, kin_entity entity)
{
    kin__chunk *chunk = kin__chunk_of(context, entity);
    bool alive = chunk != NULL && !kin__is_about_to_be_destroyed(context, entity);
    if (alive && kin__dispatch_may_nest(context)) {
        announce_and_destroy(context, chunk, entity);
        return KIN_OK;
    }
    kin__attempt attempt = {.verb = entity == 0 ? "destroy an entity" : "destroy", .entity = entity};
    return kin__report_error(context, alive ? KIN_ERROR_LIMIT : KIN_ERROR_NOT_ALIVE, &attempt);
}
