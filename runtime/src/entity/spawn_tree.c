// Makes the trees of the blueprints of a context, and releases them.
#include "entity/entity.h"

#include <stdio.h>
#include <string.h>

// ---- one node

static const kin_child_info *child_of(const kin_context *context, const kin__blueprint *blueprint)
{
    uint32_t number = (uint32_t)(blueprint - context->blueprints);
    return number < context->info->blueprint_count ? NULL
                                                   : &context->info->children[number - context->info->blueprint_count];
}

bool kin__is_fast_parent(const kin_context *context, const kin__blueprint *blueprint, kin_component_id id)
{
    const kin_child_info *child = child_of(context, blueprint);
    const kin_component_info *info = &context->info->components[id];
    const uint32_t *first = context->core->relations == NULL ? NULL : context->core->relations->first;
    if (child == NULL || context->info->relations[child->relation].component != id || first[id + 1] - first[id] != 1)
        return false;
    bool is_plain = !info->is_boxed && !info->is_soa && !kin__is_owned(context, id);
    return is_plain && !info->is_unique && !info->is_stashable;
}

// Sets the component that names the parent.
static void set_parent(const kin_context *context, const kin_child_info *child, kin__blueprint_node *node)
{
    const kin_relation_info *relation = &context->info->relations[child->relation];
    const kin__blueprint *blueprint = node->blueprint;
    node->relation = child->relation;
    node->offset = (uint32_t)relation->field->offset;
    while (blueprint->parts[node->part].id != relation->component)
        node->part++;
    KIN_ASSERT(node->part < blueprint->part_count);
}

static kin__blueprint_node make_node(kin_context *context, const kin_descendant_info *descendant)
{
    const kin_child_info *child = &context->info->children[descendant->child];
    kin__blueprint_node node = {.blueprint = &context->blueprints[context->info->blueprint_count + descendant->child],
                                .parent = descendant->parent};
    node.pool = child->of == UINT32_MAX ? &context->pool : &context->blueprints[child->of].pool;
    set_parent(context, child, &node);
    return node;
}

// ---- all nodes

static size_t row_size(const kin_context *context)
{
    return context->row_words * sizeof(uint64_t);
}

static size_t nodes_size(const kin_blueprint_info *info)
{
    return kin__round_up((1 + (size_t)info->descendant_count) * sizeof(kin__blueprint_node));
}

// There may be as many pools as nodes.
static size_t pools_size(const kin_context *context, const kin_blueprint_info *info)
{
    size_t count = 1 + (size_t)info->descendant_count;
    return kin__round_up(count * (sizeof(kin__blueprint_pool) + row_size(context)));
}

static size_t tree_size(const kin_context *context, const kin_blueprint_info *info)
{
    return kin__round_up(sizeof(kin__blueprint_tree)) + nodes_size(info) + pools_size(context, info) +
           kin__round_up(2 * row_size(context)) + context->info->component_count * sizeof(uint32_t);
}

static void lay_out(const kin_context *context, const kin_blueprint_info *info, kin__blueprint_tree *tree)
{
    char *place = (char *)tree + kin__round_up(sizeof *tree);
    tree->nodes = (kin__blueprint_node *)(void *)place;
    uint64_t *rows = (uint64_t *)(void *)(place += nodes_size(info));
    tree->pools = (kin__blueprint_pool *)(void *)(rows + (1 + (size_t)info->descendant_count) * context->row_words);
    for (uint32_t i = 0; i <= info->descendant_count; i++)
        tree->pools[i].row = rows + (size_t)i * context->row_words;
    tree->row = (uint64_t *)(void *)(place += pools_size(context, info));
    tree->names = tree->row + context->row_words;
    tree->counts = (uint32_t *)(void *)(place + kin__round_up(2 * row_size(context)));
}

static void add_row(const kin_context *context, uint64_t *row, const uint64_t *added)
{
    for (uint32_t word = 0; word < context->row_words; word++)
        row[word] |= added[word];
}

static void count_pool(const kin_context *context, kin__blueprint_tree *tree, kin__blueprint_node *node)
{
    while (node->pool_number < tree->pool_count && tree->pools[node->pool_number].pool != node->pool)
        node->pool_number++;
    kin__blueprint_pool *pool = &tree->pools[node->pool_number];
    if (node->pool_number == tree->pool_count) {
        pool->pool = node->pool;
        tree->pool_count++;
    }
    pool->count++;
    add_row(context, pool->row, node->blueprint->row);
}

