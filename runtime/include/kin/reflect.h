/// Components by id: everything that the typed functions do, for code that knows a schema only at run time, such as
/// editors, consoles, savers and scripting.
///
/// The id of a component is its index in `components` of the context's info; kin_component_find returns it by name. A
/// value is passed by address: a struct as its fields describe it (kin_field_info.offset), of kin_component_info.size
/// bytes. For a flag, which has no value, pass NULL; the address is ignored.
///
/// Each change makes the checks of the typed function, updates indices, and notifies the same listeners and collectors
/// in the same order. An id that the context does not have is refused with KIN_ERROR_INVALID.
///
/// More for tools:
///
/// - look.h: reading all entities by words of bits, without a group
/// - inventory.h: everything that a context or a collection of systems contains, with counts and memory
#ifndef KIN_REFLECT_H
#define KIN_REFLECT_H

#include <kin/generated/storage.h>
#include <kin/inventory.h>
#include <kin/look.h>

KIN_BEGIN_DECLARATIONS

/// Stands for no blueprint in kin_create_in.
#define KIN_NO_BLUEPRINT ((uint32_t)-1)

/// Returned by kin_component_find for a name that the schema does not have.
#define KIN_NO_COMPONENT ((kin_component_id)-1)

/// Returns the tables of the context's schema: the same as `&game_info`. They are constant. Cost: one
/// load.
KIN_API const kin_context_info *kin_context_info_of(const kin_context *context);

/// Returns the id of the component with the name in the schema, or KIN_NO_COMPONENT. Cost: a binary search.
KIN_API kin_component_id kin_component_find(const kin_context_info *info, const char *name);

// ---- Entities

/// Creates an entity without components. Returns 0 on failure: KIN_ERROR_LIMIT, KIN_ERROR_NO_MEMORY. Cost: that of
/// game_create_entity, and a call.
KIN_API kin_entity kin_create(kin_context *context);

/// Creates an entity from a blueprint: `blueprint` is its index in `blueprints` of the context's info. Returns 0 on
/// failure: KIN_ERROR_INVALID for an index out of range, and the errors of game_spawn_bomb. Cost: that of
/// game_spawn_bomb, and a call.
KIN_API kin_entity kin_spawn(kin_context *context, uint32_t blueprint);

/// Creates an entity from a blueprint like kin_spawn, or without components for KIN_NO_BLUEPRINT. Cost: that
/// of kin_spawn or kin_create.
static inline kin_entity kin_create_in(kin_context *context, uint32_t blueprint)
{
    return blueprint == KIN_NO_BLUEPRINT ? kin_create(context) : kin_spawn(context, blueprint);
}

/// Creates an entity with copies of the components of another one, as game_clone_entity does. Returns 0 on failure.
/// Cost: that of game_clone_entity, and a call.
KIN_API kin_entity kin_clone(kin_context *context, kin_entity source);

/// Destroys an entity with its components. Errors: KIN_ERROR_NOT_ALIVE; KIN_ERROR_LIMIT when changes are nested 64
/// deep. Cost: that of game_destroy_entity, and a call.
KIN_API kin_status kin_destroy(kin_context *context, kin_entity entity);

/// Writes the ids of the entity's components in ascending order, up to `capacity`. Returns how many it has, which may
/// be more than `capacity`; 0 for an entity that is not alive. Flags are included. Never reports an error. Cost: one
/// step for each component of the entity and for each 64 of the context.
KIN_API uint32_t kin_entity_components(const kin_context *context, kin_entity entity, kin_component_id *ids,
                                       uint32_t capacity);

// ---- Components of an entity

// The general case of kin_get. Pure, so that a loop need not load the fields of the context again after a call.
KIN_API KIN_PURE const void *kin__get_general(const kin_context *context, kin_entity entity, kin_component_id id);

/// Returns the value of the component, or NULL: the entity is not alive or lacks the component, the id is out of range,
/// or the component has no struct in memory, which flags and components with `layout: soa` have not. Test a flag with
/// kin_has; copy a value of any component with kin_look_read. The context owns the value; the pointer is valid until
/// the component is removed. Never reports an error. Cost: that of game_get_position, and a few loads.
static inline const void *kin_get(const kin_context *context, kin_entity entity, kin_component_id id)
{
    if (id >= context->info->component_count)
        return NULL;
    uint32_t size = kin__component_of(context, id)->plain_size;
    return size != 0 ? kin__get(context, entity, id, size) : kin__get_general(context, entity, id);
}

