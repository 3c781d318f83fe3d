// Scout make: a recorded world of package scout, for suites that have the types of package guide.
#ifndef KIN_TESTS_SAVE_SCOUT_MAKE_H
#define KIN_TESTS_SAVE_SCOUT_MAKE_H

#include "save/buffer.h"

#include <kin/replay.h>

// The entities of the recording, in order of creation. Each frame moves everyone by 1. Before it:
//
//   1  the health of `a` changes        4  `a` is destroyed, and `d` created in its slot
//   2  `c` is created                   5  `b` loses its rank
//   3  the rank of `b` changes          6  `c` loses its rank, the last one
enum { SCOUT_FRAMES = 7 };
typedef struct scout_entities {
    kin_entity a, b, c, d;
} scout_entities;

// Records into a file, as if its package were guide.
scout_entities scout_make_recording(buffer *file, const kin_record_options *options);

#endif
