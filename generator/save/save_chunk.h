// Chunks: the entities of a chunk with all their values, from SLOT and the blocks COLM after it. The bytes are in
// memory until the next chunk.
#ifndef KIN_GENERATOR_SAVE_CHUNK_H
#define KIN_GENERATOR_SAVE_CHUNK_H

#include "save/save_values.h"

// The values of one component.
typedef struct save_column {
    uint32_t component;
    uint64_t has[SAVE_CHUNK_WORDS];
    save_values values;
    struct save_column *next; // in the order of their components
} save_column;

typedef struct save_chunk {
    arena arena; // of this chunk
    uint32_t context, number;
    uint64_t alive[SAVE_CHUNK_WORDS];
    uint64_t entities[SAVE_CHUNK_SLOTS]; // handles; 0: none
    save_column *first, *last;
    size_t size; // bytes of all blocks
} save_chunk;

// A save as steps. Of other kinds than chunks, the block is the one that was read last.
typedef struct save_walk {
    save_file file;
    save_chunk chunk;
    uint64_t first_index, next_index; // of the context
    uint32_t chunk_count;
    bool has_next; // the block that was read last belongs to the next step
} save_walk;

typedef enum save_step {
    SAVE_STEP_CONTEXT, // CTXT
    SAVE_STEP_CHUNK,
    SAVE_STEP_KEPT,
    SAVE_STEP_SHARED,
    SAVE_STEP_LINKS,
    SAVE_STEP_SYSTEM,
    SAVE_STEP_END // or a fault
} save_step;

// Goes on to the next step. Chunks without entities are no step.
save_step save_walk_next(save_walk *walk);

// Releases the chunk, and the file.
void save_walk_end(save_walk *walk);

static inline bool save_has(const uint64_t words[SAVE_CHUNK_WORDS], uint32_t place)
{
    return (words[place / 64] >> place % 64 & 1) != 0;
}

// Reads the bits of places. Returns how many there are.
uint32_t save_bits_read(kin__decoder *decoder, uint64_t words[SAVE_CHUNK_WORDS]);

#endif
