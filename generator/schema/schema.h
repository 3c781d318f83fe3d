// schema: the language of schemas, what a schema declares as structs, and the rules of C for its names and layouts
//
// Owns the package, which is in one arena and read-only after reading, and the tables of the language: the reader
// accepts only these keys, and the manual is generated from them.
#ifndef KIN_GENERATOR_SCHEMA_H
#define KIN_GENERATOR_SCHEMA_H

#include "generator/base/base.h"
#include "generator/schema/language.h"
#include "generator/source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- constants
//
// Default values of fields and values in blueprints. Part of the model: in its arena and read-only.

typedef enum constant_kind {
    CONSTANT_BOOL,
    CONSTANT_NUMBER, // integer or floating point
    CONSTANT_STRING, // string or inline string
    CONSTANT_ENTITY, // the null entity, or in a blueprint a slot: another part
    CONSTANT_OPAQUE, // always zero
    CONSTANT_ENUMERATOR,
    CONSTANT_STRUCT, // one item per field, in order
    CONSTANT_ARRAY   // one item per element
} constant_kind;

// A value of a known type. Constants are shared: several pointers may refer to the same one.
typedef struct constant {
    constant_kind kind;
    bool is_zero;        // all its bytes are zero, so `{0}` initializes it
    bool boolean;        // CONSTANT_BOOL
    const char *literal; // CONSTANT_NUMBER: a C literal of its type, such as 7, 7u, INT64_C(7), 1.5f
    const char *bytes;   // CONSTANT_STRING: NUL-terminated, no other NUL; NULL if there is no string
    size_t size;
    const struct enumerator *enumerator; // CONSTANT_ENUMERATOR
    const struct slot *slot;             // CONSTANT_ENTITY: the part that it names; NULL: the null entity
    const struct constant *const *items; // CONSTANT_STRUCT, CONSTANT_ARRAY
    size_t count;
    bool is_uniform; // CONSTANT_ARRAY: has only one item, which all elements equal
} constant;

// The name of a part as the value of a field, `.head.left`: the path from the entity of the blueprint that gives it.
typedef struct slot {
    const char *path; // without the first dot; "" for the entity of the blueprint
    const struct blueprint *blueprint;
    span span;
} slot;

// Returns an item of a struct or array; `index` must be less than `count`.
const constant *schema_constant_item(const constant *constant, size_t index);

// ---- schema
//
// The model of a package, as read from a schema and checked. Views and tables are made from it.
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

typedef struct component component;
typedef struct definition definition;
typedef struct message message;
typedef struct schedule_node schedule_node;
typedef struct declared_system declared_system;
typedef struct entity_index entity_index;
typedef struct relation relation;

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
    SCHEMA_QUESTION_LIMIT = 8,         // questions of a group
    SCHEMA_ORDERED_LIMIT = 128,        // bytes of a key of an ordered index
    SCHEMA_ORDERED_STRING = 64,        // most bytes of a string in it
    SCHEMA_EXTENDS_LIMIT = 32,         // levels of `extends`
    SCHEMA_CHILD_DEPTH_LIMIT = 64,     // levels of children below a blueprint
    SCHEMA_CHILD_LIMIT = 4096,         // entities that one blueprint spawns
    SCHEMA_KNOB_LIMIT = 30,            // paths of a knob
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
    bool is_unsaved;    // `save: false`: no part of snapshots of the world, of files, hashes and recordings
    bool has_commands;  // `commands: true`: command buffers
    bool is_replicated; // `replicate: true`: its entities are sent to replicas
    size_t order;       // index among the package's contexts
    bool is_default;
    const component *const *components;
    size_t component_count;
    const struct key_part *label; // whose value tools show beside an entity; NULL if there is none
    const char *off_name;         // `off`: the name of the flag
    const component *off;         // groups, indices and systems leave out entities with this flag; NULL: there is none
    span off_span;
    bool has_content;                 // `content: true`: content files can add prefabs, levels and values
    span content_span;                // of its value
    const struct key_part *placed_by; // the place of an entity, to which levels in levels add; NULL if there is none
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
    bool is_unknown;              // an error in the type was reported, and its other members have no meaning
    span span;
} field_type;

