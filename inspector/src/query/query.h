// query: values copied for other threads, and queries for entities
//
//   capture   what the thread of the game copies for a request, in one block that was allocated before
//   show      captured values as JSON, for any thread
//   scan → path → query   a query as tokens, the places in components that it names, and what it matches
//
// Invariants:
//   1. the thread of the game allocates nothing here
//   2. a captured value leads only into its block, and has neither hidden fields nor opaque values (INS-29)
//   3. children of a node of a query are before it
//   4. all ids and fields of a query are of the context whose tables it was parsed with
//   5. only the first mistake of a query is kept
#ifndef KIN_SRC_INSPECT_QUERY_H
#define KIN_SRC_INSPECT_QUERY_H

#include "text/text.h"

#include <kin/kin.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- capture

// What the thread of the game copies for a request, in one block that was allocated before.
//
//   [ value | text of a string | elements of a list | value | … ]     pointers in values lead into the block
//
// A captured value has the layout of the schema and can be read by any thread. Hidden fields and opaque values in it
// are zero (INS-29). A string is kept up to a limit, and its whole length is in front of it; so is the count of a list.
//
// Cost: a copy of the value; for one with strings, lists, hidden or opaque fields also a visit of each field.

typedef struct kin__capture {
    char *at;
    size_t size, capacity;
    size_t string_limit; // bytes kept of a string
    bool is_full;        // something did not fit
} kin__capture;

// Elements of a list that are kept.
enum { KIN__CAPTURED_ELEMENTS = 1024 };

// The true size of a captured string or list, in front of its bytes.
typedef struct kin__captured_size {
    uint32_t whole, kept;
} kin__captured_size;

// Returns aligned bytes that are all zero, or NULL when they do not fit.
void *kin__capture_reserve(kin__capture *capture, size_t size);

// Returns a copy of the string as a captured string; NULL for NULL, and when it does not fit.
const char *kin__capture_string(kin__capture *capture, const char *text);

// Returns a copy of a component of a living entity that has it, or NULL when it does not fit. A flag gives a byte.
void *kin__capture_component(kin__capture *capture, const kin_context *context, kin_entity entity, kin_component_id id);

// Makes a copied value of fields captured: copies what its pointers lead to. Returns false when that does not fit.
bool kin__capture_fields(kin__capture *capture, const kin_field_info *fields, uint32_t count, char *value);

// Returns the size of a captured string, or of a captured list by its elements.
kin__captured_size kin__captured_size_of(const void *captured);

// Returns a captured copy of the component that has the label of an entity, or NULL.
const void *kin__capture_label(kin__capture *capture, const kin_context *context, kin_entity entity);

// Returns the blueprint or the child of a blueprint that the living entity was spawned from, or a unique component that
// it has: a constant name of the schema. NULL if nothing says which.
const char *kin__name_of(const kin_context *context, kin_entity entity);

// The same, or the name that the content of the context has for it, captured: "valley/north_gun.head".
const char *kin__capture_name(kin__capture *capture, const kin_context *context, kin_entity entity);

// ---- scalars

// Single values of fields, of any type.

typedef enum kin__scalar_kind {
    KIN__SCALAR_NONE, // a struct or an opaque value
    KIN__SCALAR_BOOL,
    KIN__SCALAR_INTEGER,
    KIN__SCALAR_NATURAL,
    KIN__SCALAR_REAL,
    KIN__SCALAR_TEXT, // `text` may be NULL
    KIN__SCALAR_ENTITY,
    KIN__SCALAR_ENUM
} kin__scalar_kind;

typedef struct kin__scalar {
    kin__scalar_kind kind;
    union {
        bool boolean;
        int64_t integer; // also of an enum
        uint64_t natural;
        double real;
        const char *text;
        kin_entity entity;
    } as;
} kin__scalar;

kin__scalar_kind kin__scalar_kind_of(kin_type type);

// Reads a single value of the field, at any alignment. The text of an inline string is at `at`.
kin__scalar kin__scalar_read(const kin_field_info *field, const void *at);

// Writes an integer of the field's size; the value is in its range.
void kin__scalar_write(const kin_field_info *field, void *at, uint64_t bits);