// Trees with more than two relations are not spawned fast.
static void list_relation(kin__blueprint_tree *tree, uint32_t relation)
{
    for (uint32_t i = 0; i < tree->relation_count && i < 2; i++)
        if (tree->relations[i] == relation)
            return;
    if (tree->relation_count < 2)
        tree->relations[tree->relation_count] = relation;
    tree->relation_count++;
}

static void append_node(const kin_context *context, kin__blueprint_tree *tree, kin__blueprint_node node)
{
    const kin__blueprint *blueprint = node.blueprint;
    count_pool(context, tree, &node);
    add_row(context, tree->row, blueprint->row);
    for (uint32_t i = 0; i < blueprint->part_count; i++) {
        tree->counts[blueprint->parts[i].id]++;
        tree->has_soas = tree->has_soas || context->info->components[blueprint->parts[i].id].is_soa;
    }
    tree->part_count += blueprint->part_count;
    tree->most_parts = kin__max_32(tree->most_parts, blueprint->part_count);
    tree->is_rich = tree->is_rich || blueprint->is_rich;
    if (tree->node_count > 0) {
        size_t size = kin__round_up(blueprint->parts[node.part].size);
        tree->value_size = kin__max_size(tree->value_size, size);
        list_relation(tree, node.relation);
        if (!kin__bits_have(tree->names, blueprint->parts[node.part].id))
            kin__bits_add(tree->names, blueprint->parts[node.part].id);
    }
    tree->nodes[tree->node_count++] = node;
}

static bool make(kin_context *context, kin__blueprint *blueprint)
{
    const kin_blueprint_info *info = blueprint->info;
    size_t size = tree_size(context, info);
    kin__blueprint_tree *tree = kin__allocate_zero(&context->core->memory, size);
    if (tree == NULL)
        return false;
    blueprint->tree = tree;
    tree->size = size;
    lay_out(context, info, tree);
    append_node(context, tree, (kin__blueprint_node){.blueprint = blueprint, .pool = &blueprint->pool});
    for (uint32_t i = 0; i < info->descendant_count; i++)
        append_node(context, tree, make_node(context, &info->descendants[i]));
    return true;
}

// ---- all blueprints

bool kin__blueprint_trees_make(kin_context *context)
{
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        if (context->info->blueprints[i].descendant_count > 0 && !make(context, &context->blueprints[i]))
            return false;
    return true;
}

void kin__blueprint_trees_release(kin_context *context)
{
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        if (context->blueprints[i].tree != NULL)
            kin__release(&context->core->memory, context->blueprints[i].tree, context->blueprints[i].tree->size);
}

size_t kin__blueprint_trees_used(const kin_context *context)
{
    size_t used = 0;
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        used += context->blueprints[i].tree == NULL ? 0 : context->blueprints[i].tree->size;
    return used;
}

// Writes the entities of a tree where nothing is notified (entity.h): bits, values, handles, and the links to parents.

// Whether a spawn notifies nothing.
static bool blueprint_tree_is_fast(const kin_context *context, const kin__blueprint_tree *tree)
{
    uint32_t watchers = context->core->alive->watchers;
    for (uint32_t i = 0; i < tree->node_count; i++)
        watchers |= tree->nodes[i].blueprint->watchers;
    return watchers == 0 && tree->relation_count <= 2;
}

// Writes the value into its place, unless it is that of a flag or of a component with one column for each field.
static inline void write_part(kin__column *column, uint32_t place, const kin__part *part, const void *value)
{
    column->has[place / 64] |= (uint64_t)1 << (place % 64);
    if (part->size > 0)
        kin__value_copy(kin__column_value(column, place, part->size), value, part->size);
}

static void scatter_part(kin_context *context, uint32_t slot, const kin__part *part, const void *value)
{
    kin__column *column = kin__column_of(context, slot, part->id);
    if (context->info->components[part->id].is_soa) {
        kin__bits_add(column->has, slot % KIN__CHUNK_SLOTS);
        kin__value_overwrite(context, slot, part->id, value);
    } else {
        write_part(column, slot % KIN__CHUNK_SLOTS, part, value);
    }
}