// The memory layout of a value on 64-bit machines.
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

typedef enum index_kind { INDEX_NONE, INDEX_PRIMARY, INDEX_MULTI, INDEX_ORDERED, INDEX_GRID } index_kind;

// When an index follows values that were written in place: after systems if one looks it up, or always.
typedef enum refresh_kind { REFRESH_NEEDED, REFRESH_ALWAYS } refresh_kind;

// What tools should do with a field or component: show and edit it, only show it, or neither.
typedef enum inspect_kind { INSPECT_EDIT, INSPECT_READ_ONLY, INSPECT_HIDDEN } inspect_kind;

// To which replicas a component is sent, if its context replicates.
typedef enum replicate_kind { REPLICATE_ALL, REPLICATE_OWNER, REPLICATE_NONE } replicate_kind;

typedef struct field {
    const char *name;
    const char *doc;
    const char *unit;
    span span;
    saved_name saved;
    bool is_unsaved;     // `save: false`: no part of files, hashes and recordings
    bool is_not_content; // `content: false`: content files must not set it
    field_type type;
    const constant *default_value;
    bool has_default;                // the schema gives one
    const constant *element_default; // of a list: the value of a new element; otherwise NULL
    inspect_kind inspect;
    const constant *minimum, *maximum; // of `range`, numbers of the field's type or of its elements; NULL: no bound
    index_kind index;                  // kind of the index over this field alone
    bool is_keyed;                     // of a component: it is in the key of an index, or a function reads its column
    on_destroy_kind on_destroy;        // ON_DESTROY_KEEP, unless the field is a relation
    const char *reverse;               // of a relation: its name at the target; NULL if there is none
    span reverse_span;                 // of `reverse`
    bool is_tree;                      // of a relation with a reverse: targets are parents, without circles
    bool is_local;                     // `replicate: false`: it is not sent to replicas
    double precision;                  // it is sent as a multiple of this; 0: exactly
    bool is_blended;                   // a function gives values between the last two frames
    bool is_zone;                      // of a component or message: who sees the entity or receives the message
    bool is_peer;                      // of a component: the owner of the entity; of a message: the sender
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
    bool is_not_content;            // `content: false`: content files must not set it
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
    replicate_kind replicate;
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

// Which entity a question of a group is about: the one that a member names, or those that name the member.
typedef enum question_kind { QUESTION_HOLDER_OF, QUESTION_HELD_BY } question_kind;

// An entry of `holder_of` or `held_by`: what loops over a group ask of each member.
typedef struct question {
    question_kind kind;
    const relation *relation;
    const rule *rules; // of the other entity; none: any entity
    size_t rule_count;
    span span;
} question;

// A declared group, or a group that a system has for itself.
typedef struct group {
    const char *name;  // of the group, or of the system
    bool is_of_system; // it has no functions of its own
    const char *doc;
    span span;
    const context *context;
    const rule *rules; // at least one; several RULE_ANY for a list of lists
    size_t rule_count;
    component_list maybe;      // the optional columns: components with fields that no rule requires or excludes
    const entity_index *order; // an ordered one, in whose order loops visit the members; NULL: in ascending slot
    const question *questions; // in the order of the file, those of `holder_of` first
    size_t question_count;
} group;

// Returns whether a rule names the component.
bool schema_rules_name(const rule *rules, size_t count, const component *component);

// Returns whether loops over the group are inlined: it has an `all` rule, no `only` rule, and names few components,
// none of them with a column for each field; and the loop has no optional columns.
bool schema_is_inlined(const group *group, size_t maybe_count);

// A field of a component, as in `Cell.x`.
typedef struct key_part {
    const component *component;
    const field *field;
    bool is_descending; // in an ordered index: `-Cell.x`
} key_part;

// An entry of `indices`, or the index of a field or of a component in one context.
struct entity_index {
    const char *name;        // "cell", "Name.value" or "Material"
    const char *symbol_name; // "cell", "name_value" or "material"
    const char *doc;
    span span;
    const context *context;
    index_kind kind;
    double cell;          // of a grid: the side of a cell
    refresh_kind refresh; // of an ordered index or a grid
    bool is_custom;       // declared in `indices`
    bool is_whole;        // the index of a component: the key is all its fields
    const key_part *key;  // at least one; none if a function gives the keys
    size_t key_count;
    const char *function; // gives the keys; NULL: fields make the key
    span function_span;
    field_type key_type;        // of the keys that the function gives
    const component *const *of; // the function's arguments, in order; at least one, each with fields
    size_t of_count;
    const rule *rules; // RULE_ALL and RULE_NONE, in addition to the components of the key or of `of`
    size_t rule_count;
};

// Returns whether look-ups leave out entities that `off` of the context switches off. They stay in a primary index, so
// that their keys stay taken; other indices have the flag in a rule.
bool schema_hides_keys(const entity_index *index);

// A field that is a relation. Its component is in one context, and so are its targets.
struct relation {
    const context *context;
    const component *component;
    const field *field;
};

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

// An entry of `knobs`: a short name for a field or a component, or for several of one type.
typedef struct knob {
    const char *name;
    span span;
    const char *const *paths; // as the schema gives them: "head.Gun.interval"
    size_t path_count;        // at least one
} knob;

// A field of a blueprint's entities whose value is another of them. Entities are numbered depth first, from 0.
typedef struct blueprint_slot {
    size_t holder; // the entity that has the field
    const component *component;
    const char *path; // of the field in C: "at.left", "guns[1]"
    size_t part;      // the entity that it names
} blueprint_slot;

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
    bool is_of_child;  // the `of` of a child
    size_t order;      // comes after those of all blueprints that its children are of
    const knob *knobs; // those of the base first
    size_t knob_count;
    const blueprint_slot *slots; // by holder, then by component
    size_t slot_count;
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
    bool is_whole; // it has the children of `of`, and no others; see schema_is_whole
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
    bool has_cpp_face; // `faces` has `cpp`
    bool has_world;    // the schema has messages, a schedule or systems
    const message *const *messages;
    size_t message_count;
    const schedule_node *const *nodes;
    size_t node_count;
    const declared_system *const *systems;
    size_t system_count;
} package;

