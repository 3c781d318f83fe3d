// Opaque values: the fields of a component's value that have a `drop`, in arrays and structs too, numbered in field
// order.
//
//   value    { n, a, { b, n }[2] }     with `drop` for a and b: a is number 0, the two b are 1 and 2
//   moved    one bit for each: a newer value of the component owns it now, and will drop it
//
// Two opaque values are the same if they have the same type and the same bytes, including padding. A move compares each
// opaque value first with the one of the same number, then with all others. Cost: the number of changed ones times the
// number of all.
#ifndef KIN_SRC_OPAQUE_H
#define KIN_SRC_OPAQUE_H

#include <kin/info.h>

typedef struct kin__opaque {
    const kin_component_info *info;
    const char *value;
    unsigned char *moved;
} kin__opaque;

// Returns the size of `moved` in bytes.
size_t kin__opaque_moved_size(const kin_component_info *info);

// Drops the opaque values that have not moved.
void kin__opaque_drop(kin__opaque values);

// Marks, in older values of the same component, the opaque values that the new value also has. Each opaque value of the
// new one marks at most one.
void kin__opaque_move(kin__opaque value, const kin__opaque *older, uint32_t older_count);

// Moves opaque values of `value` back to `other`, if they moved from there.
void kin__opaque_hand_over(kin__opaque value, kin__opaque other);

// Zeroes, in `value` of the same component, the opaque values that `values` also has.
void kin__opaque_clear(kin__opaque values, char *value);

#endif
