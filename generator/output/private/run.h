// Output run: what output.c, plan.c, recall.c and apply.c share of one call of output_write.
//
// The plan is made first and says of every file what stands there and what is to become of it; it holds the manifest
// too, which is an output like the others, but comes to the disk in steps of its own.
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
    wanted_file wanted; // its bytes are NULL where the last run wrote it and this one does not
    output_state state;
    staged_file staged;
} output_plan;

typedef struct output_run {
    const output_request *request;
    output_report *report;
    output_folder folder;
    manifest recorded;  // what the last run wrote, and runs that were killed since may have written
    manifest wanted;    // what this one writes
    output_plan *plans; // the request's files in its order, those that go by name, the manifest
    size_t count;
    const output_plan *manifest; // the last of them
    output_plan depfile;         // where the request has one that is to be written
    bool has_depfile;
} output_run;

// Each tells what stands in the way, of all files, as errors: false when anything does. The depfile is
// looked at on its own, before the folder is made.
bool output_plan_depfile(output_run *run);
bool output_plan_files(output_run *run);

// Whether the manifest says that the files were made from the same. The plan for those that are all there still, as
// they were written; false where that does not hold.
bool output_is_recorded(output_run *run);
bool output_plan_recalled(output_run *run);

// Reads the manifest of the folder, if it is there, into `recorded`; says so where it is not as kin wrote it.
bool output_read_manifest(output_run *run, found_file *found);

output_plan output_plan_create(const output_run *run, const char *path, wanted_file wanted);

// Brings the files of the plan to the disk, or none of them unless the system fails in the middle of it; false then.
bool output_apply(output_run *run);

// Whether the plan writes or removes the file.
bool output_plan_changes(const output_plan *plan);

// Says that a file cannot be read, written or removed; returns false.
bool output_fail(const output_run *run, const char *verb, const char *path, int fault);

#endif
