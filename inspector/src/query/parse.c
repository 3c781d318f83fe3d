#include "query/query.h"

#include <jansson.h>
#include <string.h>

typedef struct kin__parser {
    kin__scan scan;
    kin__query *query;
    uint32_t operators, level;
    bool is_negated;
} kin__parser;

typedef bool kin__parse_operand(kin__parser *parser, uint16_t *root);

// ---- the parser

static bool parser_append(kin__parser *parser, kin__query_node node, uint16_t *number)
{
    kin__query *query = parser->query;
    if (query->node_count == KIN__QUERY_NODES)
        return kin__scan_fail(&parser->scan, "a query has at most %d parts", KIN__QUERY_NODES);
    *number = query->node_count;
    KIN_ASSERT(node.left < *number || node.left == 0);
    KIN_ASSERT(node.right < *number || node.right == 0);
    query->nodes[query->node_count++] = node;
    return true;
}

// Counts an operator, or a level of parentheses. Return false, and report it, beyond the limit.
static bool parser_operate(kin__parser *parser)
{
    if (++parser->operators > KIN__QUERY_OPERATORS)
        return kin__scan_fail(&parser->scan, "a query has at most %d operators", KIN__QUERY_OPERATORS);
    return true;
}

static bool parser_enter(kin__parser *parser)
{
    if (++parser->level > KIN__QUERY_LEVELS)
        return kin__scan_fail(&parser->scan, "parentheses are at most %d deep", KIN__QUERY_LEVELS);
    return true;
}

static bool parse_and(kin__parser *parser, kin__parse_operand *operand, uint16_t *root)
{
    uint16_t right;
    if (!operand(parser, root))
        return false;
    while (kin__scan_accept(&parser->scan, "&") || kin__scan_accept(&parser->scan, ",")) {
        if (!parser_operate(parser) || !operand(parser, &right))
            return false;
        if (!parser_append(parser, (kin__query_node){.kind = KIN__QUERY_AND, .left = *root, .right = right}, root))
            return false;
    }
    return true;
}

// Parses the operators between operands: `|` between those with `&`.
static bool parse_or(kin__parser *parser, kin__parse_operand *operand, uint16_t *root)
{
    uint16_t right;
    if (!parse_and(parser, operand, root))
        return false;
    while (kin__scan_accept(&parser->scan, "|")) {
        if (!parser_operate(parser) || !parse_and(parser, operand, &right))
            return false;
        if (!parser_append(parser, (kin__query_node){.kind = KIN__QUERY_OR, .left = *root, .right = right}, root))
            return false;
    }
    return true;
}

// Parses an operand with `!` in front of it, or what is in parentheses, by `group`.
static bool parse_negated(kin__parser *parser, kin__parse_operand *atom, kin__parse_operand *group, uint16_t *root)
{
    bool is_negated = false;
    bool before = parser->is_negated;
    while (kin__scan_accept(&parser->scan, "!")) {
        if (!parser_operate(parser))
            return false;
        is_negated = !is_negated;
    }
    parser->is_negated = before != is_negated;
    if (kin__scan_accept(&parser->scan, "(")) {
        if (!parser_enter(parser) || !group(parser, root) || !kin__scan_expect(&parser->scan, ")"))
            return false;
        KIN_ASSERT(parser->level > 0);
        parser->level--;
    } else if (!atom(parser, root)) {
        return false;
    }
    parser->is_negated = before;
    return !is_negated || parser_append(parser, (kin__query_node){.kind = KIN__QUERY_NOT, .left = *root}, root);
}

// Reads the current token, an integer. Returns false when it is negative or too large.
static bool parse_natural(const kin__parser *parser, uint64_t *value)
{
    const kin__token *token = &parser->scan.token;
    *value = 0;
    if (token->kind != KIN__TOKEN_INTEGER || token->length > 19)
        return false;
    for (uint32_t i = 0; i < token->length; i++) {
        char c = parser->scan.text[token->at + i];
        if (c == '-')
            return false;
        *value = *value * 10 + (uint64_t)(c - '0');
    }
    return true;
}

// Parses `INT:INT` as a handle.
static bool parse_handle(kin__parser *parser, kin_entity *entity)
{
    uint64_t created, slot;
    if (!parse_natural(parser, &created) || created >= (uint64_t)1 << 40)
        return kin__scan_fail(&parser->scan, "expected a creation index below 2^40");
    kin__scan_next(&parser->scan);
    if (!kin__scan_expect(&parser->scan, ":"))
        return false;
    if (!parse_natural(parser, &slot) || slot >= 1 << 24)
        return kin__scan_fail(&parser->scan, "expected a slot below 2^24");
    *entity = created << 24 | slot;
    kin__scan_next(&parser->scan);
    return true;
}

// Terms: which components an entity has.

static void note_name(kin__parser *parser, kin_component_id id)
{
    for (uint32_t i = 0; i < parser->query->named_count; i++)
        if (parser->query->named[i] == id)
            return;
    if (!parser->is_negated && parser->query->named_count < KIN__QUERY_NODES)
        parser->query->named[parser->query->named_count++] = id;
}

