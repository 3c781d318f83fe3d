// Suggest: the names that may be meant by a name that does not exist.
#ifndef KIN_INSPECT_SUGGEST_H
#define KIN_INSPECT_SUGGEST_H

#include "query/scan.h"

// The nearest names so far are in the mistake.
typedef struct kin__suggest {
    const char *wanted;
    uint32_t distances[KIN__MEANT];
    kin__mistake *mistake;
} kin__suggest;

// Begins without names: those of an earlier search are dropped.
kin__suggest kin__suggest_begin(const char *wanted, kin__mistake *mistake);
// Offers a name of the schema, which is kept if it is one of the nearest.
void kin__suggest_offer(kin__suggest *suggest, const char *name);

#endif
