// Reading of `contexts`.
#include "schema_reader.h"

#include <string.h>

static const key_set context_keys = {
    .known = (const char *const[]){"doc", "default", NULL},
    .later = (const char *const[]){NULL},
};

static void read_default(reader *reader, context *context, const tree_node *node)
{
    context->is_default = reader_find_bool(reader, node, "default");
    if (!context->is_default)
        return;
    if (reader->default_context == NULL) {
        reader->default_context = context;
        return;
    }
    diagnostic_error(reader->diagnostics, context->span, "only one context can be the default, and '%s' is one too",
                     context->name);
    diagnostic_note(reader->diagnostics, reader->default_context->span, "'%s' is the default already",
                    reader->default_context->name);
}

static void read_context(reader *reader, const tree_pair *pair)
{
    if (!reader_check_name(reader, pair->key, CASE_SNAKE, "a context") || reader->context_count == SCHEMA_CONTEXT_LIMIT)
        return;
    context *context = arena_allocate(reader->arena, sizeof *context);
    context->name = pair->key->text;
    context->span = pair->key->span;
    reader->contexts[reader->context_count++] = context;
    dictionary_add(&reader->context_names, context->name, context);

    const char *what = arena_format(reader->arena, "context '%s'", context->name);
    if (!reader_expect_mapping(reader, pair->value, what))
        return;
    reader_check_keys(reader, pair->value, context_keys, what);
    context->doc = reader_find_text(reader, pair->value, "doc", what);
    read_default(reader, context, pair->value);
}

void read_contexts(reader *reader)
{
    const tree_node *node = tree_find(reader->root, "contexts");
    if (node == NULL) {
        if (reader_is_elsewhere(reader, "contexts"))
            return;
        diagnostic_error(reader->diagnostics, reader->root->pairs->key->span, "the schema has no contexts");
        diagnostic_hint(reader->diagnostics, "add 'contexts: { game: {} }'");
        return;
    }
    if (!reader_expect_entries(reader, node, "'contexts'"))
        return;
    if (node->count > SCHEMA_CONTEXT_LIMIT)
        diagnostic_error(reader->diagnostics, node->span, "a package may have at most %d contexts",
                         SCHEMA_CONTEXT_LIMIT);
    reader->contexts = arena_allocate(reader->arena, node->count * sizeof *reader->contexts);
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next)
        read_context(reader, pair);
    if (reader->context_count == 1 && reader->default_context == NULL) {
        reader->contexts[0]->is_default = true;
        reader->default_context = reader->contexts[0];
    }
}