// Returns whether a context of the package replicates.
bool schema_replicates(const package *package);

// Returns whether the component is sent to replicas where its context replicates: unless `replicate` or `save` is
// false.
bool schema_is_sent(const component *component);

// Returns whether the field is sent wherever its component or struct is.
bool schema_field_is_sent(const field *field);

// Returns whether values of the type are of floating-point numbers alone.
bool schema_is_floating(const field_type *type);

// Returns whether a field of the component is blended.
bool schema_is_blended(const component *component);

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

// Returns whether the context has exactly one tree.
bool schema_has_one_tree(const package *package, const context *context);

// Returns whether the child has exactly the children of the blueprint that it is of.
bool schema_is_whole(const blueprint_child *child);

// Returns whether generated code has a struct for the entities of the blueprint and its children.
bool schema_has_parts(const blueprint *blueprint);

// Returns whether the entity of the blueprint has values, which a spawn can replace.
bool schema_has_values(const blueprint *blueprint);

// Returns whether the component is the Origin that content adds to all entities of blueprints.
bool schema_is_origin(const context *context, const component *component);

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

// Returns how many bytes the key of an ordered index takes in the order.
size_t schema_ordered_size(const entity_index *index);

// Returns whether the field is a relation.
bool schema_is_relation(const field *field);

// Returns whether the context must notice each change of a value, or of a part of it: a field is in the key of an
// index, or is a relation, or equal values are kept once.
bool schema_is_tracked(const component *component);

// Returns whether the field of a component is const where values are written in place: it is in the key of an index, or
// is a relation, or the context owns its memory.
bool schema_field_is_const(const field *field);

