// Messages: the last ones that were published in a world, with frame and system.
//
//   [ head | value ][ head | value ] …     a ring of places, each as large as the largest message
//
// They are recorded from the first ask on, until no viewer has asked for ten seconds. Then publishing calls nothing, as
// the probe of the world has no function for it. All but making and destroying is for the thread of the host.
//
// Invariants:
//   1. calls are followed, and the probe of the world has `published`, exactly while the host has messages
//   2. message n is in place n % KIN__KEPT_MESSAGES, if it is one of the last
//
// Cost: a copy for each message.
#ifndef KIN_INSPECT_MESSAGES_H
#define KIN_INSPECT_MESSAGES_H

#include "host/host.h"

enum { KIN__KEPT_MESSAGES = 1024, KIN__KEPT_OF_MESSAGE = 1024 };

typedef struct kin__message_record {
    uint64_t number;
    kin__moment moment;
    uint32_t message; // number in the world's info
    uint32_t size;    // of the value: its first bytes, KIN__KEPT_OF_MESSAGE at most
    char value[];
} kin__message_record;

typedef struct kin__messages {
    kin__bounded_heap *heap;
    kin__host *host;
    kin__hook hook;
    uint64_t until;      // when no viewer asks until then, it ends
    uint64_t count;      // of all that were recorded
    size_t stride, size; // bytes of a place, and of all this
    max_align_t places[];
} kin__messages;

// Makes a recording for a world. NULL when out of memory.
kin__messages *kin__messages_create(kin__bounded_heap *heap, const kin_world_info *info);

// Destroys one that does not record. NULL is allowed.
void kin__messages_destroy(kin__messages *messages);

// Records from now on; the host takes the recording over. Returns false, with nothing taken over, when the calls cannot
// be followed.
bool kin__messages_start(kin__host *host, kin__messages *messages);

// Goes on for ten seconds more.
void kin__messages_want(kin__messages *messages);

// Returns the number of the oldest message that is there, which is `count` if there is none.
uint64_t kin__messages_first(const kin__messages *messages);
const kin__message_record *kin__messages_at(const kin__messages *messages, uint64_t number);

// Notes a message, as the probe of a world says.
void kin__messages_note(kin__host *host, uint32_t message, const void *value);

// End the recording: when no viewer has asked, and at once.
void kin__messages_expire(kin__host *host, uint64_t now);
void kin__messages_stop(kin__host *host);

#endif
