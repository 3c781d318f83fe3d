// Reads `contexts`, and their `label`.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <string.h>

// Reads `contexts`.

static void add_default(reader *reader, context *context)
{
    if (reader->default_context == NULL) {
        reader->default_context = context;
        return;
    }
    diagnostic_error(reader->diagnostics, CODE_TWO_DEFAULT_CONTEXTS, context->span,
                     "context '%s' is a second default; only one is allowed", context->name);
    diagnostic_note(reader->diagnostics, reader->default_context->span, "'%s' is already the default",
                    reader->default_context->name);
}

// Returns NULL after reporting an invalid name.
static context *declare(reader *reader, const tree_node *name)
{
    if (!reader_check_name(reader, name, CASE_SNAKE, "a context"))
        return NULL;
    reader_warn_of_header(reader, name, "a context");
    context *context = arena_allocate(reader->arena, sizeof *context);
    const struct context *earlier = dictionary_add(&reader->context_names, name->text, context);
    if (earlier != NULL) {
        reader_report_duplicate(reader, name, "context", earlier->span);
        return NULL;
    }
    context->name = name->text;
    context->span = name->span;
    context->saved = read_no_was(name->text);
    context->order = reader->context_count;
    reader->contexts[reader->context_count++] = context;
    return context;
}

static void read_context(reader *reader, const tree_pair *pair)
{
    context *context = declare(reader, pair->key);
    if (context == NULL)
        return;
    const char *what = arena_format(reader->arena, "context '%s'", context->name);
    if (!reader_expect_mapping(reader, pair->value, what))
        return;
    reader_read_keys(reader, pair->value, &language_context, what, context);
    if (context->is_default)
        add_default(reader, context);
    reader->label_nodes[context->order] = tree_find(pair->value, "label");
}

static void report_missing(reader *reader)
{
    diagnostic_error(reader->diagnostics, CODE_NO_CONTEXTS, reader->files->root->pairs->key->span,
                     "schema has no contexts");
    diagnostic_hint(reader->diagnostics, "add 'contexts: { game: {} }'");
}

void read_contexts(reader *reader)
{
    entry_list entries = reader_entries(reader, "contexts");
    if (!entries.is_given && !reader_is_elsewhere(reader, "contexts"))
        report_missing(reader);
    if (entries.count > SCHEMA_CONTEXT_LIMIT) {
        diagnostic_error(reader->diagnostics, CODE_TOO_MANY, entries.pairs[SCHEMA_CONTEXT_LIMIT]->key->span,
                         "package has too many contexts; at most %d are allowed", SCHEMA_CONTEXT_LIMIT);
        entries.count = SCHEMA_CONTEXT_LIMIT;
    }
    reader->contexts = arena_allocate(reader->arena, (entries.count + 1) * sizeof *reader->contexts);
    reader->label_nodes = arena_allocate(reader->arena, (entries.count + 1) * sizeof *reader->label_nodes);
    reader->context_marks = arena_allocate(reader->arena, (entries.count + 1) * sizeof *reader->context_marks);
    for (size_t i = 0; i < entries.count; i++)
        read_context(reader, entries.pairs[i]);
    if (reader->context_count == 1 && reader->default_context == NULL) {
        reader->contexts[0]->is_default = true;
        reader->default_context = reader->contexts[0];
    }
}

// ---- `context` of a group, index or blueprint

static const context *find_named(reader *reader, const tree_node *mapping, context_owner owner)
{
    const char *name = reader_find_text(reader, mapping, "context", owner.what);
    const context *found = name == NULL ? NULL : dictionary_find(&reader->context_names, name);
    if (name == NULL || found != NULL)
        return found;
    if (reader->context_count == 0 || reader_is_elsewhere(reader, "contexts"))
        return NULL;
    diagnostic_error(reader->diagnostics, CODE_UNKNOWN_CONTEXT, tree_find(mapping, "context")->span,
                     "unknown context '%s' in %s", name, owner.what);
    reader_hint(reader, reader_search_contexts(reader, name));
    return NULL;
}

const context *read_context_of(reader *reader, const tree_node *mapping, context_owner owner)
{
    if (tree_find(mapping, "context") != NULL)
        return find_named(reader, mapping, owner);
    if (reader->default_context != NULL)
        return reader->default_context;
    if (reader->context_count == 0 || reader_is_elsewhere(reader, "contexts") ||
        reader_is_misspelled(mapping, owner.keys, "context"))
        return NULL;
    diagnostic_error(reader->diagnostics, CODE_NO_DEFAULT_CONTEXT, owner.span,
                     "%s has no 'context', and no context is the default", owner.what);
    diagnostic_hint(reader->diagnostics, "add 'context: %s'", reader->contexts[0]->name);
    return NULL;
}

// ---- labels

// Reads the `label` of contexts: the field whose value tools show beside an entity.

static bool is_label(const field_type *type)
{
    bool is_integer = type->kind >= TYPE_INT8 && type->kind <= TYPE_UINT64;
    bool is_text = type->kind == TYPE_STRING || type->kind == TYPE_INLINE_STRING || type->kind == TYPE_ENUM;
    return type->array_count == 0 && !type->is_list && (is_integer || is_text);
}

// A field without a default value has an error that was reported.
static bool check_type(reader *reader, const tree_node *node, const field *field)
{
    if (is_label(&field->type) || field->default_value == NULL)
        return true;
    diagnostic_error(reader->diagnostics, CODE_LABEL, node->span, "'%s' cannot be a label: it is of type %s",
                     node->text, schema_type_name(reader->arena, &field->type));
    diagnostic_hint(reader->diagnostics, "a label is a string, an integer or an enum");
    return false;
}

static void read_label(reader *reader, const tree_node *node, context *context)
{
    field_path path = {.where = arena_format(reader->arena, "'label' of context '%s'", context->name),
                       .owner = "the label",
                       .context = context,
                       .code = CODE_LABEL};
    component *component = NULL;
    const field *field = read_field_path(reader, node, &path, &component);
    if (field == NULL || !check_type(reader, node, field))
        return;
    key_part *label = arena_allocate(reader->arena, sizeof *label);
    *label = (key_part){.component = component, .field = field};
    context->label = label;
}

void read_labels(reader *reader)
{
    for (size_t i = 0; i < reader->context_count; i++)
        if (reader->label_nodes[i] != NULL)
            read_label(reader, reader->label_nodes[i], reader->contexts[i]);
}
