// Schema: the model of a package, as read from a schema and checked. Views and tables are made from it.
//
// Everything is in one arena and read-only after package_read. Names are those of the schema, in its case and without
// the package's prefix; every element has the span of its name (`span`).
//
// Invariants of a model that package_read returned:
//
//   1. contexts are in order of declaration, file by file in load order; there is at least one
//   2. enums and opaque types come before structs, and each struct comes after the types of its fields
//   3. components are in byte order of their names, also within a context; a component's index in context->components
//      is its id there
//   4. groups are in byte order of their names, their rules in order of the file
//   5. indices are in byte order of their names; those with one name are in order of their contexts
//   6. blueprints are in byte order of their names; their parts, including inherited ones, are in byte order of their
//      components' names
//   7. every field has a default value of exactly its type
//   8. symbols_check found no collision: all generated names are distinct
//   9. components and structs have their layouts
//  10. relations are in order of their components, then of fields; the reverses of a context are distinct
//  11. no blueprint is below itself; children have distinct names, and a part for the component of their tree
#ifndef KIN_GENERATOR_MODEL_SCHEMA_H
#define KIN_GENERATOR_MODEL_SCHEMA_H

#include "generator/base/base.h"
#include "generator/source/source.h"
#include "model/constant.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct component component;
typedef struct definition definition;
typedef struct message message;
typedef struct schedule_node schedule_node;
typedef struct declared_system declared_system;

// Limits of the language. C guarantees 1023 members in a struct; the last three are limits of the runtime.
enum {
    SCHEMA_NAME_LIMIT = 63,            // bytes of a name
    SCHEMA_INCLUDE_LIMIT = 32,         // levels of nested includes
    SCHEMA_INCLUDE_COUNT_LIMIT = 1024, // includes in one file
    SCHEMA_VALUE_SIZE_LIMIT = 65536,   // bytes of a component's value
    SCHEMA_STRING_LIMIT = 4000,        // bytes of a string's default: C guarantees literals of 4095
    SCHEMA_CONSTANT_LIMIT = 4000000,   // parts of all default values together
    SCHEMA_CONTEXT_LIMIT = 1024,       // contexts of a package
    SCHEMA_FIELD_LIMIT = 1023,         // fields of a component or struct
    SCHEMA_COMPONENT_LIMIT = 65535,    // components of a context
    SCHEMA_RULE_LIMIT = 8,             // rules of a group
    SCHEMA_RULE_COMPONENT_LIMIT = 30,  // components of a rule
    SCHEMA_KEY_LIMIT = 30,             // fields of a key
    SCHEMA_EXTENDS_LIMIT = 32,         // levels of `extends`
    SCHEMA_CHILD_DEPTH_LIMIT = 64,     // levels of children below a blueprint
    SCHEMA_CHILD_LIMIT = 4096,         // entities that one blueprint spawns
    SCHEMA_CHUNK_PLACES = 512,         // places of a chunk; a piece of a parallel system is made of whole chunks
    SCHEMA_GRAIN_LIMIT = 1 << 24,      // places of a piece
};

// Under which name saves have a thing. A program can be renamed at will; its saves cannot.
typedef struct saved_name {
    const char *identity; // the first name that the thing was saved under: its `was`, or else its name
    const char *was;      // as the schema gives it; NULL if it does not
    span span;            // of `was`
} saved_name;

// An entry of `removed`: a thing of earlier saves that the schema gives up.
typedef struct removal {
    const char *path;     // as the schema gives it: "Mana", "Health.armor", "Team.side.Purple"
    const char *identity; // the same with the names that saves have
    span span;
    bool is_declared; // the schema still has it, which was reported
} removal;

typedef struct context {
    const char *name;
    const char *doc; // here and below: NULL if there is none
    span span;
    saved_name saved;
    bool is_unsaved;   // `save: false`: no part of snapshots of the world, of files, hashes and recordings
    bool has_commands; // `commands: true`: command buffers
    size_t order;      // index among the package's contexts
    bool is_default;
    const component *const *components;
    size_t component_count;
    const struct key_part *label; // whose value tools show beside an entity; NULL if there is none
} context;

typedef enum type_kind {
    TYPE_BOOL,
    TYPE_INT8,
    TYPE_INT16,
    TYPE_INT32,
    TYPE_INT64,
    TYPE_UINT8,
    TYPE_UINT16,
    TYPE_UINT32,
    TYPE_UINT64,
    TYPE_FLOAT,
    TYPE_DOUBLE,
    TYPE_STRING, // owned by the context
    TYPE_INLINE_STRING,
    TYPE_ENTITY, // of any context
    TYPE_CONTEXT_ENTITY,
    TYPE_ENUM,
    TYPE_STRUCT,
    TYPE_OPAQUE
} type_kind;