static bool parse_only(kin__parser *parser, uint16_t *root)
{
    kin__query *query = parser->query;
    kin__query_node node = {.kind = KIN__QUERY_ONLY, .number = query->id_count};
    if (!kin__scan_expect(&parser->scan, "("))
        return false;
    do {
        if (query->id_count == KIN__QUERY_IDS)
            return kin__scan_fail(&parser->scan, "'only' names at most %d components", KIN__QUERY_IDS);
        kin_component_id *id = &query->ids[query->id_count];
        if (!kin__path_component(&parser->scan, query->info, id))
            return false;
        note_name(parser, *id);
        query->id_count++;
        node.count++;
    } while (kin__scan_accept(&parser->scan, ","));
    return kin__scan_expect(&parser->scan, ")") && parser_append(parser, node, root);
}

// Components that members of a group have can be named without the component, too.
static void note_group(kin__parser *parser, const kin_matcher *matcher)
{
    for (uint32_t i = 0; i < matcher->count; i++) {
        const kin_rule *rule = &matcher->rules[i];
        for (uint32_t k = 0; (rule->kind & 7) != KIN_RULE_NONE && k < rule->count; k++)
            note_name(parser, rule->ids[k]);
    }
}

static bool parse_group(kin__parser *parser, uint16_t *root)
{
    char name[128];
    const kin_context_info *info = parser->query->info;
    kin__scan_copy(&parser->scan, name, sizeof name);
    kin__suggest suggest = kin__suggest_begin(name, parser->scan.mistake);
    for (uint32_t i = 0; i < info->group_count; i++) {
        if (parser->scan.token.kind == KIN__TOKEN_NAME && strcmp(info->groups[i].name, name) == 0) {
            kin__suggest_begin(name, parser->scan.mistake);
            kin__scan_next(&parser->scan);
            note_group(parser, &info->groups[i].matcher);
            return parser_append(parser, (kin__query_node){.kind = KIN__QUERY_GROUP, .number = (uint16_t)i}, root);
        }
        kin__suggest_offer(&suggest, info->groups[i].name);
    }
    return kin__scan_fail(&parser->scan, "%s declares no group '%s'", info->name, name);
}

static bool parse_creation(kin__parser *parser, uint16_t *root)
{
    kin__query_node node = {.kind = KIN__QUERY_CREATED};
    if (!parse_natural(parser, &node.entity))
        return kin__scan_fail(&parser->scan, "expected a creation index");
    kin__scan_next(&parser->scan);
    return parser_append(parser, node, root);
}

static bool parse_term(kin__parser *parser, uint16_t *root);

// Parses `.(term)` or `.field.(term)` after a component. The names in it are components of the target, whose fields a
// condition does not see.
static bool parse_target(kin__parser *parser, kin_component_id id, uint16_t *root)
{
    kin__query *query = parser->query;
    uint32_t named_count = query->named_count;
    if (query->test_count == KIN__QUERY_TESTS)
        return kin__scan_fail(&parser->scan, "a query has at most %d comparisons and relations", KIN__QUERY_TESTS);
    kin__query_node node = {.kind = KIN__QUERY_TARGET, .number = query->test_count++};
    if (!kin__path_relation(&parser->scan, query->info, id, &query->tests[node.number].left))
        return false;
    if (!kin__scan_expect(&parser->scan, "(") || !parser_enter(parser) || !parse_term(parser, &node.left))
        return false;
    KIN_ASSERT(parser->level > 0);
    parser->level--;
    query->named_count = named_count;
    return kin__scan_expect(&parser->scan, ")") && parser_append(parser, node, root);
}

static bool parse_component(kin__parser *parser, uint16_t *root)
{
    kin_component_id id;
    if (!kin__path_component(&parser->scan, parser->query->info, &id))
        return false;
    note_name(parser, id);
    if (kin__scan_accept(&parser->scan, "."))
        return parse_target(parser, id, root);
    return parser_append(parser, (kin__query_node){.kind = KIN__QUERY_COMPONENT, .number = id}, root);
}

static bool parse_atom(kin__parser *parser, uint16_t *root)
{
    kin__scan *scan = &parser->scan;
    if (kin__scan_accept(scan, "*"))
        return parser_append(parser, (kin__query_node){.kind = KIN__QUERY_EVERY}, root);
    if (kin__scan_accept(scan, "#"))
        return parse_creation(parser, root);
    if (scan->token.kind == KIN__TOKEN_INTEGER) {
        kin__query_node node = {.kind = KIN__QUERY_ENTITY};
        return parse_handle(parser, &node.entity) && parser_append(parser, node, root);
    }
    if (kin__scan_accept(scan, "only"))
        return parse_only(parser, root);
    if (kin__scan_accept(scan, "in"))
        return parse_group(parser, root);
    if (scan->token.kind == KIN__TOKEN_NAME)
        return parse_component(parser, root);
    if (scan->token.kind == KIN__TOKEN_END)
        return kin__scan_fail(scan, "expected the name of a component at the end");
    return kin__scan_fail(scan, "expected the name of a component");
}

static bool parse_operand(kin__parser *parser, uint16_t *root)
{
    return parse_negated(parser, parse_atom, parse_term, root);
}

