// What becomes of each file of a package, and of each file on the disk.
#include "generator/render/internal.h"

#include "generator/base/base.h"
#include "generator/source/source.h"

#include <assert.h>
#include <string.h>

enum {
    DEPFILE_BEGIN_SIZE = 16 * 1024,    // bytes read to recognize a depfile of kin
    DIFF_SIZE_LIMIT = 64 * 1024 * 1024 // bytes read of a file for its diff
};

bool output_plan_changes(const output_plan *plan)
{
    bool is_wanted = plan->wanted.bytes != NULL;
    return plan->state == OUTPUT_DIFFERENT || (plan->state == OUTPUT_MISSING && is_wanted);
}

bool output_fail(const output_run *run, const char *verb, const char *path, int fault)
{
    assert(fault != 0);
    if (strcmp(verb, "read") != 0) {
        output_report_fault(run->report->diagnostics, verb, path, fault);
        return false;
    }
    diagnostic_system_error(run->report->diagnostics, CODE_OUTPUT_UNREADABLE, "cannot read '%s': %s", path,
                            strerror(fault));
    diagnostic_about(run->report->diagnostics, path);
    return false;
}

static const char *refusal_reason(const output_run *run, const output_plan *plan)
{
    if (plan->wanted.bytes == NULL)
        return "was edited after kin wrote it and is no longer generated; move or delete it";
    if (plan->state == OUTPUT_EDITED)
        return "was edited after kin wrote it; undo the edit, or delete the file to generate it again";
    if (plan->state == OUTPUT_UNKNOWN)
        return "is not listed in " MANIFEST_NAME " and may have been edited; delete it to generate it again";
    if (plan == &run->depfile)
        return "was not written by kin; move it, or choose another file with --depfile";
    return "was not written by kin; move it, or choose another directory with -o";
}

static bool refuse(const output_run *run, const output_plan *plan)
{
    assert(plan->state > OUTPUT_DIFFERENT);
    bool is_edited = plan->state == OUTPUT_EDITED || plan->state == OUTPUT_UNKNOWN || plan->wanted.bytes == NULL;
    diagnostic_code code = CODE_OUTPUT_FOREIGN;
    if (is_edited)
        code = CODE_OUTPUT_EDITED;
    diagnostic_system_error(run->report->diagnostics, code, "'%s' %s", plan->path, refusal_reason(run, plan));
    diagnostic_about(run->report->diagnostics, plan->path);
    return false;
}

// Returns whether the run may continue. Comparing modes report an edited file and continue.
static bool check_plan(const output_run *run, const output_plan *plan, const found_file *found)
{
    output_mode mode = run->request->mode;
    switch (plan->state) {
    case OUTPUT_MISSING:
    case OUTPUT_EQUAL:
    case OUTPUT_DIFFERENT:
        return true;
    case OUTPUT_EDITED:
    case OUTPUT_UNKNOWN:
        return refuse(run, plan) || mode == OUTPUT_CHECK || mode == OUTPUT_DIFF;
    case OUTPUT_UNREADABLE:
        return output_fail(run, "read", plan->path, found->fault);
    default:
        return refuse(run, plan);
    }
}

output_plan output_plan_create(const output_run *run, const char *path, wanted_file wanted)
{
    return (output_plan){.path = path, .wanted = wanted, .staged = staged_file_create(run->request->arena, path)};
}

static void show_diff(const output_run *run, const output_plan *plan, const found_file *found)
{
    bool is_readable = found->kind == FOUND_NOTHING || found->kind == FOUND_FILE;
    if (run->request->mode == OUTPUT_DIFF && is_readable && plan->state != OUTPUT_EQUAL)
        diff_append(&run->report->done, plan->path, (diff_side){found->bytes, found->size},
                    (diff_side){plan->wanted.bytes, plan->wanted.size});
}

// ---- the depfile

static bool is_name_of_output(const output_run *run, const char *name)
{
    const output_request *request = run->request;
    for (size_t i = 0; i < request->count; i++)
        if (strcmp(name, request->files[i].path) == 0)
            return true;
    return strcmp(name, MANIFEST_NAME) == 0;
}

