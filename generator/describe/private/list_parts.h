// Shared by the tables and the JSON of a list: schema spellings of the model's enums and values.
#ifndef KIN_GENERATOR_DESCRIBE_LIST_PARTS_H
#define KIN_GENERATOR_DESCRIBE_LIST_PARTS_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <stdbool.h>

const char *list_definition_kind_name(definition_kind kind); // "enum", "struct", "opaque"
const char *list_type_kind_name(type_kind kind);             // scalars by their names; "string", "entity", "enum", …
const char *list_rule_name(rule_kind kind);
const char *list_index_kind_name(index_kind kind);      // NULL for none
const char *list_on_destroy_name(on_destroy_kind kind); // "keep" and so on
const char *list_cleanup_name(cleanup_kind kind);       // NULL for none
// Returns the name that saves have of a thing that has another; NULL if it is the same.
const char *list_was(const char *name, const saved_name *saved);
const char *list_inspect_name(inspect_kind inspect); // NULL for INSPECT_EDIT
const char *list_target_name(event_target target);
const char *list_event_type_name(event_type type);
const char *list_layout_name(const component *component); // "flag", "column", "boxed", "shared", "soa"
const char *list_system_kind_name(system_kind kind);
const char *list_tree_order_name(tree_order order);
const char *list_trigger_event_name(trigger_event event);
const char *list_full_name(inbox_full full);

// Returns the fewest digits that read back as the same number.
const char *list_number_text(arena *arena, double number);

// Returns the range of a field as the schema could spell it, such as "[0, ~]"; NULL if it has none.
const char *list_range_text(arena *arena, const field *field);

// Returns a constant as the schema could spell it; only its beginning if it is longer than a line.
const char *list_constant_text(arena *arena, const constant *constant);

// Returns the names of systems that do not depend on each other by what they declare, but do not all run side by side:
// they could if all were parallel. One string for each level with such systems, ending in NULL. All systems must be of
// one stage.
const char *const *list_independent(arena *arena, const declared_system *const *systems, size_t count,
                                    const char *separator);

// Returns the names of the systems that record commands; NULL if there are none.
const char *list_commanders(arena *arena, const declared_system *const *systems, size_t count, const char *separator);

// Returns how a parallel system is divided: "1", "up to 128" or "of 512"; "" for other systems.
const char *list_pieces_text(arena *arena, const declared_system *system);

// Returns the number after the last system of the stage that begins with system `first`: they are in one node, and no
// node runs between them.
size_t list_stage_end(const package *package, size_t first);

// Returns the number after the last system of the batch that begins with system `first`.
size_t list_batch_end(const package *package, size_t first);

// Returns whether the package has a type whose size only the compiler knows.
bool list_has_guesses(const package *package);

#endif
