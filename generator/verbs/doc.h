// Doc: `kin doc`, a Markdown page about a package: its types, its components with all their fields, what each context has
// over them, messages, and the systems in the order in which they run.
//
// The page is the templates of templates/doc/ over view_doc. Docs of the schema are taken for Markdown. A file is written
// at once or not at all, and never over one that kin doc has not written.
#ifndef KIN_GENERATOR_VERBS_DOC_H
#define KIN_GENERATOR_VERBS_DOC_H

#include "base/arena.h"
#include "verbs/command.h"

// Writes what there is to tell to the standard streams. The exit status.
int doc_run(arena *arena, const command *command);

#endif
