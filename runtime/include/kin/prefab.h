/// Prefabs: blueprints that are made while the program runs, from tables like those of generated code. libkin-content
/// makes them of content files; tools and scripts can make their own. Needs nothing but libkin.
///
/// A prefab belongs to its context, and ends with it. It has values for all entities that it spawns: copies, except for
/// strings and lists, which must stay valid until the prefab is released. Contexts without prefabs pay nothing.
#ifndef KIN_PREFAB_H
#define KIN_PREFAB_H

#include <kin/entity.h>
#include <kin/error.h>
#include <kin/info.h>

KIN_BEGIN_DECLARATIONS

struct kin_context;

/// The number of a prefab of a context. Numbers of released prefabs are used again.
typedef uint32_t kin_prefab;

/// No prefab.
#define KIN_NO_PREFAB 0

/// The tables of a prefab. They must stay valid until it is released.
typedef struct kin_prefab_info {
    /// The first entity, and all below it. `write_values` may be NULL: the values are then the defaults of components.
    /// `extends`: 1 + the blueprint of the context whose slots the first entity uses; 0: those of entities without one.
    kin_blueprint_info entity;
    const kin_child_info *children; ///< those that `descendants` of `entity` name, each by one of them
    uint32_t child_count;           ///< number of them
} kin_prefab_info;

/// Several spawns of a prefab.
typedef struct kin_prefab_batch {
    uint32_t count; ///< number of spawns
    /// An array of `count` values for each component of the first entity, then for those of each descendant in order;
    /// NULL, also for all: the values of the prefab. In each value, an entity that a slot names may be 0: then it is
    /// the part of that spawn.
    const void *const *values;
} kin_prefab_batch;

/// Makes a prefab. `values` has the address of a value for each component, in the order of kin_prefab_batch, or NULL
/// for the value that the tables give; NULL: all are. Returns KIN_NO_PREFAB after reporting KIN_ERROR_INVALID if the
/// tables do not fit the context, or KIN_ERROR_NO_MEMORY. Cost: proportional to the entities and their components.
KIN_API kin_prefab kin_prefab_make(struct kin_context *context, const kin_prefab_info *tables,
                                   const void *const *values);

/// Ends a prefab. Its entities stay. Does nothing for a number that is no prefab. KIN_ERROR_INVALID in a listener: a
/// spawn of it may be under way. Cost: proportional to its entities and their components.
KIN_API kin_status kin_prefab_release(struct kin_context *context, kin_prefab prefab);

/// Exchanges what two numbers stand for, so that a number stays the same when its prefab is made anew.
/// KIN_ERROR_INVALID if one of them is no prefab. Cost: constant.
KIN_API kin_status kin_prefab_swap(struct kin_context *context, kin_prefab a, kin_prefab b);

/// Spawns all entities of a batch, or none; NULL: one spawn. It is a spawn of a blueprint with children: depth first,
/// all checked before the first, values as listeners see them final. `entities` has room for the entities of all
/// spawns, one spawn after the other, and gets zeros if refused; NULL: they are not wanted. Errors: those of spawning a
/// blueprint, and KIN_ERROR_INVALID if the number is no prefab. Cost: as for a blueprint of the same entities.
KIN_API kin_status kin_prefab_spawn(struct kin_context *context, kin_prefab prefab, const kin_prefab_batch *batch,
                                    kin_entity *entities);

/// Returns how many entities one spawn makes; 0 if the number is no prefab. Cost: constant.
KIN_API uint32_t kin_prefab_entity_count(const struct kin_context *context, kin_prefab prefab);

/// Returns the tables of a prefab, which are the caller's of kin_prefab_make; NULL if the number is none. Valid as long
/// as these. Cost: constant.
KIN_API const kin_prefab_info *kin_prefab_info_of(const struct kin_context *context, kin_prefab prefab);

/// Returns the value of a component that an entity of the prefab begins with, valid until the prefab is released; NULL
/// if it has none. Entities are numbered depth first, from 0. Cost: proportional to the components of the entity.
KIN_API const void *kin_prefab_value(const struct kin_context *context, kin_prefab prefab, uint32_t entity,
                                     kin_component_id id);

