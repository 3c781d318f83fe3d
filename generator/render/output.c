// Writes or compares the files of a package.
#include "generator/render/internal.h"

#include "generator/base/base.h"

#include <assert.h>
#include <string.h>

// ---- recalling a run

// Recall: the plan of a run in which all files are up to date, found by the manifest alone.
//
// The contents of the files are not known here, only the inputs. The manifest has a hash of the inputs and one of each
// file as it was written. If the first is the same, and the others match the files on the disk, generating again would
// produce the same bytes.

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
    assert(run->count == 0);
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

// ---- the whole

output_report output_report_create(diagnostics *diagnostics)
{
    return (output_report){.done = text_create(diagnostics->arena), .diagnostics = diagnostics};
}

typedef enum change { CHANGE_NONE, CHANGE_ADD, CHANGE_MODIFY, CHANGE_REMOVE, CHANGE_REFUSE, CHANGE_COUNT } change;

static change change_of(const output_plan *plan)
{
    if (plan->state == OUTPUT_EDITED || plan->state == OUTPUT_UNKNOWN)
        return CHANGE_REFUSE;
    if (!output_plan_changes(plan))
        return CHANGE_NONE;
    if (plan->wanted.bytes == NULL)
        return CHANGE_REMOVE;
    if (plan->state == OUTPUT_MISSING)
        return CHANGE_ADD;
    return CHANGE_MODIFY;
}

// A missing file that was to be removed is not reported.
static bool is_already_removed(const output_plan *plan)
{
    return plan->wanted.bytes == NULL && plan->state == OUTPUT_MISSING;
}

static void report_plan(const output_run *run, const output_plan *plan)
{
    static const char *const words[][CHANGE_COUNT] = {
        [OUTPUT_WRITE] = {NULL, "wrote", "wrote", "removed", NULL},
        [OUTPUT_CHECK] = {NULL, "would add", "would change", "would remove", "would refuse"},
        [OUTPUT_LIST] = {"=", "A", "M", "D", NULL},
        [OUTPUT_DIFF] = {NULL, NULL, NULL, NULL, NULL},
    };
    const char *word = words[run->request->mode][change_of(plan)];
    if (word != NULL && !is_already_removed(plan))
        text_append_format(&run->report->done, "%s %s\n", word, text_escaped(run->request->arena, plan->path));
}

static void report_counts(const output_run *run, const size_t counts[CHANGE_COUNT])
{
    static const char *const words[] = {[OUTPUT_WRITE] = "written", [OUTPUT_CHECK] = "would be written"};
    output_mode mode = run->request->mode;
    if (mode == OUTPUT_WRITE || mode == OUTPUT_CHECK)
        text_append_format(&run->report->done, "kin: %zu %s, %zu removed, %zu unchanged\n",
                           counts[CHANGE_ADD] + counts[CHANGE_MODIFY], words[mode], counts[CHANGE_REMOVE],
                           counts[CHANGE_NONE]);
}

// Returns how many files change.
static size_t report_changes(const output_run *run)
{
    size_t counts[CHANGE_COUNT] = {0};
    size_t changes = 0;
    for (size_t i = 0; i < run->count; i++) {
        const output_plan *plan = &run->plans[i];
        if (is_already_removed(plan))
            continue;
        report_plan(run, plan);
        counts[change_of(plan)]++;
        changes += change_of(plan) != CHANGE_NONE;
    }
    report_counts(run, counts);
    return changes;
}

static bool open_folder(output_run *run)
{
    assert(run->folder.descriptor < 0);
    if (run->request->mode != OUTPUT_WRITE)
        return true;
    int fault = output_folder_open(run->request->arena, &run->folder, run->request->directory);
    return fault == 0 || output_fail(run, "write", run->request->directory, fault);
}

static output_run create_run(const output_request *request, output_report *report)
{
    return (output_run){.request = request,
                        .report = report,
                        .folder = {.descriptor = -1},
                        .recorded = manifest_create(request->arena),
                        .wanted = manifest_create(request->arena)};
}

static int finish(output_run *run, bool is_done)
{
    const output_request *request = run->request;
    output_folder_close(&run->folder);
    if (!is_done) {
        run->report->done = text_create(request->arena);
        return STATUS_SYSTEM;
    }
    bool is_different = report_changes(run) > 0;
    bool is_check = request->is_check || request->mode == OUTPUT_CHECK || request->mode == OUTPUT_DIFF;
    if (is_check && is_different)
        return STATUS_DIFFERENCE;
    return STATUS_DONE;
}

int output_write(const output_request *request, output_report *report)
{
    output_run run = create_run(request, report);
    bool is_done = output_plan_depfile(&run) && open_folder(&run) && output_plan_files(&run) &&
                   (request->mode != OUTPUT_WRITE || output_apply(&run));
    return finish(&run, is_done);
}

// Opens the folder, which is created if missing, only if the manifest records the same inputs.
int output_recall(const output_request *request, output_report *report)
{
    diagnostics discarded = diagnostics_create(request->arena);
    output_report first = output_report_create(&discarded);
    output_run run = create_run(request, &first);
    bool is_there =
        output_is_recorded(&run) && output_plan_depfile(&run) && open_folder(&run) && output_plan_recalled(&run);
    if (!is_there) {
        output_folder_close(&run.folder);
        return OUTPUT_UNMADE;
    }
    run.report = report;
    return finish(&run, request->mode != OUTPUT_WRITE || output_apply(&run));
}
