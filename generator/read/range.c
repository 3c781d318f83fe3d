// Reads `range` of fields.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <string.h>

enum { BOUNDS = 2 };

static bool is_number(type_kind kind)
{
    return kind >= TYPE_INT8 && kind <= TYPE_DOUBLE;
}

static void report_type(reader *reader, const tree_node *mapping, const char *where, const field_type *type)
{
    if (type->definition != NULL && draft_of(type->definition)->is_broken)
        return; // already reported
    diagnostic_error(reader->diagnostics, CODE_RANGE, tree_find_key(mapping, "range")->span,
                     "'range' requires a number, and %s is of type %s", where, schema_type_name(reader->arena, type));
    diagnostic_hint(reader->diagnostics, "remove it");
}

static bool is_no_bound(const tree_node *node)
{
    return node->kind == TREE_SCALAR && node->is_plain && strcmp(node->text, "~") == 0;
}

// Returns whether the node has both items. An item that the parser refused is missing, and already reported.
static bool expect_two_items(reader *reader, const tree_node *node, const char *where)
{
    if (node->kind == TREE_SEQUENCE && node->count == BOUNDS)
        return node->items != NULL && node->items->next != NULL;
    if (node->kind == TREE_BROKEN)
        return false;
    diagnostic_error(reader->diagnostics, CODE_RANGE, node->span,
                     "'range' of %s must be a list of the lowest and the highest value", where);
    diagnostic_hint(reader->diagnostics, "write [0, 100], or [0, ~] for no upper bound");
    return false;
}

static bool expect_a_bound(reader *reader, const tree_node *node, const char *where)
{
    if (!is_no_bound(node->items) || !is_no_bound(node->items->next))
        return true;
    diagnostic_error(reader->diagnostics, CODE_RANGE, node->span, "'range' of %s has no bound", where);
    diagnostic_hint(reader->diagnostics, "remove it, or write a number for one '~'");
    return false;
}

// Returns whether the bound is valid. Sets it to NULL for no bound.
static bool read_bound(reader *reader, const tree_node *node, const field_type *type, const constant **bound)
{
    if (tree_is_text(node) && !node->is_plain && strcmp(node->text, "~") == 0) {
        diagnostic_error(reader->diagnostics, CODE_VALUE, node->span, "'~' in quotes; remove the quotes");
        return false;
    }
    field_type element = schema_element_type(type);
    *bound = is_no_bound(node) ? NULL : read_constant(reader, &element, node);
    if (*bound == NULL || !literal_is_nan((*bound)->literal))
        return is_no_bound(node) || *bound != NULL;
    diagnostic_error(reader->diagnostics, CODE_RANGE, node->span, "%s is not a bound; no number is above or below it",
                     node->text);
    diagnostic_hint(reader->diagnostics, "write ~ for no bound");
    return false;
}

// A range that begins above its end is left out, so that the default is not reported too.
static void check_order(reader *reader, const tree_node *node, const char *where, field *field)
{
    if (field->minimum == NULL || field->maximum == NULL ||
        range_compare(reader, field, field->minimum, field->maximum) <= 0)
        return;
    field->minimum = field->maximum = NULL;
    diagnostic_error(reader->diagnostics, CODE_RANGE, node->span, "'range' of %s begins above its end", where);
    diagnostic_hint(reader->diagnostics, "write [%s, %s]", node->items->next->text, node->items->text);
}

void read_range(reader *reader, const tree_node *mapping, const char *where, field *field)
{
    const tree_node *node = tree_find(mapping, "range");
    if (node == NULL)
        return;
    if (!is_number(field->type.kind)) {
        report_type(reader, mapping, where, &field->type);
        return;
    }
    if (!expect_two_items(reader, node, where) || !expect_a_bound(reader, node, where))
        return;
    bool has_minimum = read_bound(reader, node->items, &field->type, &field->minimum);
    bool has_maximum = read_bound(reader, node->items->next, &field->type, &field->maximum);
    if (!has_minimum || !has_maximum)
        field->minimum = field->maximum = NULL;
    check_order(reader, node, where, field);
}
