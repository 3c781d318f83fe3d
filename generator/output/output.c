#include "output/output.h"

#include "generator/base/base.h"
#include "output/private/run.h"

#include <string.h>

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
    return plan->state == OUTPUT_MISSING ? CHANGE_ADD : CHANGE_MODIFY;
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
    bool is_check = run->request->mode == OUTPUT_CHECK;
    if (is_check || run->request->mode == OUTPUT_WRITE)
        text_append_format(&run->report->done, "kin: %zu %s, %zu removed, %zu unchanged\n",
                           counts[CHANGE_ADD] + counts[CHANGE_MODIFY], is_check ? "would be written" : "written",
                           counts[CHANGE_REMOVE], counts[CHANGE_NONE]);
}

// Returns how many files change.
static size_t report_changes(const output_run *run)
{
    size_t counts[CHANGE_COUNT] = {0}, changes = 0;
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
    return is_check && is_different ? STATUS_DIFFERENCE : STATUS_DONE;
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
