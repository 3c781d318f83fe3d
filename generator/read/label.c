// Reads the `label` of contexts: the field whose value tools show beside an entity.
#include "read/private/reader.h"

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
    *label = (key_part){component, field};
    context->label = label;
}

void read_labels(reader *reader)
{
    for (size_t i = 0; i < reader->context_count; i++)
        if (reader->label_nodes[i] != NULL)
            read_label(reader, reader->label_nodes[i], reader->contexts[i]);
}
