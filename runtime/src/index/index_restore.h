// Restoring indices: a restore of a snapshot writes handles, rows and values of slots without a step for each
// (index.h). The indices leave what differs before that, and enter it again after it:
//
//   reserve   room for all that will be; the columns of the snapshot exist
//   mark …    which slots will have another entity, row, or value that an index reads
//   leave     takes the marked slots out, by the keys that their entities have now
//             … the caller writes heads and columns …
//   enter     puts them in, by the keys that they have now
//
// An index of which more than an eighth differs is cleared and filled instead. Nodes whose arrays were returned to
// callers stay with their arrays until they are asked for again.
//
// The keys that a function has given are state: the function is not called again where a value was edited in place, and
// a restore calls nobody. So a snapshot has a copy of them, from which the index is filled.
//
// What is found does not depend on what was in an index before, nor does the order of kin_index_walk.
//
// Cost: leaving and entering are a step for every slot that differs; filling visits each entity of the index. An index
// whose keys a function gives is always filled.
#ifndef KIN_SRC_INDEX_RESTORE_H
#define KIN_SRC_INDEX_RESTORE_H

#include "index/index.h"

// What a snapshot knows of indices. `holders` has for each component how many entities of the snapshot have it; `keys`
// is what kin__given_keys_save wrote; NULL: not known, so the functions are called again.
typedef struct kin__index_plan {
    const uint32_t *holders;
    const void *keys;
} kin__index_plan;

// Whether an index reads values of the component, or its rule names it: then differences of values must be marked.
bool kin__indices_name(const kin_context *context, uint32_t id);

// Reserves room for an index of the snapshot. Call it once all chunks and columns of the snapshot are there. False when
// out of memory; what is found stays the same.
bool kin__indices_restore_reserve(kin_context *context, const kin__index_plan *plan);

// Marks slots of a chunk, for which room was reserved: those that have the component before and after, and whose values
// of it will differ.
void kin__indices_restore_mark(kin_context *context, kin_component_id id, uint32_t chunk,
                               const uint64_t slots[KIN__CHUNK_WORDS]);

// Marks the slots of a chunk that will have another entity or row: its handles, alive bits and rows, each row_words
// long. All NULL: the chunk will have no entities.
void kin__indices_restore_mark_heads(kin_context *context, uint32_t chunk, const kin_entity *ids, const uint64_t *alive,
                                     const uint64_t *rows);

// Forgets all marks, when the restore is refused after all.
void kin__indices_restore_cancel(kin_context *context);

// Before and after heads and columns are written. Neither can fail.
void kin__indices_restore_leave(kin_context *context);
void kin__indices_restore_enter(kin_context *context, const kin__index_plan *plan);

// The keys that functions have given to the entities of all indices: the bytes of their copy, 0 if there are none; and
// the copy, which depends only on the keys. Two copies are equal if the keys are.
size_t kin__given_keys_saved_size(const kin_context *context);
void kin__given_keys_save(const kin_context *context, void *bytes);

#endif