/// Adds the component, with a copy of `value`. Errors: KIN_ERROR_HAS_COMPONENT, also for a flag that is set;
/// KIN_ERROR_INVALID for an id out of range, and for NULL as the value of a component with fields; the other errors of
/// game_add_position. As there, the context owns opaque values in `value` once the component is added, and copies
/// strings. Listeners are shown the bytes at `value`: if it points to a value of a context, copy it first unless no
/// listener changes that. Cost: that of game_add_position, and a call.
KIN_API kin_status kin_add(kin_context *context, kin_entity entity, kin_component_id id, const void *value);

/// Replaces the component by a copy of `value`, or adds it if the entity does not have it. A flag is set. `value` may
/// be the address that kin_get returned for this component, or share its strings and opaque values. Errors: as of
/// kin_add, except KIN_ERROR_HAS_COMPONENT. Cost: that of game_replace_position, and a call.
KIN_API kin_status kin_replace(kin_context *context, kin_entity entity, kin_component_id id, const void *value);

/// Removes the component or flag. Errors: KIN_ERROR_NO_COMPONENT; KIN_ERROR_INVALID for an id out of range; the other
/// errors of game_remove_position. Cost: that of game_remove_position, and a call.
KIN_API kin_status kin_remove(kin_context *context, kin_entity entity, kin_component_id id);

/// Sets or clears a flag. If it is already in that state, returns KIN_OK and notifies no listener. Errors:
/// KIN_ERROR_INVALID for an id out of range, and for a component with fields; the other errors of game_set_frozen.
/// Cost: that of game_set_frozen, and a call.
KIN_API kin_status kin_set_flag(kin_context *context, kin_entity entity, kin_component_id id, bool on);

// ---- Fields

/// Returns the name of a type as a schema has it, such as "int32": "string" also for inline strings, "enum", "struct"
/// and "opaque" for all of these; NULL for a number that is no type. The string is constant and always valid. Cost: one
/// load.
KIN_API const char *kin_type_name(kin_type type);

/// The value of one field. `type` says which member of `as` is in use.
typedef struct kin_field_value {
    kin_type type; ///< of the field, or of the value that is given
    union {
        bool boolean;       ///< KIN_TYPE_BOOL
        int64_t integer;    ///< KIN_TYPE_INT8 to KIN_TYPE_INT64, KIN_TYPE_ENUM
        uint64_t natural;   ///< KIN_TYPE_UINT8 to KIN_TYPE_UINT64
        double number;      ///< KIN_TYPE_FLOAT, KIN_TYPE_DOUBLE
        const char *string; ///< KIN_TYPE_STRING, where it may be NULL, and KIN_TYPE_INLINE_STRING
        kin_entity entity;  ///< KIN_TYPE_ENTITY
    } as;                   ///< the value
} kin_field_value;

/// Reads a field of a component by its path: the name of the field, then `.name` for a field of a struct and `[n]` for
/// an element of an array or a list, as in `box.corners[2].x`. The path must end at a single value. Reads components of
/// any storage. A string belongs to the context and is valid until the component changes.
///
/// Errors, with `*value` unchanged: KIN_ERROR_INVALID for an id out of range and for a path that names no single value,
/// also beyond the end of a list;
/// KIN_ERROR_NOT_ALIVE; KIN_ERROR_NO_COMPONENT. Cost: compares the names of the path with those of the schema.
KIN_API kin_status kin_field_read(const kin_context *context, kin_entity entity, kin_component_id id, const char *path,
                                  kin_field_value *value);

/// Writes a field of a component by its path, as a replace of the component by a value that differs in this field:
/// indices follow and listeners are notified. Opaque values in other fields are kept. A string is copied.
///
/// The type of `value` must fit the field: a bool, a string and an entity only fit their own type, a floating-point
/// number fits KIN_TYPE_FLOAT and KIN_TYPE_DOUBLE, an integer of any type fits all integers and enums that have this
/// value.
///
/// Errors: those of kin_field_read; KIN_ERROR_INVALID also for a value of another type, a number outside of the range
/// of the field's type, a number that an enum does not have, and a string that is too long for `string[n]`; those of
/// kin_replace. Cost: that of kin_field_read and of kin_replace; for a component of more than 256 bytes, its list
/// included, also an allocation.
KIN_API kin_status kin_field_write(kin_context *context, kin_entity entity, kin_component_id id, const char *path,
                                   kin_field_value value);

// ---- Text

/// Writes a readable description of a value of a component, such as kin_get returns or a listener is given:
/// `Position {x: 1.5, y: -2}`. `value` may be NULL, as it is for a flag: only the name is written then. Like snprintf,
/// it writes at most `size` bytes including the NUL and returns the length of the complete text. Strings are escaped,
/// and shortened to 48 bytes. The wording may change between versions. Cost: visits each field; does not allocate.
KIN_API size_t kin_component_describe(const kin_context *context, kin_component_id id, const void *value, char *text,
                                      size_t size);

KIN_END_DECLARATIONS

#endif
