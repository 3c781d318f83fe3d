// What the readers share: the drafts of what is being read, and the checks that several files make.
#ifndef KIN_GENERATOR_READ_INTERNAL_H
#define KIN_GENERATOR_READ_INTERNAL_H

#include "generator/read/read.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- the reader
//
// Shared by the files of the schema reader: the model under construction, and checks of tree nodes.
//
// The reader declares all names first and reads their contents second, so the order of entries does not matter. An
// invalid name is reported once and still declared, so that references to it are not reported too.
//
// `what` describes the element being read, for messages: "component 'Position'", "'doc' of context 'game'".

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
    const tree_node **context_nodes; // by context order: the mapping of the context; NULL if it is none
    const component **context_marks; // by context order: the last component that listed the context
    definition_draft **definitions;
    size_t definition_count;
    component_draft **components;
    size_t component_count;
    dictionary context_names, definition_names, component_names;
    dictionary reverse_names;       // "game children": the fields of relations, by context and reverse
    const context *default_context; // NULL if none
    size_t constant_items;          // in all defaults, for SCHEMA_CONSTANT_LIMIT
    const blueprint *slots_of;      // the blueprint whose values are being read, which can name its parts; NULL: none
} reader;

// Reports every unknown key of the mapping.
void reader_check_keys(reader *reader, const tree_node *mapping, const language_value *keys, const char *what);

// Reports every unknown key, and reads each key whose row has a member, unless code reads it. A member keeps its value
// if the mapping lacks the key, or after an error was reported. The caller has set the saved name of the element.
void reader_read_keys(reader *reader, const tree_node *mapping, const language_value *keys, const char *what,
                      void *element);

// Reads one key with a member, if the mapping has it.
void reader_read_key(reader *reader, const tree_node *mapping, const language_key *key, const char *what,
                     void *element);

// Returns the number of the word at the node, which is the value of the key; -1 after reporting an error.
int reader_read_word(reader *reader, const tree_node *node, const language_key *key, const char *what);

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
void read_offs(reader *reader);

// Reads `replicate` of a component.
void read_replicate(reader *reader, const tree_node *mapping, const char *what, component *component);

typedef enum field_owner { FIELDS_OF_COMPONENT, FIELDS_OF_STRUCT, FIELDS_OF_MESSAGE } field_owner;

// Reads `precision` of fields, and checks which of them have keys of networks.
void read_field_replication(reader *reader, field_draft_list *list, field_owner owner, const char *what);

// Checks what a message would carry over the network.
void check_message_replication(reader *reader, const message *message, const char *what);

// Checks what replicates. Everything but the systems has been read.
void check_replication(reader *reader);
void read_groups(reader *reader);
void read_indices(reader *reader);

// Reads `order` of the declared groups. The indices are read.
void read_group_orders(reader *reader);

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

// Returns the name of a new element in saves; reading its key `was` replaces it.
saved_name read_no_was(const char *name);

// Reads `version` and `removed`.
void read_save_keys(reader *reader);

// Reads the `events` of a component.
void read_events(reader *reader, const tree_node *node, const char *what, component *component);

// Reports, at `place`, a field whose type cannot be in a key.
void check_key_type(reader *reader, const field *field, span place, const char *what);

