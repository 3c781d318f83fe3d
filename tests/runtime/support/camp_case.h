// Camp case: two contexts of package caravan, so that a snapshot of one can be merged into the other.
#ifndef KIN_TESTS_RUNTIME_CAMP_CASE_H
#define KIN_TESTS_RUNTIME_CAMP_CASE_H

#include "case.h"

#include <caravan/caravan.h>

extern camp_context *camp, *other; // on `memory` and `other_memory`
extern guard other_memory;
extern kin_snapshot *snapshot;

// Creates the contexts, without a snapshot. The creation indices of `other` begin far behind those of `camp`.
void camp_begin(void);

// Creates `camp` again, after a test has destroyed it and ended `memory`.
void camp_begin_again(void);

// Checks and destroys the contexts and the snapshot, which may outlive its context.
void camp_end(void);

#endif
