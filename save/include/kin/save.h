/// Saves: snapshots as files, which later versions of a program can read. A library of its own, libkin-save.
///
///     kin_snapshot *snapshot = NULL;
///     game_save(game, &snapshot);
///     kin_snapshot_write_path(snapshot, "autosave.kin", NULL);
///
/// Writing takes a snapshot and leaves it as it is, so that another thread may write while the context goes on. Equal
/// states give equal bytes on every machine. A file has what the schema saves, by the names that things were first
/// saved under; the owners of entities, listeners and what has `save: false` are not in files.
///
/// A failed call reports one sentence to the `on_error` of the snapshot's context, on the thread of the call.
#ifndef KIN_SAVE_H
#define KIN_SAVE_H

#include <kin/snapshot.h>
#include <kin/world.h>

KIN_BEGIN_DECLARATIONS

/// Where a file goes to.
typedef struct kin_sink {
    /// Takes `size` bytes, all of them or none. Returns false when that failed, and is not called again then.
    bool (*write)(const void *bytes, size_t size, void *user);
    void *user; ///< passed on and never read
} kin_sink;

/// Where a file comes from.
typedef struct kin_source {
    /// Gives up to `size` bytes, and returns how many; 0: the end.
    size_t (*read)(void *bytes, size_t size, void *user);
    /// Makes the next read give the first bytes again. Returns false when that failed. NULL: it cannot.
    bool (*begin_again)(void *user);
    void *user; ///< passed on and never read
} kin_source;

/// The most bytes of `meta`.
enum { KIN_META_SIZE = 64 * 1024 };

/// How a file is written. NULL or zeroes: without compression and meta.
typedef struct kin_write_options {
    int level;        ///< of zstd, which compresses the whole file; 0: it is not compressed
    const void *meta; ///< the program's own bytes, for kin_file_look: such as a title and a picture
    size_t meta_size; ///< number of them, up to KIN_META_SIZE
} kin_write_options;

/// How a file is read. NULL or zeroes: refuse what the schema does not know, and up to 1 GiB.
typedef struct kin_read_options {
    bool drop_unknown;  ///< leaves out what the schema neither has nor gives up, instead of KIN_ERROR_SHAPE
    uint64_t max_bytes; ///< of the file, after decompression; 0: 1 GiB
    void *user;         ///< passed on and never read
} kin_read_options;

/// What became of a file that was read.
typedef struct kin_read_report {
    uint64_t entities;  ///< that are alive
    uint64_t converted; ///< values of components of which a field had another type, length or number
    uint64_t defaulted; ///< values of which a field was not in the file, and has its default
    uint64_t dropped;   ///< values that were left out, or of which a field was
    uint64_t migrated;  ///< values that a function of the program decided
} kin_read_report;

/// What a file says about itself.
typedef struct kin_file_info {
    char package[64];  ///< the package of the schema; a longer name is cut
    uint32_t version;  ///< `version` of the schema
    uint32_t format;   ///< of the file
    bool is_recording; ///< a recording follows the save
    uint64_t frame;    ///< how often the world was updated; 0 for a snapshot of one context
    size_t meta_size;  ///< bytes of the program's own
} kin_file_info;

/// Writes a snapshot as a file. `options` may be NULL.
///
/// KIN_ERROR_STREAM when the sink fails; KIN_ERROR_INVALID for NULL, for more meta than allowed, and for a snapshot
/// whose context has ended. What the sink has taken by then is no file.
KIN_API kin_status kin_snapshot_write(const kin_snapshot *snapshot, kin_sink sink, const kin_write_options *options);

/// The same into a file. It writes `path` with the suffix ".new", waits until the disk has it, and renames it: whenever
/// the process or the machine stops, the file is whole, the former one or the new one. KIN_ERROR_STREAM with the
/// system's reason: then a former file stays as it was.
KIN_API kin_status kin_snapshot_write_path(const kin_snapshot *snapshot, const char *path,
                                           const kin_write_options *options);

/// Reads a file and makes `*snapshot` of it, or makes the one there anew. It belongs to the context, which stays as it
/// is: restore the snapshot to get what was read. The file is that of a snapshot of such a context, or of a world with
/// one; of that it takes this context alone. `options` and `report` may be NULL.
///
/// The schema may be a later version of that which wrote the file: fields are found by their names, or by what `was`
/// says, new ones have their defaults, and numbers may have another type if they fit. KIN_ERROR_SHAPE names what the
/// schema does not know, or what does not fit. KIN_ERROR_CORRUPT for what is no file, or damaged: the message says
/// where. KIN_ERROR_LIMIT for more bytes than allowed. Refused, `*snapshot` is as before.
KIN_API kin_status kin_context_read(struct kin_context *context, kin_snapshot **snapshot, kin_source source,
                                    const kin_read_options *options, kin_read_report *report);

/// The same from the file at `path`. KIN_ERROR_STREAM with the system's reason when it cannot be read.
KIN_API kin_status kin_context_read_path(struct kin_context *context, kin_snapshot **snapshot, const char *path,
                                         const kin_read_options *options, kin_read_report *report);

/// Reads a file of a world and makes `*snapshot` of it, or makes the one there anew: restore it in the world to get what
/// was read. It is as kin_context_read, for all contexts of the world that are saved, and for its systems: which are
/// enabled, their clocks, what they have collected, who was in their groups, and the messages that wait.
///
/// What systems of a former schema had is left out if they are no more; systems, contexts and fields of messages that
/// the file lacks begin as in a new world. A file of a context alone is KIN_ERROR_SHAPE: read it in that context.
/// KIN_ERROR_INVALID inside a run of the world, and inside a listener or an error handler of its contexts.
KIN_API kin_status kin_world_read(kin_world *world, kin_snapshot **snapshot, kin_source source,
                                  const kin_read_options *options, kin_read_report *report);

/// The same from the file at `path`. KIN_ERROR_STREAM with the system's reason when it cannot be read.
KIN_API kin_status kin_world_read_path(kin_world *world, kin_snapshot **snapshot, const char *path,
                                       const kin_read_options *options, kin_read_report *report);

/// Reads the head of a file, for a list of saves: what it says about itself, and up to `capacity` bytes of its meta,
/// which may be NULL if that is 0. KIN_ERROR_CORRUPT if it is no file of Kin or damaged, KIN_ERROR_SHAPE if a later
/// version of Kin wrote it; then `info` is as before. Reports nothing, as it has no context.
KIN_API kin_status kin_file_look(kin_source source, kin_file_info *info, void *meta, size_t capacity);

KIN_END_DECLARATIONS

#endif
