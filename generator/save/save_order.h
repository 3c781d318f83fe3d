// Order: which block of a save may follow which. Blocks of a context come first, chunk by chunk, then the order of its
// shared values, then its links; then the next context; systems are last.
#ifndef KIN_GENERATOR_SAVE_ORDER_H
#define KIN_GENERATOR_SAVE_ORDER_H

#include "file/file.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum save_kind {
    SAVE_CONTEXT,
    SAVE_SLOTS,
    SAVE_COLUMN,
    SAVE_KEPT,
    SAVE_SHARED, // its chunk is the row
    SAVE_LINKS,
    SAVE_SYSTEM,
    SAVE_DONE,
    SAVE_KIND_COUNT
} save_kind;

// The numbers at the beginning of a block; 0 for those that its kind does not have.
typedef struct save_place {
    save_kind kind;
    uint32_t context, chunk, component, leaf;
} save_place;

enum { SAVE_CHUNK_SLOTS = 512, SAVE_CHUNK_WORDS = 8, SAVE_CHUNK_LIMIT = 1 << 15 };

// Returns the four letters of a kind.
const char *save_kind_letters(save_kind kind);

// Compares the places of two blocks of contexts, in the order of a file.
int save_place_compare(const save_place *a, const save_place *b);

// Reads the numbers of the block that was read last. False, with a fault noted, if there can be no such block.
bool save_place_read(kin__block_reader *blocks, kin__decoder *decoder, save_place *place);

// Checks that a block may follow the one at `last`, which is NULL before the first one, and becomes the last. Notes a
// fault if not.
bool save_place_follows(kin__block_reader *blocks, const save_place *last, const save_place *place);

#endif
