// Masks: whether a change of a component concerns a group that watches it, as one compare with the entity's row.
//
//   mask    [ kind | compared, expected | compared, expected ]          `compared` and `expected` are one row each
//                    crossed              member
//
//   A row passes a part when (row & compared) == expected.
//
//   crossed   adding or removing the component changes whether the entity matches; the component's own bit in the row
//             is not compared
//   member    an entity with this row, which has the component, matches
//
// An `any` rule of several components does not fit into a compare: then the mask lets too many rows pass, never too
// few, and its kind has KIN__MASK_INEXACT: the matcher decides.
//
// Invariants, checked by kin__mask_is_valid() for a row:
//   1. the crossed part passes a row alike with and without the component's bit
//   2. a part passes every row for which its sentence above is true; without KIN__MASK_INEXACT, no other row
//   3. without KIN__MASK_INEXACT, a row that passes the crossed part matches with the component if the kind has
//      KIN__MASK_ENTERS, else without it
#ifndef KIN_SRC_MASK_H
#define KIN_SRC_MASK_H

#include "base/base.h"
#include "store/store.h"

enum {
    KIN__MASK_ENTERS = 1,  // adding the component makes a crossing entity match; else removing it does
    KIN__MASK_INEXACT = 2, // rows may pass that the matcher does not match
};

typedef enum kin__mask_part { KIN__MASK_CROSSED, KIN__MASK_MEMBER } kin__mask_part;

// Returns the words of one mask.
static inline uint32_t kin__mask_words(uint32_t row_words)
{
    return 1 + 4 * row_words;
}

// Returns the mask of the group at a place of the list. The list has memory: adding to NULL is undefined.
static inline uint64_t *kin__mask_at(const kin__watch *watch, uint32_t place, uint32_t row_words)
{
    KIN_ASSERT(watch->masks.elements != NULL);
    return (uint64_t *)watch->masks.elements + (size_t)place * kin__mask_words(row_words);
}

// Computes the mask of a normalised matcher for a component that it watches. The number of components as `id` stands
// for being alive.
void kin__mask_make(uint64_t *mask, const kin_matcher *normal, uint32_t id, uint32_t row_words);

// Checks the mask for a row, which it alters and restores.
bool kin__mask_is_valid(const uint64_t *mask, const kin_matcher *normal, uint32_t id, uint64_t *row,
                        uint32_t row_words);

// Whether a row of any number of words passes a part.
bool kin__mask_passes_wide(const uint64_t *mask, kin__mask_part part, const uint64_t *row, uint32_t row_words);

// Whether a row passes a part.
static inline bool kin__mask_passes(const uint64_t *mask, kin__mask_part part, const uint64_t *row, uint32_t row_words)
{
    if (row_words > 1)
        return kin__mask_passes_wide(mask, part, row, row_words);
    return (row[0] & mask[1 + part * 2]) == mask[2 + part * 2];
}

#endif
