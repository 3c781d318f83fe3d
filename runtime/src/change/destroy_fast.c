// Destroys an entity where nothing is notified (fast.h), as for most. Calls end.c for everything else.

#include "change/end.h"
#include "change/fast.h"
#include "change/silent.h"

static inline bool is_fast(const kin_context *context, kin__chunk *chunk, uint32_t place)
{
    return kin__entity_is_silent(context, chunk, place, context->core->events.destroy_subscribers);
}

void kin__entity_destroy_checked_fast(kin_context *context, kin_entity entity)
{
    kin__chunk *chunk = kin__chunk_of_slot(context, kin_entity_slot(entity));
    if (is_fast(context, chunk, kin_entity_slot(entity) % KIN__CHUNK_SLOTS))
        kin__entity_destroy_silently(context, chunk, entity);
    else
        kin__entity_destroy_checked(context, entity);
}

kin_status kin__entity_destroy_fast(kin_context *context, kin_entity entity)
{
    kin__chunk *chunk = kin__chunk_of(context, entity);
    if (chunk == NULL || !is_fast(context, chunk, kin_entity_slot(entity) % KIN__CHUNK_SLOTS))
        return kin__entity_destroy(context, entity);
    kin__entity_destroy_silently(context, chunk, entity);
    return KIN_OK;
}
