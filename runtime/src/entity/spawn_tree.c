// Makes the trees of the blueprints of a context, and releases them.
#include "entity/entity.h"

#include <stdio.h>
#include <string.h>

// ---- one node

bool kin__is_fast_parent(const kin_context *context, const kin__blueprint *blueprint, kin_component_id id)
{
    const kin_child_info *child = blueprint->child;
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

static kin__blueprint_node make_node(kin_context *context, const kin_descendant_info *descendant,
                                     kin__blueprint *children)
{
    const kin_child_info *child = children[descendant->child].child;
    kin__blueprint_node node = {.blueprint = &children[descendant->child], .parent = descendant->parent};
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

static size_t slots_size(const kin_blueprint_info *info)
{
    return kin__round_up(info->slot_count * sizeof(kin__blueprint_slot));
}

static size_t tree_size(const kin_context *context, const kin_blueprint_info *info)
{
    return kin__round_up(sizeof(kin__blueprint_tree)) + nodes_size(info) + pools_size(context, info) +
           slots_size(info) + kin__round_up(2 * row_size(context)) + context->info->component_count * sizeof(uint32_t);
}

static void lay_out(const kin_context *context, const kin_blueprint_info *info, kin__blueprint_tree *tree)
{
    char *place = (char *)tree + kin__round_up(sizeof *tree);
    tree->nodes = (kin__blueprint_node *)(void *)place;
    uint64_t *rows = (uint64_t *)(void *)(place += nodes_size(info));
    tree->pools = (kin__blueprint_pool *)(void *)(rows + (1 + (size_t)info->descendant_count) * context->row_words);
    for (uint32_t i = 0; i <= info->descendant_count; i++)
        tree->pools[i].row = rows + (size_t)i * context->row_words;
    tree->slots = (kin__blueprint_slot *)(void *)(place += pools_size(context, info));
    tree->row = (uint64_t *)(void *)(place += slots_size(info));
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
    node.first_part = tree->part_count;
    tree->part_count += blueprint->part_count;
    tree->most_parts = kin__max_32(tree->most_parts, blueprint->part_count);
    tree->is_rich = tree->is_rich || blueprint->is_rich;
    tree->owners += blueprint->owners;
    if (tree->node_count > 0) {
        list_relation(tree, node.relation);
        if (!kin__bits_have(tree->names, blueprint->parts[node.part].id))
            kin__bits_add(tree->names, blueprint->parts[node.part].id);
    }
    tree->nodes[tree->node_count++] = node;
}

static bool is_relation(const kin_context *context, kin_component_id id, size_t offset)
{
    for (uint32_t i = 0; i < context->info->relation_count; i++)
        if (context->info->relations[i].component == id && context->info->relations[i].field->offset == offset)
            return true;
    return false;
}

static void append_slot(const kin_context *context, kin__blueprint_tree *tree, const kin_slot_info *info)
{
    kin__blueprint_node *node = &tree->nodes[info->holder];
    kin__blueprint_slot slot = {.holder = info->holder, .target = info->part, .offset = (uint32_t)info->offset};
    while (node->blueprint->parts[slot.part].id != info->component)
        slot.part++;
    KIN_ASSERT(slot.part < node->blueprint->part_count);
    slot.is_relation = is_relation(context, info->component, info->offset);
    if (slot.is_relation && !kin__bits_have(tree->names, info->component))
        kin__bits_add(tree->names, info->component);
    if (node->slot_count++ == 0)
        node->first_slot = tree->slot_count;
    tree->slots[tree->slot_count++] = slot;
}

// Whether the value of a part names the parent of the node, or has a slot.
static bool names_others(const kin__blueprint_tree *tree, const kin__blueprint_node *node, uint32_t part)
{
    if (node != tree->nodes && part == node->part)
        return true;
    for (uint32_t i = 0; i < node->slot_count; i++)
        if (tree->slots[node->first_slot + i].part == part)
            return true;
    return false;
}

static void measure_values(kin__blueprint_tree *tree)
{
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const kin__blueprint_node *node = &tree->nodes[i];
        size_t size = 0;
        for (uint32_t part = 0; part < node->blueprint->part_count; part++)
            if (names_others(tree, node, part))
                size += kin__round_up(node->blueprint->parts[part].size);
        tree->value_size = kin__max_size(tree->value_size, size);
    }
}

bool kin__blueprint_tree_make(kin_context *context, kin__blueprint *blueprint, kin__pool *pool,
                              kin__blueprint *children)
{
    const kin_blueprint_info *info = blueprint->info;
    size_t size = tree_size(context, info);
    kin__blueprint_tree *tree = kin__allocate_zero(&context->core->memory, size);
    if (tree == NULL)
        return false;
    blueprint->tree = tree;
    tree->size = size;
    lay_out(context, info, tree);
    append_node(context, tree, (kin__blueprint_node){.blueprint = blueprint, .pool = pool});
    for (uint32_t i = 0; i < info->descendant_count; i++)
        append_node(context, tree, make_node(context, &info->descendants[i], children));
    for (uint32_t i = 0; i < info->slot_count; i++)
        append_slot(context, tree, &info->slots[i]);
    measure_values(tree);
    return true;
}

// ---- all blueprints

bool kin__blueprint_trees_make(kin_context *context)
{
    kin__blueprint *children = context->blueprints + context->info->blueprint_count;
    for (uint32_t i = 0; i < context->info->blueprint_count; i++) {
        kin__blueprint *blueprint = &context->blueprints[i];
        bool is_tree = context->info->blueprints[i].descendant_count > 0;
        if (is_tree && !kin__blueprint_tree_make(context, blueprint, &blueprint->pool, children))
            return false;
    }
    return true;
}

void kin__blueprint_tree_release(kin_context *context, kin__blueprint *blueprint)
{
    if (blueprint->tree != NULL)
        kin__release(&context->core->memory, blueprint->tree, blueprint->tree->size);
}

void kin__blueprint_trees_release(kin_context *context)
{
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        kin__blueprint_tree_release(context, &context->blueprints[i]);
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
        watchers |= tree->nodes[i].blueprint->watchers - tree->nodes[i].blueprint->owners;
    return watchers == 0 && tree->relation_count <= 2;
}

// Whether it also needs no memory, if the chunks have room for the entities.
static bool blueprint_tree_is_plain(const kin_context *context, const kin__blueprint_tree *tree)
{
    return tree->owners == 0 && blueprint_tree_is_fast(context, tree);
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

// Writes values of the caller, where there are some.
static inline void write_given_parts(kin_context *context, const kin__blueprint *blueprint, kin__chunk *chunk,
                                     uint32_t place, const kin__batch *batch, uint32_t index)
{
    kin__column *const *columns = kin__chunk_columns(chunk, context->row_words);
    for (uint32_t i = 0; i < blueprint->part_count; i++) {
        const kin__part *part = &blueprint->parts[i];
        context->components[part->id].changes++;
        write_part(columns[part->id], place, part, kin__part_value(blueprint, batch, i, index));
    }
}

static void write_next_held(kin_context *context, uint32_t slot, kin__storages *storages)
{
    const kin__held_storage *held = &storages->all[storages->written++];
    kin__bits_add(kin__column_of(context, slot, held->id)->has, slot % KIN__CHUNK_SLOTS);
    kin__value_write(context, slot, held->id, &held->storage);
}

// Writes values of which some have a column for each field, or storage.
static void write_parts_slowly(kin_context *context, const kin__blueprint *blueprint, uint32_t slot,
                               const kin__batch *batch, uint32_t index, kin__storages *storages)
{
    for (uint32_t i = 0; i < blueprint->part_count; i++) {
        context->components[blueprint->parts[i].id].changes++;
        if (blueprint->owners > 0 && kin__has_storage(context, blueprint->parts[i].id))
            write_next_held(context, slot, storages);
        else
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

// The values of a batch for the parts of a node; without values, those of its blueprint.
static inline kin__batch batch_of(const kin__batch *batch, const kin__blueprint_tree *tree,
                                  const kin__blueprint_node *node, bool is_whole)
{
    kin__batch own = {.count = batch->count};
    if (batch->values != NULL && (is_whole || node == tree->nodes))
        own.values = batch->values + node->first_part;
    return own;
}

// Names the parts, wherever the values name no entity. All entities are made.
static void write_slots(kin_context *context, const kin__blueprint_tree *tree, const kin_entity *made)
{
    for (const kin__blueprint_slot *slot = tree->slots; slot < tree->slots + tree->slot_count; slot++) {
        kin_component_id id = tree->nodes[slot->holder].blueprint->parts[slot->part].id;
        kin_entity named;
        // The place of a field is in a column, which the caller has reserved.
        void *place =
            (void *)(uintptr_t)kin__value_part(context, kin_entity_slot(made[slot->holder]), id, slot->offset);
        memcpy(&named, place, sizeof named);
        if (named == 0)
            memcpy(place, &made[slot->target], sizeof named);
    }
}

// Creates the entities of the `index`-th spawn of a batch, for which everything is reserved, and writes them to `made`.
static void blueprint_tree_write(kin_context *context, const kin__blueprint_tree *tree, const kin__batch *batch,
                                 bool is_whole, uint32_t index, kin_entity *made, kin__storages *storages)
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
        kin__batch own = batch_of(batch, tree, node, is_whole);
        if (tree->has_soas || node->blueprint->owners > 0)
            write_parts_slowly(context, node->blueprint, slot, &own, index, storages);
        else if (own.values != NULL)
            write_given_parts(context, node->blueprint, chunk, place, &own, index);
        else
            write_parts(context, node->blueprint, chunk, place);
        if (i > 0)
            name_parent(context, node, entity, made[node->parent]);
        KIN_VALIDATE(kin__slot_is_valid(context, slot));
    }
    if (tree->slot_count > 0)
        write_slots(context, tree, made);
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
    bool is_whole; // the values of the batch are for the parts of all nodes
    kin__blueprint_use whole;
    kin__plan plan;
    kin_entity *made;
    kin__pool_preview *previews; // by number of the pool
    uint32_t *reserved;          // by the same: the chunk that was reserved last, counted from 1
    char *values[2];             // the values of an entity that name others, by kin__entity_role
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

// Writes the entities that a part names into its value: the parent, and those of slots. A relation can name only what
// is made; `is_expected`: also what will be.
static void name_others(const planting *planting, uint32_t number, uint32_t part, bool is_expected, char *value)
{
    const kin__blueprint_tree *tree = planting->tree;
    const kin__blueprint_node *node = node_of(planting, number);
    const kin_entity *made = planting->made + number - number % tree->node_count;
    if (node != tree->nodes && part == node->part) {
        kin_entity parent = parent_of(planting, number);
        memcpy(value + node->offset, &parent, sizeof parent);
    }
    for (uint32_t i = 0; i < node->slot_count; i++) {
        const kin__blueprint_slot *slot = &tree->slots[node->first_slot + i];
        bool is_late = slot->is_relation && slot->target >= slot->holder && !is_expected;
        kin_entity named;
        if (slot->part != part || is_late)
            continue;
        memcpy(&named, value + slot->offset, sizeof named);
        if (named == 0)
            memcpy(value + slot->offset, &made[slot->target], sizeof named);
    }
}

static const void *value_of(const planting *planting, uint32_t number, uint32_t part)
{
    const kin__blueprint_tree *tree = planting->tree;
    const kin__blueprint_node *node = node_of(planting, number);
    kin__batch own = batch_of(planting->batch, tree, node, planting->is_whole);
    return kin__part_value(node->blueprint, &own, part, number / tree->node_count);
}

// Copies the value of a part that names others to `*place`, which moves on, and names them there.
static const void *write_value(const planting *planting, uint32_t number, uint32_t part, bool is_expected, char **place)
{
    size_t size = node_of(planting, number)->blueprint->parts[part].size;
    char *value = *place;
    memcpy(value, value_of(planting, number, part), size);
    name_others(planting, number, part, is_expected, value);
    *place += kin__round_up(size);
    return value;
}

static const kin__blueprint_use *use_of(void *data, uint32_t number, kin__entity_role role)
{
    planting *planting = data;
    const kin__blueprint_node *node = node_of(planting, number);
    const void **parts = planting->parts[role];
    char *place = planting->values[role];
    for (uint32_t i = 0; i < node->blueprint->part_count; i++)
        parts[i] = names_others(planting->tree, node, i) ? write_value(planting, number, i, true, &place)
                                                         : value_of(planting, number, i);
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

static kin_status check_relations(const planting *planting, const kin__blueprint_node *node)
{
    kin__batch own = batch_of(planting->batch, planting->tree, node, planting->is_whole);
    kin__blueprint_use use = planting->whole;
    use.blueprint = node->blueprint;
    use.batch = &own;
    return kin__blueprint_use_check_relations(planting->context, &use);
}

// Only values of the caller can name existing entities.
static kin_status check(const planting *planting)
{
    kin_status status = KIN_OK;
    uint32_t given = planting->is_whole ? planting->tree->node_count : 1;
    for (uint32_t i = 0; status == KIN_OK && i < planting->tree->node_count; i++)
        status = check_unique(planting, i);
    for (uint32_t i = 0; status == KIN_OK && i < given; i++)
        status = check_relations(planting, &planting->tree->nodes[i]);
    return status;
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
    char *room = NULL;
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

// Makes the values of the next steps name the parent, and the parts of slots. A value that owns memory is a copy.
static void name_others_of(planting *planting, uint32_t number)
{
    const kin__blueprint_node *node = node_of(planting, number);
    char *place = planting->values[KIN__CURRENT_ENTITY];
    for (uint32_t part = 0; part < node->blueprint->part_count; part++) {
        kin__plan_step *step = &planting->plan.steps[planting->plan.done + part];
        if (!names_others(planting->tree, node, part))
            continue;
        if (step->storage.owned_block == NULL)
            step->storage.value = write_value(planting, number, part, false, &place);
        else
            name_others(planting, number, part, false, (char *)(uintptr_t)step->storage.value);
    }
}

// Reserves the links of the relations among the slots of an entity, to entities that are made.
static bool reserve_slot_links(const planting *planting, uint32_t number)
{
    const kin__blueprint_node *node = node_of(planting, number);
    const kin_entity *made = planting->made + number - number % planting->tree->node_count;
    bool reserved = true;
    for (uint32_t i = 0; reserved && i < node->slot_count; i++) {
        const kin__blueprint_slot *slot = &planting->tree->slots[node->first_slot + i];
        if (slot->is_relation && slot->target < slot->holder)
            reserved = kin__relations_reserve(planting->context, kin_entity_slot(made[slot->target]),
                                              node->blueprint->parts[slot->part].id);
    }
    return reserved;
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
    if (status == KIN_OK && !reserve_slot_links(planting, number))
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
    name_others_of(planting, number);
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

// The caller gives values for the first entity of each spawn, or for all. Values with opaque values make the tree rich,
// so that the plan has all entities.
static void return_values(planting *planting)
{
    const kin__blueprint_tree *tree = planting->tree;
    const kin__batch *batch = planting->batch;
    for (size_t i = 0; tree->is_rich && batch->values != NULL && i < planting->plan.done; i++) {
        size_t part = i % tree->part_count;
        bool is_given = planting->is_whole || part < tree->nodes[0].blueprint->part_count;
        if (is_given && batch->values[part] != NULL)
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
        memcpy(entities, planting->made, planting->total * sizeof *entities);
}

// False when out of memory, or if a list is refused.
static bool make_storages(const planting *planting, kin__storages *storages)
{
    const kin__blueprint_tree *tree = planting->tree;
    bool made = tree->owners == 0 ||
                kin__storages_begin(planting->context, storages, (size_t)planting->batch->count * tree->owners);
    for (uint32_t i = 0; made && tree->owners > 0 && i < planting->total; i++) {
        const kin__blueprint_node *node = node_of(planting, i);
        kin__batch own = batch_of(planting->batch, tree, node, planting->is_whole);
        made = kin__storages_add(planting->context, storages, node->blueprint, &own, i / tree->node_count);
    }
    return made;
}

// Spawns trees for which all but the storage of values is reserved. False without memory for that.
static bool spawn_fast(const planting *planting)
{
    const kin__blueprint_tree *tree = planting->tree;
    kin__storages storages;
    if (!make_storages(planting, &storages))
        return false;
    for (uint32_t i = 0; i < planting->batch->count; i++)
        blueprint_tree_write(planting->context, tree, planting->batch, planting->is_whole, i,
                             planting->made + (size_t)i * tree->node_count, &storages);
    if (tree->owners > 0)
        kin__storages_end(planting->context, &storages);
    return true;
}

// Whether a slot could not be written when its holder was made: a relation, or an entity that a listener displaced.
static bool is_missing(const planting *planting, const kin__blueprint_slot *slot, const kin_entity *made)
{
    kin_component_id id = planting->tree->nodes[slot->holder].blueprint->parts[slot->part].id;
    kin_entity named;
    bool is_there = slot->target >= slot->holder && kin__chunk_of(planting->context, made[slot->holder]) != NULL &&
                    kin__chunk_of(planting->context, made[slot->target]) != NULL &&
                    kin__has(planting->context, made[slot->holder], id, planting->context->row_words);
    if (!is_there)
        return false;
    memcpy(&named, kin__value_part(planting->context, kin_entity_slot(made[slot->holder]), id, slot->offset),
           sizeof named);
    return named != made[slot->target] && (named == 0 || kin__chunk_of(planting->context, named) == NULL);
}

// Replaces a component so that its slot names the part. `value` has room for it.
static kin_status set_slot(const planting *planting, const kin__blueprint_slot *slot, const kin_entity *made)
{
    kin_component_id id = planting->tree->nodes[slot->holder].blueprint->parts[slot->part].id;
    char *value = planting->values[KIN__CURRENT_ENTITY];
    kin__value_read(planting->context, kin_entity_slot(made[slot->holder]), id, value);
    memcpy(value + slot->offset, &made[slot->target], sizeof *made);
    return kin__component_replace(planting->context, made[slot->holder], id, value);
}

// Sets the slots that name entities which were made after their holders, where they are not set.
static void set_missing_slots(const planting *planting)
{
    const kin__blueprint_tree *tree = planting->tree;
    for (uint32_t first = 0; tree->slot_count > 0 && first < planting->total; first += tree->node_count)
        for (const kin__blueprint_slot *slot = tree->slots; slot < tree->slots + tree->slot_count; slot++)
            if (is_missing(planting, slot, planting->made + first))
                set_slot(planting, slot, planting->made + first);
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
        set_missing_slots(planting);
        give(planting, entities);
    }
    kin__plan_end(&planting->plan);
    kin__loan_end(planting->context);
    return status == KIN_OK ? KIN_OK : report_listener(planting, status);
}

kin_status kin__blueprint_trees_spawn(kin_context *context, kin__blueprint *blueprint, const kin__batch *batch,
                                      bool is_whole, kin_entity *entities)
{
    kin__plan_step few[KIN__FEW_STEPS];
    planting planting = {.context = context, .tree = blueprint->tree, .batch = batch, .is_whole = is_whole};
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
    if (!spawn_fast(&planting))
        return report_error(&planting, KIN_ERROR_NO_MEMORY, NULL);
    give(&planting, entities);
    kin__plan_end(&planting.plan);
    return KIN_OK;
}

kin_status kin__spawn_trees(kin_context *context, uint32_t blueprint, const kin__batch *batch)
{
    KIN_ASSERT(context->blueprints[blueprint].tree != NULL);
    kin__blueprint *spawned = &context->blueprints[blueprint];
    kin_status status = batch->count == 0 ? KIN_OK : kin__blueprint_trees_spawn(context, spawned, batch, false, NULL);
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
    if (kin__blueprint_trees_spawn(context, spawned, &batch, false, entities) == KIN_OK)
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
    if (!has_array || !blueprint_tree_is_plain(context, tree) || !is_reserved(context, tree))
        return blueprint_tree_spawn(context, blueprint, values, entities);
    blueprint_tree_write(context, tree, &(kin__batch){.count = 1, .values = values}, false, 0, made, NULL);
    return made[0];
}

bool kin__blueprint_tree_try_fast(kin_context *context, const kin__blueprint_tree *tree, const kin__batch *batch,
                                  bool is_whole, kin_entity *all)
{
    if (batch->count != 1 || !blueprint_tree_is_plain(context, tree) || !is_reserved(context, tree))
        return false;
    blueprint_tree_write(context, tree, batch, is_whole, 0, all, NULL);
    return true;
}
