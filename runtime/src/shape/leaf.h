// Leaves: the numbers, strings, handles, enums and opaque values of a component or a message, in order of their paths.
//
//   Velocity { by: Vec2 { x: float, y: float } }          by.x, by.y
//   Path     { points: Vec2[4] }                          points.x and points.y, 4 elements each
//   Mesh     { parts: Part[4], with uv: float[3] }        parts.uv[3], 12 elements: those of the first part first
//   Route    { stops: Stop[], with at: Vec2 }             stops.at.x and stops.at.y, both lists
//
// A path consists of the identities of the fields. It has the lengths of inner arrays, but not of the outermost array
// or list, whose length a file may change.
#ifndef KIN_SRC_LEAF_H
#define KIN_SRC_LEAF_H

#include <kin/entity.h>
#include <kin/info.h>

// One array on the path from the value to the leaf.
typedef struct kin__dimension {
    uint32_t count;
    size_t stride; // bytes from one element to the next
} kin__dimension;

typedef struct kin__value_leaf {
    const char *path;
    const kin_field_info *field; // of the scalar: its `type` and `of`
    const kin_field_info *top;   // the field of the component or message that the leaf is in
    bool is_list;                // `top` is a list: offset, elements and dimensions are within one of its elements
    uint32_t elements;           // product of the dimensions; 1 without one
    uint32_t dimension_count;
    const kin__dimension *dimensions; // outermost first
    size_t offset;                    // bytes from the beginning of the value; for a list, of its element
    size_t width;                     // bytes of one element in memory
} kin__value_leaf;

typedef struct kin__leaves {
    const kin__value_leaf *leaves; // sorted by the bytes of their paths
    uint32_t count;
} kin__leaves;

// The room that leaves need. Starts as zero, and may sum up several values.
typedef struct kin__leaf_room {
    size_t leaves, dimensions, letters;
} kin__leaf_room;

// Adds the room that the leaves of a value's fields need.
void kin__leaves_measure(kin__leaf_room *room, const kin_field_info *fields, uint32_t count);

// Memory for leaves, from which each value takes its share.
typedef struct kin__leaf_memory {
    kin__value_leaf *leaves;
    kin__dimension *dimensions;
    char *letters;
} kin__leaf_memory;

// Makes the leaves of a value's fields and advances the pointers of `memory`, which must have room for them.
kin__leaves kin__leaves_make(kin__leaf_memory *memory, const kin_field_info *fields, uint32_t count);

#endif