// A field of a component in a scalar such as `Cell.x`, as messages describe it: where the field is used, by which
// element of which context, and the code for what is not a field.
typedef struct field_path {
    const char *where; // "the key of index 'cell'"
    const char *owner; // "index 'cell'"
    const context *context;
    diagnostic_code code;
    size_t start; // of the path in the scalar
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

// Returns the rules with one more, or with a longer one, that leaves out what `off` of the context switches off; the
// rules themselves if they name the flag or exclude it with `only`. `context` may be NULL.
const rule *read_off_rule(reader *reader, const context *context, const rule *rules, size_t *count);

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

// ---- constants
//
// Constants under construction: shared by reading defaults from the schema and making them for types.
//
// A default of two letters can expand to thousands of values, so items are counted for the whole schema. The value that
// exceeds SCHEMA_CONSTANT_LIMIT is reported.

// Adds `count` items to the schema's total. Returns false above the limit, and reports an error the first time.
bool constant_may_hold(reader *reader, size_t count, span place);

// A struct or array whose items are being appended. After an invalid item the list is broken and yields no constant,
// but the remaining items are still read so that all their errors are reported.
typedef struct constant_list {
    constant *constant;
    const constant **items;
    bool is_broken;
} constant_list;

// Reports an error at `place` if the list exceeds the limit.
constant_list constant_list_begin(reader *reader, constant_kind kind, size_t capacity, span place);

// Appends an item; NULL, for an invalid item, breaks the list. constant_list_end returns NULL for a broken list.
void constant_list_append(constant_list *list, const constant *item);
const constant *constant_list_end(const constant_list *list);

// ---- blueprints
//
// Shared by the files that read blueprints.
//
//   blueprint.c         names, `extends`, and the order in which their children are read
//   blueprint_child.c   the children
//   blueprint_part.c    the components of blueprints and children, with their values

// A use of another blueprint: the base of a blueprint, or the `of` of one of its children.
typedef struct blueprint_use {
    struct blueprint_draft *of;
    const tree_node *node; // where it is named
    const char *child;     // name of the child; NULL: `extends`
    struct blueprint_use *next;
} blueprint_use;

typedef struct blueprint_draft {
    blueprint blueprint;
    const tree_node *node;
    const char *what;
    draft_state state;
    size_t generation; // 1 if it extends none, else 1 more than its base
    bool is_child;     // the components of a child are being read
    bool has_knobs;    // its knobs are read
    draft_state children_state;
    blueprint_use *uses, *last_use;
} blueprint_draft;

typedef struct blueprint_scope {
    reader *reader;
    dictionary names; // blueprint name to blueprint_draft
    blueprint_draft **drafts;
    size_t count;
    size_t ordered; // the number of blueprints whose children are read
} blueprint_scope;

// Returns the blueprint of that name; NULL after reporting that it is unknown. `key` and `what` describe the place.
blueprint_draft *find_blueprint(blueprint_scope *scope, const tree_node *node, const char *key, const char *what);

// What content adds to a package (content.c): the entries of `components` for Origin and Content, in the contexts with
// `content`. read_places reads their `placed_by`.
entry_list content_components(reader *reader);
void read_places(reader *reader);

// Reads `knobs` of the blueprints, and finds the parts that values name. The children are read.
void read_knobs(blueprint_scope *scope);
void read_slots(reader *reader);

// Gives each blueprint of a context with `content` children of its own, and all of its entities the component Origin.
void add_origins(reader *reader);

// Reads the components that the mapping gives, then adds the base's other components unchanged.
void read_blueprint_parts(blueprint_scope *scope, blueprint_draft *draft, const tree_node *mapping);

// Reads the children of all blueprints, each after those of the blueprints that it uses. Reports blueprints that would
// be below themselves.
void read_all_children(blueprint_scope *scope);

// Reads the children of a blueprint, after those of all blueprints that it uses.
void read_children(blueprint_scope *scope, blueprint_draft *draft);

// Numbers the children of all blueprints, which are in order, and lists them in the package.
#define UNNUMBERED UINT32_MAX
void publish_children(reader *reader);

// Returns the mapping of names to children; NULL after reporting an error, if there is a `report`.
const tree_node *find_child_nodes(reader *reader, const tree_node *children, const char *report);

// ---- systems
//
// Shared by the files that read `systems`: systems under construction, and their required order.
//
// All systems are declared first, then read, then sorted, since `before` and `after` may name any of them.
//
// Systems are sorted by stage, then by phase, then by `before` and `after`, then by position in the files. An order
// between systems of the same phase is an edge of the graph; any other order must agree with stages and phases.

typedef enum system_phase { PHASE_FIRST, PHASE_MIDDLE, PHASE_LAST } system_phase;

typedef struct system_draft system_draft;

// One item of `before` or `after`.
typedef struct system_order {
    system_draft *earlier, *later;
    span span;
    bool is_dropped; // it contradicts other orders, already reported, or names a system without a node
} system_order;

// A node in `before` or `after`.
typedef struct node_order {
    const schedule_node *node;
    bool is_after;
    span span;
} node_order;

// The system or node, empty for `first` and `last`, by which a system cannot be in an earlier or a later stage.
typedef struct stage_limit {
    const char *name;
    span span;
} stage_limit;

typedef struct system_orders {
    system_order **items;
    size_t count;
} system_orders;

struct system_draft {
    declared_system system;
    const tree_node *node;
    const char *what;
    system_phase phase;
    span phase_span;         // of `first` or `last`
    span node_span;          // of the value of `in`
    const span *write_spans; // one for each item of `writes`
    const span *read_spans;  // one for each item of `reads`
    system_order *orders;    // from its own `before` and `after`
    size_t order_count;
    node_order *node_orders; // the same, of nodes
    size_t node_order_count;
    // For finding the stage: the limits of the number of the last node before it.
    size_t earliest, latest;
    stage_limit earliest_by, latest_by;
    // For sorting:
    system_orders successors, predecessors; // orders in which it runs first, and second
    size_t waiting;                         // number of unsorted predecessors
    size_t place;                           // first by stage, phase and position; after sorting, the final position
    size_t seen;                            // number of the last search that visited it
    const system_draft *reported_with;      // last system reported to write the same component
    bool is_left_out;                       // another system has the same C name
};

// Names that a system can refer to, with words for messages.
typedef struct system_names {
    const char *kind, *kinds; // "group", "groups"
    const char *key;          // root key that declares them
    diagnostic_code code;     // for an unknown name
    dictionary values;
    const char **names;
    size_t count;
} system_names;

typedef struct system_scope {
    reader *reader;
    system_names systems, nodes, groups, messages, blueprints; // system names to system_draft
    dictionary c_names;                                        // C names to system_draft
    system_draft **drafts;                                     // in declaration order
    size_t count;
} system_scope;

// A list of names in a system, without duplicates.
typedef struct system_list {
    reader *reader;
    const char *what;       // "'reads' of system 'Move'"
    const tree_node *items; // first item; NULL if the list is missing or invalid
    size_t capacity;
    dictionary places;
} system_list;

system_list system_list_begin(reader *reader, const system_draft *draft, const char *key);

// Returns whether the name is new in the list; reports a duplicate.
bool system_list_is_new(system_list *list, const tree_node *name);

// system_names_begin reserves space for `count` names. system_names_add returns the earlier value if the name exists,
// else NULL.
void system_names_begin(system_names *names, reader *reader, size_t count);
const void *system_names_add(system_names *names, const char *name, const void *value);

// Returns the value for the name at the node, or NULL after reporting an unknown name. `what` describes the list.
const void *system_names_find(const system_names *names, reader *reader, const tree_node *node, const char *what);

// Returns "group 'movers'", or "its group" of a system.
const char *group_text(reader *reader, const group *group);

// Returns whether an index, or an entry of `indices` that was reported, has the name.
bool names_index(reader *reader, const context *context, const char *name);

// Returns the ordered index of the context that `order` of an element names; NULL after reporting an error.
const entity_index *read_order_index(reader *reader, const tree_node *node, const char *what, const context *context);

// Returns whether the index has all members of the group; reports at `node` if it may not.
bool check_index_order(reader *reader, const tree_node *node, const entity_index *index, const group *group,
                       const char *owner);

// Reads `order` of a group, and `holder_of` and `held_by`. Its rules are read, and for `order` the indices.
void read_group_order(reader *reader, const tree_node *mapping, const char *what, group *group);
void read_questions(reader *reader, const tree_node *mapping, const char *what, group *group);

// Reads the rules that a question has for the other entity.
void read_question_rules(reader *reader, const tree_node *node, const char *what, const context *context,
                         question *question);

// Reports what needs to know when an entity enters or leaves a group that asks about a relation.
void refuse_questions(reader *reader, const group *group, span place, const char *problem, const char *hint);
void check_system_questions(reader *reader, const system_draft *draft);

// Reports a parallel system that visits its group in the order of an index.
void refuse_parallel_order(reader *reader, const system_draft *draft);

// Reads a group that is written in a system, at its key `group`.
const group *read_system_group(system_scope *scope, const system_draft *draft, const tree_node *node);

// Reads `tree`, `only` and `order` of a system whose group, `reads` and roles are known.
void read_system_tree(system_scope *scope, system_draft *draft);

// The components in a list of a system, with their places.
typedef struct system_components {
    const component **components;
    span *spans;
    size_t count;
} system_components;

// Reads the list of distinct components at the key.
system_components read_system_components(system_scope *scope, const system_draft *draft, const char *key);

// Reads `parallel`, and what jobs of the system can do, of a system whose kind, roles, tree, `reads` and `writes` are
// known.
void read_system_job(system_scope *scope, system_draft *draft);

// Warns of what a predicted system reads that replicas do not have. Its `reads` and `writes` are known.
void warn_of_prediction(reader *reader, const system_draft *draft);

// Each reads lists of a system whose kind, node and group are known: `maybe`, `reads` and `writes`, `before` and
// `after`, `react`, `inbox`.
void read_system_maybe(system_scope *scope, system_draft *draft);
void read_system_columns(system_scope *scope, system_draft *draft);
void read_system_orders(system_scope *scope, system_draft *draft);
void read_system_triggers(system_scope *scope, system_draft *draft);
void read_system_inboxes(system_scope *scope, system_draft *draft);

// Sets `after` of all systems, all of which must have a node. Returns false after reporting contradictory orders.
bool stage_systems(reader *reader, system_draft *const *systems, size_t count);

// Compares the stages of two systems: negative if that of `a` runs earlier, 0 if both are in the same stage.
int stage_compare(const declared_system *a, const declared_system *b);

// Reports an order between nodes of different roots if one of these is manual. Returns whether it is.
bool stage_report_manual(reader *reader, const schedule_node *earlier, const schedule_node *later, span span);

// Sorts systems, all of which must have a node, and sets their places. Returns false after reporting contradictory
// orders.
bool order_systems(reader *reader, system_draft **systems, size_t count);

// Warns about systems of a node that write the same component without an order, sets each system's batch and level, and
// sorts the systems of each stage by their batches.
void batch_systems(reader *reader, system_draft **systems, size_t count);

// ---- invariants
//
// Invariants of a package that was read without errors, asserted before any verb uses it.
//
// The numbers are those of schema/schema.h. A violation is a bug of the reader,
// which would otherwise show as wrong C. Cost: proportional to the model.

void package_assert_invariants(const package *package);

// ---- patterns of generated names
//
// Patterns of generated names, one row for each name, by the element that generates it: a package, a context, a type
// and so on.
//
// A placeholder in a pattern stands for a part of the subject, in the case of the placeholder: {component} is in
// snake_case, {COMPONENT} in upper case, {Component} as in the schema. A file's pattern has no prefix; a member's
// pattern is "type.member".

typedef enum symbol_scope {
    SCOPE_PACKAGE,
    SCOPE_CONTEXTS,      // in addition, for a package with several contexts
    SCOPE_HEADERS,       // in addition, for a package whose opaque types are in headers of the user
    SCOPE_MIGRATIONS,    // in addition, for a package with a component that has `migrate: true`
    SCOPE_NET,           // in addition, for a package with a context that replicates; so are the next ones:
    SCOPE_NET_WORLD,     // for a world
    SCOPE_NET_TYPE,      // for each type
    SCOPE_NET_COMPONENT, // for each component that is sent
    SCOPE_NET_CONTEXT,   // for each context that replicates
    SCOPE_NET_BLEND,     // for each context of a component with a field with `blend: true`
    SCOPE_NET_MESSAGE,   // for each message that crosses the network
    SCOPE_NET_SEND,      // for each message that replicas send
    SCOPE_CONTEXT,
    SCOPE_CONTEXT_FILES,     // in addition, for a context of several
    SCOPE_CONTENT_FILE,      // once for a package with a context that has `content: true`
    SCOPE_CONTENT,           // in addition, for each such context
    SCOPE_CONTENT_BLUEPRINT, // and for each blueprint of it
    SCOPE_COMMANDS,          // in addition, for a context with `commands: true`; so are the next ones, for each
    SCOPE_COMMANDS_FIELDS,   // component with fields, also for functions that a call may not have
    SCOPE_COMMANDS_STASH,    // component with `stash: true`
    SCOPE_COMMANDS_FLAG,     // flag
    SCOPE_COMMANDS_SPAWN,    // blueprint
    SCOPE_COMMANDS_VALUES,   // in addition, for each blueprint that has components with fields
    SCOPE_COMMANDS_CHILDREN, // in addition, for each with children
    SCOPE_READER, // in addition, for a context whose function to read a file does not have the name of the world's
    SCOPE_TYPE,
    SCOPE_CONTEXT_TYPE,          // for each context, whose tables may mention the type
    SCOPE_WORLD_TYPE,            // once for a package with a world, whose messages may mention the type
    SCOPE_VALUE,                 // for each value of an enum
    SCOPE_COMPONENT,             // once for a component with fields, for all its contexts
    SCOPE_SHARED,                // in addition, for a component of several contexts
    SCOPE_EDIT_TYPE,             // in addition, for a component with its own edit type
    SCOPE_SOA,                   // in addition, for a component with `layout: soa`
    SCOPE_MIGRATION,             // in addition, for a component with `migrate: true`
    SCOPE_CONTEXT_COMPONENT,     // for each context of any component
    SCOPE_CONTEXT_FIELDS,        // for each context of a component with fields
    SCOPE_CONTEXT_GET,           // in addition, for each context of a component with contiguous values
    SCOPE_CONTEXT_SOA,           // in addition, for each context of a component with `layout: soa`
    SCOPE_CONTEXT_LIST,          // for each context of a field that is a list
    SCOPE_CONTEXT_ELEMENT,       // in addition, if a new element of it is not all zero
    SCOPE_CONTEXT_VALUES,        // in addition, for each context of a component with `storage: shared`
    SCOPE_CONTEXT_STASH,         // in addition, for each context of a component with `stash: true`
    SCOPE_CONTEXT_FLAG,          // for each context of a flag
    SCOPE_CONTEXT_RELATION,      // in addition, for each context of a component with relations
    SCOPE_FLAG_CHANGES,          // for each context of a flag whose prefix is neither `add` nor `remove`
    SCOPE_FLAG_HAS,              // for each context of a flag whose prefix is not `has`
    SCOPE_UNIQUE_FLAG_HAS,       // the same, for a unique flag
    SCOPE_COMMANDS_FLAG_CHANGES, // as SCOPE_FLAG_CHANGES, for a context with `commands: true`
    SCOPE_UNIQUE_FIELDS,         // in addition, for each context of a unique component with fields
    SCOPE_UNIQUE_FLAG,           // in addition, for each context of a unique flag
    SCOPE_EVENT,                 // for each event of any component, in each of its contexts
    SCOPE_GROUP,
    SCOPE_GROUP_MATCH, // in addition, for a group whose loops are inlined
    SCOPE_INDEX,
    SCOPE_MULTI_INDEX,
    SCOPE_ORDERED_INDEX,
    SCOPE_GRID,
    SCOPE_INDEX_FUNCTION, // in addition, for an index whose keys a function gives
    SCOPE_REVERSE,        // for each relation with a reverse
    SCOPE_TREE,           // in addition, for a relation with `tree: true`
    SCOPE_OFF_TREE,       // in addition, for the only tree of a context with `off`
    SCOPE_OFF_TREES,      // for one of several
    SCOPE_GROUP_MEMBER,   // for each component with fields in a group's `all`
    SCOPE_BLUEPRINT,
    SCOPE_BLUEPRINT_VALUES,   // in addition, for each blueprint that has components with fields
    SCOPE_BLUEPRINT_MEMBER,   // for each of those components
    SCOPE_BLUEPRINT_PARTS,    // for each blueprint with children, and each that a child is of
    SCOPE_BLUEPRINT_CHILDREN, // in addition, for each with children
    SCOPE_WORLD,              // once for a package with systems, messages or a schedule
    SCOPE_WORLD_OF_JOBS,      // in addition, if a system is parallel
    SCOPE_WORLD_OF_RANDOM,    // in addition, if a system draws random numbers
    SCOPE_MANUAL_NODE,        // for each node that the program runs
    SCOPE_MESSAGE,
    SCOPE_MESSAGE_FIELDS, // in addition, for each message with fields
    SCOPE_SYSTEM,
    SCOPE_JOB,             // in addition, for a parallel system
    SCOPE_SYSTEM_ROLE,     // for each role of a system
    SCOPE_ROLE,            // for each role with one function
    SCOPE_ROLE_OF_CONTEXT, // for each context of a role with one function per context
    SCOPE_SYSTEM_ITERATOR, // in addition, for a system that iterates its group
    SCOPE_SYSTEM_TREE,     // instead, for a system that iterates its group in the order of a tree
    SCOPE_SYSTEM_MATCH,    // in addition, if its loops are inlined
    SCOPE_SYSTEM_VIEW,     // in addition, for a system that iterates a declared group
    SCOPE_SYSTEM_MEMBER,   // for each component with fields in that group's `all`
    SCOPE_SYSTEM_PARENT,   // in addition, with a tree
    SCOPE_SYSTEM_LEFT,     // the same, for a system with `on_leave: keep`
    SCOPE_SYSTEM_INBOX     // for each message of a system's inbox
} symbol_scope;

typedef struct symbol_pattern {
    symbol_scope scope;
    symbol_kind kind;
    const char *pattern;
} symbol_pattern;

// The table ends with a row without a pattern.
extern const symbol_pattern symbol_patterns[];

// The values of placeholders; NULL for those that the scope does not have.
typedef struct symbol_subject {
    const char *prefix, *package, *stem, *context, *type, *value, *component, *flag_prefix, *event, *group, *index,
        *reverse, *list;
    const char *blueprint, *message, *system, *role, *node;
} symbol_subject;

typedef enum symbol_case { SYMBOL_AS_WRITTEN, SYMBOL_LOWER, SYMBOL_UPPER, SYMBOL_CASES } symbol_case;
enum { SYMBOL_PART_LIMIT = 32 }; // maximum parts of a subject

// A subject's parts and their spellings in each case, converted at first use.
typedef struct symbol_words {
    arena *arena;
    symbol_subject subject;
    const char *spelled[SYMBOL_PART_LIMIT][SYMBOL_CASES];
} symbol_words;

symbol_words symbol_words_create(arena *arena, const symbol_subject *subject);

// Returns the pattern with all placeholders replaced.
const char *symbol_expand(symbol_words *words, const char *pattern);

// ---- collecting names
//
// Collects the symbols of the elements of a package.

// The element that symbols come from.
typedef struct symbol_origin {
    const char *description;
    span span;
} symbol_origin;

typedef struct symbol_collector {
    arena *arena;
    const package *package;
    symbol_list list;
    dictionary functions; // that release, save and load opaque values
} symbol_collector;

void symbols_append(symbol_collector *collector, symbol symbol);

// Appends the symbols of a scope. Prefix and package of the subject are set here.
void symbols_collect(symbol_collector *collector, symbol_scope scope, symbol_subject subject, symbol_origin origin);

// Appends the symbols of the world: of its messages, manual nodes and systems.
void symbols_collect_world(symbol_collector *collector);

// Appends the functions of the jobs of a parallel system.
void symbols_collect_job(symbol_collector *collector, const declared_system *system, symbol_origin origin);

// ---- names of opaque types
//
// Opaque types and generated names: an opaque type is declared by a header of the user, so it must not name a generated
// type, which would be undeclared at its first use.

typedef struct opaque_check {
    arena *arena;
    diagnostics *diagnostics;
    const dictionary *names, *files; // all symbols of these kinds, by symbol_key
} opaque_check;

// Returns the key by which symbols of a kind are unique: file names that differ only in case are equal.
const char *symbol_key(arena *arena, symbol_kind kind, const char *name);

void symbols_check_opaque(const opaque_check *check, const package *package);

#endif