// Returns whether a system may write values of the component in place, or some of their fields: equal values are not
// kept once, and a field is not const.
bool schema_is_writable_in_place(const component *component);

// Returns whether `edit` returns values of the component: they are contiguous and may be written in place.
bool schema_is_editable(const component *component);

// Returns whether `edit` and writable columns use another struct, some of whose fields are const.
bool schema_has_edit_type(const component *component);

// Returns whether something of a value is written in place, so that `touch` notifies of it: the component is editable
// or has lists.
bool schema_is_touchable(const component *component);

// Returns the type of the elements of an array or a list; that of any other type is the type itself.
field_type schema_element_type(const field_type *type);

// Returns the type in schema syntax: "bool", "int32", "string[31]", "entity<game>", "Vec2[4]", "Vec2[]"; "?" for an
// unknown type.
const char *schema_type_name(arena *arena, const field_type *type);

// ---- world
//
// The systems of a package in run order, the nodes of the schedule that contain them, and their messages
// (`systems`, `schedule` and `messages` of a schema).
//
// Invariants of a model that package_read returned, all empty if the schema has none of the three keys:
//
//   1. messages are in byte order of their names; a message's index is its number
//   2. nodes are in depth-first order, so each comes after its parent
//   3. systems are in run order: a node's systems before those of its children, unless they run after a child; those of
//      a stage by batch
//   4. everything that a system names is of the required kind, and it has only roles of its kind

// Where a system runs in a world with a session.
typedef enum runs_kind { RUNS_UNSET, RUNS_HOST, RUNS_REPLICA, RUNS_PREDICTED } runs_kind;

// An entry of `messages`.
struct message {
    const char *name;
    const char *doc;
    span span;
    saved_name saved;
    size_t number;
    bool is_from_replica; // replicas send it to the host
    bool is_to_replica;   // the host sends it to replicas
    field_list fields;    // empty for a message that carries no data
    memory_layout layout;
};

// A node of `schedule`.
struct schedule_node {
    const char *name;
    const char *doc;
    span span; // no source if the schema has no schedule
    size_t number;
    const schedule_node *parent; // NULL at the top
    size_t last;                 // number of the last node inside it; its own if it has no children
    double step;                 // of a node with `fixed`, in the unit of the deltas; 0: runs once per update
    uint32_t max_steps;          // with `fixed`: maximum steps per update
    bool is_manual;              // at the top: the program runs it, not the update
    runs_kind runs;              // of its systems that have none of their own; RUNS_UNSET: as the node around it
};

typedef enum system_kind { SYSTEM_PLAIN, SYSTEM_GROUP, SYSTEM_REACTIVE } system_kind;

// Functions that a system can have. schema_role_is_of returns which kinds can have which.
typedef enum system_role {
    ROLE_INITIALIZE,
    ROLE_START,
    ROLE_EXECUTE,
    ROLE_FILTER,
    ROLE_FIRST_UPDATE,
    ROLE_ENTER,
    ROLE_UPDATE,
    ROLE_LEAVE,
    ROLE_DRAW,
    ROLE_CLEANUP,
    ROLE_TEAR_DOWN,
    ROLE_DISPOSE,
    ROLE_COUNT
} system_role;

// The order in which the turns of a system with `tree` visit the members of its group.
typedef enum tree_order { TREE_DEPTH, TREE_BREADTH } tree_order;

typedef enum trigger_event { TRIGGER_ADDED, TRIGGER_REMOVED, TRIGGER_ADDED_OR_REMOVED, TRIGGER_MODIFIED } trigger_event;

// An item of `react`.
typedef struct system_trigger {
    const group *group;
    trigger_event event;
    span span;
} system_trigger;

typedef enum inbox_full { INBOX_OLDEST, INBOX_NEWEST, INBOX_ERROR } inbox_full;

