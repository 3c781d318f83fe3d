// The values that files may have, asked by what writes them and by what reads them.
#ifndef KIN_SRC_ALLOWED_H
#define KIN_SRC_ALLOWED_H

#include "snapshot/snapshot.h"

// A bool is 0 or 1, a handle is 0 or has a creation index. All numbers of other types are values, also those that an
// enum does not name, and NaN.
static inline bool kin__leaf_allows(kin_type type, uint64_t bits)
{
    if (type == KIN_TYPE_BOOL)
        return bits <= 1;
    return type != KIN_TYPE_ENTITY || bits == 0 || kin_entity_creation_index(bits) != 0;
}

// Whether a string in place has room for the letters and a NUL.
static inline bool kin__leaf_has_room(const kin__value_leaf *leaf, size_t length)
{
    return length < leaf->width;
}

// Whether files may have the clock.
static inline bool kin__clock_is_finite(const kin__saved_clock *clock)
{
    return kin__is_finite(clock->time) && kin__is_finite(clock->accumulated) && kin__is_finite(clock->origin) &&
           kin__is_finite(clock->dropped);
}

#endif
