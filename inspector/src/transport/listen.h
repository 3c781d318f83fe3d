// Listen: a socket on 127.0.0.1, and an event that wakes a thread that waits for it.
#ifndef KIN_INSPECT_LISTEN_H
#define KIN_INSPECT_LISTEN_H

#include <stdint.h>

enum { KIN__FIRST_PORT = 5460, KIN__LAST_PORT = 5475 };

// Returns a socket that listens on this port, or for 0 on the first free one; and sets `port`. -1 if there is none,
// with the error in errno.
int kin__listen(uint16_t *port);

// Returns the descriptor of an event, or -1. Waking it makes it readable until it is cleared.
int kin__event_create(void);
void kin__event_wake(int event);
void kin__event_clear(int event);

#endif
