/// Content files in a running game: reads YAML, sees changes, and writes changes of entities back. A separate library,
/// libkin-content-edit, which needs libkin-content and libyaml; a game that is shipped needs neither.
///
///     kin_content *content = game_content_open(game, "content.kinc", NULL);
///     kin_content_watch(content, "content", NULL);
///     …
///     kin_content_poll(content);                  // between updates: applies files that have changed
///
/// With -DKIN_NO_CONTENT_EDIT each function is an empty inline one, and the library need not be linked. Compiling uses
/// malloc; when memory is missing for it, the content stays as it is.
#ifndef KIN_CONTENT_EDIT_H
#define KIN_CONTENT_EDIT_H

#include <kin/content.h>

KIN_BEGIN_DECLARATIONS

/// Options of watching. Zero: the defaults.
typedef struct kin_content_watch_options {
    /// The tables of all contexts with content that the files may name; NULL: those of the content's context alone.
    const kin_context_info *const *contexts;
    uint32_t context_count; ///< number of them
    /// Compares times and sizes of files five times a second, as is done without inotify: for file systems of networks,
    /// which report no changes.
    bool walks;
    bool is_quiet; ///< does not print errors in files to stderr
} kin_content_watch_options;

#ifndef KIN_NO_CONTENT_EDIT

/// Makes the files of a folder the content: compiles them now, and again in each poll after one has changed, and applies
/// them as kin_content_poll applies a pack, which is no longer looked at. The checks are those of `kin check`. With an
/// error in any file, or if a file or the folder has vanished, nothing is applied: the error is printed, reported to
/// `on_error` and to `on_reload`, and kin_content_report has it until the files are right again. A file that has
/// vanished is no error if other files have all that it said; a second call accepts the files that are there. `folder`
/// may also be one file.
///
/// Returns what kin_content_poll returns. The folder is watched unless KIN_ERROR_INVALID is reported for a content or a
/// folder that is NULL, in an update or in a listener; or KIN_ERROR_NO_MEMORY. Cost: that of `kin check`, and of a poll
/// without changes that of two calls of the system.
KIN_API kin_status kin_content_watch(kin_content *content, const char *folder,
                                     const kin_content_watch_options *options);

/// Writes what an entity of the content, and the parts of its prefab below it, have different from what their files
/// give, and nothing else, into a file of the folder. All other bytes of the file stay. `where` is "instance": what its
/// level says of it; "prefab": its prefab, without the place of the first entity, and without what the level says; or the
/// name of a new prefab, which extends that one. Fields with `content: false` are not content. kin_content_report counts
/// the values that were saved, and those that were left out because they cannot be there: also unique components, which
/// `values` give.
///
/// Nothing is written, and KIN_ERROR_INVALID is reported, if the content is not watched, if the entity is of no prefab
/// or of no instance, if a file has changed since the last poll, if all that differs is left out, or if the new text
/// would have errors; KIN_ERROR_NOT_ALIVE for an entity that is not alive; KIN_ERROR_STREAM if the file cannot be
/// written; KIN_ERROR_NO_MEMORY. Cost: that of compiling the files twice, and of listing the instances of all levels.
KIN_API kin_status kin_content_save(kin_content *content, kin_entity entity, const char *where);

/// The same for some values: `paths` are `count` fields, components or parts of the entity, such as "Health.points",
/// "Gun" or "head.Gun.interval". KIN_ERROR_INVALID also for one at which nothing differs. NULL: all values.
KIN_API kin_status kin_content_save_paths(kin_content *content, kin_entity entity, const char *where,
                                          const char *const *paths, uint32_t count);

/// Gives an entity, and the parts of its prefab below it, the values of the content again, and unique components those of
/// `values`. Components that the game has added or removed stay as they are. Errors: those of kin_content_save, but of files; and those of a replace, after
/// which the rest is done all the same.
KIN_API kin_status kin_content_revert(kin_content *content, kin_entity entity);

#else

static inline kin_status kin_content_watch(kin_content *content, const char *folder,
                                           const kin_content_watch_options *options)
{
    (void)content, (void)folder, (void)options;
    return KIN_OK;
}

static inline kin_status kin_content_save(kin_content *content, kin_entity entity, const char *where)
{
    (void)content, (void)entity, (void)where;
    return KIN_OK;
}

static inline kin_status kin_content_save_paths(kin_content *content, kin_entity entity, const char *where,
                                                const char *const *paths, uint32_t count)
{
    (void)content, (void)entity, (void)where, (void)paths, (void)count;
    return KIN_OK;
}

static inline kin_status kin_content_revert(kin_content *content, kin_entity entity)
{
    (void)content, (void)entity;
    return KIN_OK;
}

#endif

KIN_END_DECLARATIONS

#endif
