/// The schema of a context as constant tables, for the runtime and for tools such as editors, inspectors and savers.
/// Kin generates them as `game_info`. Names, docs and units are those of the schema. Everything in them is constant.
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
    KIN_TYPE_STRING,        ///< const char *: NULL, or a string that the context owns
    KIN_TYPE_INLINE_STRING, ///< char[n], always terminated by a NUL
    KIN_TYPE_ENTITY,        ///< kin_entity, or the handle type of the context `target`
    KIN_TYPE_ENUM,
    KIN_TYPE_STRUCT,
    KIN_TYPE_OPAQUE ///< a C type that the schema only names
} kin_type;

/// A value of an enum.
typedef struct kin_enum_value_info {
    const char *name;     ///< the name in the schema
    int64_t value;        ///< the value in C
    const char *identity; ///< the name that saves have, or NULL: that of the schema
} kin_enum_value_info;

/// An enum, a struct or an opaque type of the schema's `types`. Fields that do not apply are NULL or 0.
typedef struct kin_type_info {
    const char *name;                    ///< the name in the schema
    const char *doc;                     ///< the description in the schema, or NULL
    size_t size;                         ///< bytes
    size_t alignment;                    ///< bytes
    const struct kin_field_info *fields; ///< fields of a struct, in the order of the schema
    uint32_t field_count;                ///< number of them
    const kin_enum_value_info *values;   ///< values of an enum, in the order of the schema
    uint32_t value_count;                ///< number of them
    void (*drop)(const void *value);     ///< frees what a discarded value owns; NULL: it owns nothing
    /// Of an opaque type with `save`, otherwise NULL: writes the value if it fits, and returns the bytes that it needs.
    size_t (*save)(const void *value, void *bytes, size_t capacity);
    /// Of an opaque type with `load`, otherwise NULL: makes a value from these bytes, or returns false.
    bool (*load)(void *value, const void *bytes, size_t size);
} kin_type_info;

/// A number of any type, exactly. The type of the field says which member is in use.
typedef union kin_number {
    int64_t integer;  ///< KIN_TYPE_INT8 to KIN_TYPE_INT64
    uint64_t natural; ///< KIN_TYPE_UINT8 to KIN_TYPE_UINT64
    double number;    ///< KIN_TYPE_FLOAT, KIN_TYPE_DOUBLE
} kin_number;

/// The `range` of a field, for tools such as editors. Defaults and blueprints are within it. The runtime does not check
/// it and accepts any value of the type.
typedef struct kin_field_range {
    bool has_min;   ///< `min` is set
    bool has_max;   ///< `max` is set
    kin_number min; ///< the lowest value
    kin_number max; ///< the highest value
} kin_field_range;

/// What tools such as editors should do with a field or component. The runtime treats all alike: kin_field_write writes
/// them, and kin_describe_entity shows them.
typedef enum kin_inspect_mode {
    KIN_INSPECT_EDIT,      ///< show it, and let it be edited
    KIN_INSPECT_READ_ONLY, ///< show it only
    KIN_INSPECT_HIDDEN     ///< do not show it
} kin_inspect_mode;

/// What happens to the holder of a relation, the entity that has the field, when the target, the entity that the field
/// names, is destroyed.
typedef enum kin_on_destroy {
    KIN_ON_DESTROY_KEEP,    ///< nothing: the field keeps the handle; always so for fields that are not relations
    KIN_ON_DESTROY_CLEAR,   ///< the field is set to no entity
    KIN_ON_DESTROY_REMOVE,  ///< the component is removed from the holder
    KIN_ON_DESTROY_DESTROY, ///< the holder is destroyed
    KIN_ON_DESTROY_REFUSE   ///< the target cannot be destroyed: KIN_ERROR_REFERENCED
} kin_on_destroy;

