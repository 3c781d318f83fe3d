#include "query/parser.h"
#include "query/query.h"

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
    *query = (kin__query){.info = info};
    *mistake = (kin__mistake){0};
    kin__parser parser = {.query = query, .scan = kin__scan_begin(text, mistake)};
    kin__scan *scan = &parser.scan;
    bool is_empty = scan->token.kind == KIN__TOKEN_END || kin__scan_is(scan, "where") || kin__scan_is(scan, "order");
    if (mistake->code != 0 || (!is_empty && !kin__parse_term(&parser, &query->term)) ||
        (is_empty && !kin__parser_append(&parser, (kin__query_node){.kind = KIN__QUERY_EVERY}, &query->term)))
        return false;
    query->has_condition = kin__scan_accept(scan, "where");
    if (query->has_condition && !kin__parse_condition(&parser, &query->condition))
        return false;
    if (!parse_order(&parser))
        return false;
    if (scan->token.kind != KIN__TOKEN_END)
        kin__scan_fail(scan, "expected an operator, 'where', 'order by' or the end%s", kin__scan_hint(scan));
    return mistake->code == 0;
}
