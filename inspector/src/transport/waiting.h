// Waiting: requests whose tasks wait for their worlds, and streams.
//
//   request ── exchange ── tasks ──→ hosts ──→ done ──→ request      resumed when none waits
//           or stream ──── tasks ──→ hosts ──→ done ──→ events       resumed when there are some
//
// A request of which the connection ends gives its tasks up. One that a host is doing just then comes back later: the
// request is kept until then.
//
// Invariants:
//   1. `waiting` of a request is the number of its tasks at hosts or in `done`
//   2. `waiting_count` is their sum
#ifndef KIN_INSPECT_WAITING_H
#define KIN_INSPECT_WAITING_H

#include "page/page.h"
#include "transport/check.h"
#include "transport/connection.h"
#include "transport/stream.h"

#include <pthread.h>

enum { KIN__MAX_WAITING = 64 };

typedef struct kin__request {
    struct kin__request *next; // in `requests`
    struct kin__waiting *handler;
    struct MHD_Connection *connection;
    size_t url_size;
    bool has_nul; // in the URL
    char viewer[KIN__VIEWER_NAME];
    bool is_checked, is_refused, is_stream, is_suspended, is_abandoned;
    bool has_left;              // the viewer of the stream has closed its connection
    const kin__report *report;  // NULL: it asks for none
    const kin__page_file *page; // NULL: it asks for no file
    char *body;                 // KIN__MAX_BODY bytes
    size_t body_size;
    kin__exchange *exchange;
    kin__stream *stream;
    uint32_t waiting;
} kin__request;

typedef struct kin__waiting {
    kin__service *service;
    kin__guard guard;
    kin__connections connections;
    kin__request *requests; // those with an exchange or a stream
    uint32_t waiting_count;
    int event;
    pthread_mutex_t lock; // held for the append to `done` and the taking of it alone
    kin__task *done;
    kin__json metrics; // the text that was made last
    uint64_t metrics_made;
} kin__waiting;

// Lists a request with its exchange, and queues its tasks; or with its stream.
void kin__waiting_add(kin__waiting *waiting, kin__request *request);

// Releases a request whose connection has ended, at once or when its last task has come back.
void kin__waiting_leave(kin__waiting *waiting, kin__request *request);

// Takes the tasks that are done, and resumes their requests.
void kin__waiting_collect(kin__waiting *waiting);

// Gives up tasks whose world does not update, lets streams ask, and shuts down those that are not read. Returns the
// nanoseconds until it is to be called again.
uint64_t kin__waiting_tick(kin__waiting *waiting, uint64_t now);

// Returns how many streams have viewers.
uint32_t kin__waiting_streams(kin__waiting *waiting);

// Suspends and resumes the connection.
void kin__request_suspend(kin__request *request);
void kin__request_resume(kin__request *request);

#endif
