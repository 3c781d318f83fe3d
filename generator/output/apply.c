#include "output/path.h"
#include "output/private/run.h"

#include <errno.h>
#include <unistd.h>

// What is to be written, and the manifest that stands while it is.
typedef struct application {
    output_run *run;
    text passing_text;
    staged_file passing; // staged where it is needed
} application;

static bool is_removal(const output_plan *plan)
{
    return plan->wanted.bytes == NULL;
}

// The manifest is the last of the plans, and has its own time.
static size_t file_count(const output_run *run)
{
    return run->count - 1;
}

static bool has_changes(const output_run *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (output_plan_changes(&run->plans[i]))
            return true;
    return run->has_depfile && output_plan_changes(&run->depfile);
}

static bool stage(const output_run *run, staged_file *staged, const char *bytes, size_t size)
{
    int fault = output_stage(staged, bytes, size);
    return fault == 0 || output_fail(run, "write", staged->path, fault);
}

static bool commit(const output_run *run, staged_file *staged)
{
    int fault = staged->is_staged ? output_commit(staged) : 0;
    return fault == 0 || output_fail(run, "write", staged->path, fault);
}

static bool sync_folder(const output_run *run)
{
    int fault = output_sync(run->folder.descriptor);
    return fault == 0 || output_fail(run, "write", run->folder.path, fault);
}

static bool clean(const output_run *run)
{
    const char *path;
    int fault = output_folder_clean(run->request->arena, &run->folder, &path);
    return fault == 0 || output_fail(run, "remove", path, fault);
}

// ---- stage: all that takes room is written before anything changes

static bool stage_depfile(output_run *run)
{
    output_plan *plan = &run->depfile;
    if (!run->has_depfile || !output_plan_changes(plan))
        return true;
    int fault = output_make_parents(run->request->arena, plan->path);
    if (fault != 0)
        return output_fail(run, "write", plan->path, fault);
    return stage(run, &plan->staged, plan->wanted.bytes, plan->wanted.size);
}

// The contents of before and after. Where the folder has that manifest already, or no file is touched, it is not
// needed.
static bool stage_passing(application *application)
{
    output_run *run = application->run;
    bool is_needed = false;
    for (size_t i = 0; i < file_count(run); i++)
        is_needed = is_needed || output_plan_changes(&run->plans[i]);
    if (!is_needed)
        return true;
    manifest passing = manifest_create(run->request->arena);
    for (size_t i = 0; i < run->recorded.count; i++)
        manifest_append(&passing, run->recorded.entries[i]);
    for (size_t i = 0; i < run->wanted.count; i++)
        manifest_append(&passing, run->wanted.entries[i]);
    manifest_sort(&passing);
    if (passing.count == run->recorded.count && run->manifest->state != OUTPUT_MISSING)
        return true;
    application->passing_text = manifest_text(&passing);
    return stage(run, &application->passing, application->passing_text.bytes, application->passing_text.size);
}

static bool stage_all(application *application)
{
    output_run *run = application->run;
    for (size_t i = 0; i < run->count; i++) {
        output_plan *plan = &run->plans[i];
        if (output_plan_changes(plan) && !is_removal(plan) &&
            !stage(run, &plan->staged, plan->wanted.bytes, plan->wanted.size))
            return false;
    }
    return stage_depfile(run) && stage_passing(application);
}

// ---- commit

static bool remove_file(const output_run *run, const output_plan *plan)
{
    return unlink(plan->path) == 0 || errno == ENOENT || output_fail(run, "remove", plan->path, errno);
}

static bool commit_files(output_run *run)
{
    for (size_t i = 0; i < file_count(run); i++) {
        output_plan *plan = &run->plans[i];
        bool is_gone = is_removal(plan) && output_plan_changes(plan);
        if (is_gone ? !remove_file(run, plan) : !commit(run, &plan->staged))
            return false;
    }
    return sync_folder(run);
}

static bool commit_depfile(output_run *run)
{
    if (!run->depfile.staged.is_staged)
        return true;
    if (!commit(run, &run->depfile.staged))
        return false;
    int fault = output_sync_parent(run->request->arena, run->depfile.path);
    return fault == 0 || output_fail(run, "write", run->depfile.path, fault);
}

static bool commit_all(application *application)
{
    output_run *run = application->run;
    if (application->passing.is_staged && !(commit(run, &application->passing) && sync_folder(run)))
        return false;
    if (!commit_files(run) || !commit_depfile(run))
        return false;
    return commit(run, &run->plans[file_count(run)].staged) && sync_folder(run);
}

static void discard_all(application *application)
{
    for (size_t i = 0; i < application->run->count; i++)
        output_discard(&application->run->plans[i].staged);
    output_discard(&application->run->depfile.staged);
    output_discard(&application->passing);
}

bool output_apply(output_run *run)
{
    if (!clean(run))
        return false;
    if (!has_changes(run))
        return true;
    application application = {.run = run, .passing = staged_file_create(run->request->arena, run->manifest->path)};
    // It is staged beside the one that comes after it, which has the name that it would have.
    application.passing.temporary = staged_file_create(run->request->arena, application.passing.temporary).temporary;
    bool is_applied = stage_all(&application) && commit_all(&application);
    if (!is_applied)
        discard_all(&application);
    return is_applied;
}
