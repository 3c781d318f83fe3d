// Journals: for a component the slots of its last additions and removals, by which groups patch their arrays (patch.h).
//
//   journals[id]   entries [ n = 32 | n = 33 | … | n = 31 ]   change n of the component is in entry n % 16
//
// A journal is on only while groups read it. While it is on, the component has one more watcher, so that accessors
// leave additions and removals to the library, which notes them. Nothing is notified, and no list of subscribers or
// watching groups has it. A journal that no group has read for 16 changes ends at the next one.
//
// Some changes are not noted, such as those of entities that are spawned inline. Their entries keep older numbers, so
// that a reader finds them missing.
//
// Invariants, checked by kin__journal_is_valid():
//   1. the entry of change n, if it has that number, has the slot of the entity that changed
//   2. a journal that is on accounts for one watcher; toggles_fast is set exactly if is_fast is, and
//      the journal is off
//   3. read_at is not greater than the number of changes
//
// Cost: to note a change is a store and a compare. 136 bytes, allocated when the first group wants the journal.
#ifndef KIN_SRC_JOURNAL_H
#define KIN_SRC_JOURNAL_H

#include "base/base.h"
#include "store/store.h"

enum { KIN__JOURNAL_ENTRIES = 16, KIN__JOURNAL_SLOT_BITS = 24 };

typedef struct kin__journal {
    uint64_t read_at;                       // number of changes when a group last read the journal, or when it began
    uint64_t entries[KIN__JOURNAL_ENTRIES]; // the number of the change, then the slot
} kin__journal;

static inline bool kin__journal_is_on(const kin__watch *watch)
{
    return (watch->side_effects & KIN__SIDE_EFFECT_JOURNAL) != 0;
}

// Begins the journal of a component if it is off, for a group that knows all changes until now. Does nothing when out
// of memory.
void kin__journal_begin(kin_context *context, kin_component_id id);

// Ends the journal of a component.
void kin__journal_end(kin_context *context, kin_component_id id);

// Notes the last change of a component whose journal is on: of the entity in the slot.
static inline void kin__journal_note(kin_context *context, kin_component_id id, uint32_t slot)
{
    kin__journal *journal = context->core->journals[id];
    uint64_t number = context->components[id].changes;
    KIN_ASSERT(kin__journal_is_on(&context->core->watches[id]) && journal->read_at < number); // invariant 3
    journal->entries[number % KIN__JOURNAL_ENTRIES] = number << KIN__JOURNAL_SLOT_BITS | slot;
    if (number - journal->read_at > KIN__JOURNAL_ENTRIES)
        kin__journal_end(context, id);
}

// Returns whether the journal is on and has all changes from `seen`, excluded, to `now`.
static inline bool kin__journal_has(const kin_context *context, kin_component_id id, uint64_t seen, uint64_t now)
{
    if (!kin__journal_is_on(&context->core->watches[id]) || now - seen > KIN__JOURNAL_ENTRIES)
        return false;
    for (uint64_t number = seen + 1; number <= now; number++)
        if (context->core->journals[id]->entries[number % KIN__JOURNAL_ENTRIES] >> KIN__JOURNAL_SLOT_BITS !=
            (number & (~(uint64_t)0 >> KIN__JOURNAL_SLOT_BITS)))
            return false;
    return true;
}

// Returns the slot of a change that the journal has.
static inline uint32_t kin__journal_slot(const kin__journal *journal, uint64_t number)
{
    return journal->entries[number % KIN__JOURNAL_ENTRIES] & (((uint64_t)1 << KIN__JOURNAL_SLOT_BITS) - 1);
}

// Frees all journals.
void kin__journals_release(kin_context *context);

// Returns the bytes of all journals.
size_t kin__journals_used(const kin_context *context);

bool kin__journal_is_valid(const kin_context *context, kin_component_id id);

#endif
