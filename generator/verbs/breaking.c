#include "verbs/breaking.h"

#include "generator/base/base.h"
#include "generator/evolve/evolve.h"
#include "generator/read/read.h"
#include "generator/source/source.h"

#include <stdio.h>
#include <string.h>

// A version of a package: a lock, or a schema with its own lock.
typedef struct version {
    const source *source;
    package *package; // NULL: a lock
    lock *lock;       // of a schema: the one beside it; NULL if there is none
} version;

static bool read_version(arena *arena, diagnostics *diagnostics, const command *command, version *version)
{
    version->lock = NULL;
    version->package = NULL;
    if (version->source == NULL)
        return false;
    if (lock_is_one(version->source)) {
        version->lock = lock_parse(arena, diagnostics, version->source);
        return version->lock != NULL;
    }
    version->package = package_read_from(arena, diagnostics, version->source, &command->includes);
    return version->package != NULL && evolve_load(arena, diagnostics, version->package, &version->lock);
}

// Gives the package the identities of its own lock. What is wrong with these two is not said here: `kin check` says it.
static void apply_lock(arena *arena, version *version)
{
    diagnostics unseen = diagnostics_create(arena);
    if (version->package == NULL || version->lock == NULL)
        return;
    evolve_package(arena, &unseen, version->package, version->lock);
    version->package->has_lock = true;
}

// Returns what saves of the version have. Its lock may be that of a later version in the same folder, so a schema
// counts as it stands.
static lock *saved_by(arena *arena, version *version)
{
    if (version->package == NULL)
        return version->lock;
    diagnostics unseen = diagnostics_create(arena);
    package alone = *version->package;
    apply_lock(arena, version);
    alone.has_lock = version->package->has_lock;
    return evolve_package(arena, &unseen, &alone, NULL).lock;
}

static const char *name_of(const version *version)
{
    return version->package != NULL ? version->package->name : version->lock->package;
}

static int compare(arena *arena, diagnostics *diagnostics, version *before, version *now)
{
    lock *saved = saved_by(arena, before);
    apply_lock(arena, now);
    if (strcmp(name_of(before), name_of(now)) != 0) {
        span place = now->package != NULL ? now->package->span : source_line(now->source, 2);
        diagnostic_error(diagnostics, CODE_LOCK, place, "'%s' is of package '%s', and this is package '%s'",
                         before->source->path, name_of(before), name_of(now));
        diagnostics_print(diagnostics, stderr);
        return STATUS_SCHEMA;
    }
    evolution evolution = now->package != NULL ? evolve_compare(arena, diagnostics, now->package, saved)
                                               : evolve_lock(arena, diagnostics, now->lock, saved);
    text summary = text_create(arena);
    evolve_append_summary(&summary, &evolution);
    diagnostics_print(diagnostics, stderr);
    fputs(summary.bytes, stdout);
    return evolve_is_breaking(&evolution) ? STATUS_DIFFERENCE : STATUS_DONE;
}

int breaking_run(arena *arena, const command *command)
{
    diagnostics diagnostics = diagnostics_create(arena);
    diagnostics.options = command->diagnostics;
    version before = {.source = source_load(arena, &diagnostics, command->schemas[0])};
    version now = {.source = source_load(arena, &diagnostics, command->schemas[1])};
    bool is_read = read_version(arena, &diagnostics, command, &before);
    is_read = read_version(arena, &diagnostics, command, &now) && is_read;
    if (is_read)
        return compare(arena, &diagnostics, &before, &now);
    diagnostics_print(&diagnostics, stderr);
    return diagnostics_exit_status(&diagnostics);
}
