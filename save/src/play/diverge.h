// Divergence: where the moment after an update differs from the one that was recorded.
//
// A component whose hash the frame does not have must be as it was before the update. If the frame has states, they are
// put into the moment before, which is then the recorded one.
#ifndef KIN_SRC_PLAY_DIVERGE_H
#define KIN_SRC_PLAY_DIVERGE_H

#include "file/file.h"
#include "play/recording.h"
#include "snapshot/snapshot.h"

typedef struct kin__played_frame {
    const kin__read_frame *frame;
    kin_snapshot *begun, *after;
} kin__played_frame;

// Sets the divergence if there is one, and returns whether; it may change `begun`. `*is_known` is false when out of
// memory: nothing was compared.
bool kin__divergence_find(kin__recording *recording, const kin__played_frame *played, kin_divergence *divergence,
                          bool *is_known);

#endif
