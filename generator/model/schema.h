// Schema: the model of a package, as read from a schema and checked. Views and tables are made from it.
//
// Everything points into one arena and is read-only after package_read. Names are those of the schema, without the
// package's prefix and in the schema's case; every element knows the span of its name (`span`).
//
// Invariants of a model that package_read returned:
//   1. contexts stand in order of declaration, file by file in order of loading; there is at least one
//   2. enums and opaque types come before structs, and each struct after the types of its fields
//   3. components, also those of one context, stand in byte order of their names; a component's place in
//      context->components is its id there
//   4. groups stand in byte order of their names, their rules in order of the file
//   5. indices stand in byte order of their names, those of one name in order of their contexts
//   6. blueprints stand in byte order of their names, their parts, those that they extend among them, in byte order of
//      their components' names
//   7. every field has a default value, given or not, of exactly its type
//   8. symbols_check has found nothing: all generated names are different
//   9. components and structs know their layout
#ifndef KIN_GENERATOR_MODEL_SCHEMA_H
#define KIN_GENERATOR_MODEL_SCHEMA_H

#include "base/arena.h"
#include "diagnostic/source.h"
#include "model/constant.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct component component;
typedef struct definition definition;
typedef struct message message;
typedef struct schedule_node schedule_node;
typedef struct declared_system declared_system;

// Limits of the language. C promises 1023 members of a struct and no more; the last three are those of the runtime.
enum {
    SCHEMA_NAME_LIMIT = 63,            // bytes of a name
    SCHEMA_INCLUDE_LIMIT = 32,         // includes that lead from the root to a file
    SCHEMA_INCLUDE_COUNT_LIMIT = 1024, // includes of one file
    SCHEMA_VALUE_SIZE_LIMIT = 65536,   // bytes of a component's value
    SCHEMA_STRING_LIMIT = 4000,        // bytes of a string's default: C promises literals of 4095
    SCHEMA_CONSTANT_LIMIT = 4000000,   // parts of all default values together
    SCHEMA_CONTEXT_LIMIT = 1024,       // contexts of a package
    SCHEMA_FIELD_LIMIT = 1023,         // fields of a component or struct
    SCHEMA_COMPONENT_LIMIT = 65535,    // components of a context
    SCHEMA_RULE_LIMIT = 8,             // rules of a group
    SCHEMA_RULE_COMPONENT_LIMIT = 30,  // components of a rule
    SCHEMA_KEY_LIMIT = 30,             // fields of a key
    SCHEMA_EXTENDS_LIMIT = 32,         // blueprints that extend each other
};

typedef struct context {
    const char *name;
    const char *doc; // here and below: NULL when there is none
    span span;
    size_t order; // among the contexts of the package
    bool is_default;
    const component *const *components;
    size_t component_count;
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
    size_t string_size;           // TYPE_INLINE_STRING: bytes that it can hold; in C there is one more, for the NUL
    const context *context;       // TYPE_CONTEXT_ENTITY
    const definition *definition; // TYPE_ENUM, TYPE_STRUCT, TYPE_OPAQUE
    size_t array_count;           // elements of an array; 0: not an array
    span span;
} field_type;

// How compilers of 64-bit machines lay a value out (layout.h).
typedef struct memory_layout {
    uint64_t size; // bytes, with padding; SCHEMA_VALUE_SIZE_LIMIT + 1 for all that is larger
    uint64_t alignment;
    uint64_t padding; // bytes that belong to no field; those inside of a struct that it holds are not counted
    bool is_guess;    // an opaque type is in it whose size only the compiler knows; it is taken for a pointer
} memory_layout;

typedef enum index_kind { INDEX_NONE, INDEX_PRIMARY, INDEX_MULTI } index_kind;

typedef struct field {
    const char *name;
    const char *doc;
    const char *unit;
    span span;
    field_type type;
    const constant *default_value;
    bool has_default; // the schema gives one
    index_kind index; // that the field alone is the key of
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
    const char *opaque;   // DEFINITION_OPAQUE: the type as C spells it
    span opaque_span;     // of that text
    const char *header;   // of it, and of `drop`: what stands between the quotes; NULL: none
    span header_span;     // of that text
    const char *drop;     // the function that ends a value; NULL: nothing is to be done
    bool has_drops;       // it has `drop`, or holds such
    memory_layout layout; // DEFINITION_STRUCT
};

// What happens at the end of a frame to entities that have a component.
typedef enum cleanup_kind { CLEANUP_NONE, CLEANUP_REMOVE_COMPONENT, CLEANUP_DESTROY_ENTITY } cleanup_kind;