// An item of `inbox`.
typedef struct system_inbox {
    const message *message;
    uint32_t capacity; // in messages; 0: unbounded
    inbox_full full;   // with a capacity: the message to drop when full, or an error
    span span;
} system_inbox;

// What a parallel system does and can do besides reading and writing columns. All empty for other systems.
typedef struct system_job {
    bool is_parallel;
    span span;      // of `parallel`
    uint32_t grain; // places of a piece; 0: chosen at run time; SCHEMA_GRAIN_ALL: one piece
    const entity_index *const *looks_up;
    size_t look_up_count;
    const component *const *changes;
    const span *change_spans; // one for each item of `changes`
    size_t change_count;
    const blueprint *const *spawns;
    size_t spawn_count;
    bool destroys;
    const message *const *publishes;
    size_t publish_count;
} system_job;

enum { SCHEMA_GRAIN_ALL = 2 * SCHEMA_GRAIN_LIMIT };

// An entry of `systems`.
struct declared_system {
    const char *name;
    const char *doc;
    span span;
    saved_name saved;
    size_t number; // index in run order
    system_kind kind;
    const schedule_node *node;
    runs_kind runs;             // RUNS_UNSET: as its node
    const schedule_node *after; // the last node that runs before it: `node`, or the last one inside a child of `node`
    bool roles[ROLE_COUNT];
    const group *group;   // SYSTEM_GROUP
    component_list maybe; // its optional columns besides those of the group
    const relation *tree; // SYSTEM_GROUP: it visits members in the order of this tree; NULL: in ascending slot
    tree_order order;     // with a tree
    const entity_index *index_order; // SYSTEM_GROUP, SYSTEM_REACTIVE: its own `order`, an ordered index; NULL: none
    bool only_changed;               // with a tree: it visits members that have changed, and those below them
    bool has_random;                 // `random: true`: it draws random numbers
    bool keeps_left;                 // `on_leave: keep`: `leave` can read the last values of removed components
    const component *const *writes;
    size_t write_count;
    const component *const *reads;
    size_t read_count;
    const system_trigger *triggers; // SYSTEM_REACTIVE: at least one
    size_t trigger_count;
    const system_inbox *inboxes; // in order of the file, distinct messages
    size_t inbox_count;
    const declared_system *const *predecessors; // ordered before it by `before` or `after`, in run order
    size_t predecessor_count;
    system_job job;
    size_t batch; // systems of a node with the same batch run side by side; a system that is not parallel is alone
    size_t level; // systems of a node with the same level do not depend on each other, by what they declare: they could
                  // be parallel
};

// The nodes of a schema without a schedule, in their order.
enum { SCHEMA_DEFAULT_NODE_COUNT = 3 };
extern const char *const schema_default_nodes[SCHEMA_DEFAULT_NODE_COUNT];

// Returns the role in schema syntax.
const char *schema_role_name(system_role role);

// Returns whether the node is `outer`, or inside it.
bool schema_node_is_within(const schedule_node *node, const schedule_node *outer);

// Returns the node at the top that contains the node.
const schedule_node *schema_node_root(const schedule_node *node);

// Returns whether systems of the kind can have the role.
bool schema_role_is_of(system_role role, system_kind kind);

// Returns whether the system has a group, whose iterator has a column for the component: the component is in an `all`
// rule and has fields, or the column is optional.
bool schema_is_column_of(const declared_system *system, const component *component);

// Returns whether the system iterates the members of its group in the order of a tree.
bool schema_iterates_tree(const declared_system *system);

// Returns the ordered index in whose order the system visits its group, or receives the entities that it reacts to: its
// own, else that of its group. NULL if there is none, and with a tree.
const entity_index *schema_order_of(const declared_system *system);

// Returns whether the list has the component.
bool schema_lists(component_list list, const component *component);

// Returns whether the system runs in several pieces.
bool schema_has_pieces(const declared_system *system);

// Returns whether jobs of the system record commands.
bool schema_has_commands(const declared_system *system);

// Whether a system of the package is parallel.
bool schema_has_jobs(const package *package);