typedef struct field_type {
    type_kind kind;
    size_t string_size;           // TYPE_INLINE_STRING: capacity in bytes, without the NUL
    const context *context;       // TYPE_CONTEXT_ENTITY
    const definition *definition; // TYPE_ENUM, TYPE_STRUCT, TYPE_OPAQUE
    size_t array_count;           // elements; 0 if not an array
    bool is_list;                 // a list of any number of elements
    span span;
} field_type;

// The memory layout of a value on 64-bit machines (layout.h).
typedef struct memory_layout {
    uint64_t size; // bytes, with padding; SCHEMA_VALUE_SIZE_LIMIT + 1 for anything larger
    uint64_t alignment;
    uint64_t padding; // bytes outside of all fields; padding inside nested structs is not counted
    bool is_guess;    // contains an opaque type of unknown size, assumed to be a pointer
} memory_layout;

// What becomes of the entity that has a field when the entity that the field names is destroyed. A field whose kind is
// not ON_DESTROY_KEEP is a relation: the entity that has it is the holder, the one that it names is the target.
typedef enum on_destroy_kind {
    ON_DESTROY_KEEP, // nothing: the field is a handle
    ON_DESTROY_CLEAR,
    ON_DESTROY_REMOVE,
    ON_DESTROY_DESTROY,
    ON_DESTROY_REFUSE
} on_destroy_kind;

typedef enum index_kind { INDEX_NONE, INDEX_PRIMARY, INDEX_MULTI } index_kind;

// What tools should do with a field or component: show and edit it, only show it, or neither.
typedef enum inspect_kind { INSPECT_EDIT, INSPECT_READ_ONLY, INSPECT_HIDDEN } inspect_kind;

typedef struct field {
    const char *name;
    const char *doc;
    const char *unit;
    span span;
    saved_name saved;
    bool is_unsaved; // `save: false`: no part of files, hashes and recordings
    field_type type;
    const constant *default_value;
    bool has_default;                // the schema gives one
    const constant *element_default; // of a list: the value of a new element; otherwise NULL
    inspect_kind inspect;
    const constant *minimum, *maximum; // of `range`, numbers of the field's type or of its elements; NULL: no bound
    index_kind index;                  // kind of the index over this field alone
    on_destroy_kind on_destroy;        // ON_DESTROY_KEEP, unless the field is a relation
    const char *reverse;               // of a relation: its name at the target; NULL if there is none
    span reverse_span;                 // of `reverse`
    bool is_tree;                      // of a relation with a reverse: targets are parents, without circles
} field;

typedef struct field_list {
    const field *fields;
    size_t count;
} field_list;

typedef struct enumerator {
    const char *name;
    const char *literal; // the number as C
    int32_t number;
    span span;
    saved_name saved;
} enumerator;

typedef enum definition_kind { DEFINITION_ENUM, DEFINITION_STRUCT, DEFINITION_OPAQUE } definition_kind;

// An entry of `types`.
struct definition {
    definition_kind kind;
    const char *name;
    const char *doc;
    span span;
    const enumerator *enumerators; // DEFINITION_ENUM: at least one
    size_t enumerator_count;
    field_list fields;    // DEFINITION_STRUCT: at least one
    const char *opaque;   // DEFINITION_OPAQUE: the C type
    span opaque_span;     // of the C type
    const char *header;   // of the type and its functions, without quotes; NULL if none
    span header_span;     // of `header`
    const char *drop;     // function that releases a value; NULL if none
    const char *save;     // function that writes a value as bytes; NULL if none
    const char *load;     // function that makes a value of them; NULL if none
    bool has_drops;       // it has `drop`, or a field's type does
    memory_layout layout; // DEFINITION_STRUCT
};

// The action of the cleanup at the end of a frame on entities that have the component.
typedef enum cleanup_kind { CLEANUP_NONE, CLEANUP_REMOVE_COMPONENT, CLEANUP_DESTROY_ENTITY } cleanup_kind;

typedef enum event_target { TARGET_ANY, TARGET_SELF } event_target;
typedef enum event_type { EVENT_ADDED, EVENT_REMOVED } event_type;

// An item of a component's `events`: a change that calls listeners.
typedef struct component_event {
    event_target target;
    event_type type;
    int32_t priority;
    span span;
} component_event;

