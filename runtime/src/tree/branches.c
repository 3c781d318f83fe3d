#include "tree/branches.h"

#include "base/base.h"

#include <kin/generated/iterator.h>
#include <string.h>

enum {
    DEPTHS = 256,     // those below are not tried
    LEAST_NODES = 64, // of a piece: fewer take less time than a call of the system
};

// Returns the number of pieces that the nodes are enough for.
static uint32_t pieces_of(uint32_t nodes)
{
    uint32_t count = (nodes + LEAST_NODES - 1) / LEAST_NODES;
    return count < KIN__MOST_PIECES ? count : KIN__MOST_PIECES;
}

// Returns the smallest depth at which the node is a branch: below the nearest member above it.
static uint32_t highest_of(const kin__tree_node *nodes, const kin__tree_node *node)
{
    uint32_t above = node->above & KIN__TREE_TOP;
    return above == KIN__TREE_TOP ? 0 : nodes[above].depth + 1;
}

// Counts the members of each branch: those below a node, and itself.
static void measure(const kin__tree_order *order)
{
    const kin__tree_node *nodes = order->nodes.elements;
    uint32_t *sizes = order->numbers.elements;
    for (uint32_t i = 0; i < order->count; i++)
        sizes[i] = 1;
    for (uint32_t i = order->count; i-- > 0;)
        if ((nodes[i].above & KIN__TREE_TOP) != KIN__TREE_TOP)
            sizes[nodes[i].above & KIN__TREE_TOP] += sizes[i];
}

// The branches at one depth.
typedef struct level {
    uint32_t count, largest;
} level;

// A node is a branch at each depth from its highest to its own.
static void measure_levels(const kin__tree_order *order, level levels[DEPTHS])
{
    const kin__tree_node *nodes = order->nodes.elements;
    const uint32_t *sizes = order->numbers.elements;
    memset(levels, 0, DEPTHS * sizeof *levels);
    for (uint32_t i = 0; i < order->count; i++)
        for (uint32_t depth = highest_of(nodes, &nodes[i]); depth < DEPTHS && depth <= nodes[i].depth; depth++) {
            levels[depth].count++;
            if (sizes[i] > levels[depth].largest)
                levels[depth].largest = sizes[i];
        }
}

// Returns about how many pieces the branches at a depth can be put into.
static uint32_t pieces_at(const kin__tree_order *order, const level *level)
{
    uint32_t even = level->largest == 0 ? 0 : order->count / level->largest;
    return even < level->count ? even : level->count;
}

static uint32_t choose_depth(const kin__tree_order *order)
{
    level levels[DEPTHS];
    uint32_t best = 0, wanted = pieces_of(order->count);
    measure(order);
    measure_levels(order, levels);
    for (uint32_t depth = 0; depth < DEPTHS && pieces_at(order, &levels[best]) < wanted; depth++)
        if (pieces_at(order, &levels[depth]) > pieces_at(order, &levels[best]))
            best = depth;
    return best;
}

// ---- sorting

void kin__branches_sort(kin__tree_order *order)
{
    const kin__tree_node *nodes = order->nodes.elements;
    uint32_t *places = order->numbers.elements, depth = choose_depth(order), place = 0;
    for (uint32_t i = 0; i < order->count; i++)
        if (nodes[i].depth < depth)
            places[i] = place++;
    order->above_count = place;
    for (uint32_t i = 0; i < order->count; i++)
        if (nodes[i].depth >= depth)
            places[i] = place++;
    KIN_ASSERT(place == order->count);
    kin__tree_order_sort(order);
}

// ---- dividing

static void end_piece(kin__tree_order *order, uint32_t end)
{
    KIN_ASSERT(order->piece_count < KIN__MOST_PIECES);
    order->piece_ends[order->piece_count++] = end;
}

// Whether a branch begins with the node: nothing above it is in a branch.
static bool begins_branch(const kin__tree_order *order, const kin__tree_node *node)
{
    uint32_t above = node->above & KIN__TREE_TOP;
    return above == KIN__TREE_TOP || above < order->above_count;
}

void kin__branches_divide(kin__tree_order *order)
{
    const kin__tree_node *nodes = order->nodes.elements;
    uint32_t begin = order->above_count, most = KIN__MOST_PIECES - 1 - (begin > 0);
    uint32_t size = (order->count - begin + most - 1) / most; // of all pieces but the last, so that this one has room
    size = size < LEAST_NODES ? LEAST_NODES : size;
    order->piece_count = 0;
    if (begin > 0)
        end_piece(order, begin);
    for (uint32_t i = begin; i < order->count; i++)
        if (i - begin >= size && begins_branch(order, &nodes[i])) {
            end_piece(order, i);
            begin = i;
        }
    if (begin < order->count)
        end_piece(order, order->count);
}
