/// Content: prefabs, levels and values of designers, which the program reads from a pack while it runs. Needs libkin
/// alone. Generated code includes this header as PACKAGE_content.h, with functions for each context that has `content:
/// true`.
///
/// `kin pack` makes the pack of content files. The context's content ends with the context, or with kin_content_close.
/// Strings that functions here return are valid until the content is polled or closed.
#ifndef KIN_CONTENT_H
#define KIN_CONTENT_H

#include <kin/context.h>
#include <kin/memory.h>
#include <kin/prefab.h>

KIN_BEGIN_DECLARATIONS

/// The content of a context.
typedef struct kin_content kin_content;

/// What a content has, and what its last poll did.
typedef struct kin_content_state {
    uint64_t version;      ///< hash of the pack: Content.version
    uint32_t prefab_count; ///< prefabs, without the blueprints of the schema
    uint32_t level_count;  ///< levels
    uint32_t written;      ///< values that the last reload wrote into living entities
    uint32_t kept;         ///< values that it left, as the game had changed them
    uint32_t added;        ///< components that it added
    uint32_t removed;      ///< components that it removed
    uint32_t spawned;      ///< entities that it spawned: new parts and instances
    uint32_t destroyed;    ///< entities that it destroyed
    uint32_t refused;      ///< changes that the context refused
    const char *error;     ///< why the last poll applied nothing; NULL: it did
    // Of a content that is watched (<kin/content_edit.h>):
    uint32_t file_count;     ///< files that it was made of
    uint32_t error_count;    ///< errors in them
    const char *errors;      ///< all of them as `kin check` prints them; NULL: none
    const char *errors_json; ///< the same as a list in JSON
    uint32_t saved;          ///< values that the last kin_content_save wrote
    uint32_t left_out;       ///< values that it left out: they cannot be there
} kin_content_state;

/// Options of a content. Zero: the defaults.
typedef struct kin_content_options {
    kin_allocator memory; ///< zero: that of the context
    /// Called after a poll has applied a changed pack, found an error in it, or found that the error is gone, for which
    /// `error` is NULL and nothing changes. It may call Kin, but not close, poll or watch this content.
    void (*on_reload)(const kin_content_state *state, void *user);
    void *user;    ///< passed to on_reload
    uint32_t keep; ///< packs that are kept for rollback, at most; zero: 8
} kin_content_options;

/// Which member of a kin_setting has the value.
typedef enum kin_setting_kind {
    KIN_SETTING_NUMBERS,
    KIN_SETTING_INTEGER,
    KIN_SETTING_TEXT,
    KIN_SETTING_ENTITY
} kin_setting_kind;

/// A value for kin_set: made by KIN_NUMBER, KIN_INTEGER, KIN_VEC, KIN_TEXT, KIN_FLAG or KIN_ENTITY.
typedef struct kin_setting {
    kin_setting_kind kind; ///< which member
    uint32_t count;        ///< of `numbers`
    double numbers[16];    ///< for numbers of any type, and for structs and arrays of numbers
    int64_t integer;       ///< for integers and bools
    const char *text;      ///< for strings, and names of enum values
    kin_entity entity;     ///< for handles
} kin_setting;

#define KIN_NUMBER(value)                                                                                              \
    {                                                                                                                  \
        KIN_SETTING_NUMBERS, 1, {value}, 0, NULL, 0                                                                    \
    }
#define KIN_VEC(...)                                                                                                   \
    {                                                                                                                  \
        KIN_SETTING_NUMBERS, sizeof((double[]){__VA_ARGS__}) / sizeof(double), {__VA_ARGS__}, 0, NULL, 0               \
    }
#define KIN_INTEGER(value)                                                                                             \
    {                                                                                                                  \
        KIN_SETTING_INTEGER, 0, {0}, value, NULL, 0                                                                    \
    }
#define KIN_FLAG(value) KIN_INTEGER(value)
#define KIN_TEXT(value)                                                                                                \
    {                                                                                                                  \
        KIN_SETTING_TEXT, 0, {0}, 0, value, 0                                                                          \
    }
#define KIN_ENTITY(handle)                                                                                             \
    {                                                                                                                  \
        KIN_SETTING_ENTITY, 0, {0}, 0, NULL, (handle).id                                                               \
    }

