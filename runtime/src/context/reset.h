// Reset: destroys all entities of a context, and restarts it.
#ifndef KIN_SRC_RESET_H
#define KIN_SRC_RESET_H

#include "store/store.h"

// Destroys all entities, also those that listeners create meanwhile. Reports nothing: destroyed entities may still be
// held. Changes must be able to nest one deeper.
void kin__entities_destroy(kin_context *context);

#endif
