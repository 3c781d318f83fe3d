// Restoring collectors: those of the scope get what they held at the save, all others are emptied; nobody is told.
//
// The scope are the collectors of a world's systems. The room of worlds says which they are, for the time of a save or
// a restore; a snapshot of one context has none. Counts of holders are not followed: hold_restore.h computes them from
// what is left.
//
//   kin__collectors_restore_clear    each source of the context, before heads are written
//   kin__collector_restore           each collector of the scope, behind heads and keepsakes
//
// Cost: linear in the entries.
#ifndef KIN_SRC_COLLECTOR_RESTORE_H
#define KIN_SRC_COLLECTOR_RESTORE_H

#include "collect/collector.h"

typedef struct kin__saved_entry {
    kin_entity entity;
    uint64_t source; // the number of its source, whose context is that of the entity
} kin__saved_entry;

// Whether no reactive system reads what it took from the context.
bool kin__collectors_are_idle(const kin_context *context);

// Says whether the collector is in the scope of the save or restore that is under way. NULL is allowed.
void kin__collector_set_scope(kin_collector *collector, bool is_in_scope);

// Drops what collectors have collected in the context, those of the scope too. Their marks are clear then, but counts
// of holders, and of waiting last values, stay wrong.
void kin__collectors_restore_clear(kin_context *context);

// Writes what is collected, in order; kin_collector_count says how much. Entries of contexts that are not saved are for
// the caller to leave out.
void kin__collector_save(kin_collector *collector, kin__saved_entry *entries);

// Appends entries. Their contexts have been cleared and have the slots; last values that they wait for are kept.
void kin__collector_restore(kin_collector *collector, const kin__saved_entry *entries, uint32_t count);

#endif
