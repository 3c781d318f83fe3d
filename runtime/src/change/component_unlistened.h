// Fast changes of a component that only collectors watch, or nobody. They gather (notify.h) where component_fast.c,
// which calls them, notifies. No listener needs copies of the row and the old value.
//
// Subscribers of one entity, or of all changes, may still have to be notified.
#ifndef KIN_SRC_COMPONENT_UNLISTENED_H
#define KIN_SRC_COMPONENT_UNLISTENED_H

#include "store/store.h"

kin_status kin__component_add_unlistened(kin_context *context, kin_entity entity, kin_component_id id,
                                         const void *value);
kin_status kin__component_replace_unlistened(kin_context *context, kin_entity entity, kin_component_id id,
                                             const void *value);
kin_status kin__component_remove_unlistened(kin_context *context, kin_entity entity, kin_component_id id);

#endif
