/// Systems over trees, for generated code only. Changes with the interface version. Generated code wraps a
/// kin__tree_place in a struct with the typed values of an entity and of its parent.
///
/// The order of a system lists the members of its group in the order of its turns, parents before children, with the
/// addresses of their values. It is rebuilt when the tree, the members or the chunks have changed. A value stays there
/// while its entity is a member; of boxed and shared components the order has the address of the place in the column,
/// which points to the value.
///
///   node             entity   depth   above      the nearest member above it
///   n                5        0       none
///   n + 1            9        1       n, direct  the parent itself
///   n + 2            4        3       n + 1      the parent is no member
///
/// A turn visits the order as it was at its beginning, and skips nodes that have left the group since then.
#ifndef KIN_INTERNAL_TREE_H
#define KIN_INTERNAL_TREE_H

#include <kin/generated/storage.h>
#include <kin/generated/world.h>

KIN_BEGIN_DECLARATIONS

// Bits of `above`: the number of a node, and whether it is the direct parent.
#define KIN__TREE_DIRECT ((uint32_t)1 << 31)
#define KIN__TREE_TOP    (KIN__TREE_DIRECT - 1) // no node

typedef struct kin__tree_node {
    kin_entity entity;
    uint32_t depth; // entities above it, members or not
    uint32_t above;
} kin__tree_node;

struct kin__tree_info {
    uint32_t relation;               // the number of the tree in the relations of the context
    bool is_breadth;                 // level by level, not depth first
    bool is_changed;                 // only changed members, and those below them
    bool is_divided;                 // of a parallel system with several pieces: branches one after the other
    const kin_component_id *columns; // of each member: those of the `all` rules that have fields
    uint32_t column_count;
    const kin_component_id *reads; // with is_changed: the components whose changes count
    uint32_t read_count;
};

// A turn under way.
typedef struct kin__tree_place {
    const kin__tree_node *nodes;
    void *const *values;    // of all nodes, by node and column
    void *const *no_values; // NULL for each column
    uint32_t next;          // the number of the node after the current one
    uint32_t end;           // steps below this number need no call to the library; of a piece: its end
    uint64_t stamp;         // sum of the changes of the components that the group names, at the begin
    struct kin__tree_order *order;
} kin__tree_place;

// The result of a step. Returned rather than stored, as each store in the loop over entities costs time.
typedef struct kin__tree_step {
    const kin__tree_node *node; // NULL after the last node
    void *const *values; // by column: the address of the value; of a boxed or shared component, of the pointer to
                         // it; with layout soa, of the chunk's columns
    void *const *parent_values; // the same of the direct parent; each is NULL if that is no member
} kin__tree_step;

// Begins the turn of a system with `tree`, for one call of its update.
KIN_API kin__tree_place kin__tree_begin(const kin__world *world, uint32_t system);

// The same for one job of a parallel system.
KIN_API kin__tree_place kin__tree_begin_job(const kin__job *job);

// Moves to the next node, even if the tree or the members have changed since the beginning.
KIN_API kin__tree_step kin__tree_move_checked(kin__tree_place *place);

// Skips the members below the current node.
KIN_API void kin__tree_skip(kin__tree_place *place);

// Moves to the next node. `stamp` is the current sum of the changes of the components that the group names.
KIN__INLINE kin__tree_step kin__tree_move(kin__tree_place *place, uint64_t stamp, uint32_t column_count)
{
    const kin__tree_node *node;
    void *const *values, *const *parent_values = place->no_values;
    if (place->next < place->end && stamp == place->stamp) {
        size_t number = place->next++;
        node = &place->nodes[number];
        values = &place->values[number * column_count];
        if ((node->above & KIN__TREE_DIRECT) != 0)
            parent_values = &place->values[(size_t)(node->above & KIN__TREE_TOP) * column_count];
    } else {
        const kin__tree_step found = kin__tree_move_checked(place);
        node = found.node;
        values = found.values;
        parent_values = found.parent_values;
    }
    const kin__tree_step step = {node, values, parent_values};
    return step;
}

// Returns the direct parent of a node if it was a member at the beginning, else NULL.
static inline const kin__tree_node *kin__tree_parent(const kin__tree_place *place, const kin__tree_node *node)
{
    return (node->above & KIN__TREE_DIRECT) == 0 ? NULL : &place->nodes[node->above & KIN__TREE_TOP];
}

// Returns the index of an entity's values in the columns of its chunk.
static inline uint32_t kin__tree_index(kin_entity entity)
{
    return kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
}

KIN_END_DECLARATIONS

#endif
