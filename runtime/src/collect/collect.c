// Collects an entity: the listener of every trigger. Alone in this file so that the compiler cannot inline the general
// case, whose saved registers would cost instructions for each entity.

#include "base/assertion.h"
#include "collect/collector.h"
#include "hold/hold.h"
#include "storage/chunk.h"

// Each slot is collected once, and room is reserved for every slot, so this needs no memory.
void kin__collect_entity(void *user, kin_entity entity)
{
    kin__source *source = user;
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(slot < source->slot_count);
    uint64_t *word = &source->collected[slot / 64], bit = kin__bit_of(slot);
    if ((*word & bit) != 0)
        return;
    *word |= bit;
    if (!source->is_simple) {
        kin__collect_general(source, entity);
        return;
    }
    kin_collector *collector = source->collector;
    uint32_t side = collector->side, count = source->counts[side];
    KIN_ASSERT(count < source->entries.sides[side].capacity);
    kin__hold_add(source->context, entity);
    ((kin_entity *)source->entries.sides[side].elements)[count] = entity;
    source->counts[side] = collector->counts[side] = count + 1;
}

void kin__collect(const kin_change *change, void *user)
{
    kin__collect_entity(user, change->entity);
}
