// The language: the keys of a schema and what they mean. schema.h includes this.
#ifndef KIN_GENERATOR_SCHEMA_LANGUAGE_H
#define KIN_GENERATOR_SCHEMA_LANGUAGE_H

#include "generator/base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The keys of a schema and their values: one row for each key. Code is left only for what depends on other keys. Each
// of these comes from the rows, so that a key is in all of them or in none:
//
//   the keys that the reader accepts, and the members of the model that it reads plain values into
//   the JSON Schema, the reference and the man page
//   the keys of elements in `kin list --json`, and facts of elements in `kin list` and `kin doc`
//
// A doc is one line of sentences, with code in backticks.
//
// Invariants, which a test checks:
//   1. every value that has a name, and every key, has a doc
//   2. every value that has a name is in `language_values`
//   3. `needs` and `excludes` of a key name keys of the same mapping
//   4. a key refers to exactly the elements among which the reader looks up its names
//   5. a key declares exactly the elements that the model has at the places of its names

typedef enum language_kind {
    LANGUAGE_TEXT,
    LANGUAGE_BOOL,
    LANGUAGE_INTEGER,
    LANGUAGE_NUMBER, // greater than 0
    LANGUAGE_ANY,
    LANGUAGE_LIST,
    LANGUAGE_MAP,     // from names of the user's choice
    LANGUAGE_MAPPING, // from known keys
    LANGUAGE_EITHER
} language_kind;

typedef struct language_value language_value;

// The elements that names in a value can refer to, or declare.
typedef enum language_reference {
    REFERS_TO_CONTEXT = 1 << 0,
    REFERS_TO_TYPE = 1 << 1,
    REFERS_TO_COMPONENT = 1 << 2,
    REFERS_TO_FIELD = 1 << 3, // of a component: `Cell.x`
    REFERS_TO_GROUP = 1 << 4,
    REFERS_TO_INDEX = 1 << 5,
    REFERS_TO_TREE = 1 << 6, // by the `reverse` of its field
    REFERS_TO_BLUEPRINT = 1 << 7,
    REFERS_TO_MESSAGE = 1 << 8,
    REFERS_TO_NODE = 1 << 9,
    REFERS_TO_SYSTEM = 1 << 10,
    REFERS_TO_VALUE = 1 << 20 // of an enum; only declared: the type of a field says to which enum a value belongs
} language_reference;

typedef enum member_kind {
    MEMBER_NONE,    // code alone knows what the key means
    MEMBER_TEXT,    // const char *, which is NULL without the key
    MEMBER_BOOL,    // bool: the key is true, or has its only word
    MEMBER_FALSE,   // bool: the key is false
    MEMBER_UNSAVED, // the same, of `save`
    MEMBER_WORD,    // an enum: the number of the word
    MEMBER_NUMBER,  // int32_t
    MEMBER_COUNT,   // uint32_t
    MEMBER_SAVED    // saved_name
} member_kind;

// The member of the model that has the value of a key.
typedef struct language_member {
    member_kind kind;
    size_t offset;        // in the struct of the element that has the key
    bool is_read_by_code; // the meaning of the value depends on other keys
    const char *json;     // key in `kin list --json`; NULL if the row does not write it
    const char *fact;     // heading of the fact on pages and in tables; NULL if the row does not show it
    bool has_own_table;   // tables show the fact in rows of their own; only pages show it with the element
} language_member;

typedef struct language_key {
    const char *name; // NULL: end of the list
    const language_value *value;
    const char *fallback; // default as JSON; NULL: none
    const char *needs;    // key that it requires; NULL: none
    const char *excludes; // key that it excludes; NULL: none
    bool is_required;
    unsigned refers_to;  // a set of language_reference
    unsigned declares;   // the language_reference that the names of its map, its items or its text declare; 0: none
    const char *omitted; // of a key with words: the end of "leave the key out for …"; NULL if messages do not say so
    const char *doc;
    language_member member;
} language_key;

// How messages name a text that is not one of the words.
typedef enum word_message {
    WORD_OF_KEY,     // "unknown cleanup 'x'; expected 'remove_component' or 'destroy_entity'"
    WORD_OF_ELEMENT, // the same; a value that is no text is reported with its element
    WORD_PLAIN,      // "unknown order 'x'; expected depth or breadth"
    WORD_MUST_BE     // "'kind' of index 'cell' must be 'primary' or 'multi', found 'x'"
} word_message;

struct language_value {
    language_kind kind;
    const char *name;  // in the JSON Schema; NULL: written in place
    const char *title; // "A component"; NULL without a name
    const char *doc;
    const char *phrase;       // describes a value without a name: "a string"
    const char *const *words; // LANGUAGE_TEXT: allowed words, NULL-terminated; NULL: any
    unsigned first_word;      // number of the first word in the enum of the model; 0 may mean no word
    word_message message;
    const char *pattern;         // LANGUAGE_TEXT: allowed in addition to words; NULL: none, or any without words
    bool may_be_empty;           // LANGUAGE_MAP
    size_t limit;                // bytes of a string, items of a list, entries of a map; 0: none
    int64_t minimum, maximum;    // LANGUAGE_INTEGER
    size_t least;                // LANGUAGE_LIST: items that it must have; 0: one
    bool is_set;                 // LANGUAGE_LIST: items are distinct
    const language_value *names; // LANGUAGE_MAP: of the entries; LANGUAGE_EITHER: the first choice
    const language_value *items; // LANGUAGE_LIST, LANGUAGE_MAP; LANGUAGE_EITHER: the second choice
    const language_key *keys;    // LANGUAGE_MAPPING
    const char *const *forms;    // LANGUAGE_MAPPING: at least one of these keys is required; NULL: none
    bool has_one_form;           // exactly one of them
};

// A whole file, and the mappings in it.
extern const language_value language_file, language_context, language_definition, language_component, language_field,
    language_event, language_group, language_listed_enumerator, language_enumerator, language_index,
    language_index_function, language_question, language_blueprint, language_child, language_children, language_message,
    language_node, language_system, language_pieces, language_trigger, language_bounds;

// Values of keys.
extern const language_value language_fields, language_version, language_own_version, language_face, language_removed,
    language_text, language_bool, language_any, language_prefix, language_path, language_snake_name,
    language_pascal_name, language_value_name, language_type, language_c_type, language_function, language_int32,
    language_count, language_step, language_range, language_key_part, language_index_part, language_index_kind,
    language_field_index, language_refresh, language_component_index, language_on_destroy, language_cleanup,
    language_storage, language_layout, language_inspect, language_target, language_event_type, language_trigger_event,
    language_full, language_role, language_on_leave, language_only, language_tree_order, language_grain,
    language_index_name, language_relation_name, language_replicate, language_replica, language_runs;

// All values that have a name, in the order of the documentation: the file first, then the other mappings with known
// keys.
// NULL-terminated.
extern const language_value *const language_values[];

// Returns the key with this name; NULL if the mapping has none.
const language_key *language_find(const language_value *mapping, const char *name);

// Returns the word of a number in the enum of the model; NULL if the number has none.
const char *language_word(const language_value *value, unsigned number);

// Returns the value of a key as the schema spells it; NULL if the element does not have it, or has its default. The
// key must have a member. `name` is the element's present name.
const char *language_spelling(arena *arena, const language_key *key, const void *element, const char *name);

// ---- the language as a JSON Schema
//
// The language as a JSON Schema (draft-07), for completion, documentation and checks in editors.
//
// It accepts everything that the reader accepts. Only the reader checks references to other definitions.

// `values` is language_values, or a table like it.
void language_append_schema(text *out, const language_value *const *values);

#endif
