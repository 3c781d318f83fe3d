/// Recordings and players in generated code; for generated code only. Changes with the interface version.
#ifndef KIN_INTERNAL_REPLAY_H
#define KIN_INTERNAL_REPLAY_H

#include <kin/generated/save.h>
#include <kin/generated/world.h>
#include <kin/replay.h>

KIN_BEGIN_DECLARATIONS

// Records the world from now on. KIN_ERROR_INVALID for NULL, a sink without `write`, a level that zstd does not have,
// while it is recorded already, and while it cannot be saved; KIN_ERROR_RETAINED while an owner, or a collector that is
// not the world's, holds a destroyed entity; KIN_ERROR_NO_MEMORY; KIN_ERROR_STREAM when the sink fails.
KIN_API kin_status kin__world_record(kin__world *world, kin_sink sink, const kin_record_options *options);

// Ends the recording. KIN_ERROR_INVALID when there is none, and inside a run of the world or a callback of its
// contexts; KIN_ERROR_STREAM when the sink fails at its end.
KIN_API kin_status kin__world_stop_recording(kin__world *world);

// Makes a player and restores the first moment of the recording. NULL, already reported, as for reading a save; then
// the world is as before.
KIN_API kin_player *kin__player_create(kin__world *world, kin_source source, const kin__migrations *migrations);

KIN_END_DECLARATIONS

#endif
