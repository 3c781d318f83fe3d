// Applying: the parts of a frame put into a snapshot, by the functions that read files.
//
// Whatever the parts do not replace is taken over. All is made before the snapshot is changed.
#ifndef KIN_SRC_PLAY_APPLY_H
#define KIN_SRC_PLAY_APPLY_H

#include "file/file.h"
#include "play/recording.h"
#include "snapshot/snapshot.h"

// Makes the snapshot the moment in which the blocks of the parts are replaced. False, with a fault noted in the file's
// and the snapshot as it was, if they do not fit, or when out of memory.
bool kin__frame_apply(kin__recording *recording, kin_snapshot *snapshot, const kin__frame_parts *parts);

#endif
