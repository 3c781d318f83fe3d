// Parser: what the files that parse a query share.
#ifndef KIN_INSPECT_PARSER_H
#define KIN_INSPECT_PARSER_H

#include "query/query.h"

typedef struct kin__parser {
    kin__scan scan;
    kin__query *query;
    uint32_t operators, level;
    bool is_negated;
} kin__parser;

// Appends a node. Returns false, and reports it, when the query has too many.
bool kin__parser_append(kin__parser *parser, kin__query_node node, uint16_t *number);

// Counts an operator, or a level of parentheses. Return false, and report it, beyond the limit.
bool kin__parser_operate(kin__parser *parser);
bool kin__parser_enter(kin__parser *parser);

// Parses the operators between operands: `|` between those with `&`.
typedef bool kin__parse_operand(kin__parser *parser, uint16_t *root);
bool kin__parser_chain(kin__parser *parser, kin__parse_operand *operand, bool is_or, uint16_t *root);

bool kin__parse_term(kin__parser *parser, uint16_t *root);
bool kin__parse_condition(kin__parser *parser, uint16_t *root);

// Parses `INT:INT` as a handle.
bool kin__parse_handle(kin__parser *parser, kin_entity *entity);

// Reads the current token, an integer. Returns false when it is negative or too large.
bool kin__parse_natural(const kin__parser *parser, uint64_t *value);

#endif
