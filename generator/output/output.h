// Output: files that were rendered in memory, brought to the disk as one set.
//
// A file that is there already with the same bytes is not touched, whoever wrote it. All others are first written
// whole under hidden names beside their places, then renamed into them, so that whoever looks, and a run that is
// killed, sees each file either as it was or as it is now; when one of them cannot be written, none is replaced. What
// the last run wrote and this one does not is removed.
//
// Only what kin wrote is ever replaced or removed, and only as long as it is as kin wrote it: the manifest in the
// folder says so (manifest.h). Every other file in the way, a symbolic link among them, is left as it is, found out
// before the first byte is written, and fails the run. The folder itself, and those that lead to it, may be links.
//
// Order on the disk: all new files and manifests under hidden names; a manifest of both old and new contents; the
// files; the depfile; the manifest of the new contents. A lock on the folder, which ends with the process, keeps runs
// apart, and so a hidden file that is there when a run begins was left by one that was killed: it is removed.
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
    uint64_t made;                 // stands for all that the files are made from; 0: not told
    output_mode mode;              // only OUTPUT_WRITE writes
    bool is_check;                 // status 4 for a difference in any mode
    const generated_file *depfile; // NULL: none; only written, and no report counts it
} output_request;

// What was done, as lines for people, and what went wrong.
typedef struct output_report {
    text done;
    diagnostics *diagnostics;
} output_report;

output_report output_report_create(diagnostics *diagnostics);

// The exit status: 0 when all is well; 3 when something cannot be read or written or is not kin's to change; 4 for a
// difference where the request asks for that.
int output_write(const output_request *request, output_report *report);

// The same for files whose bytes are still to be made, where that need not be: the manifest says that the last run made
// files of these names from the same, and all of them are as it wrote them. OUTPUT_UNMADE otherwise; nothing has been
// done or told then.
enum { OUTPUT_UNMADE = -1 };
int output_recall(const output_request *request, output_report *report);

#endif
