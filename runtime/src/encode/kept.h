// Kept: the last values of a part, by chunk and component. A part has them in one list (store/store.h). The list
// is short, so it is walked once for each chunk, and for each component with last values in the chunk.
#ifndef KIN_SRC_KEPT_H
#define KIN_SRC_KEPT_H

#include "image/part.h"

enum { KIN__COMPONENT_WORDS = (KIN__MAX_COMPONENTS + 63) / 64 };

// The last values of one component in one chunk.
typedef struct kin__kept {
    uint64_t has[KIN__CHUNK_WORDS];
    uint64_t stashed[KIN__CHUNK_WORDS];
    const void *values[KIN__CHUNK_SLOTS]; // by place, where the bit in `has` is set
} kin__kept;

// Sets the bits of the components that have last values in a chunk. False, with no bit set, if no component has any.
bool kin__kept_components(const kin__context_snapshot *part, uint32_t chunk, uint64_t components[KIN__COMPONENT_WORDS]);

void kin__kept_find(const kin__context_snapshot *part, uint32_t chunk, kin_component_id id, kin__kept *kept);

#endif
