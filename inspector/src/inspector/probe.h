// Probe: what a host calls in the updates of its world, for its messages and for refused calls; and the end of both.
#ifndef KIN_INSPECT_PROBE_H
#define KIN_INSPECT_PROBE_H

#include "inspector/inspector.h"

// Sets the probe of a world that is added to the host, which may not be appended yet. Returns the status of the
// library.
kin_status kin__probe_set(kin__host *host, kin_inspector *inspector, kin_world *world);

// Counts the refused calls of a context that has no world, which must outlive the inspector.
void kin__probe_watch(kin__host *host, kin_context *context);

// Ends all that is recorded of the host, and removes the probe from its world and contexts.
void kin__probe_remove(kin__host *host);

#endif
