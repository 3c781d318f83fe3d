// Language: the keys of a schema and their values, each with its doc. The reader, the JSON Schema, the reference and
// the man page all use these tables, so a key is in all of them or in none.
//
// A doc is one line of sentences, with code in backticks.
//
// Invariants, which a test checks:
//   1. every value that has a name, and every key, has a doc
//   2. every value that has a name is in `language_values`
#ifndef KIN_GENERATOR_LANGUAGE_H
#define KIN_GENERATOR_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

typedef struct language_key {
    const char *name; // NULL: end of the list
    const language_value *value;
    const char *fallback; // default as JSON; NULL: none
    const char *needs;    // key that it requires; NULL: none
    const char *excludes; // key that it excludes; NULL: none
    bool is_required;
    const char *doc;
} language_key;

struct language_value {
    language_kind kind;
    const char *name;  // in the JSON Schema; NULL: written in place
    const char *title; // "A component"; NULL without a name
    const char *doc;
    const char *phrase;          // describes a value without a name: "a string"
    const char *const *words;    // LANGUAGE_TEXT: allowed words, NULL-terminated; NULL: any
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
    language_index_function, language_blueprint, language_child, language_children, language_message, language_node,
    language_system, language_pieces, language_trigger, language_bounds;

// Values of keys.
extern const language_value language_fields, language_version, language_own_version, language_removed, language_text,
    language_bool, language_any, language_prefix, language_path, language_snake_name, language_pascal_name,
    language_value_name, language_type, language_c_type, language_function, language_int32, language_count,
    language_step, language_range, language_key_part, language_index_kind, language_component_index,
    language_on_destroy, language_cleanup, language_storage, language_layout, language_inspect, language_target,
    language_event_type, language_trigger_event, language_full, language_role, language_on_leave, language_only,
    language_tree_order, language_grain, language_index_name;

// All values that have a name, in the order of the documentation: the file first, then the other mappings with known
// keys.
// NULL-terminated.
extern const language_value *const language_values[];

// Returns the key with this name; NULL if the mapping has none.
const language_key *language_find(const language_value *mapping, const char *name);

#endif
