// Opaque values: those with a `drop` in a component's value, in its arrays and structs too, numbered in field order.
//
//   value    { n, a, { b, n }[2] }     four of them: a is 0, the two b are 1 and 2, …
//   moved    a bit for each: a newer value holds it now, and drops it
//
// Two are the same value when they have the same type and the same bytes, padding included. They are compared first
// where they stand, then with all others, so the cost of a move grows with those that changed times all.
#ifndef KIN_SRC_OPAQUE_H
#define KIN_SRC_OPAQUE_H

#include <kin/info.h>

typedef struct kin__opaque {
    const kin_component_info *info;
    const char *value;
    unsigned char *moved;
} kin__opaque;

// Bytes that `moved` needs.
size_t kin__opaque_moved_size(const kin_component_info *info);

// Drops those that have not moved.
void kin__opaque_drop(kin__opaque values);

// Marks in the older values, of the same component, what the new value holds too; each mark stands for one of the new.
void kin__opaque_move(kin__opaque value, const kin__opaque *older, uint32_t older_count);

// Zeroes in a value of the component the opaque values that `values` holds too.
void kin__opaque_clear(kin__opaque values, char *value);

#endif
