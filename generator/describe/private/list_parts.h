// What the tables and the JSON of a list share: the words of the schema for what the model has as numbers.
#ifndef KIN_GENERATOR_DESCRIBE_LIST_PARTS_H
#define KIN_GENERATOR_DESCRIBE_LIST_PARTS_H

#include "base/arena.h"
#include "model/schema.h"
#include "model/world.h"

#include <stdbool.h>

const char *list_definition_kind_name(definition_kind kind); // "enum", "struct", "opaque"
const char *list_type_kind_name(type_kind kind);             // of scalars their own; "string", "entity", "enum", …
const char *list_rule_name(rule_kind kind);
const char *list_index_kind_name(index_kind kind); // NULL for none
const char *list_cleanup_name(cleanup_kind kind);  // NULL for none
const char *list_target_name(event_target target);
const char *list_event_type_name(event_type type);
const char *list_layout_name(const component *component); // "flag", "column", "boxed", "soa"
const char *list_system_kind_name(system_kind kind);
const char *list_trigger_event_name(trigger_event event);
const char *list_full_name(inbox_full full);

// A number with as many digits as it needs to be read again.
const char *list_number_text(arena *arena, double number);

// A value as the schema might spell it, its beginning at least where it is longer than a line.
const char *list_constant_text(arena *arena, const constant *constant);

// The names of those of a node's systems that could run side by side, for each batch of several; NULL after the last.
const char *const *list_side_by_side(arena *arena, const declared_system *const *systems, size_t count,
                                     const char *separator);

// Whether a size in the package is one that only the compiler knows.
bool list_has_guesses(const package *package);

#endif
