// What systems name: looked up, and told with what was probably meant.
#include "base/text.h"
#include "read/private/system.h"

enum { LISTED_NAMES = 8 }; // so few can be told where nothing is near

system_list system_list_begin(reader *reader, const system_draft *draft, const char *key)
{
    const tree_node *node = tree_find(draft->node, key);
    system_list list = {.reader = reader, .what = arena_format(reader->arena, "'%s' of %s", key, draft->what)};
    if (node == NULL || !reader_expect_items(reader, node, list.what))
        return list;
    list.items = node->items;
    list.capacity = node->count;
    list.places = dictionary_create(reader->arena);
    return list;
}

bool system_list_is_new(system_list *list, const tree_node *name)
{
    const tree_node *earlier = dictionary_add(&list->places, name->text, name);
    if (earlier == NULL)
        return true;
    diagnostic_error(list->reader->diagnostics, CODE_NAMED_TWICE, name->span, "%s names '%s' twice", list->what,
                     name->text);
    diagnostic_note(list->reader->diagnostics, earlier->span, "the first stands here");
    return false;
}

void system_names_begin(system_names *names, reader *reader, size_t count)
{
    names->things = dictionary_create_for(reader->arena, count);
    names->names = arena_allocate(reader->arena, (count + 1) * sizeof *names->names);
}

const void *system_names_add(system_names *names, const char *name, const void *thing)
{
    const void *earlier = dictionary_add(&names->things, name, thing);
    if (earlier == NULL)
        names->names[names->count++] = name;
    return earlier;
}

// All there are, where they are few.
static void hint_at_all(const system_names *names, reader *reader)
{
    if (names->count == 0 || names->count > LISTED_NAMES)
        return;
    text list = text_create(reader->arena);
    for (size_t i = 0; i < names->count; i++)
        text_append_format(&list, "%s%s", i == 0 ? "" : ", ", names->names[i]);
    if (names->count == 1)
        diagnostic_hint(reader->diagnostics, "the only %s is %s", names->kind, list.bytes);
    else
        diagnostic_hint(reader->diagnostics, "the %s are %s", names->kinds, list.bytes);
}

const void *system_names_find(const system_names *names, reader *reader, const tree_node *node, const char *what)
{
    const void *found = dictionary_find(&names->things, node->text);
    if (found != NULL || reader_is_elsewhere(reader, names->key))
        return found;
    diagnostic_error(reader->diagnostics, names->code, node->span, "unknown %s '%s' in %s", names->kind, node->text,
                     what);
    name_search search = name_search_begin(node->text);
    for (size_t i = 0; reader_is_hinting(reader) && i < names->count; i++)
        name_search_offer(&search, names->names[i]);
    if (search.nearest != NULL)
        reader_hint(reader, search);
    else
        hint_at_all(names, reader);
    return NULL;
}
