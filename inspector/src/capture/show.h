// Show: captured values as JSON.
//
// A struct is an object, an array or list an array, a flag `true`, an enum its name (a number without one), a string
// text or `null`, a 64-bit integer a string of digits, a handle "creation:slot", an opaque value {"opaque": "Sprite"}.
// A string that was cut is {"text": …, "length": n}, a list that was cut {"items": […], "count": n}. Hidden fields are
// left out.
#ifndef KIN_INSPECT_SHOW_H
#define KIN_INSPECT_SHOW_H

#include "capture/capture.h"
#include "text/text.h"

// Writes a captured component.
void kin__show_component(kin__json *json, const kin_component_info *info, const void *value);

// Writes a field at its address; and a single value of it, as an element of an array is.
void kin__show_field(kin__json *json, const kin_field_info *field, const void *at);
void kin__show_element(kin__json *json, const kin_field_info *field, const void *at);

// Returns the name of an event of groups.
const char *kin__event_name(kin_group_event event);

// Writes the label of an entity: the captured component of the label, or NULL. Writes no key without a label.
void kin__show_label(kin__json *json, const kin_context_info *info, const void *value);

#endif
