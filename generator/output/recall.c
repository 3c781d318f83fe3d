// Recall: the plan of a run in which all files are up to date, found by the manifest alone.
//
// The contents of the files are not known here, only the inputs. The manifest has a hash of the inputs and one of each
// file as it was written. If the first is the same, and the others match the files on the disk, generating again would
// produce the same bytes.
#include "generator/base/base.h"
#include "output/path.h"
#include "output/private/run.h"

#include <string.h>

static bool is_same(const output_run *run, const output_plan *plan)
{
    arena memory = {0};
    const manifest_entry *entry = manifest_find(&run->recorded, plan->wanted.name);
    found_file found = {.kind = FOUND_NOTHING};
    if (entry != NULL)
        found = output_find(&memory, plan->path, entry->size);
    bool is_file = found.kind == FOUND_FILE && found.size == entry->size;
    bool is_recorded = is_file && hash_of(found.bytes, found.size) == entry->hash;
    arena_release(&memory);
    return is_recorded;
}

static void append(output_run *run, const char *name)
{
    const char *path = output_path(run->request->arena, run->request->directory, name);
    output_plan *plan = &run->plans[run->count++];
    *plan = output_plan_create(run, path, (wanted_file){.name = name, .bytes = ""});
    plan->state = OUTPUT_EQUAL;
}

// Returns whether the recorded schema needs no change.
static bool is_of_schema(const output_run *run)
{
    const output_request *request = run->request;
    if (run->recorded.schema == NULL || request->schema == NULL)
        return request->schema == NULL;
    return strcmp(run->recorded.schema, output_relative(request->arena, request->directory, request->schema)) == 0;
}

bool output_is_recorded(output_run *run)
{
    const output_request *request = run->request;
    found_file found;
    run->recorded = manifest_create(request->arena);
    bool is_made = request->made != 0 && output_read_manifest(run, &found) && run->recorded.made == request->made;
    return is_made && run->recorded.is_locked == request->is_locked && run->recorded.count == request->count &&
           is_of_schema(run);
}

bool output_plan_recalled(output_run *run)
{
    const output_request *request = run->request;
    if (!output_is_recorded(run))
        return false;
    run->plans = arena_allocate(request->arena, (request->count + 1) * sizeof *run->plans);
    for (size_t i = 0; i < request->count; i++) {
        append(run, request->files[i].path);
        if (!is_same(run, &run->plans[i]))
            return false;
    }
    append(run, MANIFEST_NAME);
    run->manifest = &run->plans[request->count];
    return true;
}