// The bytes of an element of an array or list, or of the field.
static inline size_t kin__element_size(const kin_field_info *field)
{
    if (field->is_list)
        return field->element_size;
    return field->count > 1 ? field->size / field->count : field->size; // most fields need no division
}

// ---- values as JSON

// A struct is an object, an array or list an array, a flag `true`, an enum its name (a number without one), a string
// text or `null`, a 64-bit integer a string of digits, a handle "creation:slot", an opaque value {"opaque": "Sprite"}.
// A string that was cut is {"text": …, "length": n}, a list that was cut {"items": […], "count": n}. Hidden fields are
// left out.

// Writes a captured component.
void kin__show_component(kin__json *json, const kin_component_info *info, const void *value);

// Writes a field at its address; and a single value of it, as an element of an array is.
void kin__show_field(kin__json *json, const kin_field_info *field, const void *at);
void kin__show_element(kin__json *json, const kin_field_info *field, const void *at);

// Returns the name of an event of groups.
const char *kin__event_name(kin_group_event event);

// Writes the label of an entity: the captured component of the label, or NULL. Writes no key without a label.
void kin__show_label(kin__json *json, const kin_context_info *info, const void *value);

// ---- tokens

typedef enum kin__token_kind {
    KIN__TOKEN_END,
    KIN__TOKEN_NAME,   // also in back quotes
    KIN__TOKEN_NUMBER, // with a point or an exponent: not an integer
    KIN__TOKEN_INTEGER,
    KIN__TOKEN_STRING,
    KIN__TOKEN_MARK // one or two characters
} kin__token_kind;

typedef struct kin__token {
    kin__token_kind kind;
    bool is_quoted; // a name in back quotes, which is no word of the grammar
    uint32_t at, length;
} kin__token;

enum {
    KIN__MEANT = 3,
    KIN__MEANT_SIZE = 64,
    KIN__QUERY_SIZE = 1024,
    KIN__QUERY_OPERATORS = 64,
    KIN__QUERY_LEVELS = 16
};

// A mistake: where, and what it is. `code` is that of the protocol, or 0 if there is none.
typedef struct kin__mistake {
    int code;
    uint32_t at, length;
    char message[512];
    char meant[KIN__MEANT][KIN__MEANT_SIZE]; // names that exist, the nearest first; "" for none
} kin__mistake;

typedef struct kin__scan {
    const char *text;
    uint32_t size;
    kin__token token; // the current one
    kin__mistake *mistake;
} kin__scan;

// Begins with the first token. `text` is terminated by a NUL and outlives the scan.
kin__scan kin__scan_begin(const char *text, kin__mistake *mistake);

// Moves to the next token.
void kin__scan_next(kin__scan *scan);

// Returns whether the current token is this mark or this word of the grammar.
bool kin__scan_is(const kin__scan *scan, const char *word);

// Moves behind the token if it is this mark or word.
bool kin__scan_accept(kin__scan *scan, const char *word);

// The same, but what else is there is a mistake.
bool kin__scan_expect(kin__scan *scan, const char *word);

// Returns what to write in place of the current token, as the end of a message: of other languages' `and`, `or` and
// single quotes. Returns "" for others.
const char *kin__scan_hint(const kin__scan *scan);

// Copies the text of the current token, without quotes; a string with its escapes replaced.
void kin__scan_copy(const kin__scan *scan, char *text, size_t size);