static inline void write_parts(kin_context *context, const kin__blueprint *blueprint, kin__chunk *chunk, uint32_t place)
{
    kin__column *const *columns = kin__chunk_columns(chunk, context->row_words);
    for (const kin__part *part = blueprint->parts; part < blueprint->parts + blueprint->part_count; part++) {
        KIN_ASSERT(columns[part->id] != context->empty);
        context->components[part->id].changes++;
        write_part(columns[part->id], place, part, part->value);
    }
}

// Writes values of the caller, or such as have a column for each field.
static void write_parts_slowly(kin_context *context, const kin__blueprint *blueprint, uint32_t slot,
                               const kin__batch *batch, uint32_t index)
{
    for (uint32_t i = 0; i < blueprint->part_count; i++) {
        context->components[blueprint->parts[i].id].changes++;
        scatter_part(context, slot, &blueprint->parts[i], kin__part_value(blueprint, batch, i, index));
    }
}

static inline kin_entity take(kin_context *context, kin__pool *pool)
{
    uint32_t slot = kin__pool_next(pool);
    return slot == KIN__NO_SLOT ? kin__pool_take(context, pool)
                                : kin__slot_take(context, pool, slot, context->row_words);
}

static inline void name_parent(kin_context *context, const kin__blueprint_node *node, kin_entity entity,
                               kin_entity parent)
{
    const kin__part *part = &node->blueprint->parts[node->part];
    uint32_t slot = kin_entity_slot(entity);
    char *value = kin__column_value(kin__column_of(context, slot, part->id), slot % KIN__CHUNK_SLOTS, part->size);
    memcpy(value + node->offset, &parent, sizeof parent);
    kin__relation_attach(kin__relation_at(context, node->relation), slot, kin_entity_slot(parent));
}

// Creates the entities of the `index`-th spawn of a batch, for which everything is reserved, and writes them to `made`.
static void blueprint_tree_write(kin_context *context, const kin__blueprint_tree *tree, const kin__batch *batch,
                                 uint32_t index, kin_entity *made)
{
    KIN_ASSERT(blueprint_tree_is_fast(context, tree));
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const kin__blueprint_node *node = &tree->nodes[i];
        kin_entity entity = made[i] = take(context, node->pool);
        uint32_t slot = kin_entity_slot(entity);
        uint32_t place = slot % KIN__CHUNK_SLOTS;
        uint32_t words = context->row_words;
        kin__chunk *chunk = kin__chunk_of_slot(context, slot);
        for (uint32_t word = 0; word < words; word++)
            kin__chunk_row(chunk, words, place)[word] = node->blueprint->row[word];
        if (tree->has_soas || (i == 0 && batch->values != NULL))
            write_parts_slowly(context, node->blueprint, slot, i == 0 ? batch : NULL, index);
        else
            write_parts(context, node->blueprint, chunk, place);
        if (i > 0)
            name_parent(context, node, entity, made[node->parent]);
        KIN_VALIDATE(kin__slot_is_valid(context, slot));
    }
}

// Spawns the entities of a tree, in general: each is created and given its components one by one, depth first. The
// component that names the parent is one of these, in order of its id.
//
// All that can fail is done first, for all entities of the batch: unique components, targets, keys, limits, slots,
// columns, index entries, links, and the storage of their values. Keys may contain parents, so the expected handles are
// computed first. Then listeners may do anything, so each step is checked again. When a listener has made a step
// impossible, for example by destroying a parent before all of its children are made, the whole batch is undone, as in
// spawn.c.

// `made` has the entities; after the first `count` it has those that are expected. The plan has the parts of all
// entities if the tree is rich, else those of one entity at a time. Both are in one block, with what follows them.
typedef struct planting {
    kin_context *context;
    const kin__blueprint_tree *tree;
    const kin__batch *batch;
    kin__blueprint_use whole;
    kin__plan plan;
    kin_entity *made;
    kin__pool_preview *previews; // by number of the pool
    uint32_t *reserved;          // by the same: the chunk that was reserved last, counted from 1
    char *values[2];             // a value that names a parent, by kin__entity_role
    const void **parts[2];       // by the same: values of one entity, as a batch
    kin__batch batches[2];
    kin__blueprint_use uses[2];
    uint32_t total;        // of the entities
    uint32_t count;        // the number of entities so far
    uint32_t first;        // the first of those made since the last reset of the context
    kin_entity incomplete; // the entity to which `failed` could not be added; 0: the next one cannot be created
    kin_component_id failed;
    const char *reason; // why it cannot be created
    char text[KIN__LIMIT_SIZE];
} planting;

