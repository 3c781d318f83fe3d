// Audits: which values of a column each system wrote in place.
//
//   copy of the column [ word: which slots have the component | 64 values ] …     as it was when it was compared last
//
// The notes of the context compare the copy with the column before and after each call of a system. The records of the
// journal are applied to the copy first: what still differs was written in place, by the system that ran.
//
// Comparing takes at most the budget of an update. The words that are compared are a window, which starts small, grows
// while time is left, and shrinks when it is not; while it is smaller than the column, each update compares the next
// part. When the budget is spent in the midst of an update, the rest of it is not compared.
//
// Invariants:
//   1. an audit has all its memory when it is made; the window never has more words than the copy has room for
//   2. in a word of the window the copy has the values of the last comparison, unless the audit waits for the next
//      update (`is_waiting`)
#ifndef KIN_INSPECT_AUDITS_H
#define KIN_INSPECT_AUDITS_H

#include "site/notes.h"

enum {
    KIN__AUDITED_SYSTEMS = 64,
    KIN__AUDITED_WRITES = 8, // the last ones of each system are kept
    KIN__AUDITED_SOA = KIN__WATCHED_SOA
};

// A value that was written in place: its first bytes.
typedef struct kin__audited_write {
    kin_entity entity;
    uint64_t frame;
    uint32_t step;
    uint16_t role;
    char previous[KIN__WATCHED_BYTES], value[KIN__WATCHED_BYTES];
} kin__audited_write;

typedef struct kin__audited_system {
    uint16_t name; // for kin__calls_name
    uint64_t count;
    uint64_t fields; // of the component, as bits; the last bit is for all after the 63rd
    uint64_t first_frame, last_frame;
    uint64_t kept;                                  // writes that were kept
    kin__audited_write writes[KIN__AUDITED_WRITES]; // write n is in n % KIN__AUDITED_WRITES
} kin__audited_system;

struct kin__audit {
    uint32_t number;
    kin_component_id component;
    const kin_component_info *info;
    size_t whole;          // bytes of this struct with the copy
    uint32_t capacity;     // words that the copy has room for
    uint32_t first, count; // the window
    bool is_waiting;       // compares nothing until the next update
    bool is_cut;           // because the budget is spent
    uint64_t cut;          // updates in which it was
    uint64_t lost;         // comparisons for which too many records were lost
    uint64_t other;        // writes of systems for which there is no room
    uint32_t system_count;
    kin__audited_system systems[KIN__AUDITED_SYSTEMS];
    uint64_t *has; // of each word; after this struct
    char *values;
};

// Makes an audit of a component, with a copy of at most `bytes`. NULL when out of memory. For any thread.
kin__audit *kin__audit_make(kin__bounded_heap *heap, const kin__site *site, kin_component_id id, size_t bytes);
void kin__audit_destroy(kin__bounded_heap *heap, kin__audit *audit);

// Returns the bytes that a copy of the column needs now.
size_t kin__audit_needs(const kin__audit *audit, const kin_context *context);

// Returns the words that are compared in this update.
uint32_t kin__audit_words(const kin__audit *audit, const kin_context *context);

// Compares the window. `first` is the first record that was not seen, or NULL; without all of them nothing can be said
// about what differs. Stops at the deadline.
void kin__audit_compare(const kin__notes *notes, kin__audit *audit, const kin_record *first, bool is_complete,
                        uint64_t deadline);

// Chooses the window of the next update, and copies it. `has_time`: less than half of the budget was spent.
void kin__audit_begin_update(const kin__notes *notes, kin__audit *audit, bool has_time, uint64_t deadline);

#endif
