/// Snapshots: the state of a context or a world at one moment, to return to it later.
///
/// The generated functions `game_save` and `arena_world_save` make snapshots. A snapshot never changes, whatever
/// happens to its contexts afterwards. `game_restore` and `arena_world_restore` return to its state, any number of
/// times and in any order:
///
///     kin_snapshot *ring[8] = {0};              // zero before their first use
///     game_save(game, &ring[frame % 8]);        // makes the snapshot, or overwrites the one in the variable
///     ...
///     game_restore(game, ring[(frame - 3) % 8], KIN_RESTORE_EXACTLY);
///     ...
///     for (int i = 0; i < 8; i++)
///         kin_snapshot_destroy(ring[i]);
///
/// After a restore the same calls give the same handles, statuses, orders and arrays as after the save. A snapshot of a
/// context contains its entities, components and values, stashed values, owners, which slots are used next, and the
/// order of the entities in its relations. It does not contain groups, subscriptions, listeners and collectors: they
/// stay, and see the restored state.
///
/// Snapshots share equal blocks of 512 slots: a save compares all blocks with the last save or restore, and copies only
/// those that have changed, including values that were written in place. The memory of a snapshot belongs to its
/// contexts (`snapshots` in kin_context_usage). Overwriting or destroying a snapshot returns it to the context, for the
/// next save; kin_context_trim returns it to the allocator. When a context ends, its snapshots become empty, but must
/// still be destroyed.
#ifndef KIN_SNAPSHOT_H
#define KIN_SNAPSHOT_H

#include <kin/context.h>

KIN_BEGIN_DECLARATIONS

/// The state of a context, or of a world, at one moment. While the program neither overwrites nor destroys it, another
/// thread may compare it or write it to a file, even if the context changes meanwhile.
typedef struct kin_snapshot kin_snapshot;

/// How a snapshot is restored.
typedef enum kin_restore_mode {
    KIN_RESTORE_EXACTLY, ///< the saved state alone: the same calls give the same results again
    /// Also refreshes views of the state: every active collector collects all members of the groups whose additions it
    /// collects, and group systems are notified that all former members have left and all restored members have
    /// entered.
    KIN_RESTORE_ANEW,
    /// Also notifies of what the restore has changed, once everything is in place: by ascending slot, and ascending
    /// component id, as kin_snapshot_compare visits it. Listeners and events of groups, entities and the context are
    /// called for these differences alone, and active collectors keep what they have collected and collect what
    /// differs. Systems compare in their next turn; those of a restored world are restored as they were saved, with
    /// their collectors. Collectors do not collect destroyed entities, whose slots are free. Cost: also that of a save
    /// and a comparison.
    KIN_RESTORE_NOTIFY
} kin_restore_mode;

/// Destroys a snapshot. NULL is allowed. Releases its strings and opaque values unless its context or another snapshot
/// uses them. Cost: grows with its chunks of 512 slots and their columns.
KIN_API void kin_snapshot_destroy(kin_snapshot *snapshot);

/// Returns the number of living entities in a context of the snapshot; 0 if the snapshot does not contain the context.
/// Cost: visits its chunks of 512 slots.
KIN_API uint32_t kin_snapshot_count(const kin_snapshot *snapshot, const kin_context_info *context);

/// Returns the number of slots of a context in the snapshot, up to the last one with a living entity: at least
/// kin_snapshot_count; 0 for a context that the snapshot does not contain. Cost: as kin_snapshot_count.
KIN_API uint32_t kin_snapshot_slot_count(const kin_snapshot *snapshot, const kin_context_info *context);

/// Returns a hash of the state. Equal states have equal hashes on every machine. Components and fields with `save:
/// false` are not included. Returns 0 for NULL, and when out of memory. Cost: reads the blocks that are not part of a
/// snapshot that was hashed before.
KIN_API uint64_t kin_snapshot_hash(kin_snapshot *snapshot);

/// One difference between two snapshots. The values are valid as long as the snapshots; values of components with
/// `layout: soa` only during the call.
typedef struct kin_difference {
    const kin_context_info *context; ///< the context
    kin_entity entity;               ///< the entity
    kin_component_id component; ///< the component; component_count of the context: the entity was created or destroyed
    const void *before; ///< value in the first snapshot, not NULL for a flag; NULL: the entity lacks the component
    const void *after;  ///< the same in the second snapshot
} kin_difference;

/// Called for each difference. Returns false to stop. `user` is passed on and never read.
typedef bool kin_difference_visitor(const kin_difference *difference, void *user);

/// Compares two snapshots of the same contexts, and calls `visit` for each difference: by context, ascending slot, and
/// ascending component id; a created or destroyed entity comes before its components. `visit` may be NULL. Returns the
/// number of differences, including differences in systems, which are not visited.
///
/// Fields are compared by their bits, strings and lists by their content. Components and fields with `save: false` are
/// not compared. Cost: visits the blocks that the snapshots do not share.
KIN_API uint64_t kin_snapshot_compare(const kin_snapshot *before, const kin_snapshot *after,
                                      kin_difference_visitor *visit, void *user);

/// Writes a readable line about a difference, such as `game 12@11 Position.at.x 3.5 -> 4`. Like snprintf, it writes at
/// most `size` bytes including the NUL and returns the length of the complete text; `text` may be NULL when `size` is
/// 0. Cost: visits the fields of the values up to the one that differs.
KIN_API size_t kin_difference_describe(const kin_difference *difference, char *text, size_t size);

/// The first difference between two runs that should have been equal.
typedef struct kin_divergence {
    uint64_t frame;                  ///< number of the update after which they differ, as in kin_tick
    const kin_context_info *context; ///< the context; NULL: only the state of systems differs
    kin_component_id component;      ///< as in a kin_difference
    kin_entity entity;               ///< the entity; 0: not known
    char text[256];                  ///< a line such as "frame 1203: game 7@6 Position.at.y 4.25 -> 4.5"
} kin_divergence;

KIN_END_DECLARATIONS

#endif
