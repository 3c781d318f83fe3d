// The lock of a package on the disk.
#include "evolve/evolve.h"

#include "evolve/private/removed.h"

#include <string.h>

const char *evolve_lock_path(arena *arena, const source *schema, const char *package)
{
    const char *slash = strrchr(schema->path, '/');
    int folder = slash == NULL ? 0 : (int)(slash - schema->path) + 1;
    return arena_format(arena, "%.*s%s.lock", folder, schema->path, package);
}

bool evolve_load(arena *arena, diagnostics *diagnostics, const package *package, lock **lock)
{
    *lock = NULL;
    const char *path = evolve_lock_path(arena, package->sources[0], package->name);
    if (package->sources[0]->is_input || source_identity_of(arena, path) == NULL)
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
