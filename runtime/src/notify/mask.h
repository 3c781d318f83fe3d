// Masks: what a group that watches a component asks of an entity's row, as one compare.
//
//   mask    [ kind | care, want | care, want ]          each of care and want is a row
//                    crossed      held
//
//   crossed   (row & care) == want: getting or losing the component alters whether the entity matches; whether the row
//             has the component itself does not matter
//   held      (row & care) == want: an entity with this row, which has the component, matches
//
// Rules of which more than one component decides (an `any` of several) do not fit into a compare: then the masks let
// through too much, never too little, and the kind says that the matcher has to be asked.
//
// Invariants, checked by kin__mask_is_valid() for a row:
//   1. both answers are the matcher's, or yes with KIN__MASK_LOOK
//   2. without KIN__MASK_LOOK, a crossing entity matches with the component exactly when the kind has KIN__MASK_COMES
#ifndef KIN_SRC_MASK_H
#define KIN_SRC_MASK_H

#include "base/assertion.h"
#include "core/core.h"

enum {
    KIN__MASK_COMES = 1, // having the component makes it match; else it ends the match
    KIN__MASK_LOOK = 2,  // the matcher has to be asked
};

typedef enum kin__mask_part { KIN__MASK_CROSSED, KIN__MASK_MEMBER } kin__mask_part;

// The words of one mask.
static inline uint32_t kin__mask_words(uint32_t row_words)
{
    return 1 + 4 * row_words;
}

// The mask of the group at a place of a list, which has room for masks: without room there is no pointer to add to.
static inline uint64_t *kin__mask_at(const kin__watch *watch, uint32_t place, uint32_t row_words)
{
    KIN_ASSERT(watch->masks.elements != NULL);
    return (uint64_t *)watch->masks.elements + (size_t)place * kin__mask_words(row_words);
}

// Works out the mask of a normal matcher for a component that matters to it; for being alive, an id behind all
// components.
void kin__mask_make(uint64_t *mask, const kin_matcher *normal, uint32_t id, uint32_t row_words);

// For a row that may be written to, and is afterwards what it was.
bool kin__mask_is_valid(const uint64_t *mask, const kin_matcher *normal, uint32_t id, uint64_t *row,
                        uint32_t row_words);

// Whether a mask lets a row through.
bool kin__mask_passes_wide(const uint64_t *mask, kin__mask_part part, const uint64_t *row, uint32_t row_words);

static inline bool kin__mask_passes(const uint64_t *mask, kin__mask_part part, const uint64_t *row, uint32_t row_words)
{
    if (row_words > 1)
        return kin__mask_passes_wide(mask, part, row, row_words);
    return (row[0] & mask[1 + part * 2]) == mask[2 + part * 2];
}

#endif