// Whether a system of the package draws random numbers.
bool schema_has_random(const package *package);

// The contexts of the system's group or triggers, in the order of the package.
typedef struct system_contexts {
    const context *const *contexts;
    size_t count;
} system_contexts;

system_contexts schema_contexts_of(arena *arena, const declared_system *system);

// Returns the contexts of the list in which the system works: those of its group or triggers. All of the list if it has
// none of them, as a plain system.
system_contexts schema_job_contexts(arena *arena, const declared_system *system, system_contexts list);

// What a parallel system could list in `spawns`, `publishes` and `looks_up`, but does not: of several indices with one
// name the first one, and none if it looks up one of them.
typedef struct blueprint_list {
    const blueprint *const *blueprints;
    size_t count;
} blueprint_list;

typedef struct index_list {
    const entity_index *const *indices;
    size_t count;
} index_list;

blueprint_list schema_job_lacks_spawns(arena *arena, const package *package, const declared_system *system);
index_list schema_job_lacks_indices(arena *arena, const package *package, const declared_system *system);
bool schema_publishes(const system_job *job, const message *message);

// Returns what follows the system in the name of the first function that looks up in the index.
const char *schema_look_up_name(arena *arena, const entity_index *index);

// Returns the components that a parallel system lists in `reads`, `writes` or `changes`, or has columns of.
component_list schema_job_components(arena *arena, const package *package, const declared_system *system);

// Returns whether the key of the index has a field of the component.
bool schema_is_key_of(const entity_index *index, const component *component);

// Returns the ordered indices and grids that follow what a system has written in place: it has a component of the key
// in `writes`, and a parallel system looks the index up, or its `refresh` is always.
index_list schema_refreshes(arena *arena, const package *package, const declared_system *system);

// Returns the contexts of the indices with the name in `looks_up`.
system_contexts schema_job_index_contexts(arena *arena, const system_job *job, const char *name);

// Returns where the system runs in a world with a session: as it says, else as the innermost node that does, else at
// the host.
runs_kind schema_runs(const declared_system *system);

// Returns whether the system declares that it writes the component.
bool schema_writes(const declared_system *system, const component *component);

// ---- events
//
// Events of a context: their names and delivery order.

// Returns the part of listener names for the event: "any_score", "score_removed".
const char *schema_event_name(arena *arena, const component *component, const component_event *event);

// An event of a context.
typedef struct placed_event {
    const component *component;
    const component_event *event;
    size_t place; // by component name, then in the order of the file
} placed_event;

typedef struct placed_events {
    placed_event *events;
    size_t count;
} placed_events;

// Returns the events in delivery order: by priority, then component name, then order of the file.
placed_events schema_events_of(arena *arena, const context *context);

// ---- types of fields
//
// Scalar types of the schema language: names, sizes, ranges and the syntax of values.
//
// Numbers follow a grammar and are never guessed: an integer is -?(0|[1-9][0-9]*), or 0x and hexadecimal digits; a
// floating point number adds a fraction and an exponent, or is .inf, -.inf or .nan, in the
// spellings of YAML.

typedef struct scalar_type {
    const char *name;
    type_kind kind;
    size_t size;      // bytes in C, equal to the alignment
    int64_t minimum;  // for integers
    uint64_t maximum; // for integers; 0 for other types
} scalar_type;

// Returns NULL if no scalar type has the name. Inline strings, typed entities and types of the schema are not in the
// table.
const scalar_type *scalar_type_find(const char *name);

// The kind must be in the table.
const scalar_type *scalar_type_of(type_kind kind);

// Returns the name at an index, for suggestions; NULL after the last.
const char *scalar_type_name(size_t index);

typedef enum number_verdict { NUMBER_FITS, NUMBER_IS_NONE, NUMBER_IS_OUT_OF_RANGE } number_verdict;

typedef struct integer {
    bool is_negative;
    uint64_t magnitude;
} integer;

// Reads an integer in the range of the type.
number_verdict integer_read(const char *text, const scalar_type *type, integer *integer);

