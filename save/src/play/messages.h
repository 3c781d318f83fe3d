// The messages of an inbox in a block SYST.
#ifndef KIN_SRC_PLAY_MESSAGES_H
#define KIN_SRC_PLAY_MESSAGES_H

#include "play/recording.h"

typedef struct kin__read_inbox {
    uint32_t message; // its number in the world; UINT32_MAX: it is no more
    uint32_t count;
    uint64_t *serials;
    unsigned char *values;
    size_t size; // bytes of a message
} kin__read_inbox;

// Reads an inbox, into the heap. False, with a fault noted, if it is wrong, and when out of memory.
bool kin__inbox_read(kin__read_inbox *inbox, kin__recording *recording, kin__heap *heap, kin__decoder *decoder);

#endif