// Recursive in parentheses, the depth of which is limited.
static bool parse_term(kin__parser *parser, uint16_t *root)
{
    return parse_or(parser, parse_operand, root);
}

// Conditions: what the fields of an entity are.

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
    KIN_ASSERT(query->text_size <= sizeof query->text);
    *constant = (kin__scalar){.kind = KIN__SCALAR_TEXT, .as.text = text};
    kin__scan_next(&parser->scan);
    return true;
}

// jansson reads numbers whatever the locale.
static bool parse_real(kin__parser *parser, kin__scalar *constant)
{
    char text[128];
    json_t *number = NULL;
    kin__scan_copy(&parser->scan, text, sizeof text);
    if (parser->scan.token.length < sizeof text)
        number = json_loads(text, JSON_DECODE_ANY, NULL);
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
        if (test->left.field->type != KIN_TYPE_ENTITY)
            return parse_integer(parser, &test->constant);
        test->constant.kind = KIN__SCALAR_ENTITY;
        return parse_handle(parser, &test->constant.as.entity);
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
    kin__scalar_kind left = kin__scalar_kind_of(test->left.field->type);
    kin__scalar_kind right = test->constant.kind;
    if (test->has_path)
        right = kin__scalar_kind_of(test->right.field->type);
    bool are_texts = left == KIN__SCALAR_TEXT && right == KIN__SCALAR_TEXT;
    if (test->comparison == KIN__LIKE && !are_texts)
        return kin__scan_fail_at(&parser->scan, token, "'~' compares texts");
    bool is_alike = left == right || (is_number(left) && is_number(right));
    if (is_alike && left == KIN__SCALAR_ENUM && test->has_path)
        is_alike = test->left.field->of == test->right.field->of;
    if (left == KIN__SCALAR_ENUM && right == KIN__SCALAR_TEXT)
        return kin__scan_fail_at(&parser->scan, token, "'%s' is an enum: write its value without quotes",
                                 test->left.field->name);
    if (!is_alike)
        return kin__scan_fail_at(&parser->scan, token, "'%s' cannot be compared with this", test->left.field->name);
    bool needs_order = test->comparison > KIN__UNEQUAL && test->comparison < KIN__LIKE;
    bool has_order = is_number(left) || left == KIN__SCALAR_TEXT;
    if (needs_order && !has_order)
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
            return parser_operate(parser);
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
    if (test->comparison == KIN__IS_NULL) {
        if (!check_null(parser, token, test))
            return false;
    } else if (!parse_value(parser, test) || !check_types(parser, token, test)) {
        return false;
    }
    return parser_append(parser, (kin__query_node){.kind = KIN__QUERY_TEST, .number = query->test_count++}, root);
}

static bool parse_condition(kin__parser *parser, uint16_t *root);

static bool parse_condition_operand(kin__parser *parser, uint16_t *root)
{
    return parse_negated(parser, parse_test, parse_condition, root);
}

// Recursive in parentheses, the depth of which is limited.
static bool parse_condition(kin__parser *parser, uint16_t *root)
{
    return parse_or(parser, parse_condition_operand, root);
}

static bool parse_order(kin__parser *parser)
{
    kin__query *query = parser->query;
    kin__path_scope scope = {query->info, KIN_NO_COMPONENT, query->named, query->named_count, false};
    if (!kin__scan_accept(&parser->scan, "order"))
        return true;
    if (!kin__scan_expect(&parser->scan, "by"))
        return false;
    kin__token token = parser->scan.token;
    if (!kin__path_parse(&parser->scan, &scope, &query->order))
        return false;
    if (!kin__path_is_single(&query->order))
        return kin__scan_fail_at(&parser->scan, token, "'%s' is no single value", query->order.field->name);
    query->has_order = true;
    query->is_descending = kin__scan_accept(&parser->scan, "desc");
    return true;
}

bool kin__query_parse(kin__query *query, const kin_context_info *info, const char *text, kin__mistake *mistake)
{
    KIN_ASSERT(text != NULL && info != NULL);
    *query = (kin__query){.info = info};
    *mistake = (kin__mistake){0};
    kin__parser parser = {.query = query, .scan = kin__scan_begin(text, mistake)};
    kin__scan *scan = &parser.scan;
    bool has_term = scan->token.kind != KIN__TOKEN_END;
    if (kin__scan_is(scan, "where") || kin__scan_is(scan, "order"))
        has_term = false;
    if (mistake->code != 0)
        return false;
    if (!has_term)
        parser_append(&parser, (kin__query_node){.kind = KIN__QUERY_EVERY}, &query->term);
    else if (!parse_term(&parser, &query->term))
        return false;
    KIN_ASSERT(query->term < query->node_count);
    query->has_condition = kin__scan_accept(scan, "where");
    if (query->has_condition && !parse_condition(&parser, &query->condition))
        return false;
    if (!parse_order(&parser))
        return false;
    if (scan->token.kind != KIN__TOKEN_END)
        kin__scan_fail(scan, "expected an operator, 'where', 'order by' or the end%s", kin__scan_hint(scan));
    return mistake->code == 0;
}
