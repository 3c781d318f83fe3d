// Changes of relations of package kinship through its generated functions, which make most of them inline.
#ifndef KIN_TESTS_RUNTIME_FAMILY_TYPED_H
#define KIN_TESTS_RUNTIME_FAMILY_TYPED_H

#include <kinship/kinship.h>

// Adds or replaces a component. Calls the library for one that has no entry in the table.
kin_status family_typed_set(clan_context *clan, kin_entity entity, kin_component_id id, const void *value);
kin_status family_typed_remove(clan_context *clan, kin_entity entity, kin_component_id id);

#endif
