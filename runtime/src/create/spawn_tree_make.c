// Makes the trees of the blueprints of a context, and releases them.
#include "create/spawn_tree.h"

#include "lookup/lookup.h"

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
    return !info->is_unique && !info->is_boxed && !info->is_stashable && !info->is_soa && !kin__is_owned(context, id);
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
    tree->most_parts = tree->most_parts < blueprint->part_count ? blueprint->part_count : tree->most_parts;
    tree->is_rich = tree->is_rich || blueprint->is_rich;
    if (tree->node_count > 0) {
        size_t size = kin__round_up(blueprint->parts[node.part].size);
        tree->value_size = tree->value_size < size ? size : tree->value_size;
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