/// A field of a component or struct. Strings that the schema does not have are NULL.
typedef struct kin_field_info {
    const char *name;             ///< the name in the schema
    const char *doc;              ///< the description in the schema, or NULL
    const char *unit;             ///< such as "metres", or NULL
    kin_type type;                ///< type of the field; of an array or a list: type of its elements
    uint32_t count;               ///< number of elements of an array; 0 for any other field
    size_t offset;                ///< bytes from the beginning of the struct
    size_t size;                  ///< bytes; of an array: bytes of the whole array; of a list: without its elements
    const kin_type_info *of;      ///< the enum, struct or opaque type; otherwise NULL
    const char *target;           ///< of an entity: name of its context, or NULL for any
    const kin_field_range *range; ///< of a number, or of each element of an array of numbers; NULL: none
    kin_inspect_mode inspect;     ///< what tools should do with it; of a field of a struct: wherever the struct is
    kin_on_destroy on_destroy;    ///< of a relation: what happens to the holder when the target is destroyed
    const char *reverse;          ///< of a relation: its name at the target, or NULL
    bool is_tree;                 ///< of a relation: it leads to the parent in a tree
    bool is_list;                 ///< a list: `struct { const T *at; uint32_t count; }`, with elements of `type`
    size_t element_size;          ///< of a list: bytes of an element; 0 for any other field
    const char *identity;         ///< the name that saves have, or NULL: that of the schema
    bool is_unsaved;              ///< `save: false`: not in files, hashes and recordings
    bool is_not_content;          ///< `content: false`: content files must not set it
} kin_field_info;

/// A component. A flag has no fields and size 0.
typedef struct kin_component_info {
    const char *name;             ///< the name in the schema
    const char *doc;              ///< the description in the schema, or NULL
    size_t size;                  ///< bytes
    size_t alignment;             ///< bytes
    const kin_field_info *fields; ///< in the order of the schema
    uint32_t field_count;         ///< number of them
    bool is_unique;               ///< at most one entity has it
    bool is_boxed;                ///< columns store pointers to the values
    bool is_soa;                  ///< one array for each field; offsets are still those in the struct
    bool has_strings;             ///< it contains a KIN_TYPE_STRING
    bool has_drops;               ///< it contains opaque values with a `drop`, also in structs and arrays
    bool is_stashable;            ///< its values can be stashed and restored
    /// Writes the default value, as `position_default()` returns it, to `size` bytes aligned to `alignment`. Strings in
    /// it are constants and must not be freed. NULL for a flag.
    void (*write_default)(void *value);
    kin_inspect_mode inspect; ///< what tools should do with it and its fields; a field can allow less
    bool has_lists;           ///< it contains lists
    bool is_shared;           ///< equal values are stored once; then also `is_boxed`
    const char *identity;     ///< the name that saves have, or NULL: that of the schema
    bool is_unsaved;          ///< `save: false`: not in files, hashes and recordings
    bool is_unwritable;       ///< neither is it then: a field to be saved has opaque values without `save` and `load`
    bool migrates;            ///< `migrate: true`: a function decides about it in files that have it in another shape
    bool is_not_content;      ///< `content: false`: content files must not set it
} kin_component_info;

/// A question of a group about a relation: what loops over the group ask of each member, besides its rules.
typedef struct kin_question_info {
    uint32_t relation;   ///< index in `relations` of the context
    bool is_held_by;     ///< an entity that names the member must match; otherwise the entity that the member names
    kin_matcher matcher; ///< the rules of that entity; without rules any entity matches
} kin_question_info;

/// A group that the schema declares, or that a system of the schema has for itself. With questions, the members are
/// those entities that match and for which all questions hold: only loops know them, and nothing can listen to them.
typedef struct kin_group_info {
    const char *name;                   ///< the name in the schema: that of the group, or that of the system
    const char *doc;                    ///< the description in the schema, or NULL
    kin_matcher matcher;                ///< the rules of the group
    uint32_t order;                     ///< 1 + the index in `indices` in whose order loops visit members; 0: by slot
    const kin_question_info *questions; ///< NULL: none
    uint32_t question_count;            ///< number of them
} kin_group_info;

/// A component's field that is part of the key of an index, or the label of a context.
typedef struct kin_key_info {
    kin_component_id component;  ///< the component
    const kin_field_info *field; ///< a field of the component
    bool is_descending;          ///< in an ordered index: higher values come first
} kin_key_info;

