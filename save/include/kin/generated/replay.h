/// Recordings and players in generated code, and in libkin-net; not for programs. Changes with the interface version.
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

// ---- recordings that others follow while they are made

// A recorder that another library drives, beside that of kin__world_record.
typedef struct kin__recorder kin__recorder;

// Begins to record, and writes the first moment. The sink gets what each update has to the end before the call returns.
// NULL, already reported, with the errors of kin__world_record.
KIN_API kin__recorder *kin__recorder_begin(kin__world *world, kin_sink sink, const kin_record_options *options);

// Call them before and after each update. The second returns false, after a report, if a fault has ended the recording:
// the recorder is freed then.
KIN_API void kin__recorder_before(kin__recorder *recorder, double delta);
KIN_API bool kin__recorder_after(kin__recorder *recorder);

// Ends the recording, and frees the recorder.
KIN_API kin_status kin__recorder_end(kin__recorder *recorder);

// Chapters: recordings of one world, each of which begins where the one before ends. Their reader makes one recording of
// them, in which each chapter begins with a key. One can begin with any chapter.
typedef struct kin__chapters kin__chapters;

// `level` is that of zstd, for the bytes that the sink gets. NULL when out of memory.
KIN_API kin__chapters *kin__chapters_create(kin_sink sink, int level);

// Takes bytes of a chapter, which end as a recorder has ended an update, or its beginning: with them a chapter begins,
// if `begins`. Adds the number of frames that they had to `*frames`. False if they are damaged, when out of memory, or
// if the sink has failed; `kin__chapters_fault` says why, and nothing more is taken.
KIN_API bool kin__chapters_take(kin__chapters *chapters, bool begins, const void *bytes, size_t size, uint64_t *frames);

// Returns why bytes were not taken, valid until the chapters are destroyed, or NULL.
KIN_API const char *kin__chapters_fault(const kin__chapters *chapters);

// Ends the recording that was made, and frees all. False after a fault. NULL is allowed.
KIN_API bool kin__chapters_destroy(kin__chapters *chapters);

KIN_END_DECLARATIONS

#endif
