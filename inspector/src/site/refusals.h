// Refusals: the calls of the game that the library refused. All are counted, by status, from the beginning; the last
// ones are recorded with frame, system and sentence.
//
//   ring [ refusal | refusal | … ]     one that is like the one before it only counts
//
// They are recorded from the first ask on, until no viewer has asked for ten seconds. All but making and destroying is
// for the thread of the host.
//
// Invariants:
//   1. calls are followed exactly while the host has refusals
//   2. refusal n is in place n % KIN__KEPT_REFUSALS, if it is one of the last; the numbers of its calls follow those of
//      refusal n - 1
#ifndef KIN_INSPECT_REFUSALS_H
#define KIN_INSPECT_REFUSALS_H

#include "host/host.h"

enum { KIN__KEPT_REFUSALS = 256, KIN__SENTENCE = 512 };

typedef struct kin__refusal {
    uint64_t first, last; // numbers of the calls
    kin__moment moment;   // of the last one
    kin_status status;
    kin_entity entity;              // or 0
    const char *context;            // constant; or NULL
    char component[KIN__SITE_NAME]; // or ""
    bool is_hidden;                 // the sentence may show what is hidden: it is not kept
    char sentence[KIN__SENTENCE];
} kin__refusal;

typedef struct kin__refusals {
    kin__bounded_heap *heap;
    kin__host *host;
    kin__hook hook;
    uint64_t until;        // when no viewer asks until then, it ends
    uint64_t calls, count; // of refused calls and of refusals since it began
    kin__refusal next;     // that is compared with the last one
    kin__refusal ring[KIN__KEPT_REFUSALS];
} kin__refusals;

// Makes a recording. NULL when out of memory.
kin__refusals *kin__refusals_create(kin__bounded_heap *heap);

// Destroys one that does not record. NULL is allowed.
void kin__refusals_destroy(kin__refusals *refusals);

// Records from now on; the host takes the recording over. Returns false, with nothing taken over, when the calls cannot
// be followed.
bool kin__refusals_start(kin__host *host, kin__refusals *refusals);

// Goes on for ten seconds more.
void kin__refusals_want(kin__refusals *refusals);

// Returns the number of the oldest refusal that is there, which is `count` if there is none.
uint64_t kin__refusals_first(const kin__refusals *refusals);

static inline const kin__refusal *kin__refusals_at(const kin__refusals *refusals, uint64_t number)
{
    return &refusals->ring[number % KIN__KEPT_REFUSALS];
}

// Counts an error, as the probe of a world says, and notes it if there is a recording.
void kin__refusals_note(kin__host *host, const kin_error *error);

// End the recording: when no viewer has asked, and at once.
void kin__refusals_expire(kin__host *host, uint64_t now);
void kin__refusals_stop(kin__host *host);

#endif
