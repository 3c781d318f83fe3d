// lsp: a language server for schemas and content, which editors talk to over standard input and output
//
// Cycle: content.c and document.c. Content has the open documents in it, which show what is wrong with content.
//
// Owns the open documents of an editor, the packages that they belong to, and the answers to its questions. It never
// writes a file.
#ifndef KIN_GENERATOR_LSP_H
#define KIN_GENERATOR_LSP_H

#include "generator/base/base.h"
#include "generator/read/read.h"

// Serves one editor until it ends the session: the Language Server Protocol 3.17, with positions in UTF-16 or UTF-8.
// Included files may be in the folders, too. Appends every message to the file at `log`, unless it is NULL. Returns 0
// after a session that the editor shut down, and 1 otherwise; 3 after reporting a log that cannot be opened.
int lsp_run(arena *arena, const schema_folders *folders, const char *log);

#endif
