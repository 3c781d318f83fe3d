#include "snapshot/anew.h"

#include "notify/notify.h"
#include "lookup/lookup.h"

#include <kin/generated/direct.h>

// Returns whether the entity is in a group whose additions the collector collects.
static bool collects(const kin_collector *collector, const kin_context *context, kin_entity entity)
{
    for (uint32_t i = 0; i < collector->trigger_count; i++) {
        const kin__subscriber *trigger = &collector->subscribers[i];
        if ((trigger->events & KIN__EVENT_ADDED) != 0 && trigger->group != NULL && trigger->group->context == context &&
            kin_group_contains(trigger->group, entity))
            return true;
    }
    return false;
}

static void collect(kin__source *source)
{
    const kin_context *context = source->context;
    for (uint32_t i = 0; i < context->chunk_count; i++)
        for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
            for (uint64_t bits = context->chunks[i]->alive[word]; bits != 0; bits &= bits - 1) {
                kin_entity entity = context->chunks[i]->ids[word * 64 + kin__lowest_bit(bits)];
                if (collects(source->collector, context, entity))
                    kin__collect_entity(source, entity);
            }
}

void kin__restore_anew(kin_context *context)
{
    context->core->dispatch.epoch++;
    for (kin__slot_extension *extension = context->core->slot_extensions; extension != NULL;
         extension = extension->next)
        if (kin__source_of(extension) != NULL && kin__source_of(extension)->collector->active)
            collect((kin__source *)(void *)extension);
}
