// Notes: the journal, the watches and the audits of one context.
//
//   kin_context_journal → ring → what the game and viewers changed, with frame and system
//                              → watches: the value before and after each call of a system
//                              → audits: a column before and after each call of a system (audits.h)
//
// A watch compares the bytes of one component of one entity around each call. A difference that no record of the ring
// explains was written in place: it becomes a record of its own, by the system that ran.
//
// Parallel systems of a node are entered one after the other, and their jobs may run on other threads until the last
// one is left. So nothing is compared in between, and what was written then is of the one system that declares it.
//
// All stop when no viewer has asked for anything for ten seconds, unless they are pinned. All functions are for the
// thread of the host.
//
// Invariants:
//   1. the context has the journal while a viewer has started it or there is a watch or an audit; then calls are
//      followed
//   2. without a journal of a viewer, only the components of watches and audits are noted, in the ring of audits, or
//      in `small`
#ifndef KIN_INSPECT_NOTES_H
#define KIN_INSPECT_NOTES_H

#include "host/host.h"

enum {
    KIN__MAX_WATCHES = 64,
    KIN__MAX_AUDITS = 4,
    KIN__AUDIT_RING = 1024 * 1024, // bytes of the ring while there are audits
    KIN__MAX_BESIDE = 32,          // parallel systems that run at once
    KIN__WATCHED_CHANGES = 8,      // the last ones of each watch are kept
    KIN__WATCHED_BYTES = 64,       // of a value
    KIN__WATCHED_SOA = 1024        // of a component with one column for each field, which is read as a whole
};

// A change that a watch has seen.
typedef struct kin__watched_change {
    kin_record record;
    char previous[KIN__WATCHED_BYTES], value[KIN__WATCHED_BYTES];
} kin__watched_change;

typedef struct kin__watch_spec {
    kin_entity entity;
    kin_component_id component;
    uint32_t offset, size; // the bytes that are compared: of a field, or of the component
    char path[96];
} kin__watch_spec;

typedef struct kin__value_watch {
    kin__watch_spec spec;
    uint32_t number; // 0: unused
    bool is_there;   // the entity had the component when it was compared last
    const char *at;  // where the bytes are, if they stay there until entities get or lose the component; else NULL
    uint64_t since;  // kin_component_changes when they were there
    char last[KIN__WATCHED_BYTES];
    uint64_t change_count;
    kin__watched_change changes[KIN__WATCHED_CHANGES]; // change n is in n % KIN__WATCHED_CHANGES
} kin__value_watch;

typedef struct kin__audit kin__audit;

typedef struct kin__notes {
    const kin__site *site;
    kin__bounded_heap *heap;
    kin_journal journal;
    kin__moment before_edit; // what ran when an edit began
    bool is_edited;
    bool is_on; // a viewer has started the journal
    bool is_pinned;
    bool is_noting;              // the context has the journal
    bool is_fresh;               // compared when the last system was left
    uint64_t seen;               // the number of the first record that watches and audits have not seen
    const kin_record *last_seen; // one before it, while the ring has its number; NULL: not known
    uint64_t last_number_seen;   // its number
    bool lags;                   // the context refused to note what is wanted, or to end it
    uint32_t watch_count, last_number;
    uint32_t audit_count, last_audit;
    kin__audit *audits[KIN__MAX_AUDITS];      // NULL: unused
    uint64_t audit_budget, audit_left;        // nanoseconds of an update, and of this one
    kin__system_call beside[KIN__MAX_BESIDE]; // parallel systems that were entered; one that is alone is there, too
    uint32_t beside_count, beside_left;
    kin__hook hook;
    kin__value_watch watches[KIN__MAX_WATCHES];
    kin_component_id *components; // those that are noted; of a viewer's journal `wanted_count` come first
    uint32_t wanted_count;
    bool wants_all, wants_lives;
    kin_entity wanted_entity; // 0: all
    void *ring;               // of audits, of KIN__AUDIT_RING bytes; NULL before the first one
    uint64_t small[2048];
} kin__notes;

// What a viewer wants noted. The memory is from the heap, and the notes own it afterwards.
typedef struct kin__notes_spec {
    void *memory;
    size_t size;
    kin_component_id components[KIN__MAX_WATCHES];
    uint32_t component_count;
    bool all_components, lives, is_pinned;
    kin_entity entity;
} kin__notes_spec;

// Allocates notes for a site. NULL when out of memory. This one may be called by any thread.
kin__notes *kin__notes_make(const kin__site *site, kin__bounded_heap *heap);
void kin__notes_release(kin__notes *notes);

// Gives notes to a site that has none. Returns whether it has taken them. For the thread of the host.
bool kin__notes_install(const kin__site *site, kin__notes *notes);

// Starts the journal anew. Returns false when the calls cannot be followed; the memory is then still the caller's.
bool kin__notes_start(kin__notes *notes, const kin__notes_spec *spec);
void kin__notes_stop(kin__notes *notes);

// Adds a watch, and returns its number; 0 when there are as many as can be, or calls cannot be followed.
uint32_t kin__notes_watch(kin__notes *notes, const kin__watch_spec *spec, bool is_pinned);
bool kin__notes_unwatch(kin__notes *notes, uint32_t number);

// Takes over an audit, and `ring` if there is none. Returns its number; 0, with nothing taken over, when there are as
// many as can be, or calls cannot be followed.
uint32_t kin__notes_audit(kin__notes *notes, kin__audit *audit, void **ring, bool is_pinned);
bool kin__notes_end_audit(kin__notes *notes, uint32_t number);

// Compares all watches and audits now; differences are by what the journal says that runs.
void kin__notes_compare(kin__notes *notes);

// Begins an update, of which audits may take `budget` nanoseconds.
void kin__notes_begin_update(const kin__sites *sites, const kin__host *host, uint64_t budget);

// Begin and end changes of a viewer.
void kin__notes_enter_edit(const kin__site *site);
void kin__notes_leave_edit(const kin__site *site);

// Stops what nobody has looked at for ten seconds, of all sites of the host.
void kin__notes_expire(const kin__sites *sites, const kin__host *host, uint64_t now);

// Stops all, as the host ends.
void kin__notes_end(const kin__sites *sites, const kin__host *host);

#endif
