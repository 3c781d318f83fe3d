// `lock`, of schemas and of content, and `breaking`.
#include "generator/verbs/verbs.h"

#include "generator/base/base.h"
#include "generator/content/content.h"
#include "generator/evolve/evolve.h"
#include "generator/read/read.h"
#include "generator/render/render.h"
#include "generator/source/source.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// ---- lock

// The state of a run.
typedef struct locking {
    arena *arena;
    diagnostics *diagnostics;
    bool is_check;
    const char *path;
    lock *before; // NULL if there is none
    text content;
    text printed; // written to standard output at the end
} locking;

static int write_lock(const locking *locking, const char *path, const text *content)
{
    assert(path != NULL && !locking->is_check);
    int fault = output_replace(locking->arena, path, content);
    if (fault == 0)
        fault = output_sync_parent(locking->arena, path);
    if (fault == 0)
        return STATUS_DONE;
    return output_report_fault(locking->diagnostics, "write", path, fault);
}

// An editor may have begun the file with a byte order mark, and git may have changed the ends of lines.
static bool is_text_of(arena *arena, const source *source, const text *text)
{
    if (source == NULL)
        return false;
    size_t mark = source->line_starts[0];
    char *bytes = arena_copy(arena, source->bytes + mark, source->size - mark);
    size_t size = text_without_returns(bytes, source->size - mark);
    return size == text->size && memcmp(bytes, text->bytes, size) == 0;
}

static const source *source_of(const lock *lock)
{
    return lock == NULL ? NULL : lock->source;
}

// A lock of an earlier format is up to date if it has what its format can say.
static bool is_up_to_date(const locking *locking, lock *now)
{
    assert(now->format == LOCK_FORMAT);
    lock_counts counts;
    text former = text_create(locking->arena);
    if (is_text_of(locking->arena, source_of(locking->before), &locking->content))
        return true;
    if (!locking->is_check || locking->before == NULL || locking->before->format == LOCK_FORMAT)
        return false;
    now->format = locking->before->format;
    lock_append(&former, now, &counts);
    return is_text_of(locking->arena, source_of(locking->before), &former);
}

// What a lock has.
typedef struct summary {
    const char *one, *many; // "leaf", "leaves"
    size_t count, renamed, removed;
} summary;

static void append_summary(locking *locking, const char *path, const summary *summary)
{
    text *out = &locking->printed;
    text_append_format(out, "%s: ", text_escaped(locking->arena, path));
    text_append_count(out, summary->count, summary->one, summary->many);
    if (summary->renamed > 0)
        text_append_format(out, ", %zu renamed", summary->renamed);
    if (summary->removed > 0)
        text_append_format(out, ", %zu removed", summary->removed);
    text_append_string(out, "\n");
}

// A new lock knows the names of a later version alone.
static void warn_of_version(const locking *locking, const package *package)
{
    if (locking->before != NULL || locking->is_check || package->version <= 1)
        return;
    diagnostic_warning(
        locking->diagnostics, CODE_LOCK, package->span,
        "the lock is new, and the package has version %u: what saves of earlier versions have is unknown",
        (unsigned)package->version);
    diagnostic_hint(locking->diagnostics,
                    "if it was deleted, restore it; else lock each released version, the oldest first");
}

// Writes a lock unless it is the same, or says that it would change.
static int finish(locking *locking, const char *path, const text *content, bool is_new, bool is_same,
                  const summary *summary)
{
    int status = STATUS_DONE;
    if (locking->is_check && is_same)
        return STATUS_DONE;
    if (locking->is_check) {
        text_append_format(&locking->printed, "%s %s\n", is_new ? "A" : "M", text_escaped(locking->arena, path));
        return STATUS_DIFFERENCE;
    }
    if (!is_same)
        status = write_lock(locking, path, content);
    if (status == STATUS_DONE)
        append_summary(locking, path, summary);
    return status;
}

static int lock_package(locking *locking, package *package)
{
    arena *arena = locking->arena;
    locking->path = evolve_lock_path(arena, package->sources[0], package->name);
    if (!evolve_load(arena, locking->diagnostics, package, &locking->before))
        return diagnostics_exit_status(locking->diagnostics);
    evolution evolution = evolve_package(arena, locking->diagnostics, package, locking->before);
    int status = diagnostics_exit_status(locking->diagnostics);
    if (status != STATUS_DONE)
        return status;
    lock_counts counts;
    lock_append(&locking->content, evolution.lock, &counts);
    warn_of_version(locking, package);
    if (locking->content.size <= SOURCE_SIZE_LIMIT) {
        summary summary = {"leaf", "leaves", counts.leaves, counts.renamed, counts.removed};
        return finish(locking, locking->path, &locking->content, locking->before == NULL,
                      is_up_to_date(locking, evolution.lock), &summary);
    }
    diagnostic_error(locking->diagnostics, CODE_LOCK, package->span, "the lock would be larger than %d bytes",
                     SOURCE_SIZE_LIMIT);
    return STATUS_SCHEMA;
}