// Reports a depfile at the path of an output. Missing folders are compared by path only.
static bool check_depfile(const output_run *run)
{
    assert(run->request->depfile != NULL);
    const char *path = run->request->depfile->path;
    const char *name = path + source_folder_size(path);
    if (!is_name_of_output(run, name))
        return true;
    arena *arena = run->request->arena;
    bool is_output = strcmp(path, output_path(arena, run->request->directory, name)) == 0 ||
                     output_is_same_file(output_parent(arena, path), run->request->directory);
    if (!is_output)
        return true;
    diagnostic_system_error(run->report->diagnostics, CODE_DEPFILE_IS_OUTPUT,
                            "'%s' is an output; choose another file with --depfile", path);
    diagnostic_about(run->report->diagnostics, path);
    return false;
}

bool output_plan_depfile(output_run *run)
{
    const generated_file *file = run->request->depfile;
    run->has_depfile = file != NULL && run->request->mode == OUTPUT_WRITE;
    if (!run->has_depfile)
        return true;
    if (!check_depfile(run))
        return false;
    output_plan *plan = &run->depfile;
    *plan = output_plan_create(run, file->path, (wanted_file){file->path, file->bytes, file->size});
    size_t limit = size_max(file->size, DEPFILE_BEGIN_SIZE);
    found_file found = output_find(run->request->arena, file->path, limit);
    plan->state = output_compare(&found, &plan->wanted, &run->recorded);
    if (found.kind == FOUND_FILE && plan->state != OUTPUT_EQUAL && depfile_is_own(found.bytes, found.size))
        plan->state = OUTPUT_DIFFERENT;
    return check_plan(run, plan, &found);
}

// ---- the manifest

bool output_read_manifest(output_run *run, found_file *found)
{
    const char *path = output_path(run->request->arena, run->request->directory, MANIFEST_NAME);
    *found = output_find(run->request->arena, path, MANIFEST_SIZE_LIMIT);
    if (found->kind != FOUND_FILE)
        return true;
    size_t line = manifest_parse(&run->recorded, found->bytes, found->size);
    if (line == 0)
        return true;
    diagnostic_system_error(run->report->diagnostics, CODE_MANIFEST,
                            "'%s' was edited after kin wrote it (line %zu); restore it, or delete it and the "
                            "outputs beside it to generate them again",
                            path, line);
    diagnostic_about(run->report->diagnostics, path);
    return false;
}

// Returns whether the file is a schema of that package.
static bool has_package(arena *arena, const char *path, const char *package)
{
    diagnostics discarded = diagnostics_create(arena);
    const tree_node *root = NULL;
    const tree_node *name = NULL;
    if (source_identity_of(arena, &discarded, path) == NULL)
        return false;
    const source *source = source_load(arena, &discarded, path);
    if (source != NULL)
        root = tree_parse(arena, &discarded, source);
    if (root != NULL)
        name = tree_find(root, "package");
    return name != NULL && tree_is_text(name) && strcmp(name->text, package) == 0;
}

bool output_is_of_other_schema(const output_run *run)
{
    const output_request *request = run->request;
    arena *arena = request->arena;
    if (run->recorded.schema == NULL || request->schema == NULL)
        return false;
    const char *recorded = output_resolved(arena, request->directory, run->recorded.schema);
    const char *package = request->directory + source_folder_size(request->directory);
    if (output_is_same_file(recorded, request->schema) || !has_package(arena, recorded, package))
        return false;
    diagnostic_system_error(
        run->report->diagnostics, CODE_OUTPUT_OF_SCHEMA,
        "'%s' has the files of '%s', which is package '%s', too; rename one of the packages, choose "
        "another directory with -o, or delete '%s' if '%s' replaces it",
        request->directory, recorded, package, recorded, request->schema);
    diagnostic_about(run->report->diagnostics, request->schema);
    return true;
}

// Returns the path of the schema for the manifest. Comparing modes accept the one that is recorded: it differs if the
// schema was renamed, or is found by another path.
static const char *schema_line(const output_run *run)
{
    const output_request *request = run->request;
    if (request->mode != OUTPUT_WRITE && run->recorded.count > 0)
        return run->recorded.schema;
    if (request->schema == NULL)
        return NULL;
    const char *path = output_relative(request->arena, request->directory, request->schema);
    if (!manifest_schema_is_valid(path))
        return NULL;
    return path;
}

