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

// Compares them after the batch of that system, while the contexts are shared. Returns whether one was written that no
// system of the batch declares.
bool kin__access_compare(kin__schema_system *first);

// Reports each of these. `culprit` names the systems of the batch.
void kin__access_report(const kin__world *world, char *culprit);

#endif