// Returns the C literal for the type.
const char *integer_literal(arena *arena, integer integer, type_kind kind);

// Checks a number of TYPE_FLOAT or TYPE_DOUBLE, which may also be .inf, -.inf or .nan. A number that would round to
// infinity, or to zero without being zero, is out of range.
number_verdict floating_read(const char *text, type_kind kind);

// Returns which of .inf, -.inf and .nan was meant by a text such as "inf", "-Infinity" or "NaN"; NULL if none.
const char *floating_meant(const char *text);

// Returns whether all digits of a valid number are zero, whatever its sign and exponent.
bool floating_is_zero(const char *text);

const char *floating_literal(arena *arena, const char *text, type_kind kind);

// Compares as numbers two C literals that integer_literal or floating_literal returned for the type: negative if `a` is
// less than `b`, 0 if they are equal or if one is not a number.
int literal_compare(arena *arena, const char *a, const char *b, type_kind kind);

// Returns whether a C literal of floating_literal is not a number.
bool literal_is_nan(const char *literal);

// Returns the number of a C literal from integer_literal or floating_literal, in the syntax of YAML, which is that of
// JSON unless the number has no digits: .inf, -.inf or .nan.
const char *literal_number(arena *arena, const char *literal);

// ---- tables
//
// The tables that generated code has of a package (kin/info.h), without what only compiled code can have: functions,
// and offsets and sizes in memory. Of indices they have primary keys alone.

struct kin_allocator;
struct kin_context_info;
struct kin_message_info;

// Returns an allocator whose memory is the arena's: it lives as long, and releases do nothing.
struct kin_allocator schema_arena_allocator(arena *arena);

// Returns the tables of all contexts, and of all messages, in the order of the package.
const struct kin_context_info *const *schema_context_tables(arena *arena, const package *package);
const struct kin_message_info *schema_message_tables(arena *arena, const package *package);

// ---- nodes of values
//
// What a node of a schema or of content must be. Each function reports what is wrong, with what to write. `what` is
// what the node is for: "component 'Gun'". A broken node was reported before.
const char *node_kind(const tree_node *node); // "a list", "a mapping", "a scalar" or "nothing"
bool node_expect_mapping(diagnostics *diagnostics, const tree_node *node, const char *what);
bool node_expect_value(diagnostics *diagnostics, const tree_node *node, const char *what); // a scalar, not empty

// The node is a scalar. An integer is read; a floating-point number is only checked.
bool scalar_check_bool(diagnostics *diagnostics, const tree_node *node, bool *value);
bool scalar_check_number(diagnostics *diagnostics, const tree_node *node, type_kind kind, integer *integer);

// `limit` is the number of bytes that an inline string holds.
bool scalar_check_string(diagnostics *diagnostics, const tree_node *node, size_t limit);

// Reports that the enum `of` has no such value.
void scalar_report_enumerator(diagnostics *diagnostics, const tree_node *node, const char *of);

// ---- layout
//
// The memory layout of components and structs on 64-bit machines.
//
// All C compilers for these machines follow the same rules for the types of the language: fields are in schema order,
// each at the next multiple of its alignment; numbers and pointers are aligned to their size; a struct has the
// alignment of its most aligned field, and its size is a multiple of that. Bytes between and after the fields are
// padding.
//
// An opaque type spelled with a star is a pointer, so its size is known. The size of any other opaque type is unknown;
// the layout assumes a pointer and is marked as a guess.
//
// The reader computes the layouts of structs and components, and stores them in the model.

// Structs, including nested ones, must have their layouts. The layout of an array covers all its elements. Padding
// inside nested structs is not counted as padding of the outer type.
memory_layout layout_of_definition(const definition *definition);
memory_layout layout_of_type(const field_type *type);

// Returns the offset of each field, in order, followed by the end of the last field. Bytes between the end of a field
// and the next offset are padding.
const uint64_t *layout_offsets(arena *arena, const field_list *fields);

