// Shared by the files of the schema reader: the model under construction, and checks of tree nodes.
//
// The reader declares all names first and reads their contents second, so the order of entries does not matter. An
// invalid name is reported once and still declared, so that references to it are not reported too.
//
// `what` describes the element being read, for messages: "component 'Position'", "'doc' of context 'game'".
#ifndef KIN_GENERATOR_READ_READER_H
#define KIN_GENERATOR_READ_READER_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"
#include "read/read.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The data of a field that only the reader needs; it has the same index as the field.
typedef struct field_draft {
    const tree_node *node;         // the mapping of the long form; NULL if the schema gives only a type
    const tree_node *default_node; // NULL if none
    const tree_node *index_node;   // NULL if none
    bool is_broken;                // its type is invalid, already reported
} field_draft;

typedef struct field_draft_list {
    field *fields;
    field_draft *drafts;
    size_t count;
} field_draft_list;

typedef enum draft_state { DRAFT_UNSEEN, DRAFT_ENTERED, DRAFT_DONE } draft_state;

// An entry of `types` under construction. Every `definition *` in the model points to the first member of one.
typedef struct definition_draft {
    definition definition;
    const tree_node *node;
    field_draft_list fields;
    dictionary enumerators; // by name
    bool is_broken;         // it has no valid layout or values, already reported
    draft_state state;
    size_t depth; // nesting depth of structs, at least 1
    const constant *default_value;
} definition_draft;

typedef struct component_draft {
    component component;
    const tree_node *node;
    const context **contexts; // the array in `component`, while contexts are appended
} component_draft;

// A file of the schema set.
typedef struct schema_file {
    const source *source;
    const tree_node *root;              // NULL if the file is not a valid schema, already reported
    const struct schema_file *includer; // NULL for the root schema
    span span;                          // of the path in `include`
    size_t depth;                       // number of includes between the root schema and this file
    struct schema_file *next;           // in load order
} schema_file;

typedef struct reader {
    arena *arena;
    diagnostics *diagnostics;
    const schema_folders *allowed;
    schema_file *files, *last_file; // valid schemas only, the root schema first
    dictionary file_identities;     // identity of each loaded file to its schema_file
    dictionary misspelled_keys;     // known root keys to the misspelled key that a file has instead
    bool is_incomplete;             // a file of the set could not be loaded
    package *package;
    context **contexts; // in order of declaration; so are the definitions and components
    size_t context_count;
    const tree_node **label_nodes;   // by context order: the `label` of the context; NULL if there is none
    const component **context_marks; // by context order: the last component that listed the context
    definition_draft **definitions;
    size_t definition_count;
    component_draft **components;
    size_t component_count;
    dictionary context_names, definition_names, component_names;
    dictionary reverse_names;       // "game children": the fields of relations, by context and reverse
    const context *default_context; // NULL if none
    size_t constant_items;          // in all defaults, for SCHEMA_CONSTANT_LIMIT
} reader;

// Reports every unknown key of the mapping.
void reader_check_keys(reader *reader, const tree_node *mapping, const language_value *keys, const char *what);

// Returns whether the mapping has a misspelling of the missing `key`. It was reported as an unknown key, so the caller
// does not report the missing key.
bool reader_is_misspelled(const tree_node *mapping, const language_value *keys, const char *key);

// Records the misspelled known keys of a file's root mapping.
void reader_find_misspelled(reader *reader, const tree_node *root);

// Returns whether an unknown name may be declared where the reader cannot see it: below a misspelled root key, or in a
// file that could not be loaded.
bool reader_is_elsewhere(const reader *reader, const char *key);

// Returns whether a component has a field with 'tree' that was refused, so that a missing tree is a consequence of that
// error. Expects the relations of the package.
bool reader_misses_tree(const reader *reader);

// The entries of a root key, from all files in load order.
typedef struct entry_list {
    const tree_pair *const *pairs;
    size_t count;
    bool is_given; // whether a file has the key, even with an invalid value
} entry_list;

entry_list reader_entries(reader *reader, const char *key);

// Reports a name of `kind` ("component") that was declared earlier.
void reader_report_duplicate(reader *reader, const tree_node *name, const char *kind, span earlier);

