// Hidden: what the schema hides from viewers (INS-29).
#ifndef KIN_INSPECT_HIDDEN_H
#define KIN_INSPECT_HIDDEN_H

#include <kin/kin.h>

// Returns whether a sentence about a key of the component may show what is hidden. The name may be NULL.
bool kin__has_hidden_key(const kin_context_info *info, const char *component);

#endif
