// Notes: what the journal of a tool (kin/journal.h) is given of each change, before anything is notified.
//
//   ring   [ 0 … next | unused | first … end | unused ]     wrapped: the records of the end come first
//          [ unused | first … next | unused ]               not wrapped
//
// While a component is noted, it has one watcher more, is not fast, and has KIN__SIDE_EFFECT_NOTED: all its changes go
// through change.c or destroy.c. While a context has a journal, every blueprint has one watcher more. While lives are
// noted, so has being alive.
//
// Invariants, checked by kin__notes_are_valid():
//   1. a noted component has a watcher, and is not fast; KIN__SIDE_EFFECT_NOTED_FAST says whether it would be
//   2. no component is noted in a context without a journal
//
// Cost: a copy of the values into the ring.
#ifndef KIN_SRC_NOTE_H
#define KIN_SRC_NOTE_H

#include "store/store.h"

#include <kin/journal.h>

static inline bool kin__is_noted(const kin_context *context, kin_component_id id)
{
    return (context->core->watches[id].side_effects & KIN__SIDE_EFFECT_NOTED) != 0;
}

// Notes a change of a component that is noted. The slot still has the value before; `value` is that after, NULL for a
// flag or a removal. A touch has the value before twice.
void kin__note_change(const kin_context *context, kin_entity entity, kin_component_id id, kin_record_kind kind,
                      const void *value);

// Notes that an entity was created; or destroyed, with the components of the row, whose values the slot still has. For
// a context with a journal.
void kin__note_created(const kin_context *context, kin_entity entity);
void kin__note_destroyed(const kin_context *context, kin_entity entity, const uint64_t *lost);

bool kin__notes_are_valid(const kin_context *context);

#endif
