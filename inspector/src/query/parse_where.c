// Conditions: what the fields of an entity are.

#include "query/parser.h"
#include "query/suggest.h"

#include <jansson.h>
#include <string.h>

static bool parse_path(kin__parser *parser, bool may_be_text, kin__path *path)
{
    kin__path_scope scope = {parser->query->info, KIN_NO_COMPONENT, parser->query->named, parser->query->named_count,
                             may_be_text};
    kin__token token = parser->scan.token;
    if (!kin__path_parse(&parser->scan, &scope, path))
        return false;
    if (kin__path_is_single(path))
        return true;
    return kin__scan_fail_at(&parser->scan, token, "'%s' is no single value; name one in it", path->field->name);
}

// ---- constants

static bool parse_enumerator(kin__parser *parser, const kin_type_info *type, kin__scalar *constant)
{
    char name[128];
    kin__scan_copy(&parser->scan, name, sizeof name);
    for (uint32_t i = 0; i < type->value_count; i++)
        if (strcmp(type->values[i].name, name) == 0) {
            *constant = (kin__scalar){.kind = KIN__SCALAR_ENUM, .as.integer = type->values[i].value};
            kin__scan_next(&parser->scan);
            return true;
        }
    return false;
}

static bool parse_string(kin__parser *parser, kin__scalar *constant)
{
    kin__query *query = parser->query;
    char *text = query->text + query->text_size;
    kin__scan_copy(&parser->scan, text, sizeof query->text - query->text_size);
    query->text_size = (uint16_t)(query->text_size + strlen(text) + 1);
    *constant = (kin__scalar){.kind = KIN__SCALAR_TEXT, .as.text = text};
    kin__scan_next(&parser->scan);
    return true;
}

// jansson reads numbers whatever the locale.
static bool parse_real(kin__parser *parser, kin__scalar *constant)
{
    char text[128];
    kin__scan_copy(&parser->scan, text, sizeof text);
    json_t *number = parser->scan.token.length >= sizeof text ? NULL : json_loads(text, JSON_DECODE_ANY, NULL);
    if (number == NULL)
        return kin__scan_fail(&parser->scan, "the number is out of range");
    *constant = (kin__scalar){.kind = KIN__SCALAR_REAL, .as.real = json_number_value(number)};
    json_decref(number);
    kin__scan_next(&parser->scan);
    return true;
}

