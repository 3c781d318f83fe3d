// Inbox: the messages of one kind that wait for a system, copies in a ring.
//
//   [ serial | message ] [ serial | message ] …     `count` of them from place `first` on, around the end of `capacity`
//
// Serials count what the world has published: by them a system that has several inboxes reads across them in order of
// publishing, and leaves what is published while it reads for its next turn. A ring grows when it has to, up to its
// limit; a bounded one that is full loses what its schema says, and never without a word.
#ifndef KIN_SRC_INBOX_H
#define KIN_SRC_INBOX_H

#include "base/copy.h"
#include "notify/dispatch.h"

#include <kin/generated/world.h>

typedef struct kin__inbox {
    struct kin__inbox *next; // of those who get the same message, in order of their systems
    const kin__inbox_info *info;
    const char *system;  // its name
    kin__memory *memory; // the world's
    size_t size, stride; // bytes of a message, and from one to the next
    char *ring;
    uint32_t first, count, capacity;
    bool is_open;      // its system is enabled, and all around it
    bool is_warned;    // it has been told that the ring is full
    kin_status untold; // what has to be told of it
} kin__inbox;

// Makes an empty one that is closed.
kin__inbox kin__inbox_of(const kin__inbox_info *info, const char *system, size_t size, kin__memory *memory);

// Whether there is a place for one more now. Of a full inbox the oldest message makes one, where the schema says so.
bool kin__inbox_make_place(kin__inbox *inbox);

// Puts a copy at the end of an open inbox. False when somebody has to be told, of what `untold` says.
static inline bool kin__inbox_put(kin__inbox *inbox, uint64_t serial, const void *message)
{
    if (!inbox->is_open || (inbox->count == inbox->capacity && !kin__inbox_make_place(inbox)))
        return inbox->untold == KIN_OK;
    uint32_t place = inbox->first + inbox->count;
    char *record = inbox->ring + (place >= inbox->capacity ? place - inbox->capacity : place) * inbox->stride;
    memcpy(record, &serial, sizeof serial);
    if (inbox->size > 0)
        kin__value_copy(record + sizeof serial, message, inbox->size);
    inbox->count++;
    return inbox->untold == KIN_OK;
}

// The serial of the first message of one that is not empty.
static inline uint64_t kin__inbox_serial(const kin__inbox *inbox)
{
    uint64_t serial;
    memcpy(&serial, inbox->ring + inbox->first * inbox->stride, sizeof serial);
    return serial;
}

// Drops the first message of one that is not empty.
static inline void kin__inbox_drop(kin__inbox *inbox)
{
    inbox->first = inbox->first + 1 == inbox->capacity ? 0 : inbox->first + 1;
    inbox->count--;
}

// The same, with a copy of it.
static inline void kin__inbox_take(kin__inbox *inbox, void *message)
{
    kin__value_copy(message, inbox->ring + inbox->first * inbox->stride + sizeof(uint64_t), inbox->size);
    kin__inbox_drop(inbox);
}

// Forgets what waits and, closed, what comes.
void kin__inbox_set_open(kin__inbox *inbox, bool open);

void kin__inbox_release(kin__inbox *inbox);

#endif