/// A relation: a field of a component that names an entity of the same context, and that the context updates when that
/// entity is destroyed. The entity that has the component is the holder, the entity that the field names is the target.
/// The number of a relation is its index in `relations` of the context.
typedef struct kin_relation_info {
    const char *name;            ///< its `reverse`, such as "children", or NULL
    kin_component_id component;  ///< the component
    const kin_field_info *field; ///< a field of the component
    kin_on_destroy on_destroy;   ///< that of the field, never KIN_ON_DESTROY_KEEP
    bool is_tree;                ///< targets are parents, and no entity is below itself
} kin_relation_info;

/// The number of keys that the function of an index can give one entity.
enum { KIN_INDEX_KEYS = 16 };

/// Calls the function of an index. `values` are its arguments, one address for each component of `of`. Writes the keys
/// to `keys`, an array of KIN_INDEX_KEYS values of the key's type, and returns their number.
typedef uint32_t kin_index_function(const void *const *values, void *keys);

/// An index: the `index` of a field, with a name such as "Name.value", that of a component, or an entry of `indices`.
/// It contains the entities that match: those that have all components of the key, or of `of`, and meet the schema's
/// other conditions.
typedef struct kin_index_info {
    const char *name;             ///< the name in the schema, or "Name.value"; of a component: its name
    const char *doc;              ///< the description in the schema, or NULL
    bool is_primary;              ///< a key has at most one entity
    bool is_custom;               ///< an entry of `indices`
    const kin_key_info *key;      ///< fields of the key, in the order of the schema; NULL if a function gives the keys
    uint32_t key_count;           ///< number of them
    kin_matcher matcher;          ///< the entities that the index contains
    kin_index_function *function; ///< gives the keys; NULL: fields do, and the rest is NULL or 0
    const kin_field_info *key_type; ///< the type of a key, as a field at offset 0
    const kin_component_id *of;     ///< the components that the function reads, in the order of its parameters
    uint32_t of_count;              ///< number of them
    bool is_ordered;                ///< its entities are in order of their keys
    double cell;                    ///< of a grid, the side of a cell; 0: not a grid
} kin_index_info;

/// A pointer to a function of any type. Cast it back to its own type before you call it.
typedef void kin_function(void);

struct kin_context;

/// A generated event: an entry of `events` of a component.
typedef struct kin_event_info {
    const char *name;           ///< as in the listener's type, such as "any_score_removed"
    kin_component_id component; ///< the component whose changes it reports
    bool is_any;                ///< reports changes of all entities, not only of the listener's own
    bool is_removed;            ///< reports removals; otherwise additions and replacements
    int32_t priority;           ///< events of lower priority are delivered first
    /// Casts `function` to the listener's type and calls it. For the runtime.
    void (*deliver)(struct kin_context *context, kin_entity entity, const void *value, kin_function *function,
                    void *user);
} kin_event_info;

/// A slot: a field of type KIN_TYPE_ENTITY in a blueprint whose value is an entity that is spawned with it. Entities
/// are numbered depth first: 0 is that of the blueprint, n that of `descendants[n - 1]`.
typedef struct kin_slot_info {
    uint32_t holder;            ///< the entity that has the field
    uint32_t part;              ///< the entity that it names
    kin_component_id component; ///< the component
    size_t offset;              ///< bytes from the beginning of the component to the kin_entity
} kin_slot_info;

/// A short name of a blueprint for fields or components of its entities.
typedef struct kin_knob_info {
    const char *name;         ///< the name in the schema
    const char *const *paths; ///< such as "head.Gun.interval": parts, then a component, then fields; all of one type
    uint32_t path_count;      ///< at least 1
} kin_knob_info;

