#include "verbs/pack.h"

#include "generator/evolve/evolve.h"
#include "generator/read/read.h"
#include "generator/save/save.h"
#include "generator/source/source.h"

#include <stdio.h>

// The lock of the package knows what saves call things.
static package *read_package(arena *arena, diagnostics *diagnostics, const command *command)
{
    const source *root = source_load(arena, diagnostics, command->schemas[0]);
    package *package = root == NULL ? NULL : package_read_from(arena, diagnostics, root, &command->includes);
    if (package != NULL)
        diagnostics_forget_warnings(diagnostics);
    return package != NULL && evolve_apply(arena, diagnostics, package) ? package : NULL;
}

int pack_run(arena *arena, const command *command)
{
    diagnostics diagnostics = diagnostics_create(arena);
    diagnostics.options = command->diagnostics;
    const package *package = read_package(arena, &diagnostics, command);
    const char *lines = command->schema_count > 1 ? command->schemas[1] : "-";
    int status = package == NULL ? diagnostics_exit_status(&diagnostics)
                                 : pack_file(arena, &diagnostics, package, lines, command->directory);
    diagnostics_print(&diagnostics, stderr);
    return status;
}
