// Checks the invariants of relation.h.
#include "relation/relation.h"
#include "storage/chunk.h"

// Invariants 1 and 2 for one target.
static bool is_list_valid(const kin_context *context, const kin__relation *relation, kin_entity target)
{
    const kin__relation_link *link = kin__relation_link_of(relation, kin_entity_slot(target));
    uint32_t count = 0, previous = 0;
    for (uint32_t at = link == NULL ? 0 : link->first; at != 0;) {
        const kin__relation_link *holder = kin__relation_link_of(relation, at - 1);
        kin_entity entity = kin__chunk_of_slot(context, at - 1)->ids[(at - 1) % KIN__CHUNK_SLOTS];
        if (holder == NULL || holder->previous != previous || count++ == link->count ||
            kin__relation_target(context, relation, entity) != target)
            return false;
        previous = at;
        at = holder->next;
    }
    return link == NULL || (count == link->count && link->last == previous);
}

// Invariant 3.
static bool is_in_circle(const kin_context *context, const kin__relation *relation, kin_entity entity)
{
    uint32_t steps = 0;
    for (kin_entity at = entity; at != 0; at = kin__relation_target(context, relation, at))
        if (steps++ > kin__living(context))
            return true;
    return false;
}

// Counts the holders in lists and the targets in a chunk. False if one of its entities is not as the invariants say.
static bool count_used(const kin_context *context, const kin__relation *relation, uint32_t number, uint32_t *used,
                       uint32_t *members)
{
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        kin_entity entity = context->chunks[number]->ids[place], target;
        if (!kin__chunk_is_alive(context->chunks[number], place))
            continue;
        const kin__relation_link *link = kin__relation_link_of(relation, kin_entity_slot(entity));
        target = kin__relation_target(context, relation, entity);
        *used += (uint32_t)(target != 0) + (uint32_t)(link != NULL && link->count > 0);
        *members += target != 0;
        if ((target != 0 && (link == NULL || kin__chunk_of(context, target) == NULL)) ||
            !is_list_valid(context, relation, entity) ||
            (relation->info->is_tree && is_in_circle(context, relation, entity)))
            return false;
    }
    return true;
}

static bool is_valid(const kin_context *context, const kin__relation *relation)
{
    kin__relation_block *const *blocks = relation->blocks.elements;
    uint32_t members = 0, linked = 0;
    for (uint32_t number = 0; number < context->chunk_count; number++) {
        uint32_t used = 0;
        bool has_block = number < relation->blocks.capacity && blocks[number] != NULL;
        if (!count_used(context, relation, number, &used, &members) || used != (has_block ? blocks[number]->used : 0))
            return false;
        for (uint32_t place = 0; has_block && place < KIN__CHUNK_SLOTS; place++)
            linked += blocks[number]->links[place].count;
    }
    return members == linked;
}

bool kin__relations_are_valid(const kin_context *context)
{
    for (uint32_t i = 0; i < context->info->relation_count; i++)
        if (!is_valid(context, kin__relation_at(context, i)))
            return false;
    return true;
}