typedef enum event_target { TARGET_ANY, TARGET_SELF } event_target;
typedef enum event_type { EVENT_ADDED, EVENT_REMOVED } event_type;

// One of `events` of a component: the change that its listeners are called for.
typedef struct component_event {
    event_target target;
    event_type type;
    int32_t priority;
    span span;
} component_event;

// One without fields is a flag.
struct component {
    const char *name;
    const char *doc;
    const char *flag_prefix; // what stands before its name in the question whether an entity has the flag
    span span;
    const context *const *contexts; // in order of the package's, at least one
    size_t context_count;
    field_list fields;
    bool is_unique;       // one entity of a context carries it at most
    bool is_boxed;        // `storage: boxed`; see schema_is_boxed
    bool is_soa;          // `layout: soa`: a column for each field
    bool is_stashable;    // `stash: true`
    bool has_strings;     // a field is a string
    bool has_drops;       // it holds opaque values with a `drop`
    memory_layout layout; // of a value, wherever the column keeps it; of a flag, all 0
    cleanup_kind cleanup;
    bool is_keyed;                 // an index has a field of it in its key
    const component_event *events; // in order of the file, no two of one target and type
    size_t event_count;
};

typedef enum rule_kind { RULE_ALL, RULE_ANY, RULE_NONE, RULE_ONLY } rule_kind;

typedef struct rule {
    rule_kind kind;
    span span;
    const component *const *components; // in order of the file, each once, at least one
    size_t count;
} rule;

// A declared group.
typedef struct group {
    const char *name;
    const char *doc;
    span span;
    const context *context;
    const rule *rules; // at least one; several of RULE_ANY where the schema has a list of lists
    size_t rule_count;
} group;

typedef struct key_part {
    const component *component;
    const field *field;
} key_part;

// An entry of `indices`, or the index of a field in one context.
typedef struct entity_index {
    const char *name;        // "cell", or "Name.value"
    const char *symbol_name; // "cell", or "name_value"
    const char *doc;
    span span;
    const context *context;
    index_kind kind;
    bool is_custom;      // an entry of `indices`
    const key_part *key; // at least one
    size_t key_count;
    const rule *rules; // of RULE_ALL and RULE_NONE, beside the components of the key
    size_t rule_count;
} entity_index;

// A component that a blueprint gives its entities.
typedef struct blueprint_part {
    const component *component;
    const constant *const *values; // by field; NULL: all are the component's defaults
} blueprint_part;

// An entry of `blueprints`.
typedef struct blueprint {
    const char *name;
    const char *doc;
    span span;
    const context *context;
    const struct blueprint *base; // that it extends; NULL: none
    const blueprint_part *parts;  // at least one
    size_t part_count;
} blueprint;

typedef struct package {
    const source *const *sources; // the files that it was read from, the root first
    size_t source_count;
    const char *name;
    const char *prefix; // "" when there is none
    span span;
    const context *const *contexts;
    size_t context_count;
    const definition *const *definitions;
    size_t definition_count;
    const component *const *components;
    size_t component_count;
    const group *const *groups;
    size_t group_count;
    const entity_index *const *indices;
    size_t index_count;
    const blueprint *const *blueprints;
    size_t blueprint_count;
    bool has_world; // the schema has messages, a schedule or systems (world.h)
    const message *const *messages;
    size_t message_count;
    const schedule_node *const *nodes;
    size_t node_count;
    const declared_system *const *systems;
    size_t system_count;
} package;

// The id of a component in a context that it is in.
size_t schema_component_id(const context *context, const component *component);

// Whether the column of the component keeps pointers to its values: the schema asks for it, or it is unique, where a
// page for the one value would be spent for nothing.
bool schema_is_boxed(const component *component);

// Whether a value of the component owns something: strings, or opaque values that are dropped.
bool schema_is_owned(const component *component);

// Whether the context owns what is in the field: a string, or opaque values that are dropped.
bool schema_field_is_owned(const field *field);

// Whether `edit` and writable columns show a value as another struct, in which the fields that own something are const:
// the component owns opaque values, beside fields that own nothing.
bool schema_has_edit_type(const component *component);

// Whether a value, or its fields that own nothing, can be written in place without notifying the runtime: the value has
// one place, no index has it in its key, and it owns nothing or has an edit type.
bool schema_is_editable(const component *component);

// The type as the schema spells it: "bool", "int32", "string[31]", "entity<game>", "Vec2[4]".
const char *schema_type_name(arena *arena, const field_type *type);

#endif
