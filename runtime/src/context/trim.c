// Trim: releases memory that a context does not need. Arrays that the user has stay, as they are valid until the next
// call, and so do ended subscribers, as a subscription may be ended twice.

#include "base/base.h"
#include "context/validate.h"
#include "store/store.h"
#include "notify/notify.h"
#include "snapshot/snapshot.h"
#include "lookup/lookup.h"

#include <kin/memory.h>

static void trim_lists(kin_context *context)
{
    kin__core *core = context->core;
    kin_group *const *groups = core->groups.elements;
    if (core->listed == 0)
        kin__array_release(&core->memory, &core->list, sizeof(kin_entity));
    for (uint32_t i = 0; i < core->group_count; i++)
        if (groups[i]->members->count == 0)
            kin__array_release(&core->group_memory, &groups[i]->list, sizeof(kin_entity));
}

static void trim_subscriber_lists(kin_context *context, kin__chunk *chunk)
{
    for (uint32_t place = 0; chunk->subscriber_lists != NULL && place < KIN__CHUNK_SLOTS; place++)
        if (chunk->subscriber_lists[place].first != NULL)
            return;
    kin__release(&context->core->group_memory, chunk->subscriber_lists,
                 KIN__CHUNK_SLOTS * sizeof *chunk->subscriber_lists);
    chunk->subscriber_lists = NULL;
}

static void trim_listener_slots(kin_context *context, uint32_t event)
{
    for (uint32_t chunk = 0; chunk < kin__listener_block_count(context, event); chunk++) {
        kin__listener_block **slots = &((kin__listener_block **)context->core->listeners.blocks[event].elements)[chunk];
        uint64_t occupied = 0;
        for (uint32_t word = 0; *slots != NULL && word < KIN__CHUNK_WORDS; word++)
            occupied |= (*slots)->occupied[word];
        if (occupied != 0)
            continue;
        kin__release(&context->core->group_memory, *slots, sizeof **slots);
        *slots = NULL;
    }
}

// Does nothing while a change is under way: what a plan has reserved looks unused.
void kin_context_trim(kin_context *context)
{
    if (kin__context_is_shared(context))
        kin__refuse_shared(context);
    if (context->depth > 0)
        return;
    context->core->trims++; // command buffers give their memory back at the end of their next playback
    kin__store_trim(context);
    kin__columns_trim(context);
    kin__lists_trim(context);
    kin__last_values_trim(context);
    kin__shared_trim(context);
    kin__slabs_trim(context);
    kin__indices_trim(context);
    kin__relations_trim(context);
    kin__owners_trim(context);
    trim_lists(context);
    for (uint32_t i = 0; i < context->chunk_count; i++)
        trim_subscriber_lists(context, context->chunks[i]);
    for (uint32_t event = 0; event < context->info->event_count; event++)
        trim_listener_slots(context, event);
    for (kin__slot_extension *each = context->core->slot_extensions; each != NULL; each = each->next)
        if (each->trim != NULL)
            each->trim(each);
    KIN_VALIDATE(kin__context_is_valid(context));
}
