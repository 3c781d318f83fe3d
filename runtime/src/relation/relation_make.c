// Makes the relations of a context, trims and releases their memory.
#include "store/store.h"
#include "relation/relation.h"

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

static void set_up(const kin_context *context, kin__relation *relation, const kin_relation_info *info)
{
    const kin_component_info *component = &context->info->components[info->component];
    relation->info = info;
    relation->column_at = context->columns_offset + (uint32_t)(info->component * sizeof(kin__column *));
    relation->size = (uint32_t)component->size;
    relation->offset = (uint32_t)info->field->offset;
    relation->is_plain = !component->is_boxed && !component->is_soa;
    relation->takes = info->on_destroy == KIN_ON_DESTROY_DESTROY;
}

// Whether changes of the component write nothing but bits, a value and links. A component that an index names has a
// watcher already.
static bool is_simple(const kin_context *context, kin_component_id id)
{
    const kin_component_info *info = &context->info->components[id];
    return !info->is_unique && !info->is_boxed && !info->is_stashable && !kin__is_owned(context, id) &&
           context->components[id].watchers == 0;
}

// Relations are in order of component, so those of one component are adjacent.
static void list_by_component(kin_context *context, kin__relations *relations)
{
    const kin_context_info *info = context->info;
    for (uint32_t i = 0; i < info->relation_count; i++) {
        const kin_relation_info *relation = &info->relations[i];
        KIN_ASSERT(i == 0 || relation->component >= info->relations[i - 1].component);
        set_up(context, &context->relations[i], relation);
        relations->first[relation->component + 1]++;
        if (relation->component < 64 && is_simple(context, relation->component))
            relations->simple |= (uint64_t)1 << relation->component;
        relations->can_refuse = relations->can_refuse || relation->on_destroy == KIN_ON_DESTROY_REFUSE;
        context->core->watches[relation->component].side_effects |= KIN__SIDE_EFFECT_RELATION;
    }
    for (uint32_t id = 0; id < info->component_count; id++) {
        relations->first[id + 1] += relations->first[id];
        uint32_t count = relations->first[id + 1] - relations->first[id];
        if (id < 64 && count == 1)
            context->relations[relations->first[id]].alone = (uint64_t)1 << id;
        else if (id < 64 && count > 1)
            relations->several |= (uint64_t)1 << id;
    }
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
    context->relations = kin__allocate_zero(memory, count * sizeof *context->relations);
    relations->first = kin__allocate_zero(memory, first_size(context));
    relations->scratch = kin__allocate(memory, KIN__MAX_DEPTH * relations->scratch_size);
    if (context->relations == NULL || relations->first == NULL || relations->scratch == NULL)
        return false;
    list_by_component(context, relations);
    context->core->events.destroy_subscribers += KIN__RELATIONS_AS_SUBSCRIBERS;
    context->core->events.will_destroy_subscribers += KIN__RELATIONS_AS_SUBSCRIBERS;
    return true;
}

static void release_blocks(kin_context *context, kin__relation *relation)
{
    kin__array blocks = {relation->blocks, relation->block_count};
    for (uint32_t i = 0; i < relation->block_count; i++)
        kin__release(&context->core->index_memory, relation->blocks[i], sizeof **relation->blocks);
    kin__array_release(&context->core->index_memory, &blocks, sizeof(void *));
}

void kin__relations_release(kin_context *context)
{
    kin__memory *memory = &context->core->index_memory;
    kin__relations *relations = context->core->relations;
    size_t count = context->info->relation_count;
    if (relations == NULL)
        return;
    for (uint32_t i = 0; context->relations != NULL && i < count; i++)
        release_blocks(context, &context->relations[i]);
    kin__endings_release(context);
    kin__release(memory, context->relations, count * sizeof *context->relations);
    kin__release(memory, relations->first, first_size(context));
    kin__release(memory, relations->scratch, KIN__MAX_DEPTH * relations->scratch_size);
    kin__release(memory, relations, sizeof *relations);
}

// Returns whether any slot of the block is a target with holders.
static bool has_targets(const kin__relation_block *block)
{
    uint32_t count = 0;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        count |= block->counts[place];
    return count > 0;
}

// Releases the block of a chunk if it has no targets with holders and no entity has the component. An entity that names
// no target needs the block for a later replace. Returns whether the chunk still has a block.
static bool trim_block(kin_context *context, kin__relation *relation, uint32_t number)
{
    kin__relation_block **blocks = relation->blocks;
    if (number >= relation->block_count || blocks[number] == NULL)
        return false;
    kin__column *const *columns = kin__chunk_columns(context->chunks[number], context->row_words);
    if (has_targets(blocks[number]) || !kin__column_is_empty(columns[relation->info->component]))
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

// Returns the bytes of a block that holders in lists and targets with holders use.
static size_t size_of_links(const kin__relation_block *block)
{
    size_t size = 0;
    for (uint32_t place = 0; block != NULL && place < KIN__CHUNK_SLOTS; place++) {
        size += block->nodes[place].next != KIN__NO_NODE ? sizeof *block->nodes : 0;
        size += block->counts[place] > 0 ? sizeof *block->nodes + sizeof *block->counts : 0;
    }
    return size;
}

size_t kin__relations_used(const kin_context *context)
{
    const kin__relations *relations = context->core->relations;
    size_t count = context->info->relation_count;
    if (relations == NULL)
        return 0;
    size_t used = sizeof *relations + count * sizeof *context->relations + first_size(context) +
                  KIN__MAX_DEPTH * relations->scratch_size + kin__endings_used(context);
    for (uint32_t i = 0; i < count; i++) {
        kin__relation_block *const *blocks = context->relations[i].blocks;
        for (uint32_t number = 0; number < context->relations[i].block_count; number++)
            used += size_of_links(blocks[number]);
    }
    return used;
}
