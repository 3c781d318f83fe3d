// Checks the nodes of values: those of schemas, and those of content.
#include "generator/schema/schema.h"

#include <string.h>

// ---- kinds of nodes

const char *node_kind(const tree_node *node)
{
    switch (node->kind) {
    case TREE_SEQUENCE:
        return "a list";
    case TREE_MAPPING:
        return "a mapping";
    default:
        return tree_is_empty(node) ? "nothing" : "a scalar";
    }
}

bool node_expect_mapping(diagnostics *diagnostics, const tree_node *node, const char *what)
{
    if (node->kind == TREE_MAPPING)
        return true;
    if (node->kind == TREE_BROKEN)
        return false;
    diagnostic_error(diagnostics, CODE_MAPPING_EXPECTED, node->span, "expected a mapping for %s, found %s", what,
                     node_kind(node));
    if (tree_is_empty(node))
        diagnostic_hint(diagnostics, "write {} for an empty mapping");
    else if (node->kind == TREE_SCALAR && strchr(node->text, ':') != NULL)
        diagnostic_hint(diagnostics, "add a space after ':'");
    else if (node->kind == TREE_SEQUENCE && node->span.source->bytes[node->span.start] == '-')
        diagnostic_hint(diagnostics, "remove each '- '");
    return false;
}

bool node_expect_value(diagnostics *diagnostics, const tree_node *node, const char *what)
{
    if (tree_is_text(node))
        return true;
    if (node->kind != TREE_BROKEN)
        diagnostic_error(diagnostics, CODE_TEXT_EXPECTED, node->span, "expected %s, found %s", what, node_kind(node));
    return false;
}

// ---- scalars

bool scalar_check_bool(diagnostics *diagnostics, const tree_node *node, bool *value)
{
    *value = node->is_plain && strcmp(node->text, "true") == 0;
    if (*value || (node->is_plain && strcmp(node->text, "false") == 0))
        return true;
    diagnostic_error(diagnostics, CODE_VALUE, node->span, "'%s' is not a valid bool", node->text);
    diagnostic_hint(diagnostics, node->is_plain ? "write true or false" : "write true or false, without quotes");
    return false;
}

static void report_number(diagnostics *diagnostics, const tree_node *node, const scalar_type *type,
                          number_verdict verdict)
{
    bool is_integer = type->maximum > 0;
    const char *meant = is_integer ? NULL : floating_meant(node->text);
    if (meant != NULL) {
        diagnostic_error(diagnostics, CODE_VALUE, node->span, "'%s' is not a valid %s", node->text, type->name);
        diagnostic_replace(diagnostics, meant);
        diagnostic_hint(diagnostics, node->is_plain ? "write %s" : "write %s, without quotes", meant);
    } else if (!node->is_plain && verdict != NUMBER_IS_NONE) {
        diagnostic_error(diagnostics, CODE_VALUE, node->span, "number in quotes; remove the quotes");
    } else if (verdict == NUMBER_IS_NONE && is_integer) {
        diagnostic_error(diagnostics, CODE_VALUE, node->span, "'%s' is not a valid %s", node->text, type->name);
        diagnostic_hint(diagnostics, "write an integer from %lld to %llu, such as 12 or 0x1F", (long long)type->minimum,
                        (unsigned long long)type->maximum);
    } else if (verdict == NUMBER_IS_NONE) {
        diagnostic_error(diagnostics, CODE_VALUE, node->span, "'%s' is not a valid %s", node->text, type->name);
        diagnostic_hint(diagnostics, "write a number such as 0.5, -3 or 1e6, or .inf, -.inf or .nan");
    } else if (is_integer) {
        diagnostic_error(diagnostics, CODE_VALUE_OUT_OF_RANGE, node->span,
                         "%s is out of range for %s; expected %lld to %llu", node->text, type->name,
                         (long long)type->minimum, (unsigned long long)type->maximum);
    } else {
        diagnostic_error(diagnostics, CODE_VALUE_OUT_OF_RANGE, node->span, "%s is out of range for %s", node->text,
                         type->name);
    }
}

bool scalar_check_number(diagnostics *diagnostics, const tree_node *node, type_kind kind, integer *integer)
{
    const scalar_type *type = scalar_type_of(kind);
    number_verdict verdict = NUMBER_IS_NONE;
    if (type->maximum > 0)
        verdict = integer_read(node->text, type, integer);
    else
        verdict = floating_read(node->text, kind);
    if (verdict == NUMBER_FITS && node->is_plain)
        return true;
    report_number(diagnostics, node, type, verdict);
    return false;
}

bool scalar_check_string(diagnostics *diagnostics, const tree_node *node, size_t limit)
{
    if (node->size <= limit)
        return true;
    diagnostic_error(diagnostics, CODE_TEXT_DOES_NOT_FIT, node->span,
                     "string of %zu bytes is too long; string[%zu] holds at most %zu", node->size, limit, limit);
    return false;
}

void scalar_report_enumerator(diagnostics *diagnostics, const tree_node *node, const char *of)
{
    diagnostic_error(diagnostics, CODE_UNKNOWN_ENUM_VALUE, node->span, "enum '%s' has no value '%s'", of, node->text);
}
