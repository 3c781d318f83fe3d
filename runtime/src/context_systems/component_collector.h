// Component collectors: collectors of the entities that get or lose one component.
#ifndef KIN_SRC_COMPONENT_COLLECTOR_H
#define KIN_SRC_COMPONENT_COLLECTOR_H

#include "notify/notify.h"

// Makes a collector for the component. NULL when out of memory or when the context has no room for one more group:
// `status` has the error, which is not reported.
kin_collector *kin__component_collector(kin_context *context, kin_component_id id, kin_group_event event,
                                        kin_status *status);

#endif
