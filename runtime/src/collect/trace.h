// Traces: which change collected each entity (kin/journal.h).
//
// The triggers of a traced collector have another listener, and count as listeners, not as collectors: all that
// collects then shows it the change. A collector that is not traced pays nothing, and a run one test.
#ifndef KIN_SRC_TRACE_H
#define KIN_SRC_TRACE_H

#include "collect/collector.h"

// Notes which of the taken entities the filter has kept, while the rejected ones are slots.
void kin__trace_judge(kin_collector *collector);

#endif