static bool parse_integer(kin__parser *parser, kin__scalar *constant)
{
    kin__scan *scan = &parser->scan;
    bool is_negative = scan->text[scan->token.at] == '-';
    uint64_t value = 0;
    for (uint32_t i = is_negative; i < scan->token.length; i++) {
        uint64_t digit = (uint64_t)(scan->text[scan->token.at + i] - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return kin__scan_fail(scan, "the number is out of range");
        value = value * 10 + digit;
    }
    if (is_negative && value > (uint64_t)INT64_MAX + 1)
        return kin__scan_fail(scan, "the number is out of range");
    *constant = (kin__scalar){.kind = KIN__SCALAR_NATURAL, .as.natural = value};
    if (is_negative)
        *constant = (kin__scalar){.kind = KIN__SCALAR_INTEGER, .as.integer = (int64_t)(0 - value)};
    kin__scan_next(scan);
    return true;
}

static bool parse_handle(kin__parser *parser, kin__scalar *constant)
{
    constant->kind = KIN__SCALAR_ENTITY;
    return kin__parse_handle(parser, &constant->as.entity);
}

// A bool, or a path; also an enumerator if the left side is an enum.
static bool parse_named(kin__parser *parser, kin__query_test *test)
{
    bool is_enum = test->left.field->type == KIN_TYPE_ENUM;
    if (kin__scan_is(&parser->scan, "true") || kin__scan_is(&parser->scan, "false")) {
        test->constant = (kin__scalar){.kind = KIN__SCALAR_BOOL, .as.boolean = kin__scan_is(&parser->scan, "true")};
        kin__scan_next(&parser->scan);
        return true;
    }
    if (is_enum && parse_enumerator(parser, test->left.field->of, &test->constant))
        return true;
    kin__token token = parser->scan.token;
    test->has_path = true;
    if (parse_path(parser, kin__scalar_kind_of(test->left.field->type) == KIN__SCALAR_TEXT, &test->right))
        return true;
    if (!is_enum || token.at != parser->scan.mistake->at)
        return false;
    char name[128];
    parser->scan.token = token;
    kin__scan_copy(&parser->scan, name, sizeof name);
    kin__suggest suggest = kin__suggest_begin(name, parser->scan.mistake);
    for (uint32_t i = 0; i < test->left.field->of->value_count; i++)
        kin__suggest_offer(&suggest, test->left.field->of->values[i].name);
    parser->scan.mistake->code = 0;
    return kin__scan_fail(&parser->scan, "'%s' is no value of %s", name, test->left.field->of->name);
}

static bool parse_value(kin__parser *parser, kin__query_test *test)
{
    switch (parser->scan.token.kind) {
    case KIN__TOKEN_STRING:
        return parse_string(parser, &test->constant);
    case KIN__TOKEN_NUMBER:
        return parse_real(parser, &test->constant);
    case KIN__TOKEN_INTEGER:
        return test->left.field->type == KIN_TYPE_ENTITY ? parse_handle(parser, &test->constant)
                                                         : parse_integer(parser, &test->constant);
    case KIN__TOKEN_NAME:
        return parse_named(parser, test);
    default:
        return kin__scan_fail(&parser->scan, "expected a value%s", kin__scan_hint(&parser->scan));
    }
}

// ---- tests

static bool is_number(kin__scalar_kind kind)
{
    return kind == KIN__SCALAR_INTEGER || kind == KIN__SCALAR_NATURAL || kind == KIN__SCALAR_REAL;
}

// Only likes can be compared, and of those that have no order only whether they are equal.
static bool check_types(kin__parser *parser, kin__token token, const kin__query_test *test)
{
    kin__scalar_kind left = kin__scalar_kind_of(test->left.field->type), right = test->constant.kind;
    if (test->has_path)
        right = kin__scalar_kind_of(test->right.field->type);
    if (test->comparison == KIN__LIKE && (left != KIN__SCALAR_TEXT || right != KIN__SCALAR_TEXT))
        return kin__scan_fail_at(&parser->scan, token, "'~' compares texts");
    bool is_alike = left == right || (is_number(left) && is_number(right));
    if (left == KIN__SCALAR_ENUM && test->has_path && is_alike)
        is_alike = test->left.field->of == test->right.field->of;
    if (left == KIN__SCALAR_ENUM && right == KIN__SCALAR_TEXT)
        return kin__scan_fail_at(&parser->scan, token, "'%s' is an enum: write its value without quotes",
                                 test->left.field->name);
    if (!is_alike)
        return kin__scan_fail_at(&parser->scan, token, "'%s' cannot be compared with this", test->left.field->name);
    if (test->comparison > KIN__UNEQUAL && test->comparison < KIN__LIKE && !is_number(left) && left != KIN__SCALAR_TEXT)
        return kin__scan_fail_at(&parser->scan, token, "'%s' has no order; use = or !=", test->left.field->name);
    return true;
}

static bool parse_operator(kin__parser *parser, kin__comparison *comparison)
{
    static const struct {
        const char *word;
        kin__comparison comparison;
    } operators[] = {{"=", KIN__EQUAL},   {"==", KIN__EQUAL},      {"!=", KIN__UNEQUAL},
                     {"<", KIN__LESS},    {"<=", KIN__LESS_EQUAL}, {">=", KIN__GREATER_EQUAL},
                     {">", KIN__GREATER}, {"~", KIN__LIKE},        {"is", KIN__IS_NULL}};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (kin__scan_accept(&parser->scan, operators[i].word)) {
            *comparison = operators[i].comparison;
            return kin__parser_operate(parser);
        }
    return kin__scan_fail(&parser->scan, "expected a comparison, such as = or <");
}

static bool check_null(kin__parser *parser, kin__token token, const kin__query_test *test)
{
    kin_type type = test->left.field->type;
    if (type != KIN_TYPE_STRING && type != KIN_TYPE_ENTITY)
        return kin__scan_fail_at(&parser->scan, token, "'%s' is never null", test->left.field->name);
    return kin__scan_expect(&parser->scan, "null");
}

static bool parse_test(kin__parser *parser, uint16_t *root)
{
    kin__query *query = parser->query;
    if (query->test_count == KIN__QUERY_TESTS)
        return kin__scan_fail(&parser->scan, "a query has at most %d comparisons", KIN__QUERY_TESTS);
    kin__query_test *test = &query->tests[query->test_count];
    *test = (kin__query_test){0};
    kin__token token = parser->scan.token;
    if (!parse_path(parser, false, &test->left) || !parse_operator(parser, &test->comparison))
        return false;
    if (test->comparison == KIN__IS_NULL ? !check_null(parser, token, test) : !parse_value(parser, test))
        return false;
    if (test->comparison != KIN__IS_NULL && !check_types(parser, token, test))
        return false;
    return kin__parser_append(parser, (kin__query_node){.kind = KIN__QUERY_TEST, .number = query->test_count++}, root);
}

static bool parse_operand(kin__parser *parser, uint16_t *root)
{
    bool is_negated = false;
    while (kin__scan_accept(&parser->scan, "!")) {
        if (!kin__parser_operate(parser))
            return false;
        is_negated = !is_negated;
    }
    bool is_inner = kin__scan_accept(&parser->scan, "(");
    if (is_inner &&
        (!kin__parser_enter(parser) || !kin__parse_condition(parser, root) || !kin__scan_expect(&parser->scan, ")")))
        return false;
    if (!is_inner && !parse_test(parser, root))
        return false;
    parser->level -= is_inner;
    return !is_negated || kin__parser_append(parser, (kin__query_node){.kind = KIN__QUERY_NOT, .left = *root}, root);
}

// Recursive in parentheses, the depth of which is limited.
bool kin__parse_condition(kin__parser *parser, uint16_t *root)
{
    return kin__parser_chain(parser, parse_operand, true, root);
}
