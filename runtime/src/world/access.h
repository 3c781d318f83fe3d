// Access checks: find values that a batch wrote and that none of its systems declares in `writes`.
//
// Around each batch all columns of all contexts are summed up, chunk by chunk. What values point to is not compared.
//
// Cost: each batch reads every value twice, and keeps 8 bytes for each column. For tests.
#ifndef KIN_SRC_ACCESS_H
#define KIN_SRC_ACCESS_H

#include "world/jobs.h"

// Sums up all columns before a batch, if the world checks access. Reports an error and checks nothing when out of
// memory.
void kin__access_begin(kin__world *world);

// Compares them, if `is_summed`, after the batch of that system, when no context is shared any more. Reports each one
// that was written without a declaration. `culprit` names the systems of the batch.
void kin__access_end(const kin__schema_system *first, const char *culprit);

#endif
