// Reference: the pages that are made from the language's tables and from the usage of the verbs. They are made when Kin
// is built, by a program of its own, and are no part of kin.
//
// Docs have code between backticks, which Markdown takes as it is and man pages set in bold.
#ifndef KIN_GENERATOR_TOOLS_REFERENCE_H
#define KIN_GENERATOR_TOOLS_REFERENCE_H

#include "base/text.h"
#include "language/language.h"

#include <stdbool.h>

// What may stand at a place: "a list of PascalCase, at most 30". With links to where it is explained, or without.
const char *reference_phrase(arena *arena, const language_value *value, bool has_links);

// What else is so of a key: beside which others it stands, and what is so without it. "" where there is nothing.
const char *reference_remark(arena *arena, const language_key *key);

// Which keys of a mapping have to be there; "" where there is no such rule.
const char *reference_forms(arena *arena, const language_value *mapping);

void reference_append_markdown(text *out);    // docs/schema.md
void reference_append_schema_page(text *out); // kin-schema(5)
void reference_append_kin_page(text *out);    // kin(1)

#endif
