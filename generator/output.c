#include "output.h"

#include "depfile.h"
#include "output_compare.h"
#include "output_replace.h"
#include "status.h"

#include <assert.h>
#include <string.h>

// A file of the request and what is to become of it.
typedef struct output_plan {
    const output_file *file;
    output_state state;
    staged_file staged;
} output_plan;

output_report output_report_create(arena *arena)
{
    return (output_report){text_create(arena), text_create(arena)};
}

// Views make the paths from identifiers, so that anything else is a mistake of ours.
static bool path_is_valid(const char *path)
{
    for (const char *name = path;; name++) {
        size_t size = strcspn(name, "/");
        if (size == 0 || (size <= 2 && strspn(name, ".") >= size))
            return false;
        name += size;
        if (*name == '\0')
            return true;
    }
}

const char *output_path(arena *arena, const char *directory, const char *path)
{
    int size = (int)strlen(directory);
    while (size > 1 && directory[size - 1] == '/')
        size--;
    bool is_root = size == 1 && directory[0] == '/';
    return arena_format(arena, "%.*s%s%s", size, directory, is_root ? "" : "/", path);
}

static bool fail(output_report *report, const output_request *request, const char *path, int fault)
{
    text_append_format(&report->faults, "kin: cannot %s '%s': %s\n", request->is_check ? "read" : "write", path,
                       strerror(fault));
    return false;
}

static size_t plan_count(const output_request *request)
{
    return request->count + (request->depfile != NULL && !request->is_check);
}

static output_plan plan_of(const output_request *request, size_t index)
{
    if (index == request->count)
        return (output_plan){.file = request->depfile, .staged = {.path = request->depfile->path}};
    const output_file *file = &request->files[index];
    bool is_valid = path_is_valid(file->path);
    assert(is_valid);
    (void)is_valid;
    return (output_plan){.file = file, .staged = {.path = output_path(request->arena, request->directory, file->path)}};
}

static void report_foreign(output_report *report, const char *path, bool is_depfile)
{
    text_append_format(&report->faults,
                       "kin: '%s' was not made by kin and stays as it is: move it away, or choose another %s\n", path,
                       is_depfile ? "file with --depfile" : "directory with -o");
}

// The depfile would replace the output, or the other way round.
static bool is_taken_twice(const output_request *request, const char *path, output_report *report)
{
    if (request->depfile == NULL || strcmp(request->depfile->path, path) != 0)
        return false;
    text_append_format(&report->faults, "kin: '%s' is an output: choose another file with --depfile\n", path);
    return true;
}

// Compares every file, so that one run names all that is in the way.
static bool plan_files(const output_request *request, output_plan *plans, output_report *report)
{
    bool is_possible = true;
    for (size_t i = 0; i < plan_count(request); i++) {
        output_plan plan = plan_of(request, i);
        bool is_depfile = i == request->count;
        if (!is_depfile && is_taken_twice(request, plan.staged.path, report))
            return false;
        int fault = 0;
        plan.state = output_compare(plan.staged.path, plan.file, is_depfile ? depfile_is_own : output_has_mark, &fault);
        if (plan.state == OUTPUT_UNREADABLE)
            return fail(report, request, plan.staged.path, fault);
        if (plan.state == OUTPUT_FOREIGN)
            report_foreign(report, plan.staged.path, is_depfile);
        is_possible = is_possible && plan.state != OUTPUT_FOREIGN;
        plans[i] = plan;
    }
    return is_possible;
}

static bool is_changed(const output_plan *plan)
{
    return plan->state == OUTPUT_MISSING || plan->state == OUTPUT_DIFFERENT;
}

static void discard_all(output_plan *plans, size_t count)
{
    for (size_t i = 0; i < count; i++)
        output_discard(&plans[i].staged);
}

static bool replace_files(const output_request *request, output_plan *plans, output_report *report)
{
    for (size_t i = 0; i < plan_count(request); i++) {
        if (!is_changed(&plans[i]))
            continue;
        const output_file *file = plans[i].file;
        int fault = output_stage(request->arena, &plans[i].staged, file->bytes, file->size);
        if (fault != 0) {
            discard_all(plans, i);
            return fail(report, request, plans[i].staged.path, fault);
        }
    }
    for (size_t i = 0; i < plan_count(request); i++) {
        int fault = is_changed(&plans[i]) ? output_commit(&plans[i].staged) : 0;
        if (fault != 0) {
            discard_all(plans, plan_count(request));
            return fail(report, request, plans[i].staged.path, fault);
        }
    }
    return true;
}

static size_t report_changes(const output_request *request, const output_plan *plans, output_report *report)
{
    size_t changed = 0;
    for (size_t i = 0; i < request->count; i++) {
        if (!is_changed(&plans[i]))
            continue;
        changed++;
        text_append_format(&report->done, "%s %s\n", request->is_check ? "would write" : "wrote", plans[i].staged.path);
    }
    text_append_format(&report->done, "kin: %zu %s, %zu unchanged\n", changed,
                       request->is_check ? "would be written" : "written", request->count - changed);
    return changed;
}

int output_write(const output_request *request, output_report *report)
{
    output_plan *plans = arena_allocate(request->arena, (request->count + 1) * sizeof *plans);
    if (!plan_files(request, plans, report))
        return STATUS_SYSTEM;
    if (!request->is_check && !replace_files(request, plans, report))
        return STATUS_SYSTEM;
    size_t changed = report_changes(request, plans, report);
    return request->is_check && changed > 0 ? STATUS_DIFFERENCE : STATUS_DONE;
}
