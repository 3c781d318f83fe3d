// The steps of a turn that generated code does not inline: in turns that leave out nodes, and after members have
// changed.

#include "base/base.h"
#include "group/group.h"
#include "tree/order.h"

static bool is_member(const kin__tree_place *place, kin_entity entity)
{
    return kin__group_stamp(place->order->group) == place->stamp || kin_group_contains(place->order->group, entity);
}

// Returns the number after the last node of the turn, or of the piece.
static uint32_t limit_of(const kin__tree_place *place)
{
    return place->order->info->is_divided ? place->end : place->order->count;
}

// ---- depth first

// Returns whether a node is below the node `number`, which comes before it.
static bool is_below(const kin__tree_node *node, uint32_t number)
{
    uint32_t above = node->above & KIN__TREE_TOP;
    return above != KIN__TREE_TOP && above >= number;
}

// Returns the first changed node from `number` on; the count of nodes if none follows.
static uint32_t find_changed(const kin__tree_order *order, uint32_t number)
{
    const uint64_t *changed = order->changed.elements;
    while (number < order->count) {
        uint64_t bits = changed[number / 64] >> (number % 64);
        if (bits != 0) {
            number += kin__lowest_bit(bits);
            return number < order->count ? number : order->count;
        }
        number = (number / 64 + 1) * 64;
    }
    return order->count;
}

// Returns the number that follows the last node below a node.
static uint32_t find_end(const kin__tree_place *place, uint32_t number)
{
    uint32_t end = number + 1;
    while (end < place->order->count && is_below(&place->nodes[end], number))
        end++;
    return end;
}

// Returns the number of the next node to visit. With `only: changed`, `end` is the end of the current branch.
static uint32_t find_deep(kin__tree_place *place)
{
    if (place->next < place->end || !place->order->info->is_changed)
        return place->next;
    uint32_t number = find_changed(place->order, place->next);
    place->end = number < place->order->count ? find_end(place, number) : number;
    return number;
}

// ---- level by level

static uint32_t find_broad(const kin__tree_place *place)
{
    const kin__tree_order *order = place->order;
    uint8_t *states = order->states.elements;
    for (uint32_t next = place->next; next < order->count; next++) {
        uint32_t above = place->nodes[next].above & KIN__TREE_TOP;
        uint8_t state = above == KIN__TREE_TOP ? KIN__NODE_LEFT_OUT : states[above];
        bool visits = !order->info->is_changed || kin__bits_have(order->changed.elements, next);
        states[next] = state == KIN__NODE_LEFT_OUT && visits ? KIN__NODE_VISITED : state;
        if (states[next] == KIN__NODE_VISITED)
            return next;
    }
    return order->count;
}

// ---- steps

static kin__tree_step step_to(const kin__tree_place *place, uint32_t number)
{
    const kin__tree_node *node = &place->nodes[number];
    uint32_t columns = place->order->info->column_count, above = node->above & KIN__TREE_TOP;
    bool has_parent = (node->above & KIN__TREE_DIRECT) != 0 && is_member(place, place->nodes[above].entity);
    if (kin__group_stamp(place->order->group) != place->stamp) {
        kin__tree_order_find_values(place->order, number);
        if (has_parent)
            kin__tree_order_find_values(place->order, above);
    }
    return (kin__tree_step){node, place->values + (size_t)number * columns,
                            has_parent ? place->values + (size_t)above * columns : place->no_values};
}

kin__tree_step kin__tree_move_checked(kin__tree_place *place)
{
    const kin__tree_order *order = place->order;
    for (;;) {
        uint32_t number = order->info->is_breadth ? find_broad(place) : find_deep(place), limit = limit_of(place);
        place->next = number < limit ? number + 1 : limit;
        if (number >= limit)
            return (kin__tree_step){0};
        if (is_member(place, place->nodes[number].entity))
            return step_to(place, number);
    }
}

// The current node precedes the next one. Before the first step, there is no current node.
void kin__tree_skip(kin__tree_place *place)
{
    const kin__tree_order *order = place->order;
    if (place->next == 0)
        return;
    if (order->info->is_breadth)
        ((uint8_t *)order->states.elements)[place->next - 1] = KIN__NODE_SKIPPED;
    else
        place->next = find_end(place, place->next - 1);
}
