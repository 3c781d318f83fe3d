// Reads `contexts`, and their `label` and `off`.
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
    reader->context_nodes[context->order] = pair->value;
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
    reader->context_nodes = arena_allocate(reader->arena, (entries.count + 1) * sizeof *reader->context_nodes);
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

// Returns the value of a key of a context; NULL if it has none.
static const tree_node *find_key(const reader *reader, const context *context, const char *key)
{
    const tree_node *mapping = reader->context_nodes[context->order];
    if (mapping == NULL)
        return NULL;
    return tree_find(mapping, key);
}

void read_labels(reader *reader)
{
    for (size_t i = 0; i < reader->context_count; i++) {
        const tree_node *node = find_key(reader, reader->contexts[i], "label");
        if (node != NULL)
            read_label(reader, node, reader->contexts[i]);
    }
}

// ---- off

// Reads the `off` of contexts: the flag that switches entities off.

// A component without contexts had invalid ones, already reported.
static bool check_context(reader *reader, const tree_node *node, const component *component, const context *context)
{
    if (component->context_count == 0 || component_is_in(component, context))
        return component->context_count > 0;
    diagnostic_error(reader->diagnostics, CODE_OTHER_CONTEXT, node->span,
                     "component '%s' in 'off' of context '%s' is not in this context", component->name, context->name);
    diagnostic_note(reader->diagnostics, component->span, "'%s' is declared here for context '%s'", component->name,
                    component->contexts[0]->name);
    return false;
}

static bool check_flag(reader *reader, const tree_node *node, const component *component, const context *context)
{
    if (component->fields.count > 0) {
        diagnostic_error(reader->diagnostics, CODE_OFF, node->span,
                         "component '%s' in 'off' of context '%s' is not a flag: it has fields", component->name,
                         context->name);
        diagnostic_hint(reader->diagnostics, "declare a flag, such as 'Asleep: {}'");
        return false;
    }
    if (component->is_unique) {
        diagnostic_error(reader->diagnostics, CODE_OFF, node->span,
                         "flag '%s' in 'off' of context '%s' is unique, so that it could switch off only one entity",
                         component->name, context->name);
        diagnostic_hint(reader->diagnostics, "remove 'unique', or name another flag");
        return false;
    }
    return true;
}

static void read_off(reader *reader, const tree_node *node, context *context)
{
    const component_draft *found = dictionary_find(&reader->component_names, node->text);
    context->off_name = NULL;
    if (found == NULL && reader_is_elsewhere(reader, "components"))
        return;
    if (found == NULL) {
        diagnostic_error(reader->diagnostics, CODE_UNKNOWN_COMPONENT, node->span,
                         "unknown component '%s' in 'off' of context '%s'", node->text, context->name);
        reader_hint(reader, reader_search_components(reader, node->text, context));
        return;
    }
    const component *component = &found->component;
    if (!check_context(reader, node, component, context) || !check_flag(reader, node, component, context))
        return;
    context->off_name = component->name;
    context->off = component;
    context->off_span = node->span;
}

void read_offs(reader *reader)
{
    for (size_t i = 0; i < reader->context_count; i++)
        if (reader->contexts[i]->off_name != NULL)
            read_off(reader, find_key(reader, reader->contexts[i], "off"), reader->contexts[i]);
}
