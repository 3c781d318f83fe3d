// State of systems: the part of a world's snapshot that is not in its contexts, in one block of bytes.
//
//   kin__saved_world | node | node | …           depth first, in the order in which they run
//   node:  kin__saved_node | name | clock | collected… | what the type of the node adds
//                                                 clock: of a collection (kin__saved_clock)
//                                                 collected: of each collector, the part of each source, then the
//                                                 entries: counts, numbers of parts and kin__saved_entry[]
//   a system of the schema adds:  members | inboxes… | order
//                                                 members: their count and kin_entity[]
//                                                 inbox: kin__saved_inbox and its records, as in inbox.h
//                                                 order: of a system over a tree, the size of
//                                                 what lookup.h saves, and it
//
// The size of each piece is a multiple of 8 bytes, and no piece has addresses. Padding is zero, except in messages,
// which are copied as they are in memory.
#ifndef KIN_SRC_SYSTEMS_STATE_H
#define KIN_SRC_SYSTEMS_STATE_H

#include "base/base.h"
#include "notify/notify.h"
#include "image/part.h"

#include <kin/snapshot.h>
#include <kin/world.h>

#include <string.h>

typedef struct kin__saved_clock {
    double time;
    uint64_t frame;
    kin_tick tick;
    double accumulated, origin, dropped; // of a fixed step; else 0
    uint64_t steps, step_frame;
} kin__saved_clock;

typedef struct kin__saved_world {
    uint64_t published; // count of published messages: the next serial
    uint32_t pushed_count, node_count;
    kin_tick pushed[KIN__MAX_PUSHED];
    kin__saved_clock clock;
} kin__saved_world;

enum {
    KIN__SAVED_ENABLED = 1,
    KIN__SAVED_UPDATED = 2,     // the first update has run
    KIN__SAVED_CURRENT = 4,     // the context was not reset after the members were listed
    KIN__SAVED_DEACTIVATED = 8, // a reactive system
    KIN__SAVED_COLLECTION = 16,
    KIN__SAVED_FIXED_STEP = 32,
    KIN__SAVED_MEMBERS = 64, // the members at its last turn follow
    KIN__SAVED_ORDER = 128,  // the marks of its tree follow
    KIN__SAVED_HASHED = 15
};

typedef struct kin__saved_node {
    uint64_t size;      // bytes up to the next one
    uint64_t added;     // bytes from here to what the type of the node adds
    uint32_t depth;     // 0: in the root
    uint32_t flags;     // a set of KIN__SAVED_…
    uint32_t kind;      // kin_system_kind
    uint32_t name_size; // bytes with the NUL; 0: no name
    uint32_t collector_count, inbox_count;
} kin__saved_node;

#define KIN__NOT_SAVED UINT64_MAX

// The entities that a collector had collected.
typedef struct kin__saved_collected {
    const uint64_t *parts; // by source: the number of the part that it collects in; KIN__NOT_SAVED: not in the snapshot
    const kin__saved_entry *entries;
    uint32_t count;
} kin__saved_collected;

typedef struct kin__saved_inbox {
    uint32_t message, count;
    uint32_t stride; // bytes of a record: a serial of 8 bytes, and the message
    uint32_t is_warned;
} kin__saved_inbox;

// A position in the bytes of a state, at which pieces are written or read in turn.
typedef struct kin__state {
    unsigned char *bytes; // NULL: only the size is computed
    size_t size;          // of the pieces before the position
    uint32_t depth, node_count;
    kin__context_snapshot *const *parts; // of the snapshot; not set while only the size is computed
    uint32_t part_count;
    kin_restore_mode mode;
} kin__state;

// Moves past a piece and returns its address; NULL if only the size is computed.
static inline void *kin__state_take(kin__state *state, size_t size)
{
    void *piece = state->bytes == NULL ? NULL : state->bytes + state->size;
    state->size += (size + 7) / 8 * 8;
    return piece;
}

// Writes a piece, padded with zeros to a multiple of 8 bytes.
static inline void kin__state_put(kin__state *state, const void *piece, size_t size)
{
    unsigned char *place = kin__state_take(state, size);
    if (place == NULL || size == 0)
        return;
    memcpy(place, piece, size);
    memset(place + size, 0, (8 - size % 8) % 8);
}

static inline void kin__state_put_count(kin__state *state, uint64_t count)
{
    kin__state_put(state, &count, sizeof count);
}

static inline size_t kin__state_take_count(kin__state *state)
{
    return (size_t) * (const uint64_t *)kin__state_take(state, sizeof(uint64_t));
}

static inline kin__saved_collected kin__state_take_collected(kin__state *state)
{
    kin__saved_collected saved = {0};
    size_t source_count = kin__state_take_count(state);
    saved.parts = kin__state_take(state, source_count * sizeof *saved.parts);
    saved.count = (uint32_t)kin__state_take_count(state);
    saved.entries = kin__state_take(state, saved.count * sizeof *saved.entries);
    return saved;
}

#endif