static int lock_content(locking *locking, const package *package, const command *command)
{
    content_lock lock;
    if (!content_lock_of(locking->arena, locking->diagnostics, package, command, &lock))
        return diagnostics_exit_status(locking->diagnostics);
    if (lock.text.size > SOURCE_SIZE_LIMIT) {
        diagnostic_error(locking->diagnostics, CODE_LOCK, package->span, "the lock would be larger than %d bytes",
                         SOURCE_SIZE_LIMIT);
        return STATUS_SCHEMA;
    }
    summary summary = {"name", "names", lock.names, lock.renamed, lock.removed};
    bool is_same = is_text_of(locking->arena, lock.before, &lock.text);
    return finish(locking, lock.path, &lock.text, lock.before == NULL, is_same, &summary);
}

int lock_run(arena *arena, const command *command)
{
    assert(command->schema_count >= 1);
    diagnostics diagnostics = command_diagnostics(arena, command);
    locking locking = {.arena = arena,
                       .diagnostics = &diagnostics,
                       .is_check = command->is_check,
                       .content = text_create(arena),
                       .printed = text_create(arena)};
    package *package = package_load(arena, &diagnostics, command->schemas[0], &command->includes);
    int status = diagnostics_exit_status(&diagnostics);
    if (package != NULL)
        status = lock_package(&locking, package);
    bool may_go_on = status == STATUS_DONE || status == STATUS_DIFFERENCE;
    if (package != NULL && may_go_on && command->schema_count > 1) {
        int content = lock_content(&locking, package, command);
        status = content == STATUS_DONE ? status : content;
    }
    diagnostics_print(&diagnostics, stderr);
    fputs(locking.printed.bytes, stdout);
    return status;
}

// ---- breaking

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
    assert(version->package != NULL || version->lock != NULL);
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
    assert(version->package != NULL || version->lock != NULL);
    if (version->package != NULL)
        return version->package->name;
    return version->lock->package;
}

// Compares what two schemas send. The later one gets the identities that the earlier one has.
static int compare_net(arena *arena, diagnostics *diagnostics, const version *before, const version *now, lock *saved)
{
    struct diagnostics unseen = diagnostics_create(arena);
    text summary = text_create(arena);
    if (before->package == NULL || now->package == NULL) {
        const version *lock = before->package == NULL ? before : now;
        diagnostic_error(diagnostics, CODE_LOCK, source_line(lock->source, 1),
                         "a lock does not say what is sent; give the schema");
        diagnostics_print(diagnostics, stderr);
        return STATUS_SCHEMA;
    }
    evolve_compare(arena, &unseen, now->package, saved);
    bool can_meet = evolve_compare_net(diagnostics, before->package, now->package, &summary);
    diagnostics_print(diagnostics, stderr);
    fputs(summary.bytes, stdout);
    return can_meet ? STATUS_DONE : STATUS_DIFFERENCE;
}

static int compare(arena *arena, diagnostics *diagnostics, const command *command, version *before, version *now)
{
    lock *saved = saved_by(arena, before);
    apply_lock(arena, now);
    if (strcmp(name_of(before), name_of(now)) != 0) {
        span place = source_line(now->source, 2);
        if (now->package != NULL)
            place = now->package->span;
        diagnostic_error(diagnostics, CODE_LOCK, place, "'%s' is of package '%s', and this is package '%s'",
                         before->source->path, name_of(before), name_of(now));
        diagnostics_print(diagnostics, stderr);
        return STATUS_SCHEMA;
    }
    if (command->is_net)
        return compare_net(arena, diagnostics, before, now, saved);
    evolution evolution;
    if (now->package != NULL)
        evolution = evolve_compare(arena, diagnostics, now->package, saved);
    else
        evolution = evolve_lock(arena, diagnostics, now->lock, saved);
    text summary = text_create(arena);
    evolve_append_summary(&summary, &evolution);
    diagnostics_print(diagnostics, stderr);
    fputs(summary.bytes, stdout);
    if (evolve_is_breaking(&evolution))
        return STATUS_DIFFERENCE;
    return STATUS_DONE;
}

int breaking_run(arena *arena, const command *command)
{
    assert(command->schema_count == 2);
    diagnostics diagnostics = command_diagnostics(arena, command);
    version before = {.source = source_load(arena, &diagnostics, command->schemas[0])};
    version now = {.source = source_load(arena, &diagnostics, command->schemas[1])};
    bool is_read = read_version(arena, &diagnostics, command, &before);
    is_read = read_version(arena, &diagnostics, command, &now) && is_read;
    if (is_read)
        return compare(arena, &diagnostics, command, &before, &now);
    diagnostics_print(&diagnostics, stderr);
    return diagnostics_exit_status(&diagnostics);
}
