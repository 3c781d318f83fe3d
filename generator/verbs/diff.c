#include "verbs/diff.h"

#include "generator/save/save.h"
#include "generator/source/source.h"

#include <stdio.h>

int diff_run(arena *arena, const command *command)
{
    diagnostics diagnostics = diagnostics_create(arena);
    diagnostics.options = command->diagnostics;
    int status = save_diff(arena, &diagnostics, command->schemas, stdout);
    diagnostics_print(&diagnostics, stderr);
    return status;
}
