// Parameters: what a request gives. Each function reports its mistake to the task.
#ifndef KIN_INSPECT_PARAMETERS_H
#define KIN_INSPECT_PARAMETERS_H

#include "task/task.h"

// Returns whether all required parameters are there, and each has its type and is known to the method.
bool kin__parameters_check(kin__task *task);

// Return the value of a parameter, or the default when it is not there.
const char *kin__parameter_text(const kin__task *task, const char *name);
bool kin__parameter_bool(const kin__task *task, const char *name);
json_t *kin__parameter_any(const kin__task *task, const char *name);

// Reads an integer from `least` to `most`.
bool kin__parameter_integer(kin__task *task, const char *name, json_int_t least, json_int_t most, json_int_t *value);

// Finds the site of `context`, which may be left out if there is one site.
bool kin__parameter_context(kin__task *task);

// Reads a handle, "creation:slot".
bool kin__parameter_entity(kin__task *task, const char *name, kin_entity *entity);
bool kin__text_to_entity(const char *text, kin_entity *entity);

// Finds a component by name. A hidden one is refused.
bool kin__parameter_component(kin__task *task, const char *name, kin_component_id *id);
bool kin__find_component(kin__task *task, const char *name, kin_component_id *id);

#endif
