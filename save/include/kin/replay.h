/// Replays: recordings of worlds, and players that repeat them. Part of libkin-save.
///
///     arena_world_record(world, sink, NULL);          // from now on, until stopped
///     ...
///     arena_world_stop_recording(world);
///
///     kin_player *player = arena_player_create(other_world, source);
///     while (kin_player_step(player))
///         draw(other_world);
///     if (kin_player_divergence(player) != NULL)
///         printf("%s\n", kin_player_divergence(player)->text);
///     kin_player_destroy(player);
///
/// A recording begins with the state of the world. For each update it then has the changes since the update before,
/// however the program made them: by calls, by values written in place, by messages or times; `delta`; and a hash of
/// the state after the update. No call has to be recorded, and a player needs no input of its own: it applies the
/// changes, updates its world, and compares the hash.
///
/// The states are the same if updates depend on the state of the world and `delta` alone; arena_world_rehearse finds
/// updates that do not. The world of a player may be of a later version of the program, if that can read the recording
/// as it reads saves. The functions `arena_…` are in arena_save.h.
#ifndef KIN_REPLAY_H
#define KIN_REPLAY_H

#include <kin/save.h>

KIN_BEGIN_DECLARATIONS

/// How a world is recorded. NULL: without states, a key every 600 frames, level 3.
typedef struct kin_record_options {
    bool states;           ///< also records the changes of each update: a divergence then names entity and field
    uint32_t key_interval; ///< the number of frames between two whole states, where kin_player_seek starts; 0: none
    int level;             ///< of zstd, which compresses the recording; 0: not compressed
} kin_record_options;

/// Plays a recording in a world, which it does not own.
typedef struct kin_player kin_player;

/// Plays one frame: applies the recorded changes, updates the world, and compares the states. Returns false at the end
/// of the recording, where it was cut off, and after the world was destroyed. Also returns false, after a report to
/// `on_error`, if the recording is damaged, if the schema refuses it, or inside a run of the world, a listener or an
/// error handler: the world is then unchanged. After KIN_ERROR_NO_MEMORY the frame can be played again.
///
/// A state that differs from the recorded one is a divergence, not an error: the player goes on, and leaves out changes
/// that do not fit the world any more.
///
/// Cost: the update, two saves of the world and a hash; for a frame with changes also a restore and reading them.
KIN_API bool kin_player_step(kin_player *player);

/// Moves the world to the moment before the update with this number (`frame` of its kin_tick), or after the last one.
/// Forgets a divergence that comes later. Reads the recording from the beginning, restores the last whole state before
/// the frame, and plays the frames after that.
///
/// KIN_ERROR_INVALID, with nothing changed, if the recording has no such frame, the source cannot begin again, or the
/// world was destroyed or cannot be restored now. Otherwise errors of reading, as for saves; the player is then where
/// they were found.
KIN_API kin_status kin_player_seek(kin_player *player, uint64_t frame);

/// Returns the first divergence found, or NULL. It names a context and component; if the recording has states, also the
/// entity and the fields. Valid until the player seeks or is destroyed.
KIN_API const kin_divergence *kin_player_divergence(const kin_player *player);

/// Destroys a player. NULL is allowed. The world stays as it is. Refused with KIN_ERROR_INVALID, with nothing changed,
/// inside a call of the player.
KIN_API void kin_player_destroy(kin_player *player);

KIN_END_DECLARATIONS

#endif
