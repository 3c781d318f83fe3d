// Kept: the last values that a part has, by chunk and component. A part has them in one list (storage/keepsake.h),
// which is walked for each chunk, and for each component that has some there: they are few.
#ifndef KIN_SRC_KEPT_H
#define KIN_SRC_KEPT_H

#include "image/part.h"

enum { KIN__COMPONENT_WORDS = (KIN__MAX_COMPONENTS + 63) / 64 };

// The last values of one component in one chunk.
typedef struct kin__kept {
    uint64_t has[KIN__CHUNK_WORDS];
    uint64_t stashed[KIN__CHUNK_WORDS];
    const void *values[KIN__CHUNK_SLOTS]; // where `has` has a bit
} kin__kept;

// Sets in `components` the bits of the components that have last values in a chunk. False, with nothing set, if none
// has.
bool kin__kept_components(const kin__context_snapshot *part, uint32_t chunk, uint64_t components[KIN__COMPONENT_WORDS]);

void kin__kept_find(const kin__context_snapshot *part, uint32_t chunk, kin_component_id id, kin__kept *kept);

#endif