// ---- one entity

static const kin__blueprint_node *node_of(const planting *planting, uint32_t number)
{
    return &planting->tree->nodes[number % planting->tree->node_count];
}

static bool is_first(const planting *planting, uint32_t number)
{
    return number % planting->tree->node_count == 0;
}

static kin_entity parent_of(const planting *planting, uint32_t number)
{
    return planting->made[number - number % planting->tree->node_count + node_of(planting, number)->parent];
}

// Writes the value that names the parent of an entity, and returns it.
static const void *write_parent(const planting *planting, uint32_t number, kin__entity_role role)
{
    const kin__blueprint_node *node = node_of(planting, number);
    const kin__part *part = &node->blueprint->parts[node->part];
    kin_entity parent = parent_of(planting, number);
    memcpy(planting->values[role], part->value, part->size);
    memcpy(planting->values[role] + node->offset, &parent, sizeof parent);
    return planting->values[role];
}

static const void *value_of(const planting *planting, uint32_t number, uint32_t part)
{
    const kin__blueprint_tree *tree = planting->tree;
    const kin__batch *batch = is_first(planting, number) ? planting->batch : NULL;
    return kin__part_value(node_of(planting, number)->blueprint, batch, part, number / tree->node_count);
}

static const kin__blueprint_use *use_of(void *data, uint32_t number, kin__entity_role role)
{
    planting *planting = data;
    const kin__blueprint_node *node = node_of(planting, number);
    const void **parts = planting->parts[role];
    for (uint32_t i = 0; i < node->blueprint->part_count; i++)
        parts[i] = value_of(planting, number, i);
    if (!is_first(planting, number))
        parts[node->part] = write_parent(planting, number, role);
    planting->batches[role] = (kin__batch){.count = 1, .values = parts};
    planting->uses[role] =
        (kin__blueprint_use){.blueprint = node->blueprint, .batch = &planting->batches[role], .plan = &planting->plan};
    return &planting->uses[role];
}

// ---- checks

static kin_status report_error(const planting *planting, kin_status status, const char *reason)
{
    return kin__blueprint_use_report_error(planting->context, &planting->whole, status, KIN__NO_PART, reason);
}

// Whether an earlier node has the component too.
static bool is_taken(const kin__blueprint_tree *tree, uint32_t number, kin_component_id id)
{
    for (uint32_t i = 0; i < number; i++)
        if (kin__bits_have(tree->nodes[i].blueprint->row, id))
            return true;
    return false;
}

static kin_status check_unique(const planting *planting, uint32_t number)
{
    kin__blueprint_use use = planting->whole;
    use.blueprint = planting->tree->nodes[number].blueprint;
    kin_status status = kin__blueprint_use_check_unique(planting->context, &use);
    for (uint32_t i = 0; status == KIN_OK && i < use.blueprint->part_count; i++) {
        kin_component_id id = use.blueprint->parts[i].id;
        if (planting->context->info->components[id].is_unique && is_taken(planting->tree, number, id))
            status = kin__blueprint_use_report_error(planting->context, &use, KIN_ERROR_UNIQUE, i,
                                                     "an earlier entity of the same call has it");
    }
    return status;
}

// Only values of the caller can name existing entities.
static kin_status check(const planting *planting)
{
    kin_status status = KIN_OK;
    for (uint32_t i = 0; status == KIN_OK && i < planting->tree->node_count; i++)
        status = check_unique(planting, i);
    return status == KIN_OK ? kin__blueprint_use_check_relations(planting->context, &planting->whole) : status;
}

// ---- room

