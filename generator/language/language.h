// Language: what may stand in a schema, key by key, each with its doc. The reader asks these tables which keys it knows,
// and the JSON Schema, the reference and the man page are made from them: a key is in all of them or in none.
//
// Docs are sentences with code between backticks, in one line.
//
// Invariants, which a test checks:
//   1. every value that has a name, and every key, has a doc
//   2. all that has a name is among `language_values`
#ifndef KIN_GENERATOR_LANGUAGE_H
#define KIN_GENERATOR_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum language_kind {
    LANGUAGE_TEXT,
    LANGUAGE_BOOL,
    LANGUAGE_INTEGER,
    LANGUAGE_NUMBER, // more than 0
    LANGUAGE_ANY,
    LANGUAGE_LIST,
    LANGUAGE_MAP,     // from names of the user's choice
    LANGUAGE_MAPPING, // from known keys
    LANGUAGE_EITHER
} language_kind;

typedef struct language_value language_value;

typedef struct language_key {
    const char *name; // NULL: it is behind the last
    const language_value *value;
    const char *fallback; // what is so without the key, as JSON; NULL: nothing is
    const char *needs;    // a key beside which alone it stands; NULL: none
    const char *excludes; // a key beside which it does not stand; NULL: none
    bool is_required;
    const char *doc;
} language_key;

struct language_value {
    language_kind kind;
    const char *name;  // in the JSON Schema; NULL: it is written out where it stands
    const char *title; // "A component"; of what has no name NULL
    const char *doc;
    const char *phrase;          // what it is, of what has no name: "a text"
    const char *const *words;    // LANGUAGE_TEXT: texts that it may be, NULL behind the last; NULL: any
    const char *pattern;         // LANGUAGE_TEXT: what it may be besides; NULL: nothing, or any without words
    bool may_be_empty;           // LANGUAGE_MAP
    size_t limit;                // of bytes of a text, items of a list, entries of a map; 0: none
    int64_t minimum, maximum;    // LANGUAGE_INTEGER
    bool is_set;                 // LANGUAGE_LIST: no item stands there twice
    const language_value *names; // LANGUAGE_MAP: of the entries; LANGUAGE_EITHER: the first choice
    const language_value *items; // LANGUAGE_LIST, LANGUAGE_MAP; LANGUAGE_EITHER: the second choice
    const language_key *keys;    // LANGUAGE_MAPPING
    const char *const *forms;    // LANGUAGE_MAPPING: keys of which one at least has to be there; NULL: there are none
    bool has_one_form;           // exactly one of them
};

// A whole file, and the mappings in it.
extern const language_value language_file, language_context, language_definition, language_component, language_field,
    language_event, language_group, language_index, language_blueprint, language_message, language_node,
    language_system, language_trigger, language_bounds;

// Values of keys.
extern const language_value language_fields, language_version, language_text, language_bool, language_any,
    language_prefix, language_path, language_snake_name, language_pascal_name, language_value_name, language_type,
    language_c_type, language_function, language_int32, language_count, language_step, language_key_part,
    language_index_kind, language_cleanup, language_storage, language_layout, language_target, language_event_type,
    language_trigger_event, language_full, language_role, language_on_leave;

// All that have a name, in the order in which they are explained: the mappings from known keys first, the file before
// all others. NULL is behind the last.
extern const language_value *const language_values[];

// The key of that name, NULL when the mapping has none.
const language_key *language_find(const language_value *mapping, const char *name);

#endif