/// A value by the name of a knob, or by a path such as "head.Gun.interval".
typedef struct kin_set_item {
    const char *name;
    kin_setting value;
} kin_set_item;

/// Values for a spawn by name.
typedef struct kin_set {
    const kin_set_item *items;
    uint32_t count;
} kin_set;

/// KIN_SET({"at", KIN_VEC(3, 0, 4)}, {"head.Gun.interval", KIN_NUMBER(0.03)})
#define KIN_SET(...)                                                                                                   \
    (&(const kin_set){(const kin_set_item[]){__VA_ARGS__},                                                             \
                      sizeof((const kin_set_item[]){__VA_ARGS__}) / sizeof(kin_set_item)})

/// Opens the content of the context from the pack at `path`, checks it, and makes its prefabs and values. `options` may
/// be NULL. Returns NULL after reporting KIN_ERROR_INVALID if the context has a content already, in a listener, or if
/// the schema has no `content: true`; KIN_ERROR_CORRUPT if the pack is damaged; KIN_ERROR_SHAPE if it is of another
/// package or schema; KIN_ERROR_NO_MEMORY. Cost: proportional to the pack.
KIN_API kin_content *kin_content_open(kin_context *context, const char *path, const kin_content_options *options);

/// The same from bytes, which are copied. kin_content_poll then has nothing to look at: see kin_content_load.
KIN_API kin_content *kin_content_open_bytes(kin_context *context, const void *bytes, size_t size,
                                            const kin_content_options *options);

/// Ends the content. Its entities stay, and blueprints have the values of the schema again. NULL does nothing.
KIN_API void kin_content_close(kin_content *content);

/// Returns the content of a context; NULL if it has none.
KIN_API kin_content *kin_content_of(const kin_context *context);

/// Between updates: reads the pack at the path again if its bytes have changed, and applies it. Each living entity of a
/// prefab or level gets what differs between the old and the new content, unless the game has changed that value. With
/// any error nothing is applied. KIN_OK also if nothing changed. KIN_ERROR_INVALID in an update or a listener.
KIN_API kin_status kin_content_poll(kin_content *content);

/// Applies a pack in memory as kin_content_poll does.
KIN_API kin_status kin_content_load(kin_content *content, const void *bytes, size_t size);

/// Applies the step from the pack at `old_pack` to the present content: for a save that was written with that pack, and
/// has been read. Errors: those of kin_content_open and kin_content_poll, with nothing applied. Cost: that of a reload.
KIN_API kin_status kin_content_adopt(kin_content *content, const char *old_pack);

/// Returns the number of a prefab or blueprint, which stays the same over reloads; KIN_NO_PREFAB if there is none.
KIN_API kin_prefab kin_prefab_find(const kin_content *content, const char *name);

/// Spawns a prefab, or a blueprint of the schema, with values; `set` may be NULL. Returns its first entity, or 0 after
/// reporting KIN_ERROR_INVALID for an unknown name, a value that does not fit or is out of its `range`, or what refuses
/// the spawn of a blueprint. Nothing changes then.
KIN_API kin_entity kin_spawn_named(kin_context *context, const char *name, const kin_set *set);

/// Places a level: all of its instances, or none. KIN_ERROR_INVALID for an unknown level, one that is placed already,
/// and in an update or a listener.
KIN_API kin_status kin_place_level(kin_context *context, const char *level);

/// Destroys the instances of a level that live. KIN_ERROR_INVALID for an unknown level.
KIN_API kin_status kin_remove_level(kin_context *context, const char *level);

/// Returns the first entity of a named instance, such as "valley/north_gun"; 0 if it does not live.
KIN_API kin_entity kin_find_placed(const kin_context *context, const char *path);

/// Returns a part below an entity, such as "head.left"; 0 if it does not live.
KIN_API kin_entity kin_find_part(const kin_context *context, kin_entity entity, const char *path);

/// Writes what the content has, and what its last poll did.
KIN_API void kin_content_report(const kin_content *content, kin_content_state *state);

// For generated code: spawns the prefab with values for the components of its first entity, and writes the entities of
// the blueprint `of` by their parts, 0 for those that are dropped. False, with zeros, if refused.
KIN_API bool kin__spawn_named_as(kin_context *context, const char *name, uint32_t of, const void *const *values,
                                 kin_entity *parts);

KIN_END_DECLARATIONS

#endif
