// Compares a package or a lock with an earlier lock, and finds the lock of a package.
#include "generator/evolve/internal.h"

#include <assert.h>
#include <string.h>

static evolution evolution_create(arena *arena, const char *package, uint32_t version)
{
    evolution evolution = {.lock = arena_allocate(arena, sizeof *evolution.lock)};
    *evolution.lock = (lock){.format = LOCK_FORMAT, .package = package, .version = version};
    evolution.narrowings = text_create(arena);
    for (int kind = 0; kind < CHANGE_KIND_COUNT; kind++)
        evolution.paths[kind] = text_create(arena);
    return evolution;
}

static void compare_once(run *run, bool is_trial)
{
    shape *shape = run->shape;
    const package *package = shape->package;
    const lock *now = shape->lock;
    assert((package == NULL) != (now == NULL));
    run->is_trial = is_trial;
    run->matched = dictionary_create(run->arena);
    if (package != NULL)
        run->evolution = evolution_create(run->arena, package->name, package->version);
    else
        run->evolution = evolution_create(run->arena, now->package, now->version);
    shape_begin(shape);
    merge_kind(run, LOCK_CONTEXT);
    shape_finish(shape);
    merge_kind(run, LOCK_COMPONENT);
    merge_kind(run, LOCK_MESSAGE);
    merge_kind(run, LOCK_SYSTEM);
}

static evolution compare(arena *arena, diagnostics *diagnostics, shape *shape, lock *before)
{
    static const lock nothing = {.format = LOCK_FORMAT};
    bool has_before = before != NULL;
    if (!has_before) {
        before = arena_allocate(arena, sizeof *before);
        *before = nothing;
    }
    int format = before->format;
    if (shape->lock != NULL && shape->lock->format < format)
        format = shape->lock->format;
    run run = {.arena = arena,
               .diagnostics = diagnostics,
               .shape = shape,
               .before = before,
               .has_before = has_before,
               .format = format,
               .members = dictionary_create(arena),
               .removed = dictionary_create(arena),
               .reported = dictionary_create(arena)};
    removed_list(&run);
    compare_once(&run, true);
    compare_once(&run, false);
    shape_mark(shape);
    for (int kind = 0; kind < LOCK_KIND_COUNT; kind++)
        if (lock_notation_of((lock_kind)kind)->is_mark) // the identities of things are known now
            merge_kind(&run, (lock_kind)kind);
    marks_check(&run);
    if (!shape->is_partial) {
        removed_check(&run);
        report_version(&run);
    }
    return run.evolution;
}

evolution evolve_package(arena *arena, diagnostics *diagnostics, package *package, lock *before)
{
    shape shape = {.arena = arena, .package = package, .is_known = package->has_lock};
    evolution evolution = compare(arena, diagnostics, &shape, before);
    if (before != NULL)
        removed_remember(arena, package, before);
    return evolution;
}

evolution evolve_compare(arena *arena, diagnostics *diagnostics, const package *package, lock *before)
{
    shape shape = {.arena = arena, .package = package, .is_known = package->has_lock, .is_partial = true};
    assert(before != NULL);
    return compare(arena, diagnostics, &shape, before);
}

evolution evolve_lock(arena *arena, diagnostics *diagnostics, lock *now, lock *before)
{
    shape shape = {.arena = arena, .lock = now, .is_partial = true};
    assert(now != NULL && before != NULL);
    return compare(arena, diagnostics, &shape, before);
}

// ---- summary

bool evolve_is_breaking(const evolution *evolution)
{
    return evolution->lost > 0 || evolution->narrowed > 0;
}

static size_t kept_count(const evolution *evolution)
{
    return evolution->counts[CHANGE_RENAMED] + evolution->counts[CHANGE_NEW] + evolution->counts[CHANGE_RETYPED];
}

static void append_kept(text *text, const evolution *evolution)
{
    static const char *const words[] = {"renamed", "new", "changed"};
    const char *before = " (";
    for (int kind = 0; kind < CHANGE_REMOVED; kind++) {
        if (evolution->counts[kind] == 0)
            continue;
        text_append_format(text, "%s%s: %s", before, words[kind], evolution->paths[kind].bytes);
        before = "; ";
    }
    text_append_string(text, ")");
}

void evolve_append_summary(text *text, const evolution *evolution)
{
    size_t kept = kept_count(evolution);
    size_t removed = evolution->counts[CHANGE_REMOVED];
    const char *before = "kin: ";
    if (evolution->lost > 0) {
        text_append_format(text, "%s%zu change%s data", before, evolution->lost,
                           evolution->lost == 1 ? " loses" : "s lose");
        before = ", ";
    }
    if (evolution->narrowed > 0) {
        text_append_format(text, "%s%zu change%s what saves may have (%s)", before, evolution->narrowed,
                           evolution->narrowed == 1 ? " narrows" : "s narrow", evolution->narrowings.bytes);
        before = ", ";
    }
    if (kept > 0) {
        text_append_format(text, "%s%zu ", before, kept);
        if (evolution->lost > 0) // "1 change loses data, 2 keep it"
            text_append_string(text, kept == 1 ? "keeps it" : "keep it");
        else
            text_append_string(text, kept == 1 ? "change keeps data" : "changes keep data");
        append_kept(text, evolution);
        before = ", ";
    }
    if (removed > 0) {
        text_append_format(text, "%s%zu removed: %s", before, removed, evolution->paths[CHANGE_REMOVED].bytes);
        before = ", ";
    }
    if (before[0] == 'k')
        text_append_string(text, "kin: saves can be read as before");
    text_append_string(text, "\n");
}

// ---- the lock of a package on the disk

// The lock of a package on the disk.

const char *evolve_lock_path(arena *arena, const source *schema, const char *package)
{
    const char *slash = strrchr(schema->path, '/');
    int folder = 0;
    if (slash != NULL)
        folder = (int)(slash - schema->path) + 1;
    return arena_format(arena, "%.*s%s.lock", folder, schema->path, package);
}

bool evolve_load(arena *arena, diagnostics *diagnostics, const package *package, lock **lock)
{
    *lock = NULL;
    const char *path = evolve_lock_path(arena, package->sources[0], package->name);
    if (package->sources[0]->is_input || source_identity_of(arena, diagnostics, path) == NULL)
        return true;
    const source *source = source_load(arena, diagnostics, path);
    if (source == NULL || (*lock = lock_parse(arena, diagnostics, source)) == NULL)
        return false;
    if (strcmp((*lock)->package, package->name) == 0)
        return true;
    diagnostic_error(diagnostics, CODE_LOCK, source_line(source, 2),
                     "the lock is of package '%s', and the schema of '%s'", (*lock)->package, package->name);
    diagnostic_note(diagnostics, package->span, "the package has its name here");
    return false;
}

// The outputs depend on the lock as they depend on the files of the schema.
static void append_source(arena *arena, package *package, const source *added)
{
    const source **sources = arena_allocate(arena, (package->source_count + 1) * sizeof(const source *));
    for (size_t i = 0; i < package->source_count; i++)
        sources[i] = package->sources[i];
    sources[package->source_count++] = added;
    package->sources = sources;
}

bool evolve_apply(arena *arena, diagnostics *diagnostics, package *package)
{
    size_t errors = diagnostics_error_count(diagnostics);
    lock *before;
    if (!evolve_load(arena, diagnostics, package, &before))
        return false;
    if (before == NULL)
        return true;
    append_source(arena, package, before->source);
    evolve_package(arena, diagnostics, package, before);
    package->has_lock = true;
    return diagnostics_error_count(diagnostics) == errors;
}
