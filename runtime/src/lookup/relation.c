#include "lookup/lookup.h"

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

// Empties the block of chunk `number`: no slot of it is in a list.
static void relation_block_clear(kin__relation_block *block, uint32_t number)
{
    memset(block->counts, 0, sizeof block->counts);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        uint32_t node = kin__relation_target_node(number * KIN__CHUNK_SLOTS + place);
        block->nodes[place] = (kin__relation_node){KIN__NO_NODE, KIN__NO_NODE};
        block->nodes[KIN__CHUNK_SLOTS + place] = (kin__relation_node){node, node};
    }
}

// Reserves the block of a slot's chunk. False when out of memory.
static bool relation_reserve(kin_context *context, kin__relation *relation, uint32_t slot)
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
        relation_block_clear(*block, number);
    return *block != NULL;
}

bool kin__relations_reserve(kin_context *context, uint32_t slot, kin_component_id id)
{
    if (context->core->relations == NULL)
        return true;
    EACH_RELATION_OF(relation, context, id)
    {
        if (!relation_reserve(context, relation, slot))
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
        if (target != 0 && !relation_reserve(context, relation, kin_entity_slot(target)))
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

// Makes the relations of a context, trims and releases their memory.

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
    relation->component = info->component;
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
    if (info->is_unique || info->is_stashable || context->components[id].watchers > 0)
        return false;
    return !info->is_boxed && !kin__is_owned(context, id);
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
    if (has_targets(blocks[number]) || !kin__column_is_empty(kin__chunk_column(context, number, relation->component)))
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

// Queries of generated code. A dead entity has no holders and names no target.

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

kin_entity kin__relation_find_above(const kin_context *context, uint32_t number, kin_entity entity, kin_rule rule)
{
    const kin__relation *relation = kin__relation_at(context, number);
    kin_matcher matcher = {.count = 1, .rules = {rule}};
    const char *reason = NULL;
    if (kin__matcher_check(&matcher, context->info, &reason) != KIN_OK)
        return 0;
    kin_matcher normal = kin__matcher_normalise(&matcher);
    kin_entity at = kin__relation_target(context, relation, entity);
    while (at != 0 && !kin__matcher_holds(&normal, kin__row_of(context, kin_entity_slot(at)), context->row_words))
        at = kin__relation_target_of_slot(context, relation, kin_entity_slot(at));
    return at;
}

bool kin__relation_contains(const kin_context *context, uint32_t number, kin_entity ancestor, kin_entity entity)
{
    const kin__relation *relation = kin__relation_at(context, number);
    return kin__chunk_of(context, ancestor) != NULL && kin__chunk_of(context, entity) != NULL &&
           kin__relation_is_below(context, relation, entity, ancestor);
}

// Walks over trees. A walk keeps no list of entities to visit: each step reads the current tree.
//
// While the relation's `moves` are unchanged, the current entity is still at its place. Otherwise its place is found
// again by a climb to the root. If the entity has left the tree, the walk continues with the entity that followed it.

static bool is_alive(const kin__relation_walk *walk, kin_entity entity)
{
    return kin__chunk_of(walk->context, entity) != NULL;
}

// Makes an entity of the tree the current entity.
static bool go_to(kin__relation_walk *walk, const kin__relation *relation, kin_entity entity, uint32_t depth)
{
    walk->entity = entity;
    walk->parent = kin__relation_target(walk->context, relation, entity);
    walk->behind = depth == 0 ? 0 : kin__relation_next_of(walk->context, relation, kin_entity_slot(entity));
    walk->depth = depth;
    walk->moves = relation->moves;
    walk->skips = false;
    return true;
}

static bool end(kin__relation_walk *walk)
{
    walk->entity = walk->parent = 0;
    walk->has_ended = true;
    return false;
}

// Returns whether the entity is in the walk's tree, and sets its depth.
static bool find_depth(const kin__relation_walk *walk, const kin__relation *relation, kin_entity entity,
                       uint32_t *depth)
{
    *depth = 0;
    while (entity != 0 && entity != walk->root) {
        entity = kin__relation_target(walk->context, relation, entity);
        ++*depth;
    }
    return entity != 0 && is_alive(walk, entity);
}

// Moves to the entity that follows an entity of the tree and everything below it.
static bool leave(kin__relation_walk *walk, const kin__relation *relation, kin_entity entity, uint32_t depth)
{
    for (; entity != walk->root; depth--) {
        kin_entity next = kin__relation_next_of(walk->context, relation, kin_entity_slot(entity));
        if (next != 0)
            return go_to(walk, relation, next, depth);
        entity = kin__relation_target(walk->context, relation, entity);
    }
    return end(walk);
}

// Returns whether the entity is alive in the walk's tree, and its target is `parent`.
static bool is_below(const kin__relation_walk *walk, const kin__relation *relation, kin_entity entity,
                     kin_entity parent, uint32_t *depth)
{
    return is_alive(walk, entity) && kin__relation_target(walk->context, relation, entity) == parent &&
           find_depth(walk, relation, entity, depth);
}

// Moves on from the former place of an entity that was destroyed or has a new target.
static bool leave_place(kin__relation_walk *walk, const kin__relation *relation)
{
    uint32_t depth;
    if (walk->depth == 0)
        return end(walk);
    if (walk->behind != 0)
        return is_below(walk, relation, walk->behind, walk->parent, &depth) ? go_to(walk, relation, walk->behind, depth)
                                                                            : end(walk);
    return is_alive(walk, walk->parent) && find_depth(walk, relation, walk->parent, &depth)
               ? leave(walk, relation, walk->parent, depth)
               : end(walk);
}

bool kin__relation_walk_next(kin__relation_walk *walk)
{
    const kin__relation *relation = kin__relation_at(walk->context, walk->number);
    if (walk->has_ended || (walk->entity == 0 && !is_alive(walk, walk->root)))
        return end(walk);
    if (walk->entity == 0)
        return go_to(walk, relation, walk->root, 0);
    bool stays = walk->entity == walk->root || walk->moves == relation->moves;
    if (!is_alive(walk, walk->entity) ||
        (!stays && !is_below(walk, relation, walk->entity, walk->parent, &walk->depth)))
        return leave_place(walk, relation);
    kin_entity first = walk->skips ? 0 : kin__relation_first_of(walk->context, relation, kin_entity_slot(walk->entity));
    return first != 0 ? go_to(walk, relation, first, walk->depth + 1)
                      : leave(walk, relation, walk->entity, walk->depth);
}

// Checks the invariants of lookup.h.

// Invariants 1 and 2 for one target.
static bool is_list_valid(const kin_context *context, const kin__relation *relation, kin_entity target)
{
    uint32_t slot = kin_entity_slot(target);
    uint32_t count = 0;
    uint32_t previous = kin__relation_target_node(slot);
    const kin__relation_block *block = kin__relation_block_of(relation, slot);
    if (block == NULL)
        return true;
    uint32_t most = block->counts[slot % KIN__CHUNK_SLOTS];
    uint32_t at = block->nodes[KIN__CHUNK_SLOTS + slot % KIN__CHUNK_SLOTS].next;
    for (kin_entity holder; (holder = kin__relation_holder_of(context, at)) != 0;) {
        if (kin__relation_block_of(relation, kin_entity_slot(holder)) == NULL || count++ == most)
            return false;
        if (kin__relation_node_at(relation, at)->previous != previous ||
            kin__relation_target(context, relation, holder) != target)
            return false;
        previous = at;
        at = kin__relation_node_at(relation, at)->next;
    }
    return count == most && at == kin__relation_target_node(slot) &&
           block->nodes[KIN__CHUNK_SLOTS + slot % KIN__CHUNK_SLOTS].previous == previous;
}

// Invariant 3, which holds for the entities of all lower slots.
static bool is_in_circle(const kin_context *context, const kin__relation *relation, kin_entity entity)
{
    uint32_t steps = 0;
    kin_entity at = entity;
    while (at != 0 && kin_entity_slot(at) >= kin_entity_slot(entity)) {
        if (steps++ > kin__living(context))
            return true;
        at = kin__relation_target(context, relation, at);
    }
    return false;
}

// A free slot is in no list.
static bool is_slot_valid(const kin_context *context, const kin__relation *relation, uint32_t slot)
{
    const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    const kin__relation_block *block = kin__relation_block_of(relation, slot);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    bool is_listed = block != NULL && block->nodes[place].next != KIN__NO_NODE;
    if (!kin__chunk_is_alive(chunk, place))
        return !is_listed && !kin__relation_has_holders(relation, slot);
    if (block == NULL && kin__has(context, chunk->ids[place], relation->info->component, context->row_words))
        return false;
    kin_entity target = kin__relation_target(context, relation, chunk->ids[place]);
    if (is_listed != (target != 0) || (target != 0 && kin__chunk_of(context, target) == NULL))
        return false;
    if (relation->info->is_tree && is_in_circle(context, relation, chunk->ids[place]))
        return false;
    return is_list_valid(context, relation, chunk->ids[place]);
}

static bool is_valid(const kin_context *context, const kin__relation *relation)
{
    uint32_t listed = 0;
    uint32_t counted = 0;
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        const kin__relation_block *block = kin__relation_block_of(relation, slot);
        if (!is_slot_valid(context, relation, slot))
            return false;
        listed += block != NULL && block->nodes[slot % KIN__CHUNK_SLOTS].next != KIN__NO_NODE;
        counted += block == NULL ? 0 : block->counts[slot % KIN__CHUNK_SLOTS];
    }
    return listed == counted;
}

bool kin__relations_are_valid(const kin_context *context)
{
    for (uint32_t i = 0; i < context->info->relation_count; i++)
        if (!is_valid(context, kin__relation_at(context, i)))
            return false;
    return true;
}

const kin__relation_block *kin__relation_saved_block(const kin_context *context, uint32_t number, uint32_t chunk)
{
    return kin__relation_block_of(kin__relation_at(context, number), chunk * KIN__CHUNK_SLOTS);
}

bool kin__relations_restore_reserve(kin_context *context, uint32_t number, uint32_t chunk)
{
    KIN_ASSERT(chunk < context->chunk_count);
    return relation_reserve(context, kin__relation_at(context, number), chunk * KIN__CHUNK_SLOTS);
}

void kin__relations_restore_block(kin_context *context, uint32_t number, uint32_t chunk,
                                  const kin__relation_block *saved)
{
    kin__relation_block *block = kin__relation_block_of(kin__relation_at(context, number), chunk * KIN__CHUNK_SLOTS);
    KIN_ASSERT(block != NULL || saved == NULL);
    if (saved != NULL)
        *block = *saved;
    else if (block != NULL)
        relation_block_clear(block, chunk);
}

void kin__relations_restore_end(kin_context *context)
{
    if (context->core->relations != NULL)
        context->core->relations->restores++;
    for (uint32_t number = 0; number < context->info->relation_count; number++)
        kin__relation_at(context, number)->moves++;
}
