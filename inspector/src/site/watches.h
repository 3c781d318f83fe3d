// Watches: what one watch of the notes does.
#ifndef KIN_INSPECT_WATCHES_H
#define KIN_INSPECT_WATCHES_H

#include "site/notes.h"

#include <string.h>

// Copies the watched bytes of the entity. Returns false if it does not have the component.
bool kin__watch_read(const kin_context *context, const kin__value_watch *watch, char value[KIN__WATCHED_BYTES]);

// Returns whether the bytes are the last ones, and where they were. `changes` is kin_component_changes of the
// component. Most values have four or eight bytes, for which a compiler calls no function.
static inline bool kin__watch_stands_still(const kin__value_watch *watch, uint64_t changes)
{
    if (watch->at == NULL || changes != watch->since)
        return false;
    if (watch->spec.size == 4)
        return memcmp(watch->at, watch->last, 4) == 0;
    if (watch->spec.size == 8)
        return memcmp(watch->at, watch->last, 8) == 0;
    return memcmp(watch->at, watch->last, watch->spec.size) == 0;
}

// Compares the value with the last one, by the records that are new: what they do not explain was written in place.
void kin__watch_compare(kin__notes *notes, kin__value_watch *watch);

#endif
