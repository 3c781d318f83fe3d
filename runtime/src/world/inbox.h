// Inbox: the messages of one type that wait for a system, as copies in a ring.
//
//   [ serial | message ] [ serial | message ] …     `count` records from index `first` on, wrapping at `capacity`
//
// Serials number all messages that the world publishes. A system with several inboxes reads in order of serial, and
// leaves messages published while it reads for its next turn. A ring grows on demand up to its limit. A full inbox with
// a limit loses the message that the schema says, and the loss is reported.
//
// Invariants:
//   1. `count` <= `capacity`, `first` < `capacity` unless that is 0, and `capacity` is at most the limit
//   2. serials ascend from the first record to the last
//   3. a closed inbox is empty
//
// Cost: publishing copies the message once for each inbox; reading copies it once more.
#ifndef KIN_SRC_INBOX_H
#define KIN_SRC_INBOX_H

#include "base/base.h"
#include "notify/notify.h"
#include "snapshot/snapshot.h"

#include <kin/generated/world.h>

typedef struct kin__inbox {
    struct kin__inbox *next; // of the same message, in order of the systems
    const kin__inbox_info *info;
    const char *system;  // name of the system
    kin__memory *memory; // of the world
    size_t size, stride; // bytes of a message, and of a record
    char *ring;
    uint32_t first, count, capacity;
    bool is_open;          // the system is enabled, and all collections around it
    bool is_warned;        // the full ring was reported; cleared when a message is read
    kin_status unreported; // an error that has yet to be reported; KIN_OK: none
} kin__inbox;

// Makes a closed, empty inbox.
kin__inbox kin__inbox_of(const kin__inbox_info *info, const char *system, size_t size, kin__memory *memory);

// Makes room for one more message in a full ring: grows it, or drops the oldest message if the schema says so. Returns
// false when there is none; sets `unreported` for each error or loss to report.
bool kin__inbox_make_room(kin__inbox *inbox);

// Appends a copy of a message to an open inbox. Returns false if there is an error to report.
static inline bool kin__inbox_put(kin__inbox *inbox, uint64_t serial, const void *message)
{
    if (!inbox->is_open || (inbox->count == inbox->capacity && !kin__inbox_make_room(inbox)))
        return inbox->unreported == KIN_OK;
    KIN_ASSERT(inbox->count < inbox->capacity);
    uint32_t end = inbox->first + inbox->count;
    char *record = inbox->ring + (end >= inbox->capacity ? end - inbox->capacity : end) * inbox->stride;
    memcpy(record, &serial, sizeof serial);
    if (inbox->size > 0)
        kin__value_copy(record + sizeof serial, message, inbox->size);
    inbox->count++;
    return inbox->unreported == KIN_OK;
}

// Returns the serial of the first message of an inbox that is not empty.
static inline uint64_t kin__inbox_serial(const kin__inbox *inbox)
{
    uint64_t serial;
    KIN_ASSERT(inbox->count > 0);
    memcpy(&serial, inbox->ring + inbox->first * inbox->stride, sizeof serial);
    return serial;
}

// Removes the first message of an inbox that is not empty.
static inline void kin__inbox_drop(kin__inbox *inbox)
{
    KIN_ASSERT(inbox->count > 0 && inbox->first < inbox->capacity);
    inbox->first = inbox->first + 1 == inbox->capacity ? 0 : inbox->first + 1;
    inbox->count--;
}

// The same, and copies the message to `message`.
static inline void kin__inbox_take(kin__inbox *inbox, void *message)
{
    kin__value_copy(message, inbox->ring + inbox->first * inbox->stride + sizeof(uint64_t), inbox->size);
    kin__inbox_drop(inbox);
}

// Opens or closes the inbox. Closing removes all messages.
void kin__inbox_set_open(kin__inbox *inbox, bool open);

// Removes all messages.
void kin__inbox_clear(kin__inbox *inbox);

void kin__inbox_release(kin__inbox *inbox);

// Writes the messages to a state; and puts them back, also into a closed inbox, which is then open. Reserving moves
// behind the inbox in the state, too; it returns false when out of memory.
void kin__inbox_save(const kin__inbox *inbox, kin__state *state);
bool kin__inbox_reserve(kin__inbox *inbox, kin__state *state);
void kin__inbox_restore(kin__inbox *inbox, kin__state *state);

#endif
