// Orders: the members of a group in the order of a tree, for one system.
//
//   nodes    [ n0 | n1 | n2 | … ]            kin__tree_node, in the order of the turn
//   values   [ n0.local | n0.world | … ]     the addresses of their values, one for each column of the system
//
// The order is made anew at the begin of a turn if the tree or the members have changed since. Values never move, so
// that the addresses stay good as long as the entity is a member.
//
// With `only: changed`, `numbers` has the number of each member's node by slot, and `changed` one bit for each node:
// whether it was marked since the last turn. With `order: breadth`, `states` says what became of each node in this
// turn.
//
// Invariants:
//   1. the node `above` of another one comes before it
//   2. depth first: the nodes below a node follow it directly
//
// Cost: a turn without changes is a sum over the counters of the group. Making the order visits each slot of the
// context. Memory: 16 bytes a member, and 8 for each column; with `only: changed` 4 more a slot; with `order: breadth`
// 17 more a member, and 8 a slot.
#ifndef KIN_SRC_ORDER_H
#define KIN_SRC_ORDER_H

#include "tree/marks.h"

#include <kin/generated/tree.h>

typedef enum kin__node_state {
    KIN__NODE_LEFT_OUT, // not visited: those below are visited only if they have changed
    KIN__NODE_VISITED,
    KIN__NODE_SKIPPED // those below are not visited
} kin__node_state;

typedef struct kin__tree_order {
    const kin__tree_info *info;
    kin_group *group;
    kin__memory *memory;
    kin__array nodes;  // of kin__tree_node
    kin__array values; // of void *
    void **no_values;  // one NULL for each column
    uint32_t count;
    uint64_t stamp, moves; // of the group and the tree when the order was made; KIN__NEVER: not made
    uint64_t restores;     // of the context, see kin__relations: one behind our back has changed all
    kin__array members;    // bits by slot, while the order is made
    kin__array sorted;     // of kin__tree_node, with `order: breadth`
    kin__array starts;     // of uint32_t, by depth, while they are sorted
    kin__array numbers;    // of uint32_t, by slot
    kin__array changed;    // bits by node
    kin__array states;     // of uint8_t, by node
    kin__marks marks;
} kin__tree_order;

// Makes an empty order. Returns NULL when out of memory, not reported.
kin__tree_order *kin__tree_order_create(kin_group *group, const kin__tree_info *info, kin__memory *memory);
void kin__tree_order_destroy(kin__tree_order *order); // NULL is allowed

// Brings the order up to date, and makes room for a turn. False when out of memory: the order is then empty.
bool kin__tree_order_prepare(kin__tree_order *order);

// Begins a turn over an order that was prepared. Members that were marked are visited in it.
kin__tree_place kin__tree_order_begin(kin__tree_order *order);

// Makes the order. Room was reserved. (order_make.c)
void kin__tree_order_make(kin__tree_order *order);

// Forgets what was marked: the next turn visits all.
void kin__tree_order_reset(kin__tree_order *order);

// What is marked, as bytes: how many, and a copy of them. Then it is put back, after a restore of the context: reserve
// may fail for memory, put may not. (order_restore.c)
size_t kin__tree_order_saved_size(const kin__tree_order *order);
void kin__tree_order_save(const kin__tree_order *order, void *bytes);
bool kin__tree_order_restore_reserve(kin__tree_order *order, size_t size);
void kin__tree_order_restore(kin__tree_order *order, const void *bytes, size_t size);

#endif
