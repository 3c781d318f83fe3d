/// Replays: recordings of worlds, and players that play them again. Part of libkin-save.
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
/// A recording begins with the state of the world. Then it has, for each update, what had changed outside of updates
/// since the one before, however it was changed: by calls, by values written in place, by messages or times; the delta;
/// and a hash of the state after the update. So no call has to be recorded, and a player needs no input of its own: it
/// puts the difference in place, updates its world, and compares the hash.
///
/// That repeats the same states as long as updates depend on the state of the world and `delta` alone:
/// arena_world_rehearse finds those that do not. A player's world may be of a later version of the program, if it can
/// read the recording as it can read saves. The functions `arena_…` are in arena_save.h.
#ifndef KIN_REPLAY_H
#define KIN_REPLAY_H

#include <kin/save.h>

KIN_BEGIN_DECLARATIONS

/// How a world is recorded. NULL: no states, a key every 600 frames, level 3.
typedef struct kin_record_options {
    bool states;           ///< records after each update all that it changed: a divergence then names entity and field
    uint32_t key_interval; ///< the frames between two whole states, from which kin_player_seek goes on; 0: none
    int level;             ///< of zstd, which compresses the recording; 0: it is not compressed
} kin_record_options;

/// A recording that is played in a world, which it does not own.
typedef struct kin_player kin_player;

/// Plays one frame: puts what had changed in place, updates the world, and compares the states. Returns false at the
/// end of the recording, where it was cut off, or when the world has ended; with a sentence to `on_error` when the
/// recording is damaged, is refused by the schema, or cannot be played here: inside a run of the world, a listener or
/// an error handler. Then the world is as before. A frame without memory can be tried again.
///
/// A state that differs from the recorded one is a divergence and no error: playing goes on. What then does not fit the
/// world any more is left out.
///
/// Cost: the update, saving the world twice and a hash; for a frame in which something had changed also a restore, and
/// reading what had changed.
KIN_API bool kin_player_step(kin_player *player);

/// Brings the world to the moment before the update with this number (`frame` of its kin_tick), or after the last one.
/// Forgets the divergence that was found, if that comes later. Reads the recording from the beginning, goes on from the
/// last whole state before the frame, and plays the frames from there.
///
/// KIN_ERROR_INVALID, with nothing changed, when the recording has no such frame, the source cannot begin again, or the
/// world has ended or cannot be restored now. Otherwise errors of reading, as for saves; the player then stands where
/// they were found.
KIN_API kin_status kin_player_seek(kin_player *player, uint64_t frame);

/// Returns the first divergence that was found, or NULL. It names a context and component; the entity and the fields
/// too if the recording has states. Valid until the player seeks or is destroyed.
KIN_API const kin_divergence *kin_player_divergence(const kin_player *player);

/// Destroys a player. NULL is allowed. The world stays as it is. Refused with KIN_ERROR_INVALID, with nothing changed,
/// inside a call of the player.
KIN_API void kin_player_destroy(kin_player *player);

KIN_END_DECLARATIONS

#endif
