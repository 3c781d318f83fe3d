// Watches: what one watch of the notes does.
#ifndef KIN_INSPECT_WATCHES_H
#define KIN_INSPECT_WATCHES_H

#include "site/notes.h"

// Copies the watched bytes of the entity. Returns false if it does not have the component.
bool kin__watch_read(const kin_context *context, const kin__value_watch *watch, char value[KIN__WATCHED_BYTES]);

// Compares the value with the last one, by the records that are new: what they do not explain was written in place.
void kin__watch_compare(kin__notes *notes, kin__value_watch *watch);

#endif
