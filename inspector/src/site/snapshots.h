// Snapshots: states of a host that viewers have saved, to return to them or to compare them.
//
//   places   [ oldest | … | newest ]     at most `keep`; the oldest ones make room for new ones
//
// A snapshot is a kin_snapshot of the world, whose memory is from the world's contexts, or what the functions of the
// game give. It is counted in the heap of the inspector, and all snapshots together take half of its limit at most
// (INS-08).
//
// With a period, a snapshot is taken before an update each time that many updates have run, until no viewer has asked
// for anything for ten seconds. One that takes longer than the budget of an update is taken less often, so that its
// share of each update stays within the budget. All functions are for the thread of the host, outside of systems.
//
// Invariants:
//   1. attention of the host is one more while there is a period
//   2. `bytes` are counted in the heap
#ifndef KIN_INSPECT_SNAPSHOTS_H
#define KIN_INSPECT_SNAPSHOTS_H

#include "host/host.h"
#include "text/text.h"

#include <kin/inspect.h>

enum { KIN__MAX_SNAPSHOTS = 120, KIN__KEPT_SNAPSHOTS = 60 };

typedef struct kin__kept_snapshot {
    void *at;       // a kin_snapshot, or what the game gave
    size_t size;    // of what the game gave
    size_t bytes;   // that it needed beyond those that were there before
    uint64_t frame; // the last update that ran before it
    double time;
    uint32_t number, entities;
} kin__kept_snapshot;

typedef struct kin__snapshots {
    kin__bounded_heap *heap;
    const kin_inspector_snapshots *functions; // of the game; NULL: those of the world
    kin__host *host;
    uint32_t count, last_number;
    uint32_t keep, every;  // every so many updates; 0: without a period
    uint32_t microseconds; // that the last one took
    uint64_t last_frame;   // when one was taken or restored
    uint32_t standing;     // the one that was taken or restored last
    size_t bytes;          // of all
    kin_snapshot *now;     // a state to compare with; NULL: none
    uint32_t now_number;   // of the comparison that has saved it
    kin_status status;     // of the last refusal
    char trouble[200];     // its sentence; "": the last one was taken
    kin__kept_snapshot places[KIN__MAX_SNAPSHOTS];
} kin__snapshots;

// Makes an empty list. NULL when out of memory. This one may be called by any thread.
kin__snapshots *kin__snapshots_make(kin__bounded_heap *heap, kin__host *host, const kin_inspector_snapshots *functions);
void kin__snapshots_release(kin__snapshots *snapshots);

// Takes a snapshot and returns its number. Makes room by dropping the oldest ones, apart from the one with the number
// `spared`. Returns 0 when it fails, with `status` and `trouble`; KIN_ERROR_LIMIT: it does not fit.
uint32_t kin__snapshots_take(kin__snapshots *snapshots, uint32_t spared);

// Returns to a snapshot. `*previous` gets the number of a snapshot of the state before, 0 if that does not fit.
kin_status kin__snapshots_restore(const kin__sites *sites, kin__snapshots *snapshots, uint32_t number, bool anew,
                                  uint32_t *previous);

// Returns the snapshot with a number, or NULL.
const kin__kept_snapshot *kin__snapshots_find(const kin__snapshots *snapshots, uint32_t number);

// Drops the snapshot with a number, all for 0. Returns how many.
uint32_t kin__snapshots_drop(kin__snapshots *snapshots, uint32_t number);

// Sets how many are kept, and the period; 0 ends it.
void kin__snapshots_set_period(kin__snapshots *snapshots, uint32_t every, uint32_t keep);

// Saves the state of the world to `now`, and gives it another number. Returns false as kin__snapshots_take.
bool kin__snapshots_save_now(kin__snapshots *snapshots);
void kin__snapshots_drop_now(kin__snapshots *snapshots);

// Takes a snapshot if it is due; or ends the period, if no viewer is there. `budget` is in microseconds.
void kin__snapshots_keep(kin__host *host, bool is_silent, uint32_t budget);

// Drops all, as the host ends.
void kin__snapshots_end(kin__host *host);

#endif