// A component without fields is a flag.
struct component {
    const char *name;
    const char *doc;
    const char *flag_prefix; // prefix of the flag's query function, such as "is"
    span span;
    saved_name saved;
    bool is_unsaved;                // `save: false`: no part of files, hashes and recordings
    bool migrates;                  // `migrate: true`: a function decides about it in saves of another shape
    const context *const *contexts; // in the order of the package, at least one
    size_t context_count;
    field_list fields;
    bool is_unique;       // at most one entity of a context has it
    bool is_boxed;        // `storage: boxed`; see schema_is_boxed
    bool is_shared;       // `storage: shared`: equal values are kept once
    bool is_soa;          // `layout: soa`: a column for each field
    bool is_stashable;    // `stash: true`
    bool has_strings;     // a field is a string
    bool has_drops;       // a field has an opaque type with `drop`
    bool has_lists;       // a field is a list
    memory_layout layout; // of a value; all 0 for a flag
    cleanup_kind cleanup;
    inspect_kind inspect;
    index_kind index;              // over all its fields: INDEX_MULTI, or none
    bool is_keyed;                 // a field of it is in the key of an index, or a function reads its columns
    bool has_relations;            // a field of it is a relation
    const component_event *events; // in order of the file, distinct targets and types
    size_t event_count;
};

typedef enum rule_kind { RULE_ALL, RULE_ANY, RULE_NONE, RULE_ONLY } rule_kind;

typedef struct rule {
    rule_kind kind;
    span span;
    const component *const *components; // in order of the file, distinct, at least one
    size_t count;
} rule;

// Components in order of the file, distinct.
typedef struct component_list {
    const component *const *components;
    size_t count;
} component_list;

// A declared group, or a group that a system has for itself.
typedef struct group {
    const char *name;  // of the group, or of the system
    bool is_of_system; // it has no functions of its own
    const char *doc;
    span span;
    const context *context;
    const rule *rules; // at least one; several RULE_ANY for a list of lists
    size_t rule_count;
    component_list maybe; // the optional columns: components with fields that no rule requires or excludes
} group;

// Returns whether loops over the group are inlined: it has an `all` rule, no `only` rule, and names few components,
// none of them with a column for each field; and the loop has no optional columns.
bool schema_is_inlined(const group *group, size_t maybe_count);

// A field of a component, as in `Cell.x`.
typedef struct key_part {
    const component *component;
    const field *field;
} key_part;

// An entry of `indices`, or the index of a field or of a component in one context.
typedef struct entity_index {
    const char *name;        // "cell", "Name.value" or "Material"
    const char *symbol_name; // "cell", "name_value" or "material"
    const char *doc;
    span span;
    const context *context;
    index_kind kind;
    bool is_custom;      // declared in `indices`
    bool is_whole;       // the index of a component: the key is all its fields
    const key_part *key; // at least one; none if a function gives the keys
    size_t key_count;
    const char *function; // gives the keys; NULL: fields make the key
    span function_span;
    field_type key_type;        // of the keys that the function gives
    const component *const *of; // the function's arguments, in order; at least one, each with fields
    size_t of_count;
    const rule *rules; // RULE_ALL and RULE_NONE, in addition to the components of the key or of `of`
    size_t rule_count;
} entity_index;

// A field that is a relation. Its component is in one context, and so are its targets.
typedef struct relation {
    const context *context;
    const component *component;
    const field *field;
} relation;

// A component in a blueprint, with its initial values.
typedef struct blueprint_part {
    const component *component;
    const constant *const *values; // by field; NULL if all are the component's defaults
} blueprint_part;

typedef struct blueprint_child blueprint_child;

// The children of a blueprint, or of a child: in order of the schema, those of the extended blueprint first.
typedef struct child_list {
    const blueprint_child *const *children; // NULL if there are none
    size_t count;
    const relation *tree; // in which they name their parent
    size_t node_count;    // all entities below: the children, their children and so on
    size_t height;        // levels below; 0 without children
} child_list;

// An entry of `blueprints`.
typedef struct blueprint {
    const char *name;
    const char *doc;
    span span;
    const context *context;
    const struct blueprint *base; // that it extends; NULL if none
    const blueprint_part *parts;  // at least one
    size_t part_count;
    child_list children;
    bool is_of_child; // the `of` of a child
    size_t order;     // comes after those of all blueprints that its children are of
} blueprint;