// Returns the size with the fields in the best order, by descending alignment.
uint64_t layout_best_size(const field_list *fields);

// A layout that grows field by field: layout_append returns the field's offset, layout_end pads the end.
memory_layout layout_begin(void);
uint64_t layout_append(memory_layout *layout, memory_layout field);
memory_layout layout_end(memory_layout layout);

// ---- names
//
// Cases of identifiers, reserved names, and suggestions for unknown names.
//
// A word in a PascalCase name begins at an upper-case letter that follows a lower-case letter or a digit, or that
// precedes a lower-case letter: HttpServer and HTTPServer are http_server, Pos2D is pos2_d.
//
// Letters and digits are those of ASCII, whatever the locale.

// Converts "HttpServer" to "http_server"; a name in snake_case stays.
const char *name_to_snake_case(arena *arena, const char *name);

// Converts "HttpServer" and "http_server" to "HTTP_SERVER", for macros and enumerators.
const char *name_to_upper_case(arena *arena, const char *name);

// Matches [A-Za-z_][A-Za-z0-9_]*.
bool name_is_identifier(const char *name);

// Returns whether a function of the program can have the name: an identifier that is neither reserved nor of the
// runtime.
bool name_is_function(const char *name);

// Returns whether the C library or POSIX has a function of the name.
bool name_is_of_library(const char *name);

// Matches [A-Z][A-Za-z0-9]*.
bool name_is_pascal_case(const char *name);

// Matches words of [a-z0-9] joined by single underscores, beginning with a letter.
bool name_is_snake_case(const char *name);

// Suggest a valid name for one in another case or with invalid characters: "HttpServer" or "http_server" for
// "http-server". Return NULL if no valid characters remain.
const char *name_suggest_pascal_case(arena *arena, const char *name);
const char *name_suggest_snake_case(arena *arena, const char *name);

// Returns why a name is reserved, such as "a keyword of C++": keywords of C17, C23 and C++20, and names from headers
// that generated code includes. NULL if the name is free.
const char *name_reserved_as(const char *name);

// Returns which header defines the name as a macro, type or function, such as "windows.h" or "a standard header": it is
// valid, but generated headers may not compile after that header. NULL if none does.
const char *name_header(const char *name);

// Returns the name as a member of a struct: with an underscore at its end if it is reserved. Names of schemas have
// none.
const char *name_as_member(arena *arena, const char *name);

// Returns whether a context's name can also name the context parameter of generated functions: it differs from their
// other names and shadows nothing.
bool name_is_parameter(const char *name);

// Returns whether a new name in snake_case is probably the other one, misspelled: one letter is wrong, missing, added
// or swapped, two in names of at least 8 letters. Names that differ in a number or in a word of two letters are meant:
// wheel_1 and wheel_2, arm_l and arm_r.
bool name_is_misspelled(const char *name, const char *other);

// Searches for the candidate nearest to a name: ignoring case, with at most two letters wrong, missing, added or
// swapped. Offer all candidates, then read `nearest`; among equally near ones the first wins.
typedef struct name_search {
    const char *wanted;
    const char *nearest; // NULL if no candidate is near
    size_t distance;
} name_search;

name_search name_search_begin(const char *wanted);
void name_search_offer(name_search *search, const char *candidate);

// ---- opaque spelling
//
// Parses the C type that a schema names.
//
// The grammar: optional `const`s; a name, which may follow `struct`, `union` or `enum`, or the words of a built-in
// type; then stars, each with or without `const` before it. The type must be assignable. The spelling is copied into C
// code, so the grammar admits nothing else.

typedef struct opaque_spelling {
    const char *name; // NULL for a built-in type
    bool has_tag;     // the name follows `struct`, `union` or `enum`
    size_t stars;
} opaque_spelling;

// Returns false if the text is not such a type.
bool opaque_spelling_read(arena *arena, const char *text, opaque_spelling *spelling);

// Returns whether generated code knows the type without an extra header.
bool opaque_spelling_is_known(const opaque_spelling *spelling);

#endif