// Plans the manifest of the wanted files, and reads the recorded one.
static bool plan_manifest(output_run *run, output_plan *plan)
{
    arena *arena = run->request->arena;
    found_file found;
    if (!output_read_manifest(run, &found) || output_is_of_other_schema(run))
        return false;
    run->wanted.schema = schema_line(run);
    manifest_sort(&run->wanted);
    text text = manifest_text(&run->wanted);
    *plan = output_plan_create(run, output_path(arena, run->request->directory, MANIFEST_NAME),
                               (wanted_file){MANIFEST_NAME, text.bytes, text.size});
    run->report->was_locked = run->recorded.is_locked && !run->request->is_locked;
    plan->state = output_compare(&found, &plan->wanted, &run->recorded);
    if (found.kind == FOUND_FILE && plan->state != OUTPUT_EQUAL)
        plan->state = OUTPUT_DIFFERENT;
    return check_plan(run, plan, &found);
}

// ---- the files

// Sets the plan's state. The file's contents are released afterwards.
static bool plan_file(const output_run *run, output_plan *plan)
{
    arena memory = arena_beside(run->request->arena);
    size_t limit = output_limit(&run->recorded, &plan->wanted);
    if (run->request->mode == OUTPUT_DIFF)
        limit = DIFF_SIZE_LIMIT;
    found_file found = output_find(&memory, plan->path, limit);
    plan->state = output_compare(&found, &plan->wanted, &run->recorded);
    show_diff(run, plan, &found);
    bool can_continue = check_plan(run, plan, &found);
    arena_release(&memory);
    return can_continue;
}

static void add_wanted_files(output_run *run)
{
    const output_request *request = run->request;
    for (size_t i = 0; i < request->count; i++) {
        const generated_file *file = &request->files[i];
        bool is_valid = manifest_name_is_valid(file->path); // views form it from identifiers
        assert(is_valid);
        (void)is_valid;
        manifest_append(&run->wanted, (manifest_entry){file->path, hash_of(file->bytes, file->size), file->size});
        run->plans[run->count++] = output_plan_create(run, output_path(request->arena, request->directory, file->path),
                                                      (wanted_file){file->path, file->bytes, file->size});
    }
}

// Plans the removal of files that are recorded but not wanted, once for each name.
static void add_removals(output_run *run)
{
    const char *last = "";
    for (size_t i = 0; i < run->recorded.count; i++) {
        const char *name = run->recorded.entries[i].name;
        assert(manifest_name_is_valid(name) && strcmp(last, name) <= 0); // 2
        if (strcmp(name, last) != 0 && manifest_find(&run->wanted, name) == NULL)
            run->plans[run->count++] = output_plan_create(
                run, output_path(run->request->arena, run->request->directory, name), (wanted_file){.name = name});
        last = name;
    }
}

bool output_plan_files(output_run *run)
{
    assert(run->count == 0 && run->request->count > 0);
    const output_request *request = run->request;
    output_plan manifest;
    if (run->has_depfile && !check_depfile(run)) // again, since the folder exists now
        return false;
    run->plans = arena_allocate(request->arena, (request->count + 1) * sizeof *run->plans);
    run->wanted.made = request->made;
    run->wanted.is_locked = request->is_locked;
    add_wanted_files(run);
    if (!plan_manifest(run, &manifest))
        return false;
    output_plan *plans = arena_allocate(request->arena, (request->count + run->recorded.count + 1) * sizeof *plans);
    memcpy(plans, run->plans, run->count * sizeof *plans);
    run->plans = plans;
    add_removals(run);
    bool can_continue = true;
    for (size_t i = 0; i < run->count; i++)
        can_continue = plan_file(run, &run->plans[i]) && can_continue;
    run->plans[run->count] = manifest;
    run->manifest = &run->plans[run->count++];
    assert(run->count > request->count && run->count <= request->count + run->recorded.count + 1); // 1
    found_file found = output_find(request->arena, run->manifest->path, MANIFEST_SIZE_LIMIT);
    show_diff(run, run->manifest, &found); // after those of the files
    return can_continue;
}
