// Output run: the state of one call of output_write, shared by output.c, plan.c, recall.c and apply.c.
//
// The plan is made first: for every file its state on the disk and the wanted content. It includes the manifest, which
// is written in separate steps.
//
// Invariants of a finished plan, asserted:
//   1. the files of the request come first, in its order; removals follow, and the manifest is last
//   2. a planned removal has a recorded name, and no other plan has that name
#ifndef KIN_GENERATOR_OUTPUT_RUN_H
#define KIN_GENERATOR_OUTPUT_RUN_H

#include "output/output.h"
#include "output/private/compare.h"
#include "output/private/folder.h"
#include "output/private/manifest.h"
#include "output/write.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct output_plan {
    const char *path;
    wanted_file wanted; // bytes are NULL for a file of the last run that is no longer wanted
    output_state state;
    staged_file staged;
} output_plan;

typedef struct output_run {
    const output_request *request;
    output_report *report;
    output_folder folder;
    manifest recorded;  // written by the last run, and possibly by killed runs since
    manifest wanted;    // written by this run
    output_plan *plans; // the files of the request in its order, removals, the manifest
    size_t count;
    const output_plan *manifest; // the last plan
    output_plan depfile;         // valid if has_depfile
    bool has_depfile;
} output_run;

// Plan the run. Return false after reporting all files that prevent it. The depfile is checked separately, before the
// folder is created.
bool output_plan_depfile(output_run *run);
bool output_plan_files(output_run *run);

// Returns whether the recorded files are those of another schema, which still exists and has the package. Reports it.
bool output_is_of_other_schema(const output_run *run);

// output_is_recorded returns whether the manifest records the same inputs. output_plan_recalled plans the run if all
// recorded files are unchanged, else returns false.
bool output_is_recorded(output_run *run);
bool output_plan_recalled(output_run *run);

// Reads the manifest of the folder, if it exists, into `recorded`. Returns false after reporting an edited one.
bool output_read_manifest(output_run *run, found_file *found);

output_plan output_plan_create(const output_run *run, const char *path, wanted_file wanted);

// Writes the planned files, all or none unless the system fails while they are renamed; returns false on failure.
bool output_apply(output_run *run);

// Returns whether the plan writes or removes the file.
bool output_plan_changes(const output_plan *plan);

// Reports that a file cannot be read, written or removed. Returns false.
bool output_fail(const output_run *run, const char *verb, const char *path, int fault);

#endif