// The block of the plan: steps | made | previews | reserved | values | parts.
static bool make_room(planting *planting, uint32_t count, bool is_fast)
{
    const kin__blueprint_tree *tree = planting->tree;
    size_t made = kin__round_up(count * sizeof *planting->made);
    size_t previews = kin__round_up(tree->pool_count * sizeof *planting->previews);
    size_t reserved = kin__round_up(tree->pool_count * sizeof *planting->reserved);
    size_t parts = kin__round_up(tree->most_parts * sizeof **planting->parts);
    size_t steps = tree->is_rich ? (size_t)(count / tree->node_count + 1) * tree->part_count : tree->most_parts;
    char *room;
    size_t size = made + previews + reserved + 2 * (tree->value_size + parts);
    if (!kin__plan_begin(&planting->plan, is_fast ? 0 : steps, size, &room))
        return false;
    planting->made = (kin_entity *)(void *)room;
    planting->previews = (kin__pool_preview *)(void *)(room += made);
    planting->reserved = (uint32_t *)(void *)(room += previews);
    room += reserved;
    for (uint32_t role = 0; role < 2; role++, room += tree->value_size + parts) {
        planting->values[role] = room;
        planting->parts[role] = (const void **)(void *)(room + tree->value_size);
    }
    return true;
}

// Computes the entities that will be made if no listener makes others. Each pool takes the next chunk when it needs
// one.
static kin_status expect(planting *planting, uint32_t count)
{
    kin_context *context = planting->context;
    uint32_t next_chunk = context->core->slots.assigned_chunks;
    kin_status status = KIN_OK;
    memset(planting->made, 0, count * sizeof *planting->made);
    for (uint32_t i = 0; i < planting->tree->pool_count; i++)
        planting->previews[i] = kin__pool_preview_begin(context, planting->tree->pools[i].pool);
    for (uint32_t i = 0; status == KIN_OK && i < count; i++) {
        kin__pool_preview *preview = &planting->previews[node_of(planting, i)->pool_number];
        kin__run run = {.count = 0};
        preview->number = next_chunk;
        status = kin__pool_preview_next(preview, 1, &run);
        next_chunk = preview->number;
        planting->made[i] = (context->next_creation_index + i) << 24 | run.first;
    }
    return status;
}

// Reserves links to children in the slot of an entity.
static bool reserve_links(kin_context *context, const kin__blueprint_node *node, kin_entity parent)
{
    return kin__relations_reserve(context, kin_entity_slot(parent), node->blueprint->parts[node->part].id);
}

// Reserves columns, index entries and links in the chunk of a slot, for all entities that the pool may place there.
static bool reserve_chunk(const planting *planting, const kin__blueprint_pool *pool, uint32_t slot)
{
    kin_context *context = planting->context;
    uint32_t spawns = planting->total / planting->tree->node_count;
    EACH_OF_ROW(id, pool->row, context->row_words)
    {
        if (!kin__change_reserve_entries(context, slot, (kin_component_id)id, spawns * planting->tree->counts[id]))
            return false;
    }
    EACH_OF_ROW(id, planting->tree->names, context->row_words)
    {
        if (!kin__relations_reserve(context, slot, (kin_component_id)id))
            return false;
    }
    return true;
}

static bool reserve_entity(const planting *planting, uint32_t number)
{
    uint32_t pool = node_of(planting, number)->pool_number;
    uint32_t slot = kin_entity_slot(planting->made[number]);
    uint32_t chunk = slot / KIN__CHUNK_SLOTS + 1;
    if (planting->reserved[pool] == chunk)
        return true;
    planting->reserved[pool] = chunk;
    return reserve_chunk(planting, &planting->tree->pools[pool], slot);
}

// Appends the parts of an entity. False when out of memory: the plan has ended.
static bool plan_entity(planting *planting, uint32_t number)
{
    const kin__blueprint *blueprint = node_of(planting, number)->blueprint;
    bool planned = true;
    for (uint32_t i = 0; planned && i < blueprint->part_count; i++) {
        kin__step step = {KIN__STEP_ADD, 0, blueprint->parts[i].id, value_of(planting, number, i)};
        planned = kin__plan_append(&planting->plan, &step, KIN__NO_SLOT);
    }
    return planned;
}

