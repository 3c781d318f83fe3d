// Doc: `kin doc`, a Markdown page about a package: types, components with their fields, the groups, indices, events and
// blueprints of each context, messages, and the systems in execution order.
//
// The page is rendered from templates/doc/ with view_doc. Docs of the schema are Markdown. A file is written as a whole
// or not at all, and never replaces a file that kin doc did not write.
#ifndef KIN_GENERATOR_VERBS_DOC_H
#define KIN_GENERATOR_VERBS_DOC_H

#include "generator/base/base.h"
#include "verbs/command.h"

// Prints the page or the errors. Returns the exit status.
int doc_run(arena *arena, const command *command);

#endif