// Reports a mistake at the current token, or at a given one; only the first mistake is kept. Returns false.
bool kin__scan_fail(kin__scan *scan, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool kin__scan_fail_at(kin__scan *scan, kin__token token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// ---- suggestions

// The names that may be meant by a name that does not exist. The nearest ones so far are in the mistake.
typedef struct kin__suggest {
    const char *wanted;
    uint32_t distances[KIN__MEANT];
    kin__mistake *mistake;
} kin__suggest;

// Begins without names: those of an earlier search are dropped.
kin__suggest kin__suggest_begin(const char *wanted, kin__mistake *mistake);
// Offers a name that exists, which is copied if it is one of the nearest.
void kin__suggest_offer(kin__suggest *suggest, const char *name);

// ---- paths

// A place in a component, such as Position.at.x or Label.lines[2]. The address of a place is found by steps: an offset
// in a struct, and for an element of a list its pointer.

enum { KIN__PATH_STEPS = 6 };

typedef struct kin__path_step {
    size_t offset;
    bool is_list; // then an element of the list there
    uint32_t index;
    size_t stride;
} kin__path_step;

typedef struct kin__path {
    kin_component_id component;
    const kin_field_info *field; // the last one; NULL for the whole component
    bool is_element;             // of the array or list that `field` is
    bool is_read_only;           // the schema says so, of the component or a field on the way
    uint32_t step_count;
    kin__path_step steps[KIN__PATH_STEPS];
} kin__path;

// Parses the path at the current token. Without a component in front, the field is one of `component`, or if that is
// KIN_NO_COMPONENT of the one among `named` that has such a field.
typedef struct kin__path_scope {
    const kin_context_info *info;
    kin_component_id component;
    const kin_component_id *named;
    uint32_t named_count;
    bool may_be_text; // a string could be here: a word that is no field lacks its quotes
} kin__path_scope;

bool kin__path_parse(kin__scan *scan, const kin__path_scope *scope, kin__path *path);

// Parses the rest of a term `PartOf.(...)` or `PartOf.whole.(...)` before its parenthesis: the path of a relation of
// the component, the only one if no field is named.
bool kin__path_relation(kin__scan *scan, const kin_context_info *info, kin_component_id id, kin__path *path);

// Returns the field of a name, or NULL.
const kin_field_info *kin__find_field(const kin_field_info *fields, uint32_t count, const char *name);

// Finds the component of the current token, and moves behind it.
bool kin__path_component(kin__scan *scan, const kin_context_info *info, kin_component_id *id);

// Returns whether the path leads to a single value that can be compared.
bool kin__path_is_single(const kin__path *path);

// Returns the address of the place in a value of the component; NULL beyond the end of a list.
const void *kin__path_address(const kin__path *path, const void *value);

// ---- queries

// Which entities are meant, parsed from
//
//   query = [ term ] [ "where" condition ] [ "order" "by" path [ "desc" ] ]
//   term  = names of components with & , | ! and parentheses, `*`, `only(A, B)`, `in group`, `#created`,
//           `created:slot`, `PartOf.(term)`: the target of the relation matches the term in parentheses
//
// A term is answered for 64 slots at once, a condition and the term of a target for one entity. Both are trees in one
// array, in which a node is after its children.
//
// Cost of a word: a few loads for each name of the term. A condition costs a walk along each path, and the term of a
// target costs the same as the names in it, for each entity.

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
    KIN__QUERY_TARGET, // `left` is the term of the target; `left` of the test `number` is the path of the relation
    KIN__QUERY_TEST    // of a condition; `number` is that of the test
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
// kin__query_scratch; NULL will do for a query without a condition and without the term of a target.
uint64_t kin__query_word(const kin__query *query, const kin_context *context, uint32_t word, void *scratch);

// Reads the value that orders the entities. Returns false when the entity has none.
bool kin__query_key(const kin__query *query, const kin_context *context, kin_entity entity, void *scratch,
                    kin__scalar *key);

// Returns the value of a component of a living entity, read into `scratch` if it has no struct in memory; NULL without.
const void *kin__query_value(const kin_context *context, kin_entity entity, kin_component_id id, void *scratch);

// ---- comparisons

// Returns whether a comparison of two values of like kinds holds. Integers compare exactly, also signed with unsigned,
// with a floating-point number as double; NaN satisfies != alone. NULL equals only NULL, and comes before all
// texts.
bool kin__compare_holds(kin__comparison comparison, const kin__scalar *left, const kin__scalar *right);

// Returns whether `left` comes before `right` in an order; NaN comes last.
bool kin__compare_precedes(const kin__scalar *left, const kin__scalar *right);

// The bytes of a text that are matched with a pattern: the time is that of a longer one otherwise.
enum { KIN__LIKE_SIZE = 4096 };

// Returns whether the first bytes of the text match a pattern with `*` and `?`, a character; `\` makes the next
// character an ordinary one.
bool kin__compare_like(const char *text, const char *pattern);

#endif
