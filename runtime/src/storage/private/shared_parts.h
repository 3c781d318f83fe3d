// The parts of a shared value that are compared: all its fields, without padding.
//
// Numbers are compared as bytes: a NaN equals itself, and -0 does not equal 0. Strings are compared up to their NUL; a
// NULL string equals only another NULL string.
#ifndef KIN_SRC_SHARED_PARTS_H
#define KIN_SRC_SHARED_PARTS_H

#include "core/core.h"

typedef enum kin__shared_part_kind {
    KIN__SHARED_BYTES,
    KIN__SHARED_TEXT,  // char[size], with a NUL
    KIN__SHARED_STRING // const char *
} kin__shared_part_kind;

// Adjacent fields without padding between them form one part.
typedef struct kin__shared_part {
    kin__shared_part_kind kind;
    uint32_t offset; // in the value
    uint32_t size;   // bytes
} kin__shared_part;

// Returns how many parts a value of the component has; writes them unless `parts` is NULL.
uint32_t kin__shared_parts_list(const kin_component_info *info, kin__shared_part *parts);

// Cost of both: linear in the bytes of the value and its strings.
uint64_t kin__shared_parts_hash(const kin__shared_part *parts, uint32_t count, const uint64_t *factors,
                                const void *value);
bool kin__shared_parts_are_equal(const kin__shared_part *parts, uint32_t count, const void *value, const void *other);

#endif
