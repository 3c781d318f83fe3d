// Shape: the components of a context that are in hashes and files, in canonical order, each with its leaves.
//
//   block   shape | components[count] | leaves | dimensions | letters of the paths
//
// A shape depends on the schema alone and never changes, so several threads may read it.
//
// Invariants:
//   1. components are sorted by the bytes of their identities, leaves by those of their paths
//   2. a shape has no component or field with `save: false`
#ifndef KIN_SRC_SHAPE_H
#define KIN_SRC_SHAPE_H

#include "base/base.h"
#include "shape/leaf.h"

typedef struct kin__component_shape {
    const char *identity;
    const kin_component_info *info;
    kin_component_id id;
    kin__leaves leaves;
    uint64_t hash; // of "game.Position": the identities of context and component
} kin__component_shape;

typedef struct kin__shape {
    size_t size; // bytes of the block
    const kin_context_info *info;
    uint64_t hash;  // of the identity of the context
    uint32_t count; // of components
    kin__component_shape components[];
} kin__shape;

// Returns the shape of a context's components; NULL when out of memory. It is one block, of `size` bytes.
kin__shape *kin__shape_make(kin__memory *memory, const kin_context_info *info);

// NULL is allowed.
void kin__shape_release(kin__memory *memory, kin__shape *shape);

#endif
