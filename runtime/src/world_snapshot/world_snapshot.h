// Functions that saving and restoring worlds share: which contexts are saved, and errors.
#ifndef KIN_SRC_WORLD_SNAPSHOT_H
#define KIN_SRC_WORLD_SNAPSHOT_H

#include "snapshot/snapshot.h"
#include "world/world.h"

// Returns whether snapshots of worlds contain the context.
static inline bool kin__context_is_saved(const kin_context *context)
{
    return !context->info->is_unsaved;
}

// Returns whether the world and all its contexts can be saved and restored now, else reports KIN_ERROR_INVALID.
// (world_save.c)
bool kin__world_may_save(const kin__world *world, const char *verb);

// The same, without a report. (world_save.c)
bool kin__world_can_save(const kin__world *world);

// Saves a world that can be saved, without reports. After KIN_ERROR_RETAINED it is saved. (world_save.c)
kin_status kin__world_save_unreported(kin__world *world, kin_snapshot **snapshot);

// Makes room for `size` bytes of the state of systems in a snapshot that can be overwritten, and leaves its content as
// it is. NULL is allowed. False when out of memory. (world_save.c)
bool kin__world_snapshot_reserve(kin__world *world, kin_snapshot *snapshot, size_t size);

// Puts the world's `parts` into a snapshot, `*snapshot` if it can be overwritten, whose room was reserved; and releases
// them when out of memory, which is false. The caller fills in the state of systems, of which there is room for `size`
// bytes, and ends that with kin__world_snapshot_end. (world_save.c)
bool kin__world_snapshot_put(kin__world *world, kin_snapshot **snapshot, size_t size);
void kin__world_snapshot_end(const kin__world *world, kin_snapshot *snapshot, size_t size);

// Visits a difference for kin_snapshot_compare: writes it into a kin_divergence, after the text of that, and ends the
// comparison. (world_rehearse.c)
bool kin__divergence_write(const kin_difference *difference, void *divergence);

// Reports an error of a world. (world_save.c)
kin_status kin__world_refuse(const kin__world *world, kin_status status, const char *verb, const char *reason);

#endif
