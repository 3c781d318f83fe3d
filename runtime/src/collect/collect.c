// Collects an entity: the listener of every trigger. Alone in this file so that the compiler cannot inline the general
// case, whose saved registers would cost instructions for each entity.

#include "base/base.h"
#include "collect/collector.h"

// Each slot is collected once, and room is reserved for every slot, so this needs no memory.
void kin__collect_entity(void *user, kin_entity entity)
{
    kin__source *source = user;
    kin__collected *collected = &source->sides[KIN__COLLECTING];
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(slot < source->slot_count);
    uint64_t *word = &collected->marks[slot / 64], bit = kin__bit_of(slot);
    if ((*word & bit) != 0)
        return;
    *word |= bit;
    KIN_ASSERT(collected->count < source->entries.sides[KIN__COLLECTING].capacity);
    collected->entities[collected->count++] = entity;
    if (!source->is_simple)
        kin__collect_general(source, entity);
}

void kin__collect(const kin_change *change, void *user)
{
    kin__collect_entity(user, change->entity);
}
