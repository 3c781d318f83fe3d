// Shelves: the memory of the columns of one component, side by side in blocks.
//
//   shelf   newest → block → … → NULL      each has a quarter of the columns that there were before it, up to a limit
//           spare  → column → …            returned columns of blocks, linked through their first words
//   block   header | column | column | …   given in this order
//
// The first columns of a component have no block: small contexts need no more memory than for the columns.
//
// A loop over many chunks goes from column to column. Where these are adjacent, the processor has the next one in its
// caches already, because it prefetches along addresses; columns that lie apart cost a tenth of a short loop, and more
// where they are not in a cache.
//
// Invariants, checked by kin__shelf_is_valid():
//   1. the first `given` columns of a block are in use or spare; `spare` of them are spare
//   2. each block has a column in use; without one it is released
//   3. column_count counts the columns of blocks and those without a block
//
// Cost: constant; returning a column, and reusing one, looks through the blocks of the shelf. Returning the last used
// column of a block also walks the spare columns. A block keeps its memory while one of its columns is in use.
#ifndef KIN_SRC_SHELF_H
#define KIN_SRC_SHELF_H

#include "core/core.h"

typedef struct kin__shelf_block kin__shelf_block;

typedef struct kin__shelf {
    kin__shelf_block *newest;
    void *spare;
    uint32_t column_count;
} kin__shelf;

// Allocates a shelf for each component. False when out of memory.
bool kin__shelves_make(kin_context *context);

// Returns a column of the component, not initialised. `size` is the same for all its columns, and a multiple of a cache
// line. NULL when out of memory.
void *kin__shelf_take(kin_context *context, kin_component_id id, size_t size);

// Takes a column back. Releases its block if no other column of it is in use.
void kin__shelf_return(kin_context *context, kin_component_id id, void *column, size_t size);

// Releases the shelves, whose columns were all returned.
void kin__shelves_release(kin_context *context);

bool kin__shelf_is_valid(const kin_context *context, kin_component_id id, size_t size);

#endif
