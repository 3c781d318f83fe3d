// Reports: what GET gives beside the page. Each is made of one task for each world, which viewers cannot name.
#ifndef KIN_INSPECT_REPORTS_H
#define KIN_INSPECT_REPORTS_H

#include "host/host.h"

extern const kin__method kin__method_trace, kin__method_metrics;

#endif
