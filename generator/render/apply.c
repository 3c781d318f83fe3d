// Carries out a plan: all files, or none; and the folders of the files.
#include "generator/render/internal.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- folders

// Locks the folder; a file system without locks is used unlocked.
static int lock(int descriptor)
{
    int result = 0;
    do
        result = flock(descriptor, LOCK_EX);
    while (result != 0 && errno == EINTR);
    bool has_no_locks = errno == ENOLCK || errno == ENOTSUP || errno == ENOSYS || errno == EINVAL;
    if (result == 0 || has_no_locks)
        return 0;
    return errno;
}

// Creates the folder and its parents. Checks first whether it exists: its parents may be read-only.
static int make_folder(arena *arena, const char *path)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
        return 0;
    if (exists)
        return ENOTDIR;
    if (errno != ENOENT)
        return errno;
    return output_make_parents(arena, arena_format(arena, "%s/", path));
}

int output_folder_open(arena *arena, output_folder *folder, const char *path)
{
    *folder = (output_folder){path, -1};
    int fault = make_folder(arena, path);
    if (fault != 0)
        return fault;
    folder->descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->descriptor < 0)
        return errno;
    fault = lock(folder->descriptor);
    if (fault != 0)
        output_folder_close(folder);
    return fault;
}

void output_folder_close(output_folder *folder)
{
    if (folder->descriptor >= 0)
        close(folder->descriptor);
    folder->descriptor = -1;
}

// Removes a staged file; other kinds of files with such a name stay.
static int remove_staged(const char *path)
{
    struct stat status;
    bool exists = lstat(path, &status) == 0;
    if (!exists && errno != ENOENT)
        return errno;
    bool is_file = exists && S_ISREG(status.st_mode);
    if (is_file && unlink(path) != 0)
        return errno;
    return 0;
}

int output_folder_clean(arena *arena, const output_folder *folder, const char **path)
{
    assert(folder->descriptor >= 0);
    *path = folder->path;
    DIR *opened = opendir(folder->path);
    if (opened == NULL)
        return errno;
    int fault = 0;
    errno = 0;
    for (const struct dirent *entry = readdir(opened); entry != NULL && fault == 0; entry = readdir(opened)) {
        if (staged_file_is(entry->d_name)) {
            *path = output_path(arena, folder->path, entry->d_name);
            fault = remove_staged(*path);
        }
        errno = 0;
    }
    if (fault == 0)
        fault = errno;
    closedir(opened);
    return fault;
}

// ---- the plan

// The plans of a run while they are applied, and the transitional manifest.
typedef struct application {
    output_run *run;
    text transitional_text;
    staged_file transitional; // manifest of old and new contents; staged only if needed
} application;

static bool is_removal(const output_plan *plan)
{
    return plan->wanted.bytes == NULL;
}

// The manifest is the last plan and is applied separately.
static size_t file_count(const output_run *run)
{
    assert(run->manifest == &run->plans[run->count - 1]); // 1
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
    assert(bytes != NULL && !staged->is_staged);
    int fault = output_stage(staged, bytes, size);
    return fault == 0 || output_fail(run, "write", staged->path, fault);
}

static bool commit(const output_run *run, staged_file *staged)
{
    int fault = 0;
    if (staged->is_staged)
        fault = output_commit(staged);
    return fault == 0 || output_fail(run, "write", staged->path, fault);
}

static bool sync_folder(const output_run *run)
{
    int fault = output_sync(run->folder.descriptor);
    return fault == 0 || output_fail(run, "write", run->folder.path, fault);
}

// ---- stage: write everything that needs disk space before anything changes

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

// Stages a manifest of old and new contents. Skipped if the folder already has that manifest or no file changes.
static bool stage_transitional(application *application)
{
    output_run *run = application->run;
    bool is_needed = false;
    for (size_t i = 0; i < file_count(run); i++)
        is_needed = is_needed || output_plan_changes(&run->plans[i]);
    if (!is_needed)
        return true;
    manifest transitional = manifest_create(run->request->arena);
    transitional.is_locked = run->recorded.is_locked;
    transitional.schema = run->wanted.schema;
    for (size_t i = 0; i < run->recorded.count; i++)
        manifest_append(&transitional, run->recorded.entries[i]);
    for (size_t i = 0; i < run->wanted.count; i++)
        manifest_append(&transitional, run->wanted.entries[i]);
    manifest_sort(&transitional);
    if (transitional.count == run->recorded.count && run->manifest->state != OUTPUT_MISSING)
        return true;
    application->transitional_text = manifest_text(&transitional);
    return stage(run, &application->transitional, application->transitional_text.bytes,
                 application->transitional_text.size);
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
    return stage_depfile(run) && stage_transitional(application);
}

// ---- commit

static bool commit_files(output_run *run)
{
    for (size_t i = 0; i < file_count(run); i++) {
        output_plan *plan = &run->plans[i];
        bool is_removed = is_removal(plan) && output_plan_changes(plan);
        assert(!is_removed || !plan->staged.is_staged);
        bool stays = is_removed && unlink(plan->path) != 0;
        if (stays && errno != ENOENT)
            return output_fail(run, "remove", plan->path, errno);
        if (!commit(run, &plan->staged))
            return false;
    }
    return sync_folder(run);
}

static bool commit_depfile(output_run *run)
{
    assert(run->has_depfile || !run->depfile.staged.is_staged);
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
    if (application->transitional.is_staged && !(commit(run, &application->transitional) && sync_folder(run)))
        return false;
    if (!commit_files(run) || !commit_depfile(run))
        return false;
    return commit(run, &run->plans[file_count(run)].staged) && sync_folder(run);
}

bool output_apply(output_run *run)
{
    assert(run->request->mode == OUTPUT_WRITE && run->folder.descriptor >= 0);
    const char *path;
    int fault = output_folder_clean(run->request->arena, &run->folder, &path);
    if (fault != 0)
        return output_fail(run, "remove", path, fault);
    if (!has_changes(run))
        return true;
    application application = {.run = run,
                               .transitional = staged_file_create(run->request->arena, run->manifest->path)};
    // The final manifest is staged under the usual name, so this one is staged under a longer one.
    application.transitional.temporary =
        staged_file_create(run->request->arena, application.transitional.temporary).temporary;
    bool is_applied = stage_all(&application) && commit_all(&application);
    if (is_applied)
        return true;
    for (size_t i = 0; i < run->count; i++)
        output_discard(&run->plans[i].staged);
    output_discard(&run->depfile.staged);
    output_discard(&application.transitional);
    return false;
}
