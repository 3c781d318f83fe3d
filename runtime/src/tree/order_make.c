// Makes the order: walks over all trees, with roots in order of their slots, and lists the members that it meets.

#include "relation/relation.h"
#include "store/store.h"
#include "tree/branches.h"

#include "base/base.h"

#include <kin/generated/iterator.h>

#include <string.h>

typedef struct maker {
    kin__tree_order *order;
    const kin_context *context;
    const kin__relation *relation;
    const uint64_t *members;
    uint32_t above; // the number of the nearest member above the next node
} maker;

static kin_entity entity_in(const maker *maker, uint32_t slot)
{
    return kin__chunk_of_slot(maker->context, slot)->ids[slot % KIN__CHUNK_SLOTS];
}

// ---- nodes

static void list(maker *maker, kin_entity entity, kin_entity parent, uint32_t depth)
{
    kin__tree_order *order = maker->order;
    kin__tree_node *nodes = order->nodes.elements;
    uint32_t above = maker->above;
    if (above != KIN__TREE_TOP && nodes[above].entity == parent)
        above |= KIN__TREE_DIRECT;
    maker->above = order->count;
    nodes[order->count++] = (kin__tree_node){entity, depth, above};
}

// Lists the members of one tree.
static void list_tree(maker *maker, kin_entity root)
{
    const kin__tree_node *nodes = maker->order->nodes.elements;
    kin_entity entity = root, parent = 0;
    uint32_t depth = 0;
    for (;;) {
        if (kin__bits_have(maker->members, kin_entity_slot(entity)))
            list(maker, entity, parent, depth);
        kin_entity next = kin__relation_first_of(maker->context, maker->relation, kin_entity_slot(entity));
        if (next != 0) {
            parent = entity;
            depth++;
        }
        while (next == 0) {
            if (maker->above != KIN__TREE_TOP && nodes[maker->above].entity == entity)
                maker->above = nodes[maker->above].above & KIN__TREE_TOP;
            if (entity == root)
                return;
            next = kin__relation_next_of(maker->context, maker->relation, kin_entity_slot(entity));
            entity = parent;
            if (next == 0) {
                parent = kin__relation_target(maker->context, maker->relation, entity);
                depth--;
            }
        }
        entity = next;
    }
}

// A root has no parent, and is a member or has children.
static void list_trees(maker *maker)
{
    const kin_context *context = maker->context;
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        if (slot % 64 == 0 && maker->members[slot / 64] == 0 && kin__relation_block_of(maker->relation, slot) == NULL) {
            slot += 63;
            continue;
        }
        if (!kin__bits_have(maker->members, slot) && !kin__relation_has_holders(maker->relation, slot))
            continue;
        kin_entity entity = entity_in(maker, slot);
        if (kin__relation_target(context, maker->relation, entity) == 0)
            list_tree(maker, entity);
    }
}

static void find_members(const kin__tree_order *order)
{
    uint64_t *words = order->members.elements;
    uint32_t chunk_count = order->group->context->chunk_count;
    if (chunk_count > 0)
        memset(words, 0, chunk_count * KIN__CHUNK_WORDS * sizeof *words);
    kin__iterator_block block = {0, 0};
    while ((block = kin__iterator_next_block(order->group, block.place)).mask != 0)
        words[(block.place >> 32) * KIN__CHUNK_WORDS + (block.place >> 16 & 0xFFFF) / 64] = block.mask;
}

// ---- level by level

// Computes the number of each node after sorting by depth. Nodes of the same depth keep their order.
static void find_places(const kin__tree_order *order)
{
    const kin__tree_node *nodes = order->nodes.elements;
    uint32_t *places = order->numbers.elements, *starts = order->starts.elements, levels = 0, first = 0;
    for (uint32_t i = 0; i < order->count; i++) {
        while (levels <= nodes[i].depth)
            starts[levels++] = 0;
        starts[nodes[i].depth]++;
    }
    for (uint32_t depth = 0; depth < levels; depth++) {
        uint32_t size = starts[depth];
        starts[depth] = first;
        first += size;
    }
    for (uint32_t i = 0; i < order->count; i++)
        places[i] = starts[nodes[i].depth]++;
}

// ---- values and numbers of the nodes

static void *address_of(const kin_context *context, uint32_t slot, kin_component_id id)
{
    kin__column *column = kin__column_of(context, slot, id);
    if (kin__bits_have(context->core->soa_row, id))
        return kin__column_value(column, 0, 0);
    return kin__column_value(column, slot % KIN__CHUNK_SLOTS, kin__place_size(context, id));
}

void kin__tree_order_find_values(const kin__tree_order *order, uint32_t number)
{
    const kin__tree_info *info = order->info;
    const kin__tree_node *nodes = order->nodes.elements;
    void **values = (void **)order->values.elements + (size_t)number * info->column_count;
    for (uint32_t column = 0; column < info->column_count; column++)
        values[column] =
            address_of(order->group->context, kin_entity_slot(nodes[number].entity), info->columns[column]);
}

static void number_nodes(const kin__tree_order *order)
{
    const kin__tree_node *nodes = order->nodes.elements;
    uint32_t *numbers = order->numbers.elements;
    for (uint32_t slot = 0; slot < order->chunk_count * KIN__CHUNK_SLOTS; slot++)
        numbers[slot] = KIN__TREE_TOP;
    for (uint32_t i = 0; i < order->count; i++)
        numbers[kin_entity_slot(nodes[i].entity)] = i;
}

void kin__tree_order_make(kin__tree_order *order)
{
    const kin_context *context = order->group->context;
    maker maker = {order, context, kin__relation_at(context, order->info->relation), order->members.elements,
                   KIN__TREE_TOP};
    order->count = 0;
    find_members(order);
    list_trees(&maker);
    if (order->info->is_breadth) {
        find_places(order);
        kin__tree_order_sort(order);
    }
    if (order->info->is_divided) {
        kin__branches_sort(order);
        kin__branches_divide(order);
    }
    if (order->info->is_changed)
        number_nodes(order);
    for (uint32_t i = 0; i < order->count; i++)
        kin__tree_order_find_values(order, i);
}
