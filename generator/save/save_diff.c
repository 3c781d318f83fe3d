#include "save/save_diff.h"

#include "generator/base/base.h"
#include "save/private/diffing.h"

#include <inttypes.h>
#include <string.h>

// Prepares to compare the frames of two recordings.
static void begin_recordings(diffing *diffing)
{
    text_append_string(&diffing->title, "before the first frame:\n");
    for (int side = 0; side < 2; side++) {
        save_file *file = &diffing->sides[side].file;
        file->moment = save_moment_create(diffing->arena, &file->schema);
    }
}

// Files of two packages have nothing in common.
static bool is_one_package(const diffing *diffing, diagnostics *diagnostics)
{
    const save_file *one = &diffing->sides[0].file, *other = &diffing->sides[1].file;
    if (strcmp(one->package, other->package) == 0)
        return true;
    diagnostic_error(diagnostics, CODE_SAVE_FOREIGN, (span){0},
                     "'%s' is of the package '%s', and '%s' of '%s'; compare saves of one package", one->path,
                     text_escaped(diffing->arena, one->package), other->path,
                     text_escaped(diffing->arena, other->package));
    diagnostic_about(diagnostics, other->path);
    return false;
}

static bool diff_files(diffing *diffing)
{
    bool are_recordings = diffing->sides[0].file.is_recording && diffing->sides[1].file.is_recording;
    if (are_recordings)
        begin_recordings(diffing);
    return diff_states(diffing) && (!are_recordings || diffing->differences > 0 || diff_frames(diffing));
}

static void write_count(const diffing *diffing)
{
    fprintf(diffing->output, "%" PRIu64 " difference%s in %zu component%s of %" PRIu64 " entit%s\n",
            diffing->differences, diffing->differences == 1 ? "" : "s", diffing->components.count,
            diffing->components.count == 1 ? "" : "s", diffing->entities, diffing->entities == 1 ? "y" : "ies");
}

int save_diff(arena *arena, diagnostics *diagnostics, const char *const *paths, FILE *output)
{
    diffing *diffing = arena_allocate(arena, sizeof *diffing);
    diffing->arena = arena;
    diffing->output = output;
    diffing->components = dictionary_create(arena);
    diffing->line = text_create(arena);
    diffing->what = text_create(arena);
    diffing->title = text_create(arena);
    bool is_read = save_file_begin(&diffing->sides[0].file, arena, paths[0]);
    is_read = save_file_begin(&diffing->sides[1].file, arena, paths[1]) && is_read;
    bool is_foreign = is_read && !is_one_package(diffing, diagnostics);
    if (is_read && !is_foreign && diff_files(diffing))
        write_count(diffing);
    int status = save_file_report(&diffing->sides[0].file, diagnostics);
    int other = save_file_report(&diffing->sides[1].file, diagnostics);
    save_walk_end(&diffing->sides[0]);
    save_walk_end(&diffing->sides[1]);
    if (is_foreign)
        return STATUS_SCHEMA;
    if (status != STATUS_DONE || other != STATUS_DONE)
        return status > other ? status : other;
    return diffing->differences > 0 ? STATUS_DIFFERENCE : STATUS_DONE;
}
