// Output: writes rendered files to the disk as one set.
//
// A file that already has the same bytes is not touched. All other files are first written under hidden names in the
// same folder, then renamed, so that readers see each file in its old or its new version, even after a run was killed.
// If one of them cannot be written, none is replaced. Files of the last run that this run does not write are removed.
//
// Only files that kin wrote are replaced or removed, and only if they are unchanged since: the manifest in the folder
// records them (manifest.h). It also records the schema: the run fails if the files are those of another schema that
// still has the package. Any other file at such a path, including a symbolic link, is kept; it is found before the
// first byte is written, and the run fails. The folder itself, and its parent folders, may be links.
//
// Order of writes: all new files and manifests under hidden names; a manifest of both old and new contents; the files;
// the depfile; the manifest of the new contents. A lock on the folder, which ends with the process, excludes other
// runs; so a hidden file that exists when a run begins was left by a killed run, and is removed.
#ifndef KIN_GENERATOR_OUTPUT_H
#define KIN_GENERATOR_OUTPUT_H

#include "generator/base/base.h"
#include "generator/source/source.h"
#include "render/generated_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum output_mode {
    OUTPUT_WRITE,
    OUTPUT_CHECK, // lists the files that would change or were edited; status 4 if there are any
    OUTPUT_LIST,  // lists every file with the planned action; fails if writing would be refused
    OUTPUT_DIFF   // unified diff, including edited files; status 4 if there is any difference
} output_mode;

typedef struct output_request {
    arena *arena;
    const char *directory; // the package's folder, created if missing; it has the name of the package
    const char *schema;    // the path of the schema; NULL if it is not a file
    const generated_file *files;
    size_t count;
    uint64_t made;                 // hash of all inputs; 0: unknown
    bool is_locked;                // a lock is one of the inputs
    output_mode mode;              // only OUTPUT_WRITE writes
    bool is_check;                 // status 4 for a difference in any mode
    const generated_file *depfile; // NULL if none; only written, not part of reports
} output_request;

// The actions of a run, as lines of text, and its errors.
typedef struct output_report {
    text done;
    diagnostics *diagnostics;
    bool was_locked; // a lock was one of the inputs of the last run, and is none of this one
} output_report;

output_report output_report_create(diagnostics *diagnostics);

// Returns the exit status: 0 on success; 3 if a file cannot be read or written, or was not written by kin; 4 for a
// difference if the request asks for it.
int output_write(const output_request *request, output_report *report);

// Like output_write, for files that are not rendered yet. Succeeds if the manifest says that the last run made files of
// these names from the same inputs, and all are unchanged. Otherwise returns OUTPUT_UNMADE, with nothing done or
// reported.
enum { OUTPUT_UNMADE = -1 };
int output_recall(const output_request *request, output_report *report);

#endif
