/// Journals: a ring of records in the memory of a tool, which shows what changes a context, and in which system.
///
///     static uint64_t memory[65536];
///     kin_journal journal = { .memory = memory, .size = sizeof memory, .all_components = true, .lives = true };
///     kin_context_journal(context, &journal);
///     …
///     for (const kin_record *record = kin_journal_next(&journal, NULL); record != NULL;
///          record = kin_journal_next(&journal, record))
///         show(record);
///
/// A change is noted before any listener is called, so a change that a listener makes has a later record than the one
/// that it answers. The newest records stay. Writing through `edit` or in the loop of a system is not a change.
///
/// A context without a journal pays nothing for it where changes notify no listener, and one test where they do; so do
/// components that are not noted. Changes of a noted component call the library.
#ifndef KIN_JOURNAL_H
#define KIN_JOURNAL_H

#include <kin/collector.h>

KIN_BEGIN_DECLARATIONS

/// What a record notes.
typedef enum kin_record_kind {
    KIN_RECORD_CREATED,   ///< an entity, also one that is spawned or cloned; its components follow
    KIN_RECORD_DESTROYED, ///< an entity, after the records of its components
    KIN_RECORD_ADDED,     ///< a component
    KIN_RECORD_REMOVED,   ///< a component, also with its entity
    KIN_RECORD_REPLACED,  ///< a component
    KIN_RECORD_TOUCHED,   ///< a component: notified as replaced by its own value
    KIN_RECORD_WRITTEN    ///< in place, as a tool has found: the library never notes this itself
} kin_record_kind;

enum {
    KIN_RECORD_VALUE = 64 ///< bytes of a value that a record has at most, from its start
};

/// A record. The values follow it: see kin_record_previous and kin_record_value. Pointers in them, such as strings and
/// opaque values, may not be valid any more.
typedef struct kin_record {
    uint64_t number;            ///< of the record, from 0; each journal counts its own
    uint64_t frame;             ///< as set in the journal when the change was made
    kin_entity entity;          ///< may be dead
    uint32_t step;              ///< as set in the journal
    uint16_t system;            ///< as set in the journal
    uint16_t role;              ///< as set in the journal
    kin_component_id component; ///< the number of components if the record is about the entity
    uint8_t kind;               ///< a kin_record_kind
    uint8_t previous_size;      ///< bytes of the value before that the record has; 0: none
    uint8_t value_size;         ///< bytes of the value after that the record has; 0: none
} kin_record;

/// A journal. The tool sets the fields of the first two groups. It must not move the journal while a context notes in
/// it.
typedef struct kin_journal {
    void *memory; ///< for records, aligned like a uint64_t
    size_t size;  ///< bytes of it, at least 1024

    const kin_component_id *components; ///< those that are noted; read by kin_context_journal alone
    uint32_t component_count;           ///< number of them
    bool all_components;                ///< notes all components instead
    bool lives;                         ///< notes created and destroyed entities
    kin_entity entity;                  ///< notes only this one; 0: all

    uint64_t frame;  ///< copied into each record; set it as often as you like
    uint32_t step;   ///< copied into each record
    uint16_t system; ///< copied into each record
    uint16_t role;   ///< copied into each record

    uint64_t next_number; ///< the number of the next record; read only
    uint64_t lost;        ///< records that newer ones have overwritten; read only
    uint32_t count;       ///< records that are there; read only
    bool is_wrapped;      ///< of the library, as all below
    size_t first;         ///< where the oldest record is
    size_t next;          ///< where the next record goes
    size_t end;           ///< where the records before the wrap end
} kin_journal;

/// Notes changes of the context in the journal from now on, instead of any other journal; NULL ends that. The records
/// of the journal stay. Call this again after you have changed `components`, `all_components` or `lives`. The journal
/// and its memory must stay until the context is destroyed or notes elsewhere. A restored snapshot is not noted.
///
/// Errors, with nothing changed: KIN_ERROR_INVALID without a context, for a journal without enough memory, for a
/// component that does not exist, and while threads share the context. Cost: visits each component and blueprint.
KIN_API kin_status kin_context_journal(kin_context *context, kin_journal *journal);

/// Returns the record after `record`, or the oldest one for NULL; NULL after the newest one. A record stays valid until
/// a newer one overwrites it: read records while no change is made. Cost: a few loads.
KIN_API const kin_record *kin_journal_next(const kin_journal *journal, const kin_record *record);

/// Returns the bytes of the value before the change; NULL if the record has none. They belong to the record and are
/// valid as long. Cost: a few loads.
KIN_API const void *kin_record_previous(const kin_record *record);

/// Returns the bytes of the value after the change; NULL if the record has none. They belong to the record and are
/// valid as long. Cost: a few loads.
KIN_API const void *kin_record_value(const kin_record *record);

/// Appends a record of the tool's own, with kind, entity, component and the values that `record` says; the rest is the
/// journal's. Sizes beyond KIN_RECORD_VALUE are cut. Does nothing for a journal without memory. Cost: copies
/// the values.
KIN_API void kin_journal_write(kin_journal *journal, const kin_record *record, const void *previous, const void *value);

// ---- Traces of collectors

/// What became of a collected entity.
typedef enum kin_verdict {
    KIN_VERDICT_WAITING,  ///< collected; or taken without a filter, or cleared: kin_collector_contains says which
    KIN_VERDICT_PASSED,   ///< the filter of the system returned true, or there is none
    KIN_VERDICT_REJECTED, ///< the filter returned false
    KIN_VERDICT_DEAD      ///< the entity was dead when the system ran, and did not pass
} kin_verdict;

/// The first collection of an entity since the collector was cleared or its system ran.
typedef struct kin_collection {
    kin_context *context;       ///< of the entity
    kin_group *group;           ///< of the trigger
    kin_entity entity;          ///< may be dead
    uint64_t frame;             ///< as set in the trace when the entity was collected
    uint32_t step;              ///< as set in the trace
    uint16_t system;            ///< as set in the trace
    uint16_t role;              ///< as set in the trace
    kin_component_id component; ///< that was changed; the number of components if the entity was created or destroyed
    kin_record_kind change; ///< what was done to it; of a trigger that shows one value, a replace may be an addition
    kin_group_event event;  ///< of the trigger
    kin_verdict verdict;    ///< what the system said
} kin_collection;

/// A trace of a collector. The tool sets all fields but `count`, and must not move it while the collector has it.
typedef struct kin_trace {
    kin_collection *ring; ///< collection n is in ring[n % capacity]
    uint32_t capacity;    ///< elements of the ring
    uint64_t count;       ///< collections so far; read only
    uint64_t frame;       ///< copied into each collection
    uint32_t step;        ///< copied into each collection
    uint16_t system;      ///< copied into each collection
    uint16_t role;        ///< copied into each collection
} kin_trace;

/// Notes how each entity is collected from now on, instead of any other trace; NULL ends that. The trace and its ring
/// must stay until then, or until the collector is destroyed, as that of a system is with the system. A change that the
/// collector waits for then nests like one with a listener.
///
/// Errors, with nothing changed: KIN_ERROR_INVALID without a collector or a ring, and while threads share a context.
/// Cost: visits each trigger and the components of its group; without a trace a collector pays nothing.
KIN_API kin_status kin_collector_trace(kin_collector *collector, kin_trace *trace);

/// Returns the trace of the collector, which belongs to the tool, or NULL. Cost: one load.
KIN_API kin_trace *kin_collector_trace_of(const kin_collector *collector);

KIN_END_DECLARATIONS

#endif
