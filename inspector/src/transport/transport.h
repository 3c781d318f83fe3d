// Transport: the thread of an inspector, which reads requests and writes answers.
//
// It waits for sockets, for tasks that are done and for the time when a stream asks again. It is of batch priority, so
// that waking it does not take the core from the game.
#ifndef KIN_INSPECT_TRANSPORT_H
#define KIN_INSPECT_TRANSPORT_H

#include "host/host.h"
#include "transport/token.h"

typedef struct kin__transport kin__transport;

typedef struct kin__transport_options {
    uint16_t port;      // 0: the first free one of 5460 to 5475
    const char *token;  // NULL: a random one
    const char *socket; // path of a Unix socket; NULL: none
} kin__transport_options;

// Starts. NULL on failure, with what failed in `fault`.
kin__transport *kin__transport_start(kin__service *service, const kin__transport_options *options, const char **fault);

// Writes the file by which kin-inspect finds the game, when the name of the service is known. Does so once.
void kin__transport_announce(kin__transport *transport);

// Stops the thread. No host may be in an update.
void kin__transport_stop(kin__transport *transport);

// Returns the address with the token.
const char *kin__transport_address(const kin__transport *transport);

#endif
