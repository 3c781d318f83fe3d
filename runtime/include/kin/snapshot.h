/// Snapshots: the state of a context or a world at one moment, to return to it later.
///
/// A snapshot is made by the generated functions `game_save` and `arena_world_save`, and is never changed by what
/// happens to its contexts afterwards. `game_restore` and `arena_world_restore` bring the moment back, as often as
/// liked and in any order:
///
///     kin_snapshot *ring[8] = {0};              // zero before their first use
///     game_save(game, &ring[frame % 8]);        // makes it, or makes the one that is there anew
///     ...
///     game_restore(game, ring[(frame - 3) % 8], KIN_RESTORE_EXACTLY);
///     ...
///     for (int i = 0; i < 8; i++)
///         kin_snapshot_destroy(ring[i]);
///
/// After a restore the same calls give the same handles, statuses, orders and arrays as after the save. A snapshot of a
/// context has its entities, components and values, stashed values too, its owners, which slots come next, and the
/// order of the entities in its relations. It does not have groups, subscriptions, listeners and collectors: they stay
/// as they are, and show the restored state.
///
/// Snapshots share what is equal: a save copies only the blocks, of 512 slots each, that have changed since the last
/// save or restore, and compares the others. Values that were written in place are found too. The memory of a snapshot
/// is that of its contexts (`snapshots` in kin_context_usage). A snapshot that is made anew and one that is destroyed
/// give it back to the context, for the next save; kin_context_trim gives it back to the allocator. When a context
/// ends, its snapshots become empty; destroy them all the same.
#ifndef KIN_SNAPSHOT_H
#define KIN_SNAPSHOT_H

#include <kin/context.h>

KIN_BEGIN_DECLARATIONS

/// The state of a context, or of a world, at one moment. While nobody makes it anew or destroys it, another thread may
/// compare or write it while the context goes on.
typedef struct kin_snapshot kin_snapshot;

/// How a snapshot is restored.
typedef enum kin_restore_mode {
    KIN_RESTORE_EXACTLY, ///< as it was: what runs again gives the same results
    /// Also for views that show the state: every active collector collects the members of the groups whose additions it
    /// collects, and group systems are notified that all former members have left and all present ones have entered.
    KIN_RESTORE_ANEW
} kin_restore_mode;

/// Destroys a snapshot. NULL is allowed. Its strings and opaque values are released unless its context or another
/// snapshot has them. Cost: grows with its chunks of 512 slots and their columns.
KIN_API void kin_snapshot_destroy(kin_snapshot *snapshot);

/// Returns the number of entities that are alive in a context of the snapshot; 0 for a context that it does not have.
/// Cost: visits its chunks of 512 slots.
KIN_API uint32_t kin_snapshot_count(const kin_snapshot *snapshot, const kin_context_info *context);

/// Returns the number of slots of a context of the snapshot, up to the last one whose entity is alive: at least
/// kin_snapshot_count. 0 for a context that it does not have. Cost: as kin_snapshot_count.
KIN_API uint32_t kin_snapshot_slot_count(const kin_snapshot *snapshot, const kin_context_info *context);

/// Returns a hash of the state, which is that of equal states on every machine. What has `save: false` is no part of
/// it. 0 for NULL, and when out of memory. Cost: reads the blocks that have changed since another snapshot was hashed.
KIN_API uint64_t kin_snapshot_hash(kin_snapshot *snapshot);

/// One difference of two snapshots. The values are good as long as the snapshots are; those of components with
/// `layout: soa` during the call.
typedef struct kin_difference {
    const kin_context_info *context; ///< the context
    kin_entity entity;               ///< the entity
    kin_component_id component;      ///< the component; component_count of the context: the entity came or went
    const void *before;              ///< its value, not NULL for a flag that is there; NULL: not there
    const void *after;               ///< the same, of the second snapshot
} kin_difference;

/// Is called for each difference. Returns false to end the walk. `user` is passed on and never read.
typedef bool kin_difference_visitor(const kin_difference *difference, void *user);

/// Compares two snapshots of the same contexts, and calls `visit` for each difference: by context, ascending slot, and
/// ascending component id, after the coming or going of the entity itself. `visit` may be NULL. Returns the number of
/// differences that were found, those of systems included, which are not visited.
///
/// Values differ if a field differs by its bits, strings and lists by their content. Components and fields with
/// `save: false` are not compared. Cost: visits the blocks that the snapshots do not share.
KIN_API uint64_t kin_snapshot_compare(const kin_snapshot *before, const kin_snapshot *after,
                                      kin_difference_visitor *visit, void *user);

/// Writes a readable line about a difference, such as `game 12@11 Position.at.x 3.5 -> 4`. Like snprintf, it writes at
/// most `size` bytes including the NUL and returns the length of the complete text; `text` may be NULL when `size` is
/// 0. Cost: visits the fields of the values up to the one that differs.
KIN_API size_t kin_difference_describe(const kin_difference *difference, char *text, size_t size);

/// The first difference of two runs that should have been equal.
typedef struct kin_divergence {
    uint64_t frame;                  ///< number of the update after which they differ, as in its kin_tick
    const kin_context_info *context; ///< the context; NULL: only the state of systems differs
    kin_component_id component;      ///< as in a kin_difference
    kin_entity entity;               ///< the entity; 0: not known
    char text[256];                  ///< a line such as "frame 1203: game 7@6 Position.at.y 4.25 -> 4.5"
} kin_divergence;

KIN_END_DECLARATIONS

#endif