// An entity that is spawned below that of a blueprint, or below another child. Blueprints share the children that they
// inherit unchanged.
struct blueprint_child {
    const char *name;
    const char *path; // "Car.axle.left"
    span span;
    const context *context;
    const blueprint *of;         // whose slots it uses; NULL if none
    const blueprint_part *parts; // in order of their components' names; one is the component of the tree
    size_t part_count;
    const relation *tree; // in which it names its parent
    child_list children;
    size_t number; // index among the distinct children of the context
};

typedef struct package {
    const source *const *sources; // the files of the schema, the root first
    size_t source_count;
    const char *name;
    const char *prefix; // "" if there is none
    span span;
    uint32_t version; // `version`: the user's number for saves; 0 if there is none
    removal *removals;
    size_t removal_count;
    bool has_lock;  // identities and removals are also those of the lock beside the schema
    bool has_saves; // a key of the schema is about saves, so the user has saves
    const context *const *contexts;
    size_t context_count;
    const definition *const *definitions;
    size_t definition_count;
    const component *const *components;
    size_t component_count;
    const group *const *groups; // declared
    size_t group_count;
    const group *const *system_groups; // of systems that have their own
    size_t system_group_count;
    const entity_index *const *indices;
    size_t index_count;
    const relation *relations;
    size_t relation_count;
    const blueprint *const *blueprints;
    size_t blueprint_count;
    const blueprint_child *const *children; // the distinct children of all blueprints, in order of `number`
    size_t child_count;
    bool has_world; // the schema has messages, a schedule or systems (world.h)
    const message *const *messages;
    size_t message_count;
    const schedule_node *const *nodes;
    size_t node_count;
    const declared_system *const *systems;
    size_t system_count;
} package;

// Returns whether an opaque type of the package is declared in a header of the user.
bool schema_has_headers(const package *package);

// Returns how the macros of the package's files begin after KIN_GENERATED_: SEA, or my_sea_port as it is written if the
// package has a prefix or several words. The part of a file that follows is in upper case, so that its first letter
// ends the stem: package sea, context port_game and package sea_port, context game have different macros.
const char *schema_macro_stem(arena *arena, const package *package);

// Returns whether a component of the package has `migrate: true`.
bool schema_has_migrations(const package *package);

// Returns whether the function that reads a file into the context would have the name of that of the world: the package
// has a world and the name of the context.
bool schema_reads_as_world(const package *package, const context *context);

// Returns whether the child has exactly the children of the blueprint that it is of.
bool schema_is_whole(const blueprint_child *child);

// Returns whether generated code has a struct for the entities of the blueprint and its children.
bool schema_has_parts(const blueprint *blueprint);

// Returns whether the component can be in files: each opaque value in it that is to be saved has a type with `save` and
// `load`. Otherwise sets `field` to the first field that cannot.
bool schema_is_writable(const component *component, const field **field);

// Returns the component's id in a context that has it.
size_t schema_component_id(const context *context, const component *component);

// Returns whether the component's column holds pointers to values: the schema asks for it, equal values are kept once,
// or the component is unique, so that a page of values would hold only one.
bool schema_is_boxed(const component *component);

// Returns whether a value owns memory: strings, lists, or opaque values with `drop`.
bool schema_is_owned(const component *component);

// Returns whether the context owns the field's memory: a string, a list, or opaque values with `drop`.
bool schema_field_is_owned(const field *field);

// Returns whether a value of the type has a floating-point number.
bool schema_has_floating_point(const field_type *type);

// Returns what an index is, for messages: "index", "index on field" or "index on component".
const char *schema_index_title(const entity_index *index);

// Returns whether the field is a relation.
bool schema_is_relation(const field *field);

// Returns whether the context must notice each change of a value: a field is in the key of an index, or is a relation,
// or equal values are kept once.
// Such a component is replaced, not edited.
bool schema_is_tracked(const component *component);

// Returns whether `edit` and writable columns use another struct, whose owned fields are const: the component has
// opaque values with `drop` or lists, and also fields that own nothing.
bool schema_has_edit_type(const component *component);

// Returns whether a value, or its fields that own nothing, may be written in place without a notification: the value is
// contiguous, not tracked, and owns nothing or has an edit type.
bool schema_is_editable(const component *component);

// Returns whether something of a value is written in place, so that `touch` notifies of it: the component is editable
// or has lists.
bool schema_is_touchable(const component *component);

// Returns the type of the elements of an array or a list; that of any other type is the type itself.
field_type schema_element_type(const field_type *type);

// Returns the type in schema syntax: "bool", "int32", "string[31]", "entity<game>", "Vec2[4]", "Vec2[]".
const char *schema_type_name(arena *arena, const field_type *type);

#endif
