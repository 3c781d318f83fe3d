// Opaque values: the fields of a component's value that have a `drop`, in arrays and structs too, numbered in field
// order.
//
//   value    { n, a, { b, n }[2] }     with `drop` for a and b: a is number 0, the two b are 1 and 2
//   moved    one bit for each: a newer value of the component has it now, and will drop it
//
// Two opaque values are the same if they have the same type and the same bytes, including padding. A move compares each
// first with the one of its own number, then with all others: its cost is the number that changed times the number of
// all.
#ifndef KIN_SRC_OPAQUE_H
#define KIN_SRC_OPAQUE_H

#include <kin/info.h>

typedef struct kin__opaque {
    const kin_component_info *info;
    const char *value;
    unsigned char *moved;
} kin__opaque;

// Returns the bytes that `moved` needs.
size_t kin__opaque_moved_size(const kin_component_info *info);

// Drops the opaque values that have not moved.
void kin__opaque_drop(kin__opaque values);

// Marks in the older values, of the same component, the opaque values that the new value has too; each of the new value
// marks at most one.
void kin__opaque_move(kin__opaque value, const kin__opaque *older, uint32_t older_count);

// Moves the opaque values that `value` has and that have moved away from `other` back to it.
void kin__opaque_hand_over(kin__opaque value, kin__opaque other);

// Zeroes in `value`, of the same component, the opaque values that `values` has too.
void kin__opaque_clear(kin__opaque values, char *value);

#endif