// Each returns whether the node has the expected form, and reports an error if not.
bool reader_expect_mapping(reader *reader, const tree_node *node, const char *what);
bool reader_expect_entries(reader *reader, const tree_node *node, const char *what); // a mapping that is not empty
bool reader_expect_items(reader *reader, const tree_node *node, const char *what);   // a list that is not empty
bool reader_expect_value(reader *reader, const tree_node *node, const char *what);   // a scalar, maybe empty
bool reader_expect_text(reader *reader, const tree_node *node, const char *what);

// Return the string or boolean of a key; NULL or false if the key is missing or its value invalid.
const char *reader_find_text(reader *reader, const tree_node *mapping, const char *key, const char *what);
bool reader_find_bool(reader *reader, const tree_node *mapping, const char *key);

// Reads a plain `true` or `false`.
bool reader_read_bool(reader *reader, const tree_node *node, bool *value);

typedef enum name_case { CASE_PASCAL, CASE_SNAKE, CASE_EITHER } name_case;

// Reports a key or scalar that is not a valid name of `kind` ("a component"). Returns whether the name can still be
// used in later messages: false if it is not a string or is longer than SCHEMA_NAME_LIMIT.
bool reader_check_name(reader *reader, const tree_node *node, name_case expected, const char *kind);

// Warns if a common header defines a name that generated code has as it is, without prefix: of a member or parameter.
void reader_warn_of_header(reader *reader, const tree_node *name, const char *kind);

// The same, but a keyword or another reserved name is allowed: for names that C only has as parts of others, or with an
// underscore (name_as_member).
bool reader_check_composed_name(reader *reader, const tree_node *node, name_case expected, const char *kind);

// Reports a name of earlier saves that is none. It may be reserved now.
bool reader_check_old_name(reader *reader, const tree_node *node, name_case expected, const char *what);

// Search for the known name nearest to an unknown one. reader_hint attaches the result to the newest diagnostic.
name_search reader_search_definitions(const reader *reader, const char *name);
name_search reader_search_contexts(const reader *reader, const char *name);
name_search reader_search_members(const reader *reader, const char *name, const definition *definition);
name_search reader_search_components(const reader *reader, const char *name, const context *context); // NULL: any
void reader_hint(reader *reader, name_search search);

// Returns whether to search for hints. After many errors the user would not read them, and the search is slow.
bool reader_is_hinting(const reader *reader);

// Requires that the component's contexts have been read and sorted.
bool component_is_in(const component *component, const context *context);

// The steps of schema_read, in order. read_includes leaves no file if the root is not a valid schema.
void read_includes(reader *reader, const source *root);
void read_contexts(reader *reader);
void declare_definitions(reader *reader);
void declare_components(reader *reader);
void read_definitions(reader *reader);
void read_components(reader *reader);
void read_labels(reader *reader);
void read_groups(reader *reader);
void read_indices(reader *reader);

// Reports relations that cannot end because of indices.
void check_index_relations(reader *reader);
void read_blueprints(reader *reader);
void read_messages(reader *reader);
void read_schedule(reader *reader);
void read_systems(reader *reader);

// Reads `index` of the fields of a component; reports one on a struct's field.
void read_component_index(reader *reader, const field_draft_list *list, const tree_node *node, const char *what);
void read_field_indices(reader *reader, field_draft_list *list, const char *what);
void refuse_field_indices(reader *reader, const field_draft_list *list, const char *what);

// Reads `on_destroy`, `reverse` and `tree` of the fields of a component, whose contexts have been read; reports such a
// key of a field of a struct or message. publish_relations sets the relations of the package.
void read_relations(reader *reader, component *component, field_draft_list *list, const char *what);
void refuse_relations(reader *reader, const field_draft_list *list, const char *what);

// Report lists where none can be, and lists of a component that hold what they cannot. Such fields are broken.
void refuse_lists(reader *reader, field_draft_list *list, const char *what);
void check_lists(reader *reader, const component *component, field_draft_list *list, const char *what);
void publish_relations(reader *reader);

// Reads `inspect` of a field or component.
inspect_kind read_inspect(reader *reader, const tree_node *mapping, const char *what);

// read_was reads `was` of an element with the name; read_no_was returns what an element without the key has.
// read_unsaved returns whether the mapping has `save: false`.
saved_name read_was(reader *reader, const tree_node *mapping, name_case expected, const char *what, const char *name);
saved_name read_no_was(const char *name);
bool read_unsaved(reader *reader, const tree_node *mapping);

// Reads `version` and `removed`.
void read_save_keys(reader *reader);

// Reads the `events` of a component.
void read_events(reader *reader, const tree_node *node, const char *what, component *component);

