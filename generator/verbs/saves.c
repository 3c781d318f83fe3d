// Verbs for saves and running games: `dump`, `pack`, `diff` and `inspect`.
#include "generator/verbs/verbs.h"

#include "generator/base/base.h"
#include "generator/content/content.h"
#include "generator/evolve/evolve.h"
#include "generator/read/read.h"
#include "generator/save/save.h"
#include "generator/source/source.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---- dump

int dump_run(arena *arena, const command *command)
{
    assert(command->schema_count == 1);
    assert(!command->is_info || !command->is_hash);
    diagnostics diagnostics = command_diagnostics(arena, command);
    if (content_is_pack(command->schemas[0])) {
        int shown = content_dump(arena, &diagnostics, command->schemas[0]);
        diagnostics_print(&diagnostics, stderr);
        return shown;
    }
    dump_kind kind = DUMP_LINES;
    if (command->is_hash)
        kind = DUMP_HASH;
    if (command->is_info)
        kind = DUMP_INFO;
    int status = dump_file(arena, &diagnostics, command->schemas[0], kind, stdout);
    diagnostics_print(&diagnostics, stderr);
    return status;
}

// ---- pack

// The lock of the package knows what saves call things.
static package *read_package(arena *arena, diagnostics *diagnostics, const command *command)
{
    package *package = package_load(arena, diagnostics, command->schemas[0], &command->includes);
    if (package == NULL)
        return NULL;
    diagnostics_forget_warnings(diagnostics);
    if (!evolve_apply(arena, diagnostics, package))
        return NULL;
    return package;
}

int pack_run(arena *arena, const command *command)
{
    assert(command->schema_count > 0 && command->directory != NULL);
    diagnostics diagnostics = command_diagnostics(arena, command);
    const package *package = read_package(arena, &diagnostics, command);
    const char *lines = "-";
    int status = diagnostics_exit_status(&diagnostics);
    if (command->schema_count > 1)
        lines = command->schemas[1];
    if (package != NULL && content_is_path(lines))
        status = content_pack(arena, &diagnostics, package, command);
    else if (package != NULL)
        status = pack_file(arena, &diagnostics, package, lines, command->directory);
    diagnostics_print(&diagnostics, stderr);
    return status;
}

// ---- diff

int diff_run(arena *arena, const command *command)
{
    assert(command->schema_count == 2);
    diagnostics diagnostics = command_diagnostics(arena, command);
    int status;
    if (content_is_pack(command->schemas[0]) && content_is_pack(command->schemas[1]))
        status = content_diff(arena, &diagnostics, command->schemas);
    else
        status = save_diff(arena, &diagnostics, command->schemas, stdout);
    diagnostics_print(&diagnostics, stderr);
    return status;
}

// ---- inspect

enum { PATH_SIZE = 4096 };

static const char program[] = "kin-inspect";

bool inspect_is_asked(int count, char **arguments)
{
    return count > 1 && strcmp(arguments[1], "inspect") == 0;
}

// Writes the path of the program beside this one. Returns false when it is not known.
static bool find_beside(const char *self, char *path)
{
    ssize_t size = readlink("/proc/self/exe", path, PATH_SIZE - sizeof program);
    if (size < 0 && strchr(self, '/') == NULL)
        return false;
    if (size < 0)
        size = snprintf(path, PATH_SIZE - sizeof program, "%s", self);
    if (size >= (ssize_t)(PATH_SIZE - sizeof program))
        return false;
    path[size] = '\0';
    char *name = strrchr(path, '/') + 1;
    memcpy(name, program, sizeof program);
    return true;
}

int inspect_run(char **arguments)
{
    assert(arguments[1] != NULL);
    char path[PATH_SIZE];
    char name[sizeof program];
    bool is_known = find_beside(arguments[0], path);
    memcpy(name, program, sizeof program);
    arguments[1] = name;
    if (is_known)
        execv(path, arguments + 1);
    execvp(program, arguments + 1);
    fprintf(stderr,
            "kin: cannot run kin-inspect: %s\n"
            "'make install' of Kin installs it, or says which package is missing.\n",
            strerror(errno));
    return STATUS_SYSTEM;
}
