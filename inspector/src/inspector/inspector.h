// Inspector: what an inspector owns.
//
// Invariants:
//   1. a host with a world has its probe in the world until the world ends or the inspector is destroyed
//   2. the first host without a world is that of kin_inspector_frame
#ifndef KIN_INSPECT_INSPECTOR_H
#define KIN_INSPECT_INSPECTOR_H

#include "host/host.h"
#include "transport/transport.h"

#include <kin/inspect.h>

struct kin_inspector {
    kin__service service; // first member
    kin_inspector_options options;
    kin__transport *transport; // NULL: offline
    bool ends_with_world;      // with that of the first host
    char name[KIN__SITE_NAME]; // written once
    kin__json last;            // the last answer of kin_inspector_request
};

#endif
