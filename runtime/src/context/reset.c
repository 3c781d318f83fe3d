#include "context/reset.h"

#include "base/base.h"
#include "entity/entity.h"
#include "context/holders.h"
#include "store/store.h"
#include "notify/notify.h"

#include <inttypes.h>
#include <stdio.h>

// Destroys the entities that are alive now. Those that listeners make meanwhile have later creation indices, unless a
// listener resets the context, which ends the round.
static void destroy_round(kin_context *context)
{
    uint64_t last = context->next_creation_index, epoch = context->core->dispatch.epoch;
    KIN_ASSERT(kin__dispatch_may_nest(context));
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
        if (slot % 64 == 0 && chunk->alive[slot % KIN__CHUNK_SLOTS / 64] == 0) {
            slot += 63;
            continue;
        }
        uint64_t index = kin_entity_creation_index(chunk->ids[slot % KIN__CHUNK_SLOTS]);
        if (index != 0 && index < last && !kin__is_about_to_be_destroyed(context, chunk->ids[slot % KIN__CHUNK_SLOTS]))
            kin__entity_destroy_checked_fast(context, chunk->ids[slot % KIN__CHUNK_SLOTS]);
        if (context->core->dispatch.epoch != epoch)
            return;
    }
}

// Destroys the entities that outer cascades have not stripped yet. Those that name one of them do not live either.
static void destroy_ending(kin_context *context)
{
    for (uint32_t slot = 0; slot < context->core->slots.endings.capacity * KIN__CHUNK_SLOTS; slot++)
        if (kin__is_ending(context, slot)) {
            kin_entity entity = kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
            if (!kin__cascade_detach_all(context, entity))
                return;
            KIN_ASSERT(context->core->slots.about_to_be_destroyed > 0);
            *kin__ending_of(context, slot) = 0;
            context->core->slots.about_to_be_destroyed--;
            kin__entity_destroy_announced(context, entity);
        }
}

// Destroys the entities whose will-be-destroyed listeners are being called by outer changes: their handles must not
// outlive a reset. A reset by a listener of this destroys them all.
static void destroy_announced(kin_context *context)
{
    destroy_ending(context);
    for (kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->about_to_be_destroyed) {
            KIN_ASSERT(context->core->slots.about_to_be_destroyed > 0);
            if (!kin__cascade_detach_all(context, frame->change.entity))
                return;
            frame->about_to_be_destroyed = false;
            context->core->slots.about_to_be_destroyed--;
            kin__entity_destroy_announced(context, frame->change.entity);
        }
}

void kin__entities_destroy(kin_context *context)
{
    KIN_ASSERT(kin__dispatch_may_nest(context));
    while (kin__entity_count(context) > 0)
        destroy_round(context);
}

// Reports KIN_ERROR_RETAINED if dead entities are still held.
static kin_status report_held(const kin_context *context, const char *verb)
{
    char reason[160 + KIN__HOLDERS_SIZE], holders[KIN__HOLDERS_SIZE];
    uint32_t held = context->core->slots.held;
    if (held == 0)
        return KIN_OK;
    kin_entity first = kin__hold_first(context);
    KIN_ASSERT(first != 0 && held <= context->core->slots.pending);
    kin__holders_describe(context, first, holders);
    snprintf(reason, sizeof reason,
             "%" PRIu32 " destroyed %s still held, the first of them entity %" PRIu64 " in slot %" PRIu32
             "%s; release them and clear collectors",
             held, held == 1 ? "entity is" : "entities are", kin_entity_creation_index(first), kin_entity_slot(first),
             holders);
    return kin__report_error(context, KIN_ERROR_RETAINED, &(kin__attempt){.verb = verb, .reason = reason});
}

kin_status kin__entity_destroy_all(kin_context *context)
{
    const char *verb = "release all entities";
    if (!kin__dispatch_may_nest(context))
        return kin__report_error(context, KIN_ERROR_LIMIT, &(kin__attempt){.verb = verb});
    kin__entities_destroy(context);
    return report_held(context, verb);
}

// Reports held entities last, as on_error may already use the context again.
kin_status kin__context_reset(kin_context *context)
{
    const char *verb = "release all entities in a reset";
    if (!kin__dispatch_may_nest(context))
        return kin__report_error(context, KIN_ERROR_LIMIT, &(kin__attempt){.verb = verb});
    do {
        kin__entities_destroy(context);
        destroy_announced(context);
    } while (kin__entity_count(context) > 0);
    KIN_ASSERT(kin__living(context) == 0);
    context->core->dispatch.epoch++;
    kin__slots_reset(context);
    KIN_ASSERT(context->core->slots.assigned_chunks == 0 && context->core->slots.about_to_be_destroyed == 0);
    return report_held(context, verb);
}
