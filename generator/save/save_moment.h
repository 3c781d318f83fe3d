// Save moment: the state of a recording after one of its frames, as blocks in the order of a file.
//
//   blocks   [ CTXT 0 | SLOT 0,0 | COLM 0,0,1 | … | SYST "" | SYST "update/Move" | … ]
//
// Without recorded states, a frame has only hashes of what its update changed. Those blocks are then unknown until a
// frame or a key has them again. The clock, which counts puts and forgets, says which came last.
//
// Invariants:
//   1. blocks of contexts are in ascending order (save_place_compare); those of systems follow, as in the file
//   2. a block that is gone stays in the list, so that it is known to be gone
//
// Cost: a put is a binary search, of a system a search from the first one, and a copy of the block.
#ifndef KIN_GENERATOR_SAVE_MOMENT_H
#define KIN_GENERATOR_SAVE_MOMENT_H

#include "frame/decode.h"
#include "generator/base/base.h"
#include "read/schema.h"
#include "save/save_order.h"

typedef struct save_block save_block;

typedef struct save_moment {
    arena *arena;
    const kin__file_schema *schema;
    save_block **blocks;
    uint32_t count, capacity, context_blocks; // the first `context_blocks` are of contexts
    uint64_t size;                            // bytes of all blocks
    uint64_t clock, cleared_at;
    uint64_t **forgotten_at; // [context][component]; slots come after the components
    uint64_t systems_forgotten_at, pass_began_at;
    uint32_t next, skipped; // while it is read: the next block, and the context that is left out
} save_moment;

// Returns a moment without blocks, for files with these names.
save_moment *save_moment_create(arena *arena, const kin__file_schema *schema);

// Begins a pass: several systems may have one path, and each put of a pass is of the next of them.
void save_moment_begin_pass(save_moment *moment);

// Puts a block in place of an earlier one. `content` follows the numbers of its place; NULL: the block is gone. False
// if the moment gets too large.
bool save_moment_put(save_moment *moment, const save_place *place, const kin__decoder *content);

// Removes all blocks, before those of a whole state are put.
void save_moment_clear(save_moment *moment);

// Makes the blocks of a component unknown; those of slots, if it is the count of components; those of systems, if the
// context is UINT32_MAX.
void save_moment_forget(save_moment *moment, uint32_t context, uint32_t component);

// Whether the block of a place is known: its content, or that it is gone. Of systems, whether the last one is.
bool save_moment_knows(const save_moment *moment, const save_place *place);

// Begins to read the blocks.
void save_moment_begin(save_moment *moment);

// Returns the next block, without those that are unknown here or in `other`, which may be NULL. False at the end.
bool save_moment_next(save_moment *moment, const save_moment *other, save_place *place, kin__decoder *content);

#endif
