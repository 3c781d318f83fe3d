// Orders: the members of a group in the order of a tree, for one system.
//
//   nodes    [ n0 | n1 | n2 | … ]            kin__tree_node, in the order of the turn
//   values   [ n0.local | n0.world | … ]     the addresses of their places, one for each column of the system
//
// At the beginning of a turn, the order is rebuilt if the tree, the members or the chunks have changed. A value
// stays in its place while its entity is a member. An entity that left the group and entered it again during the
// turn may have its values elsewhere: a step after such changes looks the addresses up again. Boxed and shared
// values are reached through their place in the column, as a shared value has another address after each replace.
//
// With `only: changed`, `numbers` has, by slot, the number of each member's node, and `changed` a bit for each node
// that was marked after the last turn. With `order: breadth`, `states` has the state of each node in this turn.
//
// Invariants:
//   1. the `above` of a node comes before the node
//   2. with `order: depth`, the nodes below a node follow it directly; not those of the nodes above all branches, in
//      the order of a parallel system (branches.h)
//   3. `numbers` and `members` have room for the slots of `chunk_count` chunks, all that the context has in a turn
//
// Cost: a turn without changes is a sum over the counters of the group. Making the order visits each slot of the
// context. Memory: 16 bytes a member, and 8 for each column; with `only: changed` 4 more a slot; with `order: breadth`
// 17 more a member, and 8 a slot; for a parallel system 16 more a member, and 4 a slot.
#ifndef KIN_SRC_ORDER_H
#define KIN_SRC_ORDER_H

#include "tree/marks.h"

#include <kin/generated/iterator.h>
#include <kin/generated/tree.h>

typedef enum kin__node_state {
    KIN__NODE_LEFT_OUT, // not visited; nodes below it are visited only if they have changed
    KIN__NODE_VISITED,
    KIN__NODE_SKIPPED // nodes below it are not visited
} kin__node_state;

typedef struct kin__tree_order {
    const kin__tree_info *info;
    kin_group *group;
    kin__memory *memory;
    kin__array nodes;  // of kin__tree_node
    kin__array values; // of void *
    void **no_values;  // one NULL for each column
    uint32_t count;
    uint64_t stamp, moves; // of the group and the tree when the order was made; KIN__NEVER: not made yet
    uint64_t restores;     // `restores` of kin__relations when it was made: a restore invalidates the order
    uint32_t chunk_count;  // of the context when it was made
    kin__array members;    // bits by slot, while the order is made
    kin__array sorted;     // of kin__tree_node, used with `order: breadth` and for branches
    kin__array starts;     // of uint32_t, by depth, while nodes are sorted
    kin__array numbers;    // of uint32_t, by slot
    kin__array changed;    // bits by node
    kin__array states;     // of uint8_t, by node
    kin__marks marks;
    uint32_t above_count;                  // of a parallel system: the nodes above all branches
    uint32_t piece_count;                  // and its pieces: these nodes, if there are any, are the first one
    uint32_t piece_ends[KIN__MOST_PIECES]; // the number of the node after each
} kin__tree_order;

// Makes an empty order. NULL, not reported, when out of memory.
kin__tree_order *kin__tree_order_create(kin_group *group, const kin__tree_info *info, kin__memory *memory);
void kin__tree_order_destroy(kin__tree_order *order); // NULL is allowed

// Brings the order up to date and reserves room for a turn. False when out of memory: the order is then empty.
bool kin__tree_order_prepare(kin__tree_order *order);

// Begins a turn over a prepared order. The turn visits the members that are marked.
kin__tree_place kin__tree_order_begin(kin__tree_order *order);

// Makes the order. Room must be reserved. (order_make.c)
void kin__tree_order_make(kin__tree_order *order);

// Looks up the addresses of the values of a node, whose entity is a member. (order_make.c)
void kin__tree_order_find_values(const kin__tree_order *order, uint32_t number);

// Moves each node to its new number, in `numbers` by its present one. (order_sort.c)
void kin__tree_order_sort(kin__tree_order *order);

// Begins a turn over one piece of a prepared order.
kin__tree_place kin__tree_order_begin_piece(kin__tree_order *order, uint32_t piece);

// Forgets all marks: the next turn visits every member.
void kin__tree_order_reset(kin__tree_order *order);

// The marks as bytes: their size, and a copy. After a restore of the context, they are reserved, which may fail, and
// then put back, which cannot fail. (order_restore.c)
size_t kin__tree_order_saved_size(const kin__tree_order *order);
void kin__tree_order_save(const kin__tree_order *order, void *bytes);
bool kin__tree_order_restore_reserve(kin__tree_order *order, size_t size);
void kin__tree_order_restore(kin__tree_order *order, const void *bytes, size_t size);

#endif
