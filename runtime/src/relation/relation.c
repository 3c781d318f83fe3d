#include "relation/relation.h"

#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// ---- targets

// Returns the target of an entity that has the component, or is just losing it.
static kin_entity target_of_slot(const kin_context *context, const kin__relation *relation, uint32_t slot)
{
    kin_entity target;
    memcpy(&target, kin__value_part(context, slot, relation->info->component, relation->info->field->offset),
           sizeof target);
    return target;
}

kin_entity kin__relation_target(const kin_context *context, const kin__relation *relation, kin_entity holder)
{
    return kin__has(context, holder, relation->info->component, context->row_words)
               ? target_of_slot(context, relation, kin_entity_slot(holder))
               : 0;
}

// ---- checking steps

static bool makes_circle(const kin_context *context, const kin__relation *relation, kin_entity entity,
                         kin_entity target)
{
    return entity == target || (kin__relation_has_holders(relation, kin_entity_slot(entity)) &&
                                kin__relation_is_below(context, relation, target, entity));
}

static kin_status check(const kin_context *context, const kin__relation *relation, const kin__step *step)
{
    kin_entity target = kin__relation_named(relation, step->value);
    if (target == 0)
        return KIN_OK;
    if (kin__chunk_of(context, target) == NULL)
        return KIN_ERROR_NOT_ALIVE;
    bool is_circle =
        relation->info->is_tree && step->entity != 0 && makes_circle(context, relation, step->entity, target);
    return is_circle ? KIN_ERROR_CIRCLE : KIN_OK;
}

// Runs the following block for each relation of a component, in order of field.
#define EACH_RELATION_OF(relation, context, id)                                                                        \
    for (uint32_t at_ = (context)->core->relations->first[id]; at_ < (context)->core->relations->first[(id) + 1];      \
         at_++)                                                                                                        \
        for (kin__relation *relation = &(context)->relations[at_]; relation != NULL; relation = NULL)

static const kin__relation *find_fault(const kin_context *context, const kin__step *step, kin_status *status)
{
    *status = KIN_OK;
    if (context->core->relations == NULL || step->value == NULL)
        return NULL;
    EACH_RELATION_OF(relation, context, step->id)
    {
        *status = check(context, relation, step);
        if (*status != KIN_OK)
            return relation;
    }
    return NULL;
}

kin_status kin__relations_check(const kin_context *context, const kin__step *step)
{
    kin_status status;
    find_fault(context, step, &status);
    return status;
}

bool kin__relations_describe(const kin_context *context, const kin__step *step, char reason[KIN__RELATION_REASON_SIZE])
{
    kin_status status;
    const kin__relation *relation = find_fault(context, step, &status);
    if (relation == NULL)
        return false;
    kin_entity target = kin__relation_named(relation, step->value);
    const char *field = relation->info->field->name;
    if (status == KIN_ERROR_CIRCLE && target == step->entity)
        snprintf(reason, KIN__RELATION_REASON_SIZE, "its %s would be the entity itself; name another one", field);
    else
        snprintf(reason, KIN__RELATION_REASON_SIZE, "its %s, entity %" PRIu64 " in slot %" PRIu32 ", %s", field,
                 kin_entity_creation_index(target), kin_entity_slot(target),
                 status == KIN_ERROR_CIRCLE ? "is below it; move that one out first"
                                            : "is not alive; check that it is alive first");
    return true;
}

// ---- room

void kin__relation_block_clear(kin__relation_block *block, uint32_t number)
{
    memset(block->counts, 0, sizeof block->counts);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        uint32_t node = kin__relation_target_node(number * KIN__CHUNK_SLOTS + place);
        block->nodes[place] = (kin__relation_node){KIN__NO_NODE, KIN__NO_NODE};
        block->nodes[KIN__CHUNK_SLOTS + place] = (kin__relation_node){node, node};
    }
}

bool kin__relation_reserve(kin_context *context, kin__relation *relation, uint32_t slot)
{
    kin__memory *memory = &context->core->index_memory;
    uint32_t number = slot / KIN__CHUNK_SLOTS;
    kin__array blocks = {relation->blocks, relation->block_count};
    if (!kin__endings_reserve(context, slot) || !kin__array_reserve_pointers(memory, &blocks, number + 1))
        return false;
    relation->blocks = blocks.elements;
    relation->block_count = blocks.capacity;
    kin__relation_block **block = &relation->blocks[number];
    if (*block != NULL)
        return true;
    *block = kin__allocate(memory, sizeof **block);
    if (*block != NULL)
        kin__relation_block_clear(*block, number);
    return *block != NULL;
}

bool kin__relations_reserve(kin_context *context, uint32_t slot, kin_component_id id)
{
    if (context->core->relations == NULL)
        return true;
    EACH_RELATION_OF(relation, context, id)
    {
        if (!kin__relation_reserve(context, relation, slot))
            return false;
    }
    return true;
}

bool kin__relations_reserve_targets(kin_context *context, kin_component_id id, const void *value)
{
    if (context->core->relations == NULL || value == NULL)
        return true;
    EACH_RELATION_OF(relation, context, id)
    {
        kin_entity target = kin__relation_named(relation, value);
        if (target != 0 && !kin__relation_reserve(context, relation, kin_entity_slot(target)))
            return false;
    }
    return true;
}

// ---- updating

static void update(kin_context *context, kin__relation *relation, const kin__step *step)
{
    uint32_t slot = kin_entity_slot(step->entity);
    kin_entity before = step->kind == KIN__STEP_ADD ? 0 : target_of_slot(context, relation, slot);
    kin_entity after = step->kind == KIN__STEP_REMOVE ? 0 : kin__relation_named(relation, step->value);
    if (before != after && before != 0)
        kin__relation_withdraw(relation, slot, kin_entity_slot(before));
    if (before != after && after != 0)
        kin__relation_attach(relation, slot, kin_entity_slot(after));
}

// A touch has no value, so it changes no list.
void kin__relations_update(kin_context *context, const kin__step *step)
{
    if (context->core->relations == NULL || (step->kind == KIN__STEP_REPLACE && step->value == NULL))
        return;
    EACH_RELATION_OF(relation, context, step->id)
    {
        update(context, relation, step);
    }
}

void kin__relations_remove(kin_context *context, uint32_t slot, kin_component_id id)
{
    EACH_RELATION_OF(relation, context, id)
    {
        kin_entity target = target_of_slot(context, relation, slot);
        if (target != 0)
            kin__relation_withdraw(relation, slot, kin_entity_slot(target));
    }
}

// Inserts a holder, which must be in no list, before another holder of the target.
static void insert_before(kin__relation *relation, uint32_t slot, uint32_t target, uint32_t next)
{
    kin__relation_node *next_node = kin__relation_node_at(relation, kin__relation_holder_node(next));
    uint32_t previous = next_node->previous;
    *kin__relation_node_at(relation, kin__relation_holder_node(slot)) =
        (kin__relation_node){kin__relation_holder_node(next), previous};
    kin__relation_node_at(relation, previous)->next = next_node->previous = kin__relation_holder_node(slot);
    kin__relation_block_at(relation, target)->counts[target % KIN__CHUNK_SLOTS]++;
    relation->moves++;
}

void kin__relation_move(kin_context *context, kin__relation *relation, uint32_t slot, kin_entity before)
{
    uint32_t target = kin_entity_slot(target_of_slot(context, relation, slot));
    kin__relation_withdraw(relation, slot, target);
    if (before == 0)
        kin__relation_attach(relation, slot, target);
    else
        insert_before(relation, slot, target, kin_entity_slot(before));
}
