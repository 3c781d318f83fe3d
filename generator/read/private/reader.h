// What the parts of the schema reader share: the model while it grows, and how nodes of the tree are asked for what
// they must be.
//
// The reader first declares all names, then reads what they stand for, so that the order of a file does not matter. A
// wrong name is reported once and declared all the same, so that what refers to it is not reported too.
//
// `what` names the thing that is read, for messages: "component 'Position'", "'doc' of context 'game'".
#ifndef KIN_GENERATOR_READ_READER_H
#define KIN_GENERATOR_READ_READER_H

#include "base/arena.h"
#include "base/dictionary.h"
#include "diagnostic/diagnostic.h"
#include "language/language.h"
#include "model/names.h"
#include "model/schema.h"
#include "read/read.h"
#include "yaml/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a field list of the model still needs while it is read, index by index.
typedef struct field_draft {
    const tree_node *default_node; // NULL: none given
    const tree_node *index_node;   // likewise
    bool is_broken;                // its type is wrong, which has been reported
} field_draft;

typedef struct field_draft_list {
    field *fields;
    field_draft *drafts;
    size_t count;
} field_draft_list;

typedef enum draft_state { DRAFT_UNSEEN, DRAFT_ENTERED, DRAFT_DONE } draft_state;

// An entry of `types` with what only the reader needs. Every `definition *` of the model begins one.
typedef struct definition_draft {
    definition definition;
    const tree_node *node;
    field_draft_list fields;
    dictionary enumerators; // by name
    bool is_broken;         // it has no layout and no values, for a reason that has been reported
    draft_state state;
    size_t depth; // of structs in structs, from 1
    const constant *default_value;
} definition_draft;

typedef struct component_draft {
    component component;
    const tree_node *node;
    const context **contexts; // the component's, while they are appended
} component_draft;

// A file of the schema set.
typedef struct schema_file {
    const source *source;
    const tree_node *root;              // NULL: it is no schema, which has been reported
    const struct schema_file *includer; // NULL: it is the package's own
    span span;                          // of the path by which it was included
    size_t depth;                       // of includes that lead to it
    struct schema_file *next;           // in order of loading
} schema_file;

typedef struct reader {
    arena *arena;
    diagnostics *diagnostics;
    const schema_folders *allowed;
    schema_file *files, *last_file; // those that are schemas; the first is the package's own
    dictionary file_identities;     // to every file that was loaded
    dictionary misspelled_keys;     // of the root mappings: the known ones, to one that has them misspelled
    bool is_incomplete;             // a file of the set is missing
    package *package;
    context **contexts; // in order of declaration, like the next two
    size_t context_count;
    const component **context_marks; // by order of the contexts: the last component that named each
    definition_draft **definitions;
    size_t definition_count;
    component_draft **components;
    size_t component_count;
    dictionary context_names, definition_names, component_names;
    const context *default_context; // NULL: none
    size_t constant_items;          // of all defaults
} reader;

// Reports every key of the mapping that is not known.
void reader_check_keys(reader *reader, const tree_node *mapping, const language_value *keys, const char *what);

// Whether a key that the mapping lacks stands there misspelled: that is reported already, and is no second fault.
bool reader_is_misspelled(const tree_node *mapping, const language_value *keys, const char *key);

// Remembers which known keys stand misspelled in the root mapping of a file.
void reader_find_misspelled(reader *reader, const tree_node *root);

// Whether an unknown name may well be declared where this run does not see it: below a root key that is misspelled, or
// in a file that could not be read.
bool reader_is_elsewhere(const reader *reader, const char *key);

// The entries of a key of the root mapping, those of all files in order of loading.
typedef struct entry_list {
    const tree_pair *const *pairs;
    size_t count;
    bool is_given; // a file has the key, even if what stands there is wrong, which has been reported
} entry_list;

entry_list reader_entries(reader *reader, const char *key);

// Reports a name of `kind` ("component") that an earlier file has declared.
void reader_report_duplicate(reader *reader, const tree_node *name, const char *kind, span earlier);

// Each returns whether the node is what it must be, which otherwise has been reported.
bool reader_expect_mapping(reader *reader, const tree_node *node, const char *what);
bool reader_expect_entries(reader *reader, const tree_node *node, const char *what); // a mapping that is not empty
bool reader_expect_items(reader *reader, const tree_node *node, const char *what);   // a list that is not empty
bool reader_expect_value(reader *reader, const tree_node *node, const char *what);   // one text, quoted or not
bool reader_expect_text(reader *reader, const tree_node *node, const char *what);

