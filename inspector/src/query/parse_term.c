// Terms: which components an entity has.

#include "query/parser.h"
#include "query/suggest.h"

#include <string.h>

static void note_name(kin__parser *parser, kin_component_id id)
{
    for (uint32_t i = 0; i < parser->query->named_count; i++)
        if (parser->query->named[i] == id)
            return;
    if (!parser->is_negated && parser->query->named_count < KIN__QUERY_NODES)
        parser->query->named[parser->query->named_count++] = id;
}

static bool parse_component(kin__parser *parser, uint16_t *root)
{
    kin_component_id id;
    if (!kin__path_component(&parser->scan, parser->query->info, &id) ||
        !kin__parser_append(parser, (kin__query_node){.kind = KIN__QUERY_COMPONENT, .number = id}, root))
        return false;
    note_name(parser, id);
    return true;
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
    return kin__scan_expect(&parser->scan, ")") && kin__parser_append(parser, node, root);
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
            return kin__parser_append(parser, (kin__query_node){.kind = KIN__QUERY_GROUP, .number = (uint16_t)i}, root);
        }
        kin__suggest_offer(&suggest, info->groups[i].name);
    }
    return kin__scan_fail(&parser->scan, "%s declares no group '%s'", info->name, name);
}

static bool parse_number(kin__parser *parser, bool is_creation, uint16_t *root)
{
    kin__query_node node = {.kind = is_creation ? KIN__QUERY_CREATED : KIN__QUERY_ENTITY};
    if (!is_creation)
        return kin__parse_handle(parser, &node.entity) && kin__parser_append(parser, node, root);
    if (!kin__parse_natural(parser, &node.entity))
        return kin__scan_fail(&parser->scan, "expected a creation index");
    kin__scan_next(&parser->scan);
    return kin__parser_append(parser, node, root);
}

static bool parse_atom(kin__parser *parser, uint16_t *root)
{
    kin__scan *scan = &parser->scan;
    if (kin__scan_accept(scan, "*"))
        return kin__parser_append(parser, (kin__query_node){.kind = KIN__QUERY_EVERY}, root);
    if (kin__scan_accept(scan, "#"))
        return parse_number(parser, true, root);
    if (scan->token.kind == KIN__TOKEN_INTEGER)
        return parse_number(parser, false, root);
    if (kin__scan_accept(scan, "only"))
        return parse_only(parser, root);
    if (kin__scan_accept(scan, "in"))
        return parse_group(parser, root);
    if (scan->token.kind == KIN__TOKEN_NAME)
        return parse_component(parser, root);
    return kin__scan_fail(scan, "expected the name of a component%s",
                          scan->token.kind == KIN__TOKEN_END ? " at the end" : "");
}

static bool parse_operand(kin__parser *parser, uint16_t *root)
{
    bool is_negated = false, before = parser->is_negated;
    while (kin__scan_accept(&parser->scan, "!")) {
        if (!kin__parser_operate(parser))
            return false;
        is_negated = !is_negated;
    }
    parser->is_negated = before != is_negated;
    bool is_inner = kin__scan_accept(&parser->scan, "(");
    if (is_inner &&
        (!kin__parser_enter(parser) || !kin__parse_term(parser, root) || !kin__scan_expect(&parser->scan, ")")))
        return false;
    if (!is_inner && !parse_atom(parser, root))
        return false;
    parser->level -= is_inner;
    parser->is_negated = before;
    return !is_negated || kin__parser_append(parser, (kin__query_node){.kind = KIN__QUERY_NOT, .left = *root}, root);
}

// Recursive in parentheses, the depth of which is limited.
bool kin__parse_term(kin__parser *parser, uint16_t *root)
{
    return kin__parser_chain(parser, parse_operand, true, root);
}
