// Reads keys that elements of several kinds have: `inspect`, `was` and `save`.
#include "generator/schema/schema.h"
#include "read/private/reader.h"

#include <inttypes.h>
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

// ---- saves

saved_name read_no_was(const char *name)
{
    return (saved_name){.identity = name};
}

saved_name read_was(reader *reader, const tree_node *mapping, name_case expected, const char *what, const char *name)
{
    saved_name saved = read_no_was(name);
    const tree_node *node = tree_find(mapping, "was");
    reader->package->has_saves = reader->package->has_saves || node != NULL;
    if (node == NULL ||
        !reader_check_old_name(reader, node, expected, arena_format(reader->arena, "'was' of %s", what)))
        return saved;
    saved.identity = saved.was = node->text;
    saved.span = node->span;
    return saved;
}

bool read_unsaved(reader *reader, const tree_node *mapping)
{
    bool is_saved = true;
    const tree_node *node = tree_find(mapping, "save");
    if (node == NULL)
        return false;
    reader->package->has_saves = true;
    return reader_read_bool(reader, node, &is_saved) && !is_saved;
}

static void read_own_version(reader *reader)
{
    integer number;
    const tree_node *node = tree_find(reader->files->root, "version");
    if (node == NULL || !reader_expect_text(reader, node, "'version'"))
        return;
    reader->package->has_saves = true;
    if (node->is_plain && integer_read(node->text, scalar_type_of(TYPE_UINT32), &number) == NUMBER_FITS)
        reader->package->version = (uint32_t)number.magnitude;
    else
        diagnostic_error(reader->diagnostics, CODE_VALUE_OUT_OF_RANGE, node->span,
                         "'version' must be an integer from 0 to %" PRIu32, UINT32_MAX);
}

// Returns whether the text is names with points between them.
static bool is_path(const char *text)
{
    bool begins = true;
    for (; *text != '\0'; text++) {
        bool is_letter = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');
        bool is_digit = (*text >= '0' && *text <= '9') || *text == '_';
        if (begins ? !is_letter : !is_letter && !is_digit && *text != '.')
            return false;
        begins = *text == '.';
    }
    return !begins;
}

static void read_removal(reader *reader, const tree_node *item, dictionary *places, removal *removals)
{
    if (!reader_expect_text(reader, item, "an item of 'removed'"))
        return;
    const tree_node *earlier = dictionary_add(places, item->text, item);
    if (!is_path(item->text)) {
        diagnostic_error(reader->diagnostics, CODE_NAME_CASE, item->span, "'%s' is not the name of a thing in saves",
                         item->text);
        diagnostic_hint(reader->diagnostics, "write a component, field or value of an enum, such as Health.armor");
    } else if (earlier != NULL) {
        diagnostic_error(reader->diagnostics, CODE_NAMED_TWICE, item->span, "'%s' is listed twice in 'removed'",
                         item->text);
        diagnostic_note(reader->diagnostics, earlier->span, "first listed here");
    } else {
        removals[reader->package->removal_count++] =
            (removal){.path = item->text, .identity = item->text, .span = item->span};
    }
}

void read_save_keys(reader *reader)
{
    size_t count = 0;
    dictionary places = dictionary_create(reader->arena);
    read_own_version(reader);
    for (const schema_file *file = reader->files; file != NULL; file = file->next) {
        const tree_node *node = tree_find(file->root, "removed");
        count += node == NULL ? 0 : node->count;
    }
    removal *removals = arena_allocate(reader->arena, (count + 1) * sizeof *removals);
    reader->package->removals = removals;
    for (const schema_file *file = reader->files; file != NULL; file = file->next) {
        const tree_node *node = tree_find(file->root, "removed");
        if (node == NULL || !reader_expect_items(reader, node, "'removed'"))
            continue;
        reader->package->has_saves = true;
        for (const tree_node *item = node->items; item != NULL; item = item->next)
            read_removal(reader, item, &places, removals);
    }
}
