// What generated code asks of relations. An entity that is not alive has no holders and names none.
#include "relation/relation.h"
#include "storage/chunk.h"

static const kin__relation_link *link_of(const kin_context *context, uint32_t number, kin_entity entity)
{
    return kin__chunk_of(context, entity) == NULL
               ? NULL
               : kin__relation_link_of(kin__relation_at(context, number), kin_entity_slot(entity));
}

// `at` is a slot counted from 1; 0: none.
static kin_entity entity_at(const kin_context *context, uint32_t at)
{
    return at == 0 ? 0 : kin__chunk_of_slot(context, at - 1)->ids[(at - 1) % KIN__CHUNK_SLOTS];
}

uint32_t kin__relation_count(const kin_context *context, uint32_t number, kin_entity target)
{
    const kin__relation_link *link = link_of(context, number, target);
    return link == NULL ? 0 : link->count;
}

kin_entity kin__relation_first(const kin_context *context, uint32_t number, kin_entity target)
{
    const kin__relation_link *link = link_of(context, number, target);
    return link == NULL ? 0 : entity_at(context, link->first);
}

kin_entity kin__relation_last(const kin_context *context, uint32_t number, kin_entity target)
{
    const kin__relation_link *link = link_of(context, number, target);
    return link == NULL ? 0 : entity_at(context, link->last);
}

kin_entity kin__relation_next(const kin_context *context, uint32_t number, kin_entity holder)
{
    const kin__relation_link *link = link_of(context, number, holder);
    return link == NULL ? 0 : entity_at(context, link->next);
}

kin_entity kin__relation_previous(const kin_context *context, uint32_t number, kin_entity holder)
{
    const kin__relation_link *link = link_of(context, number, holder);
    return link == NULL ? 0 : entity_at(context, link->previous);
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
         at = kin__relation_target(context, relation, at))
        root = at;
    return root;
}

uint32_t kin__relation_depth(const kin_context *context, uint32_t number, kin_entity entity)
{
    const kin__relation *relation = kin__relation_at(context, number);
    uint32_t depth = 0;
    for (kin_entity at = kin__relation_target(context, relation, entity); at != 0;
         at = kin__relation_target(context, relation, at))
        depth++;
    return depth;
}

bool kin__relation_contains(const kin_context *context, uint32_t number, kin_entity ancestor, kin_entity entity)
{
    const kin__relation *relation = kin__relation_at(context, number);
    if (kin__chunk_of(context, ancestor) == NULL || kin__chunk_of(context, entity) == NULL)
        return false;
    while (entity != 0 && entity != ancestor)
        entity = kin__relation_target(context, relation, entity);
    return entity == ancestor;
}