static kin_status reserve_entities(planting *planting, bool is_fast)
{
    kin_status status = expect(planting, planting->total);
    memset(planting->reserved, 0, planting->tree->pool_count * sizeof *planting->reserved);
    for (uint32_t i = 0; status == KIN_OK && i < planting->total; i++)
        if (!reserve_entity(planting, i))
            status = KIN_ERROR_NO_MEMORY;
    bool needs_plan = !is_fast && planting->tree->is_rich;
    for (uint32_t i = 0; needs_plan && status == KIN_OK && i < planting->total; i++)
        if (!plan_entity(planting, i))
            status = KIN_ERROR_NO_MEMORY;
    return status;
}

// Checks no more keys than the limit allows, which is checked next; slots are then missing at most because of a limit.
static kin_status prepare_keys(planting *planting)
{
    if (planting->context->core->indices == NULL)
        return KIN_OK;
    if (expect(planting, planting->total) == KIN_ERROR_NO_MEMORY)
        return report_error(planting, KIN_ERROR_NO_MEMORY, NULL);
    kin__entity_list list = {.count = planting->total,
                             .row = planting->tree->row,
                             .whole = &planting->whole,
                             .use_of = use_of,
                             .data = planting};
    return kin__entity_list_check_keys(planting->context, &list);
}

static kin_status prepare(planting *planting, uint64_t total, bool is_fast)
{
    kin_context *context = planting->context;
    char text[KIN__LIMIT_SIZE];
    uint32_t most = total < UINT32_MAX ? (uint32_t)total : UINT32_MAX;
    planting->total = kin__entities_allowed(context, most);
    if (planting->total == 0)
        planting->total = 1; // keys are checked before limits
    if (!make_room(planting, planting->total, is_fast))
        return report_error(planting, KIN_ERROR_NO_MEMORY, NULL);
    kin_status status = is_fast ? KIN_OK : prepare_keys(planting);
    if (status != KIN_OK)
        return status;
    const char *limit = kin__entities_find_limit(context, most, text);
    if (limit != NULL)
        return report_error(planting, KIN_ERROR_LIMIT, limit);
    KIN_ASSERT(planting->total == most);
    status = reserve_entities(planting, is_fast);
    if (status == KIN_OK)
        return KIN_OK;
    return report_error(planting, status, status == KIN_ERROR_LIMIT ? KIN__NO_SLOT_LEFT : NULL);
}

// ---- one by one

// Makes the value of the next step of the tree's relation name the parent. A value that owns memory is a copy already.
static void name_parent_of(planting *planting, uint32_t number)
{
    const kin__blueprint_node *node = node_of(planting, number);
    kin__plan_step *step = &planting->plan.steps[planting->plan.done + node->part];
    kin_entity parent = parent_of(planting, number);
    if (step->storage.owned_block == NULL)
        step->storage.value = write_parent(planting, number, KIN__CURRENT_ENTITY);
    else
        memcpy((char *)(uintptr_t)step->storage.value + node->offset, &parent, sizeof parent);
}

// Returns KIN_OK if the entity can still be created: listeners may have taken slots, reached the limit, or reset the
// context, which destroys its parent. Plans its parts unless they are planned already; this needs no memory.
static kin_status begin_one(planting *planting)
{
    kin_context *context = planting->context;
    uint32_t number = planting->count;
    uint32_t slot;
    const kin__blueprint_node *node = node_of(planting, number);
    kin_status status = KIN_OK;
    if (!is_first(planting, number) && planting->plan.epoch != context->core->dispatch.epoch) {
        planting->reason = "a listener has reset the context";
        return KIN_ERROR_NOT_ALIVE;
    }
    if (number > 0)
        status = kin__entity_find_slot(context, node->pool, &slot, planting->text, &planting->reason);
    if (status == KIN_OK && !is_first(planting, number) && !reserve_links(context, node, parent_of(planting, number)))
        status = KIN_ERROR_NO_MEMORY;
    if (status != KIN_OK || planting->tree->is_rich)
        return status;
    kin__plan_restart(&planting->plan);
    bool planned = plan_entity(planting, number);
    KIN_ASSERT(planned);
    (void)planned;
    return KIN_OK;
}

