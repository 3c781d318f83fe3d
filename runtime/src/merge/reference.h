// References: the fields of a value that name entities, also those in structs, arrays and lists.
//
// Cost: grows with the fields of the component, and with the elements of lists whose elements have references.
// Recursive over structs in structs, of which the schema allows 32 levels.
#ifndef KIN_SRC_REFERENCE_H
#define KIN_SRC_REFERENCE_H

#include "store/store.h"

// Is called with the place of a reference, and its field, whose `target` is the name of a context or NULL.
typedef void kin__reference_visit(kin_entity *place, const kin_field_info *field, void *data);

// Whether values of the component can have references.
bool kin__has_references(const kin_component_info *info);

// Returns the number of references in a value, which is read only if the component has lists.
size_t kin__references_count(const kin_component_info *info, const void *value);

// Calls `visit` for each reference of a value, in the order of the fields.
void kin__references_visit(const kin_component_info *info, void *value, kin__reference_visit *visit, void *data);

// The same for a value with these fields, such as a message.
void kin__field_references_visit(const kin_field_info *fields, uint32_t count, void *value, kin__reference_visit *visit,
                                 void *data);

#endif
