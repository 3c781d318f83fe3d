// Query: which entities are meant, parsed from
//
//   query = [ term ] [ "where" condition ] [ "order" "by" path [ "desc" ] ]
//   term  = names of components with & , | ! and parentheses, `*`, `only(A, B)`, `in group`, `#created`, `created:slot`
//
// A term is answered for 64 slots at once, a condition for one entity. Both are trees in one array, in which a node is
// behind its children.
//
// Invariants:
//   1. children of a node are before it
//   2. all ids and fields are of the context whose tables the query was parsed with
//
// Cost of a word: a few loads for each name of the term. A condition costs a walk along each path.
#ifndef KIN_INSPECT_QUERY_H
#define KIN_INSPECT_QUERY_H

#include "query/path.h"

enum { KIN__QUERY_NODES = 256, KIN__QUERY_TESTS = 64, KIN__QUERY_IDS = 128 };

typedef enum kin__node_kind {
    KIN__QUERY_EVERY,
    KIN__QUERY_AND,
    KIN__QUERY_OR,
    KIN__QUERY_NOT,
    KIN__QUERY_COMPONENT, // `number` is its id
    KIN__QUERY_ONLY,      // exactly the ids from `number` on
    KIN__QUERY_GROUP,     // `number` is that of a declared group
    KIN__QUERY_CREATED,   // `entity` is a creation index
    KIN__QUERY_ENTITY,
    KIN__QUERY_TEST // of a condition; `number` is that of the test
} kin__node_kind;

typedef struct kin__query_node {
    kin__node_kind kind;
    uint16_t left, right; // children
    uint16_t number, count;
    kin_entity entity;
} kin__query_node;

typedef enum kin__comparison {
    KIN__EQUAL,
    KIN__UNEQUAL,
    KIN__LESS,
    KIN__LESS_EQUAL,
    KIN__GREATER,
    KIN__GREATER_EQUAL,
    KIN__LIKE,
    KIN__IS_NULL
} kin__comparison;

typedef struct kin__query_test {
    kin__comparison comparison;
    bool has_path; // compares with `right`, else with `constant`
    kin__path left, right;
    kin__scalar constant;
} kin__query_test;

typedef struct kin__query {
    const kin_context_info *info;
    bool has_condition, has_order, is_descending;
    uint16_t term, condition; // roots
    uint16_t node_count, test_count, id_count, text_size;
    kin__path order;
    kin__query_node nodes[KIN__QUERY_NODES];
    kin__query_test tests[KIN__QUERY_TESTS];
    kin_component_id named[KIN__QUERY_NODES]; // components that the term asks for: not negated, each once
    uint32_t named_count;
    kin_component_id ids[KIN__QUERY_IDS];          // of `only`
    char text[KIN__QUERY_SIZE + KIN__QUERY_TESTS]; // strings of the query
} kin__query;

// Parses a query for contexts with these tables. Returns false, and what is wrong.
bool kin__query_parse(kin__query *query, const kin_context_info *info, const char *text, kin__mistake *mistake);

// Returns the bytes of a scratch, aligned: room for two components. And those of a component in it.
size_t kin__query_scratch(const kin_context_info *info);
size_t kin__query_room(const kin_context_info *info, kin_component_id id);

// Returns the slots of a word whose living entities match the term and meet the condition. `scratch` has the bytes of
// kin__query_scratch; NULL will do for a query without a condition.
uint64_t kin__query_word(const kin__query *query, const kin_context *context, uint32_t word, void *scratch);

// Reads the value that orders the entities. Returns false when the entity has none.
bool kin__query_key(const kin__query *query, const kin_context *context, kin_entity entity, void *scratch,
                    kin__scalar *key);

// Returns the value of a component of a living entity, read into `scratch` if it has no struct in memory; NULL without.
const void *kin__query_value(const kin_context *context, kin_entity entity, kin_component_id id, void *scratch);

#endif
