// Destroys an entity where nothing is notified (fast.h), as for most. Calls end.c for everything else.

#include "change/fast.h"
#include "destroy/destroy_collected.h"
#include "destroy/end.h"
#include "destroy/silent.h"

static inline bool is_unwatched(const kin_context *context, const kin__chunk *chunk, kin_entity entity)
{
    return kin__entity_is_unwatched(context, chunk, kin_entity_slot(entity) % KIN__CHUNK_SLOTS,
                                    context->core->events.destroy_subscribers);
}

void kin__entity_destroy_checked_fast(kin_context *context, kin_entity entity)
{
    kin__chunk *chunk = kin__chunk_of_slot(context, kin_entity_slot(entity));
    if (!is_unwatched(context, chunk, entity))
        kin__entity_destroy_checked(context, entity);
    else if (chunk->holders != NULL)
        kin__entity_destroy_unwatched(context, entity);
    else
        kin__entity_destroy_silently(context, chunk, entity);
}

kin_status kin__entity_destroy_fast(kin_context *context, kin_entity entity)
{
    kin__chunk *chunk = kin__chunk_of(context, entity);
    if (chunk == NULL || !is_unwatched(context, chunk, entity))
        return kin__entity_destroy(context, entity);
    if (chunk->holders != NULL)
        return kin__entity_destroy_unwatched(context, entity);
    kin__entity_destroy_silently(context, chunk, entity);
    return KIN_OK;
}
