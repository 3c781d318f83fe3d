// context: contexts as wholes, from creation to destruction, and by ids for code that does not know the schema
//
// Owns the memory of a context and the functions that take ids, paths and numbers where generated code has names: they
// check these, then call what generated code calls.
#ifndef KIN_SRC_CONTEXT_H
#define KIN_SRC_CONTEXT_H

#include "store/store.h"

#include <kin/info.h>
#include <kin/reflect.h>

// Reset: destroys all entities of a context, and restarts it.

// Destroys all entities, also those that listeners create meanwhile. Reports nothing: destroyed entities may still be
// held. Changes must be able to nest one deeper.
void kin__entities_destroy(kin_context *context);

// Seals the context, so that changes are refused with KIN_ERROR_REPLICA, or breaks the seal. Not in a listener, and not
// while threads share the context. (share.c)
void kin__context_seal(kin_context *context, bool on);

#endif
