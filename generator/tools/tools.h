// tools: programs of the build: templates to C, and the language to manual pages
//
// Owns main() of two programs that run while kin and its manual are built. They are not part of kin.
#ifndef KIN_GENERATOR_TOOLS_H
#define KIN_GENERATOR_TOOLS_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <stdbool.h>

// Reference: manual pages made from the language's tables and the usage texts of the verbs. They are built by a
// separate program, which is not part of kin.
//
// Docs mark code with backticks, which Markdown keeps and man pages set in bold.

// Returns which values are valid: "a list of PascalCase, at most 30", with or without links to their sections.
const char *reference_phrase(arena *arena, const language_value *value, bool has_links);

// Returns the other facts about a key: which keys it requires, and the meaning of leaving it out. "" if there are none.
const char *reference_remark(arena *arena, const language_key *key);

// Returns which keys of a mapping are required; "" if none are.
const char *reference_forms(arena *arena, const language_value *mapping);

// docs/schema.md and kin-schema(5), of language_values or a table like it.
void reference_append_markdown(text *out, const language_value *const *values);
void reference_append_schema_page(text *out, const language_value *const *values);

void reference_append_kin_page(text *out); // kin(1)

#endif
