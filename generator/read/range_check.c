// Checks the values that the schema gives fields with a `range`.
#include "generator/schema/schema.h"
#include "read/private/reader.h"

int range_compare(reader *reader, const field *field, const constant *a, const constant *b)
{
    return literal_compare(reader->arena, a->literal, b->literal, field->type.kind);
}

static bool has_range(const field *field)
{
    return field->minimum != NULL || field->maximum != NULL;
}

static const char *spelled(reader *reader, const constant *number)
{
    return number == NULL ? "~" : literal_number(reader->arena, number->literal);
}

static bool is_outside(reader *reader, const field *field, const constant *number)
{
    if (literal_is_nan(number->literal))
        return true;
    return (field->minimum != NULL && range_compare(reader, field, number, field->minimum) < 0) ||
           (field->maximum != NULL && range_compare(reader, field, number, field->maximum) > 0);
}

static void check_number(reader *reader, const field *field, const tree_node *node, const constant *number)
{
    if (is_outside(reader, field, number))
        diagnostic_error(reader->diagnostics, CODE_VALUE_OUT_OF_RANGE, node->span,
                         "%s is outside of the range of field '%s'; expected [%s, %s]", node->text, field->name,
                         spelled(reader, field->minimum), spelled(reader, field->maximum));
}

// An array or a list has a node for each element.
static void check_items(reader *reader, const field *field, const tree_node *node, const constant *array)
{
    const tree_node *item = node->items;
    for (size_t i = 0; i < array->count; i++, item = item->next)
        check_number(reader, field, item, schema_constant_item(array, i));
}

const constant *check_in_range(reader *reader, const field *field, const tree_node *node, const constant *value)
{
    if (value == NULL || !has_range(field))
        return value;
    if (field->type.array_count == 0 && !field->type.is_list)
        check_number(reader, field, node, value);
    else
        check_items(reader, field, node, value);
    return value;
}

// Returns whether 0 is below the range, or else above it.
static bool is_zero_below(reader *reader, const field *field, const constant *zero)
{
    return field->minimum != NULL && range_compare(reader, field, zero, field->minimum) < 0;
}

void check_implied_default(reader *reader, const field *field)
{
    const constant *zero = field->default_value;
    if (zero == NULL || !has_range(field) || field->type.is_list)
        return;
    if (field->type.array_count > 0)
        zero = schema_constant_item(zero, 0);
    if (!is_outside(reader, field, zero))
        return;
    const constant *nearest = is_zero_below(reader, field, zero) ? field->minimum : field->maximum;
    diagnostic_error(reader->diagnostics, CODE_VALUE_OUT_OF_RANGE, field->span,
                     "field '%s' begins as 0, which is outside of its range; expected [%s, %s]", field->name,
                     spelled(reader, field->minimum), spelled(reader, field->maximum));
    if (field->type.array_count > 0)
        diagnostic_hint(reader->diagnostics, "add a default");
    else
        diagnostic_hint(reader->diagnostics, "add 'default: %s'", spelled(reader, nearest));
}
