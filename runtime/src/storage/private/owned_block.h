// The blocks of a value, and of the elements of one of its lists.
//
//   of a value   [ next | id | … | the value | opaque record | string\0string\0 ]
//   of a list    [ next | id | … | capacity | element 0 | element 1 | … ]
//
// The capacity of a list is in the last four bytes before its elements, where generated code finds it.
#ifndef KIN_SRC_OWNED_BLOCK_H
#define KIN_SRC_OWNED_BLOCK_H

#include "core/core.h"

struct kin__owned_block {
    kin__owned_block *next; // in the list of retired blocks; for the block of a list in a value: its outgrown blocks
    kin_component_id id;
    uint8_t flags; // a set of KIN__OWNED_…
    uint32_t pins;
    size_t size;     // bytes of the block
    uint32_t images; // of a shared value: pins by images of snapshots (shared_restore.h)
    max_align_t value[];
};

// Returns the block of a list from the address of its elements, which is not NULL.
static inline kin__owned_block *kin__list_block_of(void *at)
{
    return (kin__owned_block *)(void *)((char *)at - offsetof(kin__owned_block, value));
}

// Makes a block with room for `capacity` elements, at least one, and returns their address. NULL when out of memory.
void *kin__list_block_make(kin_context *context, kin_component_id id, uint32_t capacity, size_t element_size);

enum {
    KIN__OWNED_OPAQUE = 1,   // the value has opaque values, and the block an opaque record
    KIN__OWNED_LISTS = 2,    // the value has lists
    KIN__OWNED_FINISHED = 4, // would have been freed, but was pinned
    KIN__OWNED_SHARED = 8,   // a shared value, whose pins are its references
    KIN__OWNED_WAITING = 16  // a shared value in the list of retired blocks
};

#endif
