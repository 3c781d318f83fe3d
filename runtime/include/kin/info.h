/// What the schema says of a context, as constant tables: for the runtime, and for tools that look into one (editors,
/// inspectors, savers). Generated as `game_info`; names, docs and units are those of the schema.
#ifndef KIN_INFO_H
#define KIN_INFO_H

#include <kin/matcher.h>

typedef enum kin_type {
    KIN_TYPE_BOOL,
    KIN_TYPE_INT8,
    KIN_TYPE_INT16,
    KIN_TYPE_INT32,
    KIN_TYPE_INT64,
    KIN_TYPE_UINT8,
    KIN_TYPE_UINT16,
    KIN_TYPE_UINT32,
    KIN_TYPE_UINT64,
    KIN_TYPE_FLOAT,
    KIN_TYPE_DOUBLE,
    KIN_TYPE_STRING,        ///< const char *, NULL or a text that the context owns
    KIN_TYPE_INLINE_STRING, ///< char[n], always ending in a NUL
    KIN_TYPE_ENTITY,        ///< kin_entity, or the handle type of the context `target`
    KIN_TYPE_ENUM,
    KIN_TYPE_STRUCT,
    KIN_TYPE_OPAQUE ///< of a type that the schema only names
} kin_type;

typedef struct kin_enum_value_info {
    const char *name;
    int64_t value;
} kin_enum_value_info;

/// An enum, a struct or an opaque type of the schema's `types`. What does not apply is NULL and 0.
typedef struct kin_type_info {
    const char *name, *doc;
    size_t size, alignment; ///< bytes
    const struct kin_field_info *fields;
    uint32_t field_count;
    const kin_enum_value_info *values;
    uint32_t value_count;
    void (*drop)(const void *value); ///< ends a value that is given up; NULL: nothing is to be done
} kin_type_info;

/// A field of a component or struct, in the order of the schema. Texts that the schema lacks are NULL.
typedef struct kin_field_info {
    const char *name, *doc, *unit;
    kin_type type;
    uint32_t count;          ///< elements, when the field is an array; else 0
    size_t offset, size;     ///< bytes; of the whole array
    const kin_type_info *of; ///< of an enum, struct or opaque type
    const char *target;      ///< of an entity: its context, NULL for any
} kin_field_info;

/// A component. A flag has no fields and size 0.
typedef struct kin_component_info {
    const char *name, *doc;
    size_t size, alignment; ///< bytes
    const kin_field_info *fields;
    uint32_t field_count;
    bool is_unique;    ///< one entity at most carries it
    bool is_boxed;     ///< the column keeps a pointer to the value
    bool is_soa;       ///< there is a column for each field; offsets are those in the struct all the same
    bool has_strings;  ///< it has a field of KIN_TYPE_STRING
    bool has_drops;    ///< it holds, in structs and arrays too, opaque values with a `drop`
    bool is_stashable; ///< its values can be put aside and restored
    /// Writes the value that `position_default()` gives to `size` bytes so aligned. Strings in it are constants, which
    /// nobody owns. NULL for a flag.
    void (*write_default)(void *value);
} kin_component_info;

/// A declared group.
typedef struct kin_group_info {
    const char *name, *doc;
    kin_matcher matcher;
} kin_group_info;

/// A field of a component in the key of an index.
typedef struct kin_key_info {
    kin_component_id component;
    const kin_field_info *field;
} kin_key_info;

/// An index: `index` of a field, named like "Name.value", or one of `indices`. It holds the entities that match: those
/// with all components of the key, and what else the schema asks for.
typedef struct kin_index_info {
    const char *name, *doc;
    bool is_primary; ///< one entity a key
    bool is_custom;  ///< one of `indices`
    const kin_key_info *key;
    uint32_t key_count;
    kin_matcher matcher;
} kin_index_info;

/// Any function; cast back to its own type before it is called.
typedef void kin_function(void);

struct kin_context;

/// A generated event: one of `events` of a component.
typedef struct kin_event_info {
    const char *name; ///< that of its listener's type, between context and `_listener`, like "any_score_removed"
    kin_component_id component;
    bool is_any;     ///< listeners are told of every entity, not only of the one that they hang on
    bool is_removed; ///< told when the component has gone, not when it has come or was replaced
    int32_t priority;
    void (*deliver)(struct kin_context *context, kin_entity entity, const void *value, kin_function *function,
                    void *user);
} kin_event_info;

/// A blueprint: what entities that are spawned from it have, by id.
typedef struct kin_blueprint_info {
    const char *name, *doc;
    const kin_component_id *components;
    uint32_t component_count;
    /// Writes the value of each to where `values` points, as `write_default` does; that of a flag is not asked for.
    /// NULL where all are flags.
    void (*write_values)(void *const *values);
} kin_blueprint_info;

/// A context. Components stand by id, which is by name; groups, indices and blueprints by name; events in the
/// order of delivery.
/// Empty lists are NULL.
typedef struct kin_context_info {
    uint32_t interface_version; ///< KIN_INTERFACE_VERSION of the headers that it was compiled with
    const char *name, *doc;
    const kin_component_info *components;
    uint32_t component_count;
    const kin_group_info *groups;
    uint32_t group_count;
    const kin_index_info *indices;
    uint32_t index_count;
    const kin_event_info *events;
    uint32_t event_count;
    const kin_blueprint_info *blueprints;
    uint32_t blueprint_count;
} kin_context_info;

#endif