/// A blueprint: the components of the entities that are spawned from it, by id.
typedef struct kin_blueprint_info {
    const char *name;                   ///< the name in the schema
    const char *doc;                    ///< the description in the schema, or NULL
    const kin_component_id *components; ///< ids in ascending order
    uint32_t component_count;           ///< number of them
    /// Writes the value of each component to the address in `values` of the same index, as `write_default` does. The
    /// addresses of flags are not used. NULL when all components are flags.
    void (*write_values)(void *const *values);
    const struct kin_descendant_info *descendants; ///< entities that are spawned below, depth first; NULL: none
    uint32_t descendant_count;                     ///< number of them
    const kin_slot_info *slots;                    ///< in ascending order of holders, then of components; NULL: none
    uint32_t slot_count;                           ///< number of them
    /// 1 + the index in `blueprints` of the one that it extends, in a context with `content: true`; 0: none. Of a
    /// prefab, also whose slots it uses.
    uint32_t extends;
    const kin_knob_info *knobs; ///< in a context with `content: true`, also those that it inherits; NULL: none
    uint32_t knob_count;        ///< number of them
} kin_blueprint_info;

/// A child of a blueprint: an entity that is spawned below another one. Blueprints share those that they inherit.
typedef struct kin_child_info {
    kin_blueprint_info
        entity;        ///< its components; `name` is a path such as "Car.front_left", and it has no `descendants`
    uint32_t of;       ///< index in `blueprints` of the one whose slots it uses; UINT32_MAX: none
    uint32_t relation; ///< index in `relations` of the tree in which it names its parent
} kin_child_info;

/// An entity below that of a blueprint.
typedef struct kin_descendant_info {
    uint32_t child;  ///< index in `children` of the context
    uint32_t parent; ///< 0: the entity of the blueprint; n: that of `descendants[n - 1]`, which comes before
} kin_descendant_info;

/// A package, as saves know it. What saves have of the schema is found by identities: the paths of numbers, strings,
/// entities and enums, such as "Position.at.x", each part with the name that it was first saved under.
typedef struct kin_package_info {
    const char *name;           ///< the name in the schema
    uint32_t version;           ///< the user's, or 0
    const char *const *removed; ///< identities of what earlier saves have and the schema gives up: "Health.armor"
    uint32_t removed_count;     ///< number of them
} kin_package_info;

/// A context. Components are in order of id, which is the order of their names; groups, indices and blueprints are in
/// order of name; events are in order of delivery. Empty lists are NULL.
///
/// The generated code of a world fits contexts with the `stamp` of its schema. Other components, fields, types, groups,
/// indices, relations, events or blueprints give another one; other rules, defaults, values and docs do not.
typedef struct kin_context_info {
    uint32_t interface_version;           ///< KIN_INTERFACE_VERSION of the headers it was compiled with
    uint64_t stamp;                       ///< hash of the layout
    const char *name;                     ///< the name in the schema
    const char *doc;                      ///< the description in the schema, or NULL
    const kin_component_info *components; ///< in order of id
    uint32_t component_count;             ///< number of them
    const kin_group_info *groups;         ///< declared groups in order of name, then those of systems in order of name
    uint32_t group_count;                 ///< number of them
    const kin_index_info *indices;        ///< in order of name
    uint32_t index_count;                 ///< number of them
    const kin_event_info *events;         ///< in order of delivery
    uint32_t event_count;                 ///< number of them
    const kin_blueprint_info *blueprints; ///< in order of name
    uint32_t blueprint_count;             ///< number of them
    /// The `label` of the schema: the field whose value tools show beside the number of an entity that has the
    /// component. A string, an integer or an enum; kin_field_read reads it by the name of the field. NULL: none.
    const kin_key_info *label;
    const kin_relation_info *relations; ///< in order of component id, then of fields
    uint32_t relation_count;            ///< number of them
    const kin_child_info *children;     ///< the distinct children of the blueprints; in no particular order
    uint32_t child_count;               ///< number of them
    const kin_package_info *package;    ///< the package, the same in all its contexts
    const char *identity;               ///< the name that saves have, or NULL: that of the schema
    bool is_unsaved;                    ///< `save: false`: in no snapshot of a world, file, hash or recording
    /// The `off` of the schema: the flag that switches entities off. Matchers of declared groups and of indices have it
    /// in KIN_NONE, unless they name it; kin_context_group adds it. NULL: none.
    const kin_component_id *off;
    /// The `placed_by` of the schema: the field that says where an entity is. NULL: none.
    const kin_key_info *placed_by;
} kin_context_info;

#endif
