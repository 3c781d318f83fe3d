#include "query/parser.h"

bool kin__parser_append(kin__parser *parser, kin__query_node node, uint16_t *number)
{
    kin__query *query = parser->query;
    if (query->node_count == KIN__QUERY_NODES)
        return kin__scan_fail(&parser->scan, "a query has at most %d parts", KIN__QUERY_NODES);
    *number = query->node_count;
    query->nodes[query->node_count++] = node;
    return true;
}

bool kin__parser_operate(kin__parser *parser)
{
    if (++parser->operators > KIN__QUERY_OPERATORS)
        return kin__scan_fail(&parser->scan, "a query has at most %d operators", KIN__QUERY_OPERATORS);
    return true;
}

bool kin__parser_enter(kin__parser *parser)
{
    if (++parser->level > KIN__QUERY_LEVELS)
        return kin__scan_fail(&parser->scan, "parentheses are at most %d deep", KIN__QUERY_LEVELS);
    return true;
}

static bool accept_operator(kin__parser *parser, bool is_or)
{
    kin__scan *scan = &parser->scan;
    return is_or ? kin__scan_accept(scan, "|") : kin__scan_accept(scan, "&") || kin__scan_accept(scan, ",");
}

bool kin__parser_chain(kin__parser *parser, kin__parse_operand *operand, bool is_or, uint16_t *root)
{
    uint16_t right;
    if (!(is_or ? kin__parser_chain(parser, operand, false, root) : operand(parser, root)))
        return false;
    while (accept_operator(parser, is_or)) {
        if (!kin__parser_operate(parser) ||
            !(is_or ? kin__parser_chain(parser, operand, false, &right) : operand(parser, &right)))
            return false;
        kin__query_node node = {.kind = is_or ? KIN__QUERY_OR : KIN__QUERY_AND, .left = *root, .right = right};
        if (!kin__parser_append(parser, node, root))
            return false;
    }
    return true;
}

bool kin__parse_natural(const kin__parser *parser, uint64_t *value)
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

bool kin__parse_handle(kin__parser *parser, kin_entity *entity)
{
    uint64_t created, slot;
    if (!kin__parse_natural(parser, &created) || created >= (uint64_t)1 << 40)
        return kin__scan_fail(&parser->scan, "expected a creation index below 2^40");
    kin__scan_next(&parser->scan);
    if (!kin__scan_expect(&parser->scan, ":"))
        return false;
    if (!kin__parse_natural(parser, &slot) || slot >= 1 << 24)
        return kin__scan_fail(&parser->scan, "expected a slot below 2^24");
    *entity = created << 24 | slot;
    kin__scan_next(&parser->scan);
    return true;
}