// After a reset by a listener the handles made before it may be given out again.
static kin_status make_one(planting *planting)
{
    uint32_t number = planting->count;
    const kin__blueprint_node *node = node_of(planting, number);
    kin_status status = begin_one(planting);
    if (status != KIN_OK)
        return status;
    if (number > 0 && planting->plan.epoch != planting->context->core->dispatch.epoch)
        planting->first = number;
    if (!is_first(planting, number))
        name_parent_of(planting, number);
    kin_entity *made = &planting->made[planting->count++];
    status = kin__plan_make(&planting->plan, node->pool, node->blueprint->part_count, made);
    if (status != KIN_OK) {
        planting->incomplete = *made;
        planting->failed = planting->plan.steps[planting->plan.done].id;
    }
    return status;
}

// ---- undoing

// Listeners of one destroy may destroy other entities, or reset the context.
static void end_entities(const planting *planting)
{
    kin_context *context = planting->context;
    uint64_t epoch = planting->plan.epoch;
    for (uint32_t i = planting->count; i-- > planting->first && context->core->dispatch.epoch == epoch;)
        if (kin__chunk_of(context, planting->made[i]) != NULL)
            kin__entity_destroy_checked_fast(context, planting->made[i]);
}

// The caller gives values for the first entity of each spawn. Values with opaque values make the tree rich, so that the
// plan has all entities.
static void return_values(planting *planting)
{
    const kin__blueprint_tree *tree = planting->tree;
    const kin__batch *batch = planting->batch;
    for (size_t i = 0; tree->is_rich && batch->values != NULL && i < planting->plan.done; i++) {
        size_t part = i % tree->part_count;
        if (part < tree->nodes[0].blueprint->part_count && batch->values[part] != NULL)
            kin__plan_return_opaque(&planting->plan, i, planting->made[i / tree->part_count * tree->node_count]);
    }
}

static kin_status report_listener(const planting *planting, kin_status status)
{
    char verb[160];
    kin__attempt creating = {.verb = "create an entity", .reason = planting->reason};
    if (planting->incomplete == 0)
        return kin__report_error(planting->context, status, &creating);
    snprintf(verb, sizeof verb, "complete a spawned %s with",
             node_of(planting, planting->count - 1)->blueprint->info->name);
    return kin__report_component_error(planting->context, status, verb, planting->incomplete, planting->failed);
}

// ---- all of them

static void give(const planting *planting, kin_entity *entities)
{
    const kin__batch *batch = planting->batch;
    for (uint32_t i = 0; batch->entities != NULL && i < batch->count; i++)
        batch->entities[i] = planting->made[(size_t)i * planting->tree->node_count];
    if (entities != NULL)
        memcpy(entities, planting->made, planting->tree->node_count * sizeof *entities);
}

static void spawn_fast(const planting *planting)
{
    const kin__blueprint_tree *tree = planting->tree;
    for (uint32_t i = 0; i < planting->batch->count; i++)
        blueprint_tree_write(planting->context, tree, planting->batch, i,
                             planting->made + (size_t)i * tree->node_count);
}

static kin_status carry_out(planting *planting, kin_entity *entities)
{
    kin_status status = KIN_OK;
    kin__loan_begin(planting->context);
    while (planting->count < planting->total && status == KIN_OK)
        status = make_one(planting);
    KIN_ASSERT(status != KIN_OK || planting->plan.done == planting->plan.count);
    if (status != KIN_OK) {
        end_entities(planting);
        return_values(planting);
    } else {
        give(planting, entities);
    }
    kin__plan_end(&planting->plan);
    kin__loan_end(planting->context);
    return status == KIN_OK ? KIN_OK : report_listener(planting, status);
}

static kin_status spawn(kin_context *context, kin__blueprint *blueprint, const kin__batch *batch, kin_entity *entities)
{
    kin__plan_step few[KIN__FEW_STEPS];
    planting planting = {.context = context, .tree = blueprint->tree, .batch = batch};
    planting.plan = (kin__plan){.context = context, .steps = few};
    planting.whole = (kin__blueprint_use){.blueprint = blueprint, .batch = batch, .plan = &planting.plan};
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    bool is_fast = blueprint_tree_is_fast(context, blueprint->tree);
    kin_status status = is_fast ? KIN_OK : check(&planting);
    if (status == KIN_OK)
        status = prepare(&planting, (uint64_t)batch->count * blueprint->tree->node_count, is_fast);
    if (status != KIN_OK)
        return status;
    if (!is_fast)
        return carry_out(&planting, entities);
    spawn_fast(&planting);
    give(&planting, entities);
    kin__plan_end(&planting.plan);
    return KIN_OK;
}

