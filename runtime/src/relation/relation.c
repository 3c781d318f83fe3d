#include "relation/relation.h"

#include "core/ending.h"
#include "storage/chunk.h"
#include "storage/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// ---- targets

static kin_entity target_in(const kin__relation *relation, const void *value)
{
    kin_entity target;
    memcpy(&target, (const char *)value + relation->info->field->offset, sizeof target);
    return target;
}

// Returns the target of an entity that has the component, or had it until now.
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

static bool has_holders(const kin__relation *relation, kin_entity entity)
{
    const kin__relation_link *link = kin__relation_link_of(relation, kin_entity_slot(entity));
    return link != NULL && link->count > 0;
}

static bool makes_circle(const kin_context *context, const kin__relation *relation, kin_entity entity,
                         kin_entity target)
{
    if (entity == target)
        return true;
    if (!has_holders(relation, entity))
        return false;
    while (target != 0 && target != entity)
        target = kin__relation_target(context, relation, target);
    return target == entity;
}

static kin_status check(const kin_context *context, const kin__relation *relation, const kin__step *step)
{
    kin_entity target = target_in(relation, step->value);
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
        for (kin__relation *relation = &(context)->core->relations->relations[at_]; relation != NULL; relation = NULL)

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
    kin_entity target = target_in(relation, step->value);
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

static bool reserve(kin_context *context, kin__relation *relation, uint32_t slot)
{
    kin__memory *memory = &context->core->index_memory;
    uint32_t number = slot / KIN__CHUNK_SLOTS;
    if (!kin__endings_reserve(context, slot) || !kin__array_reserve_pointers(memory, &relation->blocks, number + 1))
        return false;
    kin__relation_block **block = (kin__relation_block **)relation->blocks.elements + number;
    if (*block == NULL)
        *block = kin__allocate_zero(memory, sizeof **block);
    return *block != NULL;
}

bool kin__relations_reserve(kin_context *context, uint32_t slot, kin_component_id id)
{
    if (context->core->relations == NULL)
        return true;
    EACH_RELATION_OF(relation, context, id)
    {
        if (!reserve(context, relation, slot))
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
        kin_entity target = target_in(relation, value);
        if (target != 0 && !reserve(context, relation, kin_entity_slot(target)))
            return false;
    }
    return true;
}

// ---- updating

static kin__relation_block *block_of(const kin__relation *relation, uint32_t slot)
{
    kin__relation_block *block = ((kin__relation_block *const *)relation->blocks.elements)[slot / KIN__CHUNK_SLOTS];
    KIN_ASSERT(block != NULL);
    return block;
}

static kin__relation_link *link_at(const kin__relation *relation, uint32_t slot)
{
    return &block_of(relation, slot)->links[slot % KIN__CHUNK_SLOTS];
}

// Inserts a holder before another one of the target, or behind all for 0. `before` is a slot counted from 1.
static void insert(kin__relation *relation, uint32_t slot, uint32_t target_slot, uint32_t before)
{
    kin__relation_link *target = link_at(relation, target_slot), *holder = link_at(relation, slot);
    uint32_t previous = before == 0 ? target->last : link_at(relation, before - 1)->previous;
    KIN_ASSERT(holder->next == 0 && holder->previous == 0);
    holder->next = before;
    holder->previous = previous;
    *(previous == 0 ? &target->first : &link_at(relation, previous - 1)->next) = slot + 1;
    *(before == 0 ? &target->last : &link_at(relation, before - 1)->previous) = slot + 1;
    block_of(relation, slot)->used++;
    block_of(relation, target_slot)->used += target->count++ == 0;
}

static void withdraw(kin__relation *relation, uint32_t slot, uint32_t target_slot)
{
    kin__relation_link *target = link_at(relation, target_slot), *holder = link_at(relation, slot);
    KIN_ASSERT(target->count > 0 && (holder->previous != 0 || target->first == slot + 1));
    *(holder->previous == 0 ? &target->first : &link_at(relation, holder->previous - 1)->next) = holder->next;
    *(holder->next == 0 ? &target->last : &link_at(relation, holder->next - 1)->previous) = holder->previous;
    holder->next = holder->previous = 0;
    block_of(relation, slot)->used--;
    block_of(relation, target_slot)->used -= --target->count == 0;
}

static void update(kin_context *context, kin__relation *relation, const kin__step *step)
{
    uint32_t slot = kin_entity_slot(step->entity);
    kin_entity before = step->kind == KIN__STEP_ADD ? 0 : target_of_slot(context, relation, slot);
    kin_entity after = step->kind == KIN__STEP_REMOVE ? 0 : target_in(relation, step->value);
    if (before == after)
        return;
    if (before != 0)
        withdraw(relation, slot, kin_entity_slot(before));
    if (after != 0)
        insert(relation, slot, kin_entity_slot(after), 0);
}

// A touch has no value and changes nothing.
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
            withdraw(relation, slot, kin_entity_slot(target));
    }
}

void kin__relation_move(kin_context *context, kin__relation *relation, uint32_t slot, kin_entity before)
{
    uint32_t target = kin_entity_slot(target_of_slot(context, relation, slot));
    withdraw(relation, slot, target);
    insert(relation, slot, target, before == 0 ? 0 : kin_entity_slot(before) + 1);
}
