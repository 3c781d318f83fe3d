// Reads `inspect` of fields and components.
#include "read/private/reader.h"

#include <string.h>

inspect_kind read_inspect(reader *reader, const tree_node *mapping, const char *what)
{
    static const char *const names[] = {[INSPECT_READ_ONLY] = "read_only", [INSPECT_HIDDEN] = "hidden"};
    const tree_node *node = tree_find(mapping, "inspect");
    if (node == NULL || !reader_expect_text(reader, node, arena_format(reader->arena, "'inspect' of %s", what)))
        return INSPECT_EDIT;
    name_search search = name_search_begin(node->text);
    for (int kind = INSPECT_READ_ONLY; kind <= INSPECT_HIDDEN; kind++) {
        name_search_offer(&search, names[kind]);
        if (strcmp(node->text, names[kind]) == 0)
            return (inspect_kind)kind;
    }
    diagnostic_error(reader->diagnostics, CODE_UNKNOWN_CHOICE, node->span,
                     "unknown inspect '%s'; expected 'read_only' or 'hidden', or leave the key out", node->text);
    reader_hint(reader, search);
    return INSPECT_EDIT;
}
