// Blocks: a context of a snapshot as blocks of format 1, each with its numbers followed by its content.
//
//   CTXT   context                     next index:u64, first index:u64, chunks:u32, pools:u16 × pool, the pool of each
//                                      chunk:u16, FFFF for none
//   SLOT   context, chunk              alive:u64[8], then the creation index:u40 of each entity
//   COLM   context, chunk, component   has:u64[8], then the values, leaf by leaf (encode_value.h)
//   KEEP   context, chunk, component   kept:u64[8], stashed:u64[8], then the values that were removed or stashed
//   SHAR   context, row, component     the numbers of shared values: the first use of each, at most 512 a row
//
//   pool   blueprint:text, empty for others, fresh:u32, fresh_end:u32, usable:u64[8] if fresh_end % 512, then
//          free:u32 × slot:u32, the next one first
//
// Numbers are u32: indices in the sorted list of contexts, and in the shape. Blocks without content are left out, and
// so are pools that never had a slot. A component has blocks SHAR only if its values are not numbered in the order of
// their first uses: the slot of an entity u32, of a last value with bit 31, FFFFFFFF for a free number.
#ifndef KIN_SRC_BLOCK_H
#define KIN_SRC_BLOCK_H

#include "encode/encoder.h"
#include "image/part.h"
#include "shape/shape.h"

typedef enum kin__block_kind {
    KIN__BLOCK_CONTEXT,
    KIN__BLOCK_SLOTS,
    KIN__BLOCK_COLUMN,
    KIN__BLOCK_KEPT,
    KIN__BLOCK_SHARED
} kin__block_kind;

typedef struct kin__block {
    kin__block_kind kind;
    const kin__context_snapshot *part;
    const kin__shape *shape;
    uint32_t context, chunk, component; // its numbers; a component is an index in `shape`, the chunk of SHAR its row
    kin__image *image;                  // only for KIN__BLOCK_SLOTS and KIN__BLOCK_COLUMN
} kin__block;

// Whether a block of this kind is of one component.
static inline bool kin__block_is_of_component(kin__block_kind kind)
{
    return kind == KIN__BLOCK_COLUMN || kind == KIN__BLOCK_KEPT || kind == KIN__BLOCK_SHARED;
}

// Whether the hash of a block covers its chunk: no other block depends on the places of these.
static inline bool kin__block_hashes_chunk(kin__block_kind kind)
{
    return kind == KIN__BLOCK_KEPT || kind == KIN__BLOCK_SHARED;
}

// A context whose blocks are visited.
typedef struct kin__blocks {
    const kin__context_snapshot *part;
    const kin__shape *shape; // of the part
    uint32_t context;        // its number
} kin__blocks;

typedef bool kin__block_visitor(const kin__block *block, void *user);

// Visits the blocks of a context in the order of a file until the visitor returns false. Returns whether all were
// visited.
bool kin__blocks_visit(const kin__blocks *blocks, kin__block_visitor *visit, void *user);

// Whether a file has the block of an image: some entity is alive, or has the component.
bool kin__block_has_content(const kin__block *block);

// Returns how many blocks SHAR a component has.
uint32_t kin__shared_rows(const kin__context_snapshot *part, kin_component_id id);

// Returns the four letters of a kind.
const char *kin__block_letters(kin__block_kind kind);

// Append the numbers of a block; and its content, which follows them.
void kin__block_encode_numbers(kin__encoder *encoder, const kin__block *block);
void kin__block_encode_content(kin__encoder *encoder, const kin__block *block);

#endif
