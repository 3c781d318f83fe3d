// Change: one component that is added to, replaced on or removed from one entity.
//
//   kin__change_check      alive, has or lacks the component, unique, named entities, keys, depth of nesting (DSP-01)
//   kin__change_reserve    the column, index entries, links of relations and the value's storage
//   kin__change_write      indices, relations, bits and value, then the notifications; cannot fail
//
//   kin__change_make       all three: a change on its own
//   kin__change_commit     a reserved change after listeners were called: checks again, then writes
//
// Invariants:
//   1. A refused change writes nothing. It keeps no more than a column and index entries, which a later change uses.
//   2. The caller owns a value's storage from its reservation until kin__change_write, and releases it if that is never
//      called.
//   3. Nothing here reports an error: the caller does so last, after it has released everything, because on_error may
//      call Kin.
#ifndef KIN_SRC_CHANGE_H
#define KIN_SRC_CHANGE_H

#include "lookup/lookup.h"
#include "notify/notify.h"
#include "store/store.h"

// Whether a change of the component on the entity may have subscribers or collectors to notify.
static inline bool kin__is_watched(const kin_context *context, kin_entity entity, kin_component_id id)
{
    return context->core->watches[id].count > 0 || kin__has_change_subscribers(context, kin_entity_slot(entity));
}

// Returns KIN_OK, or why the step cannot be made now. Memory is not checked.
kin_status kin__change_check(const kin_context *context, const kin__step *step);

// Reserves the column of a slot and index entries for `count` adds in its chunk. False when out of memory.
bool kin__change_reserve_entries(kin_context *context, uint32_t slot, kin_component_id id, uint32_t count);

// Reserves all that a checked step needs; an added component also gets its entries. `slot` is that of the entity, which
// need not exist yet. The value is copied to `*storage` if it owns anything. False when out of memory, with nothing to
// release.
bool kin__change_reserve(kin_context *context, uint32_t slot, const kin__step *step, kin__value_storage *storage);

// Writes a step that is checked and reserved, then notifies. The entity then owns the storage, whose value is written
// instead of the step's.
void kin__change_write(kin_context *context, const kin__step *step, const kin__value_storage *storage);

// Writes the reason why the step was refused, if that is a key or an entity that the value names. False otherwise: the
// status says all.
enum { KIN__CHANGE_REASON_SIZE = KIN__KEY_REASON_SIZE };
bool kin__change_describe(const kin_context *context, kin_status status, const kin__step *step,
                          char reason[KIN__CHANGE_REASON_SIZE]);

// Writes a replace whose value owns what the old value owns: it differs in other fields alone. Cannot fail, and needs
// no memory.
void kin__change_overwrite(kin_context *context, const kin__step *step);

// Writes a checked removal that keeps the value stashed, then notifies.
void kin__change_write_stash(kin_context *context, const kin__step *step);

// Checks, reserves and writes the step. Returns KIN_OK, or why it could not be made.
kin_status kin__change_make(kin_context *context, const kin__step *step);

// Writes a reserved step if it is still possible: a listener may have reset the context, destroyed or changed the
// entity, taken the key or trimmed what was reserved. `epoch` is that of the dispatch when the entity was checked or
// made. If it returns anything but KIN_OK, the caller still owns the storage.
kin_status kin__change_commit(kin_context *context, const kin__step *step, const kin__value_storage *storage,
                              uint64_t epoch);

#endif