kin_status kin__spawn_trees(kin_context *context, uint32_t blueprint, const kin__batch *batch)
{
    KIN_ASSERT(context->blueprints[blueprint].tree != NULL);
    kin_status status = batch->count == 0 ? KIN_OK : spawn(context, &context->blueprints[blueprint], batch, NULL);
    if (status != KIN_OK && batch->entities != NULL)
        memset(batch->entities, 0, batch->count * sizeof *batch->entities);
    return status;
}

// Spawns one tree in the general case. Returns the first entity; 0, and zeros in `entities`, on failure.
static kin_entity blueprint_tree_spawn(kin_context *context, uint32_t blueprint, const void *const *values,
                                       kin_entity *entities)
{
    kin__blueprint *spawned = &context->blueprints[blueprint];
    kin_entity root = 0;
    kin__batch batch = {.count = 1, .values = values, .entities = &root};
    if (spawn(context, spawned, &batch, entities) == KIN_OK)
        return root;
    if (entities != NULL)
        memset(entities, 0, spawned->tree->node_count * sizeof *entities);
    return 0;
}

// Spawns one tree without memory, if nothing is notified (entity.h) and the chunks have room for it.

// Entities are targets and holders in their own slots.
static inline bool has_room(const kin_context *context, const kin__blueprint_tree *tree, const uint64_t *row,
                            uint32_t slot)
{
    if (!kin__chunk_has_columns(kin__chunk_of_slot(context, slot), row, context->row_words))
        return false;
    for (uint32_t i = 0; i < tree->relation_count; i++)
        if (kin__relation_block_of(kin__relation_at(context, tree->relations[i]), slot) == NULL)
            return false;
    return true;
}

// Follows the slots that the pool would give, as long as it has some.
static inline bool has_slots(const kin_context *context, const kin__blueprint_tree *tree,
                             const kin__blueprint_pool *wanted)
{
    const kin__pool *pool = wanted->pool;
    uint32_t listed = pool->free_slot;
    uint32_t fresh = pool->fresh;
    uint32_t checked = UINT32_MAX;
    if (listed == KIN__NO_SLOT) // all are in one chunk
        return pool->fresh_end - fresh >= wanted->count && has_room(context, tree, wanted->row, fresh);
    for (uint32_t i = 0; i < wanted->count; i++) {
        uint32_t slot = listed != KIN__NO_SLOT ? listed : fresh++;
        if (listed == KIN__NO_SLOT && slot >= pool->fresh_end)
            return false;
        if (listed != KIN__NO_SLOT)
            listed = (uint32_t)kin__row_of(context, slot)[0];
        if (slot / KIN__CHUNK_SLOTS != checked && !has_room(context, tree, wanted->row, slot))
            return false;
        checked = slot / KIN__CHUNK_SLOTS;
    }
    return true;
}

static inline bool is_reserved(const kin_context *context, const kin__blueprint_tree *tree)
{
    if (context->next_creation_index + tree->node_count > context->fast_end)
        return false;
    for (uint32_t i = 0; i < tree->pool_count; i++)
        if (!has_slots(context, tree, &tree->pools[i]))
            return false;
    return true;
}

// A few entities need no memory, if the chunks have room for them.
enum { FEW_ENTITIES = 32 };

kin_entity kin__spawn_tree(kin_context *context, uint32_t blueprint, const void *const *values, kin_entity *entities)
{
    const kin__blueprint_tree *tree = context->blueprints[blueprint].tree;
    kin_entity few[FEW_ENTITIES], *made = entities != NULL ? entities : few;
    KIN_ASSERT(tree != NULL);
    bool has_array = entities != NULL || tree->node_count <= FEW_ENTITIES;
    if (!has_array || !blueprint_tree_is_fast(context, tree) || !is_reserved(context, tree))
        return blueprint_tree_spawn(context, blueprint, values, entities);
    blueprint_tree_write(context, tree, &(kin__batch){.count = 1, .values = values}, 0, made);
    return made[0];
}