// read_index_kind reads `primary` or `multi`, and returns INDEX_NONE if the node is neither. check_key_type reports, at
// `place`, a field whose type cannot be in a key.
index_kind read_index_kind(reader *reader, const tree_node *node, const char *what);
void check_key_type(reader *reader, const field *field, span place, const char *what);

// A field of a component in a scalar such as `Cell.x`, as messages describe it: where the field is used, by which
// element of which context, and the code for what is not a field.
typedef struct field_path {
    const char *where; // "the key of index 'cell'"
    const char *owner; // "index 'cell'"
    const context *context;
    diagnostic_code code;
} field_path;

// Returns the field at the node, and sets its component; returns NULL after reporting an error.
const field *read_field_path(reader *reader, const tree_node *node, const field_path *path, component **component);

// An element that belongs to one context: its description, the place of its name, and the keys it may have.
typedef struct context_owner {
    const char *what;
    span span;
    const language_value *keys;
} context_owner;

// Reads the element's `context`. Returns the default context if the key is missing, or NULL after reporting an error.
const context *read_context_of(reader *reader, const tree_node *mapping, context_owner owner);

// Reads `context`, `all` and `none` of an index into a group that holds the index's rules.
void read_index_rules(reader *reader, const tree_node *node, const char *what, group *group);

// Reads the components of `of` of an index, which is in the context.
rule read_index_components(reader *reader, const tree_node *node, const char *what, const context *context);

// Read `key` of an index whose keys a function gives, and its `of`. refuse_index_of reports `of` of any other index.
void read_key_function(reader *reader, const tree_node *key, entity_index *index, const char *what);
void read_index_of(reader *reader, const tree_node *node, entity_index *index, const char *what);
void refuse_index_of(reader *reader, const tree_node *node, const char *what);

// Reads `maybe` of a group, or of a system with that group, whose description is `what`. The group's rules are read.
component_list read_maybe(reader *reader, const tree_node *node, const char *what, const group *group);

// find_group_component returns the component that a list of the group names; NULL after reporting an error.
// check_group_member reports a component whose name cannot be a member of the group's iterator. `key` is that of the
// list.
const component *find_group_component(reader *reader, const tree_node *node, const char *what, const group *group);
void check_group_member(reader *reader, const tree_node *node, const char *list, const component *component);

// Reads `fields` of the component or struct that `what` describes.
field_draft_list read_fields(reader *reader, const tree_node *node, const char *what);

// read_enum reads the `values` of an enum. read_structs orders all structs, and computes their sizes and defaults; it
// requires that all types are declared and their fields read.
void read_enum(reader *reader, definition_draft *draft, const char *what);
void read_structs(reader *reader);

// Reads `opaque`, `header`, `drop`, `save` and `load` of an opaque type.
void read_opaque(reader *reader, definition_draft *draft, const char *what);

// Returns whether a field is an opaque type with `drop`, or a struct with such a field. Nested structs must be
// complete.
bool fields_have_drops(const field_draft_list *list);

// Sets the default value of every field. Nested structs must have theirs.
void read_defaults(reader *reader, field_draft_list *list);

// Reads a field's type; returns false after reporting an error. `where` is "field 'x' of component 'Position'".
bool read_type(reader *reader, const tree_node *node, const char *where, field_type *type);

// Reads the value at a node; returns NULL after reporting an error.
const constant *read_constant(reader *reader, const field_type *type, const tree_node *node);

// The same, but replaces `base`: struct fields that the mapping omits keep their values from `base`.
const constant *read_override(reader *reader, const field_type *type, const tree_node *node, const constant *base);

const constant *default_constant(reader *reader, const field_type *type);

// read_range reads the `range` in the long form of a field, after its type. check_in_range reports numbers of a value
// at the node that are outside of the range of the field; it returns the value, which may be NULL.
// check_implied_default reports a range without the default of a field for which the schema gives none. range_compare
// compares two numbers.
void read_range(reader *reader, const tree_node *mapping, const char *where, field *field);
const constant *check_in_range(reader *reader, const field *field, const tree_node *node, const constant *value);
int range_compare(reader *reader, const field *field, const constant *a, const constant *b);
void check_implied_default(reader *reader, const field *field);

// Returns the layout of all fields with valid types. Nested structs must have theirs.
memory_layout read_layout(const field_draft_list *list);

// Returns the draft whose first member is the definition.
definition_draft *draft_of(const definition *definition);

#endif
