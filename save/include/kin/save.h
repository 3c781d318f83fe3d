/// Saves: writes snapshots as files that later versions of a program can read. A separate library, libkin-save.
///
///     kin_snapshot *snapshot = NULL;
///     game_save(game, &snapshot);
///     kin_snapshot_write_path(snapshot, "autosave.kin", NULL);
///
/// Writing does not change the snapshot, so another thread may write while the context changes. Equal states are
/// written as equal bytes on every machine. A file contains everything that the schema saves, under the names under
/// which it was first saved. It does not contain owners of entities, listeners, and contexts, components and fields
/// with `save: false`.
///
/// A failed call reports one error to the `on_error` of the snapshot's context, on the calling thread.
#ifndef KIN_SAVE_H
#define KIN_SAVE_H

#include <kin/snapshot.h>
#include <kin/world.h>

KIN_BEGIN_DECLARATIONS

/// The destination of a file.
typedef struct kin_sink {
    /// Writes all `size` bytes. Returns false on failure, after which it is not called again.
    bool (*write)(const void *bytes, size_t size, void *user);
    void *user; ///< passed on and never read
} kin_sink;

/// The source of a file.
typedef struct kin_source {
    /// Reads up to `size` bytes and returns their number; 0 at the end.
    size_t (*read)(void *bytes, size_t size, void *user);
    /// Returns to the first byte. Returns false on failure. NULL: not supported.
    bool (*begin_again)(void *user);
    void *user; ///< passed on and never read
} kin_source;

/// The maximum size of `meta` in bytes.
enum { KIN_META_SIZE = 64 * 1024 };

/// How a file is written. NULL or zeroes: without compression and meta.
typedef struct kin_write_options {
    int level;        ///< of zstd, which compresses the whole file; 0: no compression
    const void *meta; ///< the program's own bytes, such as a title and a picture, for kin_file_look
    size_t meta_size; ///< number of them, up to KIN_META_SIZE
} kin_write_options;

/// How a file is read. NULL or zeroes: refuse things that the schema does not know, and more than 1 GiB.
typedef struct kin_read_options {
    bool drop_unknown;  ///< drop things that the schema neither has nor lists in `removed`, instead of KIN_ERROR_SHAPE
    uint64_t max_bytes; ///< of the file, after decompression; 0: 1 GiB
    void *user;         ///< passed on to functions of `migrate: true`, and never read
} kin_read_options;

/// The result of reading a file.
typedef struct kin_read_report {
    uint64_t entities;  ///< that are alive
    uint64_t converted; ///< values of components of which a field had another type, length or number, or named an
                        ///< entity that is not alive and is a relation now
    uint64_t defaulted; ///< values of which a field was not in the file, and has its default
    uint64_t dropped;   ///< values that were left out, or of which a field was; also with entities that are gone
                        ///< because a relation of `on_destroy: destroy` named one that is not alive
    uint64_t migrated;  ///< values that a function of the program decided: kept, made or refused
} kin_read_report;

/// The head of a file.
typedef struct kin_file_info {
    char package[64];  ///< the package of the schema; a longer name is cut
    uint32_t version;  ///< `version` of the schema
    uint32_t format;   ///< of the file
    bool is_recording; ///< a recording follows the save
    uint64_t frame;    ///< number of updates of the world; 0 for a snapshot of one context
    size_t meta_size;  ///< bytes of `meta`
} kin_file_info;

/// Writes a snapshot as a file. `options` may be NULL.
///
/// KIN_ERROR_STREAM when the sink fails; KIN_ERROR_INVALID for NULL, for more meta than allowed, and for a snapshot
/// whose context has ended. KIN_ERROR_INVALID also for a value that kin_context_read would refuse, such as a string
/// without a NUL in a `string[n]`: the message names the entity, the component and the field. KIN_ERROR_LIMIT for more
/// than files have room for. After an error, the bytes that the sink received are not a valid file.
KIN_API kin_status kin_snapshot_write(const kin_snapshot *snapshot, kin_sink sink, const kin_write_options *options);

/// The same, to a file. Writes `path` with the suffix ".new", flushes it to the disk, and renames it: whenever the
/// process or the machine stops, `path` has the complete former file or the complete new one. KIN_ERROR_STREAM, with
/// the system's message, when a system call fails; a former file then does not change. A link is followed, the file at
/// its end is replaced and keeps its owner and rights; a pipe or a device is written to.
KIN_API kin_status kin_snapshot_write_path(const kin_snapshot *snapshot, const char *path,
                                           const kin_write_options *options);

