// Branches: the order of a parallel system, divided into pieces.
//
//   nodes    [ above … | branch | branch | branch … ]
//   pieces   [ above   | piece 1         | piece 2 … ]      each of whole branches, of about as many nodes
//
// A branch is a node at some depth with all below it; at depth 0 branches are whole trees. The depth is the smallest at
// which as many pieces as are wanted, KIN__MOST_PIECES or fewer of few nodes, have a branch each, and none of these is
// larger than a piece. If there is no such depth, it is that with most pieces. The nodes above the branches are the
// first piece, which ends before the others begin.
//
// Cost: a few passes over the nodes when the order is made.
#ifndef KIN_SRC_BRANCHES_H
#define KIN_SRC_BRANCHES_H

#include "tree/order.h"

// Puts the nodes above the branches first.
void kin__branches_sort(kin__tree_order *order);

// Divides the sorted nodes into pieces.
void kin__branches_divide(kin__tree_order *order);

#endif
