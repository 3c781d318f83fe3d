// Makes the relations of a context, trims and releases their memory.
#include "core/ending.h"
#include "relation/relation.h"
#include "storage/chunk.h"
#include "storage/column.h"
#include "storage/value.h"

static size_t first_size(const kin_context *context)
{
    return ((size_t)context->info->component_count + 1) * sizeof(uint32_t);
}

static size_t scratch_size_of(const kin_context *context)
{
    size_t size = 0;
    for (uint32_t i = 0; i < context->info->relation_count; i++) {
        size_t value_size = kin__round_up(kin__value_size(context, context->info->relations[i].component));
        size = size < value_size ? value_size : size;
    }
    return size;
}

// Relations are in order of component, so those of one component are adjacent.
static void list_by_component(kin_context *context, kin__relations *relations)
{
    const kin_context_info *info = context->info;
    for (uint32_t i = 0; i < info->relation_count; i++) {
        const kin_relation_info *relation = &info->relations[i];
        KIN_ASSERT(i == 0 || relation->component >= info->relations[i - 1].component);
        relations->relations[i].info = relation;
        relations->first[relation->component + 1]++;
        relations->can_refuse = relations->can_refuse || relation->on_destroy == KIN_ON_DESTROY_REFUSE;
        context->core->watches[relation->component].side_effects |= KIN__SIDE_EFFECT_RELATION;
    }
    for (uint32_t id = 0; id < info->component_count; id++)
        relations->first[id + 1] += relations->first[id];
}

bool kin__relations_make(kin_context *context)
{
    kin__memory *memory = &context->core->index_memory;
    uint32_t count = context->info->relation_count;
    if (count == 0)
        return true;
    kin__relations *relations = kin__allocate_zero(memory, sizeof *relations);
    context->core->relations = relations;
    if (relations == NULL)
        return false;
    relations->scratch_size = scratch_size_of(context);
    relations->relations = kin__allocate_zero(memory, count * sizeof *relations->relations);
    relations->first = kin__allocate_zero(memory, first_size(context));
    relations->scratch = kin__allocate(memory, KIN__MAX_DEPTH * relations->scratch_size);
    if (relations->relations == NULL || relations->first == NULL || relations->scratch == NULL)
        return false;
    list_by_component(context, relations);
    context->core->events.destroy_subscribers += KIN__RELATIONS_AS_SUBSCRIBERS;
    context->core->events.will_destroy_subscribers += KIN__RELATIONS_AS_SUBSCRIBERS;
    return true;
}

static void release_blocks(kin_context *context, kin__relation *relation)
{
    kin__relation_block **blocks = relation->blocks.elements;
    for (uint32_t i = 0; i < relation->blocks.capacity; i++)
        kin__release(&context->core->index_memory, blocks[i], sizeof **blocks);
    kin__array_release(&context->core->index_memory, &relation->blocks, sizeof(void *));
}

void kin__relations_release(kin_context *context)
{
    kin__memory *memory = &context->core->index_memory;
    kin__relations *relations = context->core->relations;
    size_t count = context->info->relation_count;
    if (relations == NULL)
        return;
    for (uint32_t i = 0; relations->relations != NULL && i < count; i++)
        release_blocks(context, &relations->relations[i]);
    kin__endings_release(context);
    kin__release(memory, relations->relations, count * sizeof *relations->relations);
    kin__release(memory, relations->first, first_size(context));
    kin__release(memory, relations->scratch, KIN__MAX_DEPTH * relations->scratch_size);
    kin__release(memory, relations, sizeof *relations);
}

// Releases the block of a chunk if it has no links and no entity has the component: an entity that names none keeps
// room for a replace. Returns whether the chunk has a block.
static bool trim_block(kin_context *context, kin__relation *relation, uint32_t number)
{
    kin__relation_block **blocks = relation->blocks.elements;
    if (number >= relation->blocks.capacity || blocks[number] == NULL)
        return false;
    kin__column *const *columns = kin__chunk_columns(context->chunks[number], context->row_words);
    if (blocks[number]->used > 0 || !kin__column_is_empty(columns[relation->info->component]))
        return true;
    kin__release(&context->core->index_memory, blocks[number], sizeof **blocks);
    blocks[number] = NULL;
    return false;
}

void kin__relations_trim(kin_context *context)
{
    if (context->core->relations == NULL)
        return;
    for (uint32_t number = 0; number < context->chunk_count; number++) {
        bool is_linked = false;
        for (uint32_t i = 0; i < context->info->relation_count; i++)
            is_linked = trim_block(context, kin__relation_at(context, i), number) || is_linked;
        if (!is_linked)
            kin__endings_trim(context, number);
    }
}

// An entity that is a holder and a target counts twice in `used`, and has one link.
static size_t size_of_links(const kin__relation_block *block)
{
    uint32_t used = block->used < KIN__CHUNK_SLOTS ? block->used : KIN__CHUNK_SLOTS;
    return used * sizeof(kin__relation_link);
}

size_t kin__relations_used(const kin_context *context)
{
    const kin__relations *relations = context->core->relations;
    size_t count = context->info->relation_count;
    if (relations == NULL)
        return 0;
    size_t used = sizeof *relations + count * sizeof *relations->relations + first_size(context) +
                  KIN__MAX_DEPTH * relations->scratch_size + kin__endings_used(context);
    for (uint32_t i = 0; i < count; i++) {
        kin__relation_block *const *blocks = relations->relations[i].blocks.elements;
        for (uint32_t number = 0; number < relations->relations[i].blocks.capacity; number++)
            used += blocks[number] == NULL ? 0 : size_of_links(blocks[number]);
    }
    return used;
}
