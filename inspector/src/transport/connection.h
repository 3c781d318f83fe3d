// Connection: what is known of each, and its deadlines. A request is there whole within 5 s, an answer is read within
// 5 s, an idle connection is kept 30 s (INS-27, INS-30). libmicrohttpd's own timeout is one of inactivity, so sockets
// whose time is up are shut down here.
#ifndef KIN_INSPECT_CONNECTION_H
#define KIN_INSPECT_CONNECTION_H

#include "host/host.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

enum { KIN__MAX_CONNECTIONS = 16 };

typedef enum kin__phase {
    KIN__PHASE_NONE,
    KIN__PHASE_READ,
    KIN__PHASE_WAIT,
    KIN__PHASE_WRITE,
    KIN__PHASE_IDLE
} kin__phase;

typedef struct kin__connection {
    struct MHD_Connection *connection; // NULL: free
    int socket;
    kin__phase phase;
    uint64_t since;                // when the phase began, or a stream made progress
    char viewer[KIN__VIEWER_NAME]; // the name of viewers without the header Kin-Viewer
} kin__connection;

typedef struct kin__connections {
    kin__connection all[KIN__MAX_CONNECTIONS];
    uint64_t opened;
} kin__connections;

// Returns whether one more connection can be opened.
bool kin__connections_have_place(const kin__connections *connections);

void kin__connections_open(kin__connections *connections, struct MHD_Connection *connection);
void kin__connections_close(kin__connections *connections, const struct MHD_Connection *connection);

// Returns the name of the connection as a viewer, "" for one that is not known.
const char *kin__connections_viewer(const kin__connections *connections, const struct MHD_Connection *connection);

// Begins to read a request, unless that has begun.
void kin__connections_await_read(kin__connections *connections, const struct MHD_Connection *connection);

// Begins a phase of a connection, or begins it anew.
void kin__connections_enter(kin__connections *connections, const struct MHD_Connection *connection, kin__phase phase);

// Begins to write, unless that has begun.
void kin__connections_await_write(kin__connections *connections, const struct MHD_Connection *connection);

// Shuts down the connections whose time is up. Returns the nanoseconds until the next one is.
uint64_t kin__connections_expire(kin__connections *connections, uint64_t now);

#endif
