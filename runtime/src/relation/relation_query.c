// Queries of generated code. A dead entity has no holders and names no target.
#include "relation/relation.h"
#include "store/store.h"

uint32_t kin__relation_count(const kin_context *context, uint32_t number, kin_entity target)
{
    uint32_t slot = kin_entity_slot(target);
    const kin__relation_block *block =
        kin__chunk_of(context, target) == NULL ? NULL : kin__relation_block_of(kin__relation_at(context, number), slot);
    return block == NULL ? 0 : block->counts[slot % KIN__CHUNK_SLOTS];
}

kin_entity kin__relation_first(const kin_context *context, uint32_t number, kin_entity target)
{
    const kin__relation *relation = kin__relation_at(context, number);
    return kin__chunk_of(context, target) == NULL ? 0
                                                  : kin__relation_first_of(context, relation, kin_entity_slot(target));
}

kin_entity kin__relation_last(const kin_context *context, uint32_t number, kin_entity target)
{
    const kin__relation *relation = kin__relation_at(context, number);
    return kin__chunk_of(context, target) == NULL ? 0
                                                  : kin__relation_last_of(context, relation, kin_entity_slot(target));
}

kin_entity kin__relation_next(const kin_context *context, uint32_t number, kin_entity holder)
{
    const kin__relation *relation = kin__relation_at(context, number);
    return kin__chunk_of(context, holder) == NULL ? 0
                                                  : kin__relation_next_of(context, relation, kin_entity_slot(holder));
}

kin_entity kin__relation_previous(const kin_context *context, uint32_t number, kin_entity holder)
{
    const kin__relation *relation = kin__relation_at(context, number);
    return kin__chunk_of(context, holder) == NULL
               ? 0
               : kin__relation_previous_of(context, relation, kin_entity_slot(holder));
}

uint32_t kin__relation_copy(const kin_context *context, uint32_t number, kin_entity target, kin_entity *entities,
                            uint32_t capacity)
{
    const kin__relation *relation = kin__relation_at(context, number);
    kin_entity holder = kin__relation_first(context, number, target);
    for (uint32_t i = 0; i < capacity && holder != 0; i++) {
        entities[i] = holder;
        holder = kin__relation_next_of(context, relation, kin_entity_slot(holder));
    }
    return kin__relation_count(context, number, target);
}

// ---- trees

kin_entity kin__relation_root(const kin_context *context, uint32_t number, kin_entity entity)
{
    const kin__relation *relation = kin__relation_at(context, number);
    kin_entity root = 0;
    for (kin_entity at = kin__chunk_of(context, entity) == NULL ? 0 : entity; at != 0;
         at = kin__relation_target_of_slot(context, relation, kin_entity_slot(at)))
        root = at;
    return root;
}

uint32_t kin__relation_depth(const kin_context *context, uint32_t number, kin_entity entity)
{
    const kin__relation *relation = kin__relation_at(context, number);
    uint32_t depth = 0;
    for (kin_entity at = kin__relation_target(context, relation, entity); at != 0;
         at = kin__relation_target_of_slot(context, relation, kin_entity_slot(at)))
        depth++;
    return depth;
}

bool kin__relation_contains(const kin_context *context, uint32_t number, kin_entity ancestor, kin_entity entity)
{
    const kin__relation *relation = kin__relation_at(context, number);
    return kin__chunk_of(context, ancestor) != NULL && kin__chunk_of(context, entity) != NULL &&
           kin__relation_is_below(context, relation, entity, ancestor);
}
