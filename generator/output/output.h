// Output: files that were rendered in memory, brought to the disk as one set.
//
// A file that already has the same bytes is not touched. All other files are first written under hidden names in the
// same folder, then renamed, so that readers see each file either as it was or as it is now, also after a run was
// killed. If one of them cannot be written, none is replaced. Files of the last run that this run does not write are
// removed.
//
// Only files that kin wrote are replaced or removed, and only if they are unchanged since: the manifest in the folder
// records them (manifest.h). Any other file at such a path, including a symbolic link, is kept; it is found before the
// first byte is written, and the run fails. The folder itself, and its parent folders, may be links.
//
// Order on the disk: all new files and manifests under hidden names; a manifest of both old and new contents; the
// files; the depfile; the manifest of the new contents. A lock on the folder, which ends with the process, excludes
// other runs; so a hidden file that exists when a run begins was left by a killed run, and is removed.
#ifndef KIN_GENERATOR_OUTPUT_H
#define KIN_GENERATOR_OUTPUT_H

#include "base/arena.h"
#include "base/text.h"
#include "diagnostic/diagnostic.h"
#include "render/generated_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum output_mode {
    OUTPUT_WRITE,
    OUTPUT_CHECK, // names what would change or was edited; status 4 when there is anything
    OUTPUT_LIST,  // every file, with what would become of it; refuses what writing would refuse
    OUTPUT_DIFF   // unified, edited files among it; status 4 when there is any
} output_mode;

typedef struct output_request {
    arena *arena;
    const char *directory; // the package's own folder, made when it is missing
    const generated_file *files;
    size_t count;
    uint64_t made;                 // hash of all inputs; 0: unknown
    output_mode mode;              // only OUTPUT_WRITE writes
    bool is_check;                 // status 4 for a difference in any mode
    const generated_file *depfile; // NULL: none; only written, and no report counts it
} output_request;

// What was done, as lines of text, and the errors.
typedef struct output_report {
    text done;
    diagnostics *diagnostics;
} output_report;

output_report output_report_create(diagnostics *diagnostics);

// The exit status: 0 when all is well; 3 when something cannot be read or written or is not kin's to change; 4 for a
// difference where the request asks for that.
int output_write(const output_request *request, output_report *report);

// Like output_write, for files that are not rendered yet, if they need not be: by the manifest, the last run made files
// of these names from the same inputs, and all of them are unchanged. Otherwise returns OUTPUT_UNMADE, with nothing
// done or reported.
enum { OUTPUT_UNMADE = -1 };
int output_recall(const output_request *request, output_report *report);

#endif
