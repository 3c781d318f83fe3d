#include "verbs/dump.h"

#include "generator/save/save.h"
#include "generator/source/source.h"

#include <stdio.h>

int dump_run(arena *arena, const command *command)
{
    diagnostics diagnostics = diagnostics_create(arena);
    diagnostics.options = command->diagnostics;
    dump_kind kind = command->is_info ? DUMP_INFO : command->is_hash ? DUMP_HASH : DUMP_LINES;
    int status = dump_file(arena, &diagnostics, command->schemas[0], kind, stdout);
    diagnostics_print(&diagnostics, stderr);
    return status;
}
