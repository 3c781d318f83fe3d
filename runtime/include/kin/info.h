/// What the schema says of a context, as constant tables: for the runtime, and for tools that look into one (editors,
/// inspectors, savers). Generated as `game_info`; names, docs and units are those of the schema.
#ifndef KIN_INFO_H
#define KIN_INFO_H

#include <kin/matcher.h>

/// The type of a field.
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

/// A value of an enum.
typedef struct kin_enum_value_info {
    const char *name; ///< the name in the schema
    int64_t value;    ///< what it is in C
} kin_enum_value_info;

/// An enum, a struct or an opaque type of the schema's `types`. What does not apply is NULL and 0.
typedef struct kin_type_info {
    const char *name;                    ///< the name in the schema
    const char *doc;                     ///< what the schema says of it; NULL: nothing
    size_t size;                         ///< bytes
    size_t alignment;                    ///< bytes
    const struct kin_field_info *fields; ///< of a struct, in the order of the schema
    uint32_t field_count;                ///< how many there are
    const kin_enum_value_info *values;   ///< of an enum, in the order of the schema
    uint32_t value_count;                ///< how many there are
    void (*drop)(const void *value);     ///< ends a value that is given up; NULL: nothing is to be done
} kin_type_info;

/// A field of a component or struct, in the order of the schema. Texts that the schema lacks are NULL.
typedef struct kin_field_info {
    const char *name;        ///< the name in the schema
    const char *doc;         ///< what the schema says of it; NULL: nothing
    const char *unit;        ///< such as "metres"; NULL: the schema has none
    kin_type type;           ///< of an element, when the field is an array
    uint32_t count;          ///< elements, when the field is an array; else 0
    size_t offset;           ///< bytes from the beginning of its struct
    size_t size;             ///< bytes; of the whole array
    const kin_type_info *of; ///< of an enum, struct or opaque type
    const char *target;      ///< of an entity: its context, NULL for any
} kin_field_info;

/// A component. A flag has no fields and size 0.
typedef struct kin_component_info {
    const char *name;             ///< the name in the schema
    const char *doc;              ///< what the schema says of it; NULL: nothing
    size_t size;                  ///< bytes
    size_t alignment;             ///< bytes
    const kin_field_info *fields; ///< in the order of the schema
    uint32_t field_count;         ///< how many there are
    bool is_unique;               ///< one entity at most carries it
    bool is_boxed;                ///< the column keeps a pointer to the value
    bool is_soa;                  ///< there is a column for each field; offsets are those in the struct all the same
    bool has_strings;             ///< it has a field of KIN_TYPE_STRING
    bool has_drops;               ///< it holds, in structs and arrays too, opaque values with a `drop`
    bool is_stashable;            ///< its values can be put aside and restored
    /// Writes the value that `position_default()` gives to `size` bytes so aligned. Strings in it are constants, which
    /// nobody owns. NULL for a flag.
    void (*write_default)(void *value);
} kin_component_info;

/// A declared group.
typedef struct kin_group_info {
    const char *name;    ///< the name in the schema
    const char *doc;     ///< what the schema says of it; NULL: nothing
    kin_matcher matcher; ///< its rules
} kin_group_info;

/// A field of a component in the key of an index.
typedef struct kin_key_info {
    kin_component_id component;  ///< whose field it is
    const kin_field_info *field; ///< one of its fields
} kin_key_info;

/// An index: `index` of a field, named like "Name.value", or one of `indices`. It holds the entities that match: those
/// with all components of the key, and what else the schema asks for.
typedef struct kin_index_info {
    const char *name;        ///< the name in the schema, or "Name.value"
    const char *doc;         ///< what the schema says of it; NULL: nothing
    bool is_primary;         ///< one entity a key
    bool is_custom;          ///< one of `indices`
    const kin_key_info *key; ///< its fields, in the order of the schema
    uint32_t key_count;      ///< how many there are
    kin_matcher matcher;     ///< which entities are in it
} kin_index_info;

/// Any function; cast back to its own type before it is called.
typedef void kin_function(void);

struct kin_context;

/// A generated event: one of `events` of a component.
typedef struct kin_event_info {
    const char *name; ///< that of its listener's type, between context and `_listener`, like "any_score_removed"
    kin_component_id component; ///< whose changes it tells
    bool is_any;                ///< listeners are told of every entity, not only of the one that they hang on
    bool is_removed;            ///< told when the component has gone, not when it has come or was replaced
    int32_t priority;           ///< the lower, the earlier it is delivered
    /// Calls a listener of its type. For the runtime.
    void (*deliver)(struct kin_context *context, kin_entity entity, const void *value, kin_function *function,
                    void *user);
} kin_event_info;

/// A blueprint: what entities that are spawned from it have, by id.
typedef struct kin_blueprint_info {
    const char *name;                   ///< the name in the schema
    const char *doc;                    ///< what the schema says of it; NULL: nothing
    const kin_component_id *components; ///< ascending
    uint32_t component_count;           ///< how many there are
    /// Writes the value of each to where `values` points, as `write_default` does; that of a flag is not asked for.
    /// NULL where all are flags.
    void (*write_values)(void *const *values);
} kin_blueprint_info;

/// A context. Components stand by id, which is by name; groups, indices and blueprints by name; events in the
/// order of delivery.
/// Empty lists are NULL.
typedef struct kin_context_info {
    uint32_t interface_version;           ///< KIN_INTERFACE_VERSION of the headers that it was compiled with
    const char *name;                     ///< the name in the schema
    const char *doc;                      ///< what the schema says of it; NULL: nothing
    const kin_component_info *components; ///< by id
    uint32_t component_count;             ///< how many there are
    const kin_group_info *groups;         ///< the declared ones, by name
    uint32_t group_count;                 ///< how many there are
    const kin_index_info *indices;        ///< by name
    uint32_t index_count;                 ///< how many there are
    const kin_event_info *events;         ///< in the order of delivery
    uint32_t event_count;                 ///< how many there are
    const kin_blueprint_info *blueprints; ///< by name
    uint32_t blueprint_count;             ///< how many there are
} kin_context_info;

#endif
