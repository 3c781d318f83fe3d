// Tally: the structural changes that the calls of one system make in some contexts.
//
// A tally belongs to a profile, so a system that is not profiled tests one pointer for both. Nothing is counted where
// the changes are made: a tally takes the difference of the contexts' own counters before and after a call.
//
// Cost: two sums over the components of the contexts for each call.
#ifndef KIN_SRC_TALLY_H
#define KIN_SRC_TALLY_H

#include "base/base.h"

#include <kin/inventory.h>

typedef struct kin__tally {
    kin_counts sum;    // of all calls that have ended
    kin_counts before; // the contexts' counters when the outermost call began
    uint32_t calls;    // in progress: a system may run inside one of its own calls
    uint32_t context_count;
    kin_context *contexts[];
} kin__tally;

// Returns NULL when out of memory. `count` is not 0.
kin__tally *kin__tally_create(kin__memory *memory, kin_context *const *contexts, uint32_t count);

// NULL is allowed.
void kin__tally_destroy(kin__memory *memory, kin__tally *tally);

void kin__tally_begin(kin__tally *tally);
void kin__tally_end(kin__tally *tally);

#endif
