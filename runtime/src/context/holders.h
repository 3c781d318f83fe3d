// Holders in words: what keeps the slot of a destroyed entity from being used again.
#ifndef KIN_SRC_HOLDERS_H
#define KIN_SRC_HOLDERS_H

#include "store/store.h"

enum { KIN__HOLDERS_SIZE = 256 };

// Writes the holders of a destroyed entity, at most three of them: ` by the owner 0x5581 (view) and the collector of
// Score`. Empty if only a running system holds it. Cost: visits the owners of the context and the entries of its
// collectors.
void kin__holders_describe(const kin_context *context, kin_entity entity, char text[KIN__HOLDERS_SIZE]);

#endif
