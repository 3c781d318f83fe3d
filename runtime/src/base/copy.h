// Copies of values: memcpy without a call for the most common sizes.
#ifndef KIN_SRC_COPY_H
#define KIN_SRC_COPY_H

#include <stddef.h>
#include <string.h>

static inline void *kin__value_copy(void *to, const void *from, size_t size)
{
    if (size == 4)
        return memcpy(to, from, 4);
    switch (size) {
    case 8:
        return memcpy(to, from, 8);
    case 12:
        return memcpy(to, from, 12);
    case 16:
        return memcpy(to, from, 16);
    }
    return memcpy(to, from, size);
}

#endif
