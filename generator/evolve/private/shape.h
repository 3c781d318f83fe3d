// Shape: the things of a package, or of a newer lock, that can be in saves, as a tree like that of a lock.
#ifndef KIN_GENERATOR_EVOLVE_SHAPE_H
#define KIN_GENERATOR_EVOLVE_SHAPE_H

#include "generator/schema/schema.h"
#include "lock/lock.h"

typedef struct thing thing;

typedef struct thing_list {
    thing *things;
    size_t count;
} thing_list;

// A context, component, field, member, enum value, message, system, primary key or unique component.
struct thing {
    const char *name, *was;
    const char *known; // its identity, from a lock; NULL if none is known
    span span, was_span;
    span type_span;
    saved_name *saved;     // in the model, which gets the identity; NULL for a lock
    lock_names contexts;   // components and primary keys
    const lock_type *type; // of a leaf; without the values of an enum
    thing_list values;     // of an enum
    thing_list fields;
    bool migrates;
    const char *range;  // of LOCK_RANGE, as in a lock
    const char *effect; // of LOCK_RELATION: what reading does; NULL for a lock
    bool has_number;    // of an enum value
    int64_t number;
    // Found by matching:
    const char *identity;
    lock_node *before; // NULL if it is new
};

typedef struct shape {
    arena *arena;
    const package *package; // NULL if it is made from a lock
    lock *lock;
    bool is_partial; // the other side knows one version, and no earlier ones
    bool is_known;   // the identities in the model come from a lock
    thing_list kinds[LOCK_KIND_COUNT];
} shape;

// Make the contexts, and everything else when the identities of contexts are known.
void shape_begin(shape *shape);
void shape_finish(shape *shape);

// Make primary keys, unique components and what else lines of locks say of components, whose identities are known.
void shape_mark(shape *shape);

#endif