/// Reads a file: makes `*snapshot` if it is NULL, else overwrites it. The snapshot belongs to the context, which does
/// not change: restore the snapshot to use it. The file must contain a snapshot of such a context, or of a world with
/// one, from which only this context is read. `options` and `report` may be NULL.
///
/// The schema may be a later version of the one that wrote the file: fields are found by their names or their `was`,
/// new fields have their defaults, and numbers may have another type if they fit. KIN_ERROR_SHAPE if the schema lacks
/// something, or something does not fit: the message names it. Relations to entities that are not alive become what
/// their `on_destroy` says. KIN_ERROR_CORRUPT for a damaged file, or one of another kind: the message says where.
/// KIN_ERROR_LIMIT for more bytes than allowed. On error, `*snapshot` does not change.
KIN_API kin_status kin_context_read(struct kin_context *context, kin_snapshot **snapshot, kin_source source,
                                    const kin_read_options *options, kin_read_report *report);

/// The same from the file at `path`. KIN_ERROR_STREAM, with the system's message, when it cannot be read.
KIN_API kin_status kin_context_read_path(struct kin_context *context, kin_snapshot **snapshot, const char *path,
                                         const kin_read_options *options, kin_read_report *report);

/// Reads a file of a world into `*snapshot`, which is created if it is NULL: restore it in the world to get
/// what was read. It does what kin_context_read does for all saved contexts of the world, and also reads the state of
/// its systems: which are enabled, their clocks, the entities that they have collected, the members of their groups,
/// and waiting messages.
///
/// The state of systems that the schema no longer has is left out. Systems, contexts and fields of messages that the
/// file lacks begin as in a new world. A file of a context alone is KIN_ERROR_SHAPE: read it in that context.
/// KIN_ERROR_INVALID inside a run of the world, and inside a listener or an error handler of its contexts.
KIN_API kin_status kin_world_read(kin_world *world, kin_snapshot **snapshot, kin_source source,
                                  const kin_read_options *options, kin_read_report *report);

/// The same from the file at `path`. KIN_ERROR_STREAM with the system's reason when it cannot be read.
KIN_API kin_status kin_world_read_path(kin_world *world, kin_snapshot **snapshot, const char *path,
                                       const kin_read_options *options, kin_read_report *report);

/// An entity as a file has it, while a function of the program decides about one of its components:
///
///     bool armor_migrate(Armor *value, const kin_record *record);    // components: { Armor: { migrate: true, … } }
///
/// The functions of PACKAGE_save.h call it if the component has another shape in the file than now, or is not in it:
/// other fields, types, lengths, names of values, or `unique`. They also call it, if the source can begin again, if
/// values do not meet a condition of the schema: a primary key, a tree without circles, a relation to a living entity.
/// They call it for each entity of the context, also for those without the component: by chunks of 512 slots, then by
/// component id, then by slot. It returns whether the entity has the component. `value` is what reading made of that in
/// the file: a field whose values do not fit has its default, and so has every field if the entity did not have the
/// component. Of a stashed value it decides whether that stays stashed.
///
/// What the function writes to a string or a list is copied when it returns, so that it may point to memory of the
/// function, or into the record. An opaque value that it replaces is its own to drop. It must depend on its arguments
/// alone and call nothing of Kin but these functions, with which it looks at the entity.
///
/// Paths are "Component.field" or "Component.field.field", with the names of the file: those that saves have, which are
/// on the left in PACKAGE.lock. "Path.stops.x[2]" is one element of an array or list, without a number the first. Each
/// function returns false and leaves `*value` as it is if the entity has no such value, or one of another type.
typedef struct kin_record kin_record;

/// Returns whether the entity had the component, or had put it aside.
KIN_API bool kin_record_has(const kin_record *record, const char *component);

/// Gives an integer, bool, or the number of an enum value. False for an unsigned one above INT64_MAX.
KIN_API bool kin_record_integer(const kin_record *record, const char *path, int64_t *value);

/// Gives any of those or a floating-point number. Integers beyond 2^53 are rounded.
KIN_API bool kin_record_number(const kin_record *record, const char *path, double *value);

/// Gives a string, or the name of an enum value. A string may be NULL. Valid until the function returns.
KIN_API bool kin_record_text(const kin_record *record, const char *path, const char **value);

/// Gives a handle; 0: it named no entity. The entity need not be alive.
KIN_API bool kin_record_entity(const kin_record *record, const char *path, kin_entity *value);

/// Returns the `version` of the schema that wrote the file; and `user` of the options of the reading.
KIN_API uint32_t kin_record_version(const kin_record *record);
KIN_API void *kin_record_user(const kin_record *record);

/// Reads the head of a file, for a list of saves: what it says about itself, and up to `capacity` bytes of its meta,
/// which may be NULL if that is 0. KIN_ERROR_CORRUPT if it is no file of Kin or damaged, KIN_ERROR_SHAPE if a later
/// version of Kin wrote it; then `info` is as before. Reports nothing, as it has no context.
KIN_API kin_status kin_file_look(kin_source source, kin_file_info *info, void *meta, size_t capacity);

KIN_END_DECLARATIONS

#endif
