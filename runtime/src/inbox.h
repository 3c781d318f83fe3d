// Inbox: the messages of one kind that wait for a system, copies in a ring.
//
//   [ serial | message ] [ serial | message ] …     `count` of them from place `first` on, around the end of `capacity`
//
// Serials count what the world has published: by them a system that has several inboxes reads across them in order of
// publishing, and leaves what is published while it reads for its next turn. A ring grows when it has to, up to its
// limit; a bounded one that is full loses what its schema says, and never without a word.
#ifndef KIN_SRC_INBOX_H
#define KIN_SRC_INBOX_H

#include "memory.h"

#include <kin/world.h>

typedef struct kin__inbox {
    struct kin__inbox *next; // of those who get the same message, in order of their systems
    const kin__inbox_info *info;
    const char *system;  // its name
    kin__memory *memory; // the world's
    size_t size;         // bytes of a message
    char *ring;
    uint32_t first, count, capacity;
    bool is_open;      // its system is enabled, and all around it
    bool is_warned;    // it has been told that the ring is full
    kin_status untold; // what has to be told of it
} kin__inbox;

// Puts a copy at the end of an open inbox. False when somebody has to be told, of what `untold` says.
bool kin__inbox_put(kin__inbox *inbox, uint64_t serial, const void *message);

// The serial of the first message of one that is not empty.
uint64_t kin__inbox_serial(const kin__inbox *inbox);

// Takes the first message of one that is not empty.
void kin__inbox_take(kin__inbox *inbox, void *message);

// Forgets what waits and, closed, what comes.
void kin__inbox_set_open(kin__inbox *inbox, bool open);

void kin__inbox_release(kin__inbox *inbox);

#endif
