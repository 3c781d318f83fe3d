// Sorts the nodes of an order.
#include "tree/order.h"

void kin__tree_order_sort(kin__tree_order *order)
{
    const kin__tree_node *nodes = order->nodes.elements;
    const uint32_t *places = order->numbers.elements;
    kin__tree_node *sorted = order->sorted.elements;
    for (uint32_t i = 0; i < order->count; i++)
        sorted[places[i]] = nodes[i];
    for (uint32_t i = 0; i < order->count; i++) {
        uint32_t above = sorted[i].above & KIN__TREE_TOP;
        if (above != KIN__TREE_TOP)
            sorted[i].above = (sorted[i].above & KIN__TREE_DIRECT) | places[above];
    }
    kin__array former = order->nodes;
    order->nodes = order->sorted;
    order->sorted = former;
}
