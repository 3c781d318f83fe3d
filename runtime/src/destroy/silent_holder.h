// Destroys entities silently (silent.h) in a context with relations: also removes them from the lists of their targets.
//
// The components of relations have one watcher for the relations. For a silent destroy they must have no other watcher
// and be simple (kin__relations.simple), so that nothing but bits, lists and the slot changes.
//
// Invariant: the destroyed entity has no holders (cascade.h).
#ifndef KIN_SRC_SILENT_HOLDER_H
#define KIN_SRC_SILENT_HOLDER_H

#include "destroy/silent.h"
#include "lookup/lookup.h"

// The components whose removal with their entity calls a listener or has other effects; all bits if every death has. A
// listener may change them. Contexts with rows of several words destroy no entity silently.
typedef uint64_t kin__loud;

#define KIN__ALL_LOUD UINT64_MAX

static inline kin__loud kin__loud_components(const kin_context *context)
{
    const kin__core *core = context->core;
    kin__loud loud = context->watched[0];
    uint32_t subscribers = core->events.destroy_subscribers - KIN__RELATIONS_AS_SUBSCRIBERS;
    if ((subscribers | core->alive->watchers | core->listeners.count) != 0 || core->dispatch.frames != NULL ||
        context->row_words != 1)
        return KIN__ALL_LOUD;
    for (uint64_t bits = loud & core->relations->simple; bits != 0; bits &= bits - 1)
        if (kin__component_of(context, kin__lowest_bit(bits))->watchers == 1)
            loud ^= bits & (0 - bits);
    return loud;
}

// Returns whether the death of the entity in a slot changes nothing but bits, lists and the slot.
static inline bool kin__holder_is_silent(const kin_context *context, const kin__chunk *chunk, uint32_t slot,
                                         kin__loud loud)
{
    return loud != KIN__ALL_LOUD && (*kin__chunk_row(chunk, 1, slot % KIN__CHUNK_SLOTS) & loud) == 0 &&
           !kin__is_held(context, slot);
}

// Destroys a silent entity without holders. For each of its components in the row `components`, removes it from the
// lists of their relations.
static inline void kin__holder_destroy_silently(kin_context *context, kin__chunk *chunk, uint32_t slot,
                                                uint64_t components)
{
    const uint32_t *first = context->core->relations->first;
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    for (uint64_t bits = *kin__chunk_row(chunk, 1, place) & components; bits != 0; bits &= bits - 1)
        for (uint32_t id = kin__lowest_bit(bits), number = first[id]; number < first[id + 1]; number++) {
            kin__relation *relation = &context->relations[number];
            kin_entity target = kin__relation_target_of_slot(context, relation, slot);
            if (target != 0)
                kin__relation_withdraw(relation, slot, kin_entity_slot(target));
        }
    kin__entity_destroy_silently(context, chunk, chunk->ids[place]);
}

// Continues a cascade from the entity in a slot, as long as its steps are silent. Returns the slot to continue with.
uint32_t kin__cascade_silently(kin_context *context, uint32_t slot, kin__loud loud);

#endif
