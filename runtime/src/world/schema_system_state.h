// The state of schema systems in snapshots: members at the last turn, messages, marks; functions of their node type.
#ifndef KIN_SRC_SCHEMA_SYSTEM_STATE_H
#define KIN_SRC_SCHEMA_SYSTEM_STATE_H

#include "world/schema_system.h"

// Returns the collectors of the leave values; NULL behind the last one.
kin_collector *kin__schema_system_collector(void *object, uint32_t number);

void kin__schema_system_save(const void *object, kin__saved_node *saved, kin__state *state);
bool kin__schema_system_reserve(void *object, const kin__saved_node *saved, kin__state *state);
void kin__schema_system_restore(void *object, const kin__saved_node *saved, kin__state *state);

#endif