// The text or bool of a key. What it is where the key is missing or its value wrong: NULL, false.
const char *reader_find_text(reader *reader, const tree_node *mapping, const char *key, const char *what);
bool reader_find_bool(reader *reader, const tree_node *mapping, const char *key);

// `true` or `false`, plain.
bool reader_read_bool(reader *reader, const tree_node *node, bool *value);

typedef enum name_case { CASE_PASCAL, CASE_SNAKE, CASE_EITHER } name_case;

// Reports a key or text that cannot be the name of `kind` ("a component"). Whether it can at least be quoted further
// on: false for what is no text or longer than SCHEMA_NAME_LIMIT.
bool reader_check_name(reader *reader, const tree_node *node, name_case expected, const char *kind);

// A search for what may have been meant by an unknown name, and its outcome as the hint of the newest diagnostic.
name_search reader_search_definitions(const reader *reader, const char *name);
name_search reader_search_contexts(const reader *reader, const char *name);
name_search reader_search_members(const reader *reader, const char *name, const definition *definition);
name_search reader_search_components(const reader *reader, const char *name, const context *context); // or NULL: any
void reader_hint(reader *reader, name_search search);

// Returns whether hints are still searched: after many errors they would not be read, and the search takes time.
bool reader_is_hinting(const reader *reader);

// Once the component's contexts are read: they are sorted.
bool component_is_in(const component *component, const context *context);

// The parts of schema_read, in the order in which they run. The first leaves no file when the root is no schema.
void read_includes(reader *reader, const source *root);
void read_contexts(reader *reader);
void declare_definitions(reader *reader);
void declare_components(reader *reader);
void read_definitions(reader *reader);
void read_components(reader *reader);
void read_groups(reader *reader);
void read_indices(reader *reader);
void read_blueprints(reader *reader);
void read_messages(reader *reader);
void read_schedule(reader *reader);
void read_systems(reader *reader);

// `index` of the fields of a component, or of a struct, where it must not stand.
void read_field_indices(reader *reader, field_draft_list *list, const char *what);
void refuse_field_indices(reader *reader, const field_draft_list *list, const char *what);

// `events` of a component.
void read_events(reader *reader, const tree_node *node, const char *what, component *component);

// `primary` or `multi`, INDEX_NONE when it is neither; and whether a field can be in a key, reported at `place`.
index_kind read_index_kind(reader *reader, const tree_node *node, const char *what);
void check_key_type(reader *reader, const field *field, span place, const char *what);

// What is of one context: what it is called, where its name stands, and the keys that it may have.
typedef struct context_owner {
    const char *what;
    span span;
    const language_value *keys;
} context_owner;

// `context` of that, or the default; NULL when there is none, which has been reported.
const context *read_context_of(reader *reader, const tree_node *mapping, context_owner owner);

// `context`, `all` and `none` of an index, into a group that stands for it.
void read_index_rules(reader *reader, const tree_node *node, const char *what, group *group);

// `fields` of a component or struct: the fields with their types. `what` is the owner.
field_draft_list read_fields(reader *reader, const tree_node *node, const char *what);

// `values` of an enum, and, once all types are declared and their fields read, order, sizes and defaults of all
// structs.
void read_enum(reader *reader, definition_draft *draft, const char *what);
void read_structs(reader *reader);

// `opaque`, `header` and `drop` of an opaque type.
void read_opaque(reader *reader, definition_draft *draft, const char *what);

// Whether a field is an opaque type with `drop`, or a struct that holds one. Structs that are held are read already.
bool fields_have_drops(const field_draft_list *list);

// Gives every field its default value. Structs that are held must have their own already.
void read_defaults(reader *reader, field_draft_list *list);

// A field's type; false when it is wrong. `where` is "field 'x' of component 'Position'".
bool read_type(reader *reader, const tree_node *node, const char *where, field_type *type);

// The value at a node, and the one without any; NULL when it is wrong, which has been reported.
const constant *read_constant(reader *reader, const field_type *type, const tree_node *node);

// The same, where the value takes the place of another: what the mapping of a struct leaves out stays as it is there.
const constant *read_override(reader *reader, const field_type *type, const tree_node *node, const constant *base);

const constant *default_constant(reader *reader, const field_type *type);

// The layout of the fields whose types are right. Structs that are held have theirs already.
memory_layout read_layout(const field_draft_list *list);

// The draft that a definition of the model begins.
definition_draft *draft_of(const definition *definition);

#endif