/// The same for a blueprint of the schema, which is named by its index in the context's tables: each context has its
/// own copy of its values, valid as long as the context. Cost: as above.
KIN_API const void *kin_blueprint_value(const struct kin_context *context, uint32_t blueprint, uint32_t entity,
                                        kin_component_id id);

/// Replaces such a value in this context, for all entities that are spawned from now on. A child that several
/// blueprints share changes in all of them. Strings and lists must stay valid until the value is replaced again, or the
/// context is destroyed. KIN_ERROR_INVALID if the blueprint, the entity or its component is not there; KIN_ERROR_LIMIT
/// and KIN_ERROR_INVALID for a list that no component can have. Cost: proportional to the components of the entity, and
/// to the size of the value.
KIN_API kin_status kin_blueprint_set_value(struct kin_context *context, uint32_t blueprint, uint32_t entity,
                                           kin_component_id id, const void *value);

/// A value that an entity has, and that differs from the one that the content gives it. Texts are YAML on one line, and
/// valid during the call.
typedef struct kin_content_difference {
    kin_entity entity;     ///< the entity, or a part of its prefab below it
    const char *part;      ///< path of that part; "" for the first entity
    const char *component; ///< name of the component
    const char *field;     ///< path of the field: "at.x"
    const char *given;     ///< the value that the content gives
    const char *value;     ///< the value that the entity has; NULL: one that files cannot have
    const char *left_out;  ///< why it is not saved, as a sentence without a full stop; NULL: it is
} kin_content_difference;

/// Is called for a difference.
typedef void kin_content_visit(const kin_content_difference *difference, void *user);

/// What to save of an entity, and what became of it.
typedef struct kin_content_saving {
    const char *where;           ///< "instance", "prefab", or the name of a new prefab
    const char *const *paths;    ///< what is saved: a field, a component or a part: "head.Gun.interval"; NULL: all
    uint32_t path_count;         ///< number of them
    kin_content_visit *left_out; ///< is called for each value of them that is not saved; may be NULL
    void *user;                  ///< passed to left_out
    uint32_t saved;              ///< receives how many values were saved
} kin_content_saving;

/// What tools such as the inspector ask of a content; libkin-content has it. The last three are NULL unless the content
/// is watched (<kin/content_edit.h>). Texts are valid until the content is polled.
typedef struct kin_content_face {
    void (*end)(void *content);               ///< the context is being destroyed
    uint64_t (*version)(const void *content); ///< Content.version
    /// Writes the name of an entity, as snprintf does: "valley/north_gun.head", or "FastCannon.head" if it has no
    /// place. Returns 0 if it is of no content.
    size_t (*name)(const void *content, kin_entity entity, char *name, size_t size);
    bool (*has_values)(const void *content, kin_entity entity); ///< `values` give a unique component of the entity
    const char *(*prefab)(const void *content, uint32_t index); ///< the name of a prefab; NULL after the last one
    const char *(*level)(const void *content, uint32_t index);  ///< the name of a level; NULL after the last one
    const char *(*file)(const void *content, uint32_t index);   ///< the path of a file; NULL after the last one
    const char *(*folder)(const void *content);                 ///< that is watched; NULL: none
    const char *(*error)(const void *content);                  ///< why the last poll applied nothing; NULL: it did
    const char *(*errors)(const void *content); ///< all errors in watched files, as a list in JSON; NULL: none
    /// Spawns a prefab, or a blueprint of the schema. Returns its first entity, or 0 after a report.
    kin_entity (*spawn)(void *content, const char *name);
    /// Visits what differs from the content, of an entity and the parts of its prefab below it; of unique components
    /// what `values` give. Sets `*level` to the name of the level that says the instance of the entity; NULL: none.
    kin_status (*differ)(void *content, kin_entity entity, kin_content_visit *visit, void *user, const char **level);
    /// Writes it into the file.
    kin_status (*save)(void *content, kin_entity entity, kin_content_saving *saving);
    /// Gives the entity and its parts the values of the content again. `written` gets their number.
    kin_status (*revert)(void *content, kin_entity entity, uint32_t *written);
} kin_content_face;

/// Returns the face of a context's content, and sets `*content` to it; NULL if it has none. Cost: constant.
KIN_API const kin_content_face *kin_content_face_of(const struct kin_context *context, void **content);

KIN_END_DECLARATIONS

#endif
