// What the files of this room share.
#ifndef KIN_SRC_INSPECT_TRANSPORT_INTERNAL_H
#define KIN_SRC_INSPECT_TRANSPORT_INTERNAL_H

#include "host/host.h"
#include "text/text.h"
#include "transport/transport.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- sockets

// A socket on 127.0.0.1, and an event that wakes a thread that waits for it.

enum { KIN__FIRST_PORT = 5460, KIN__LAST_PORT = 5475 };

// Returns a socket that listens on this port, or for 0 on the first free one; and sets `port`. -1 if there is none,
// with the error in errno.
int kin__listen(uint16_t *port);

// Returns the descriptor of an event, or -1. Waking it makes it readable until it is cleared.
int kin__event_create(void);
void kin__event_wake(int event);
void kin__event_clear(int event);

// The Unix socket of the option `socket` (INS-20). Only its user can open it, from the moment on when it
// is there.

typedef struct kin__local_socket {
    int descriptor; // or -1
    char path[108];
    uint64_t device, number; // of the file, so that that of another program is not removed
} kin__local_socket;

// Listens at a path. A socket that a program which has ended left there is replaced. `descriptor` is -1 on failure.
kin__local_socket kin__local_socket_open(const char *path);

// Closes the socket and removes its file.
void kin__local_socket_close(kin__local_socket *local);

// ---- answers

// Answers of HTTP. All have the headers of INS-24.

// Adds the headers that every answer has.
void kin__answer_secure(struct MHD_Response *response);

// Answers with a text of a type.
enum MHD_Result kin__answer_text(struct MHD_Connection *connection, const char *type, const kin__json *text);

// Answers with a document, which is taken over.
enum MHD_Result kin__answer_json(struct MHD_Connection *connection, unsigned status, kin__json *json);

// Answers a request that is refused before it is read, with a sentence.
enum MHD_Result kin__answer_refusal(struct MHD_Connection *connection, unsigned status, const char *sentence);

// Answers with a file of the page, or says that the browser's copy is still the same.
enum MHD_Result kin__answer_page(struct MHD_Connection *connection, const kin__page_file *file);

// ---- checks

// What a request must be before its body is read (INS-21 to INS-23, INS-27).

enum { KIN__URL_SIZE = 2048, KIN__HEADER_SIZE = 8192 };

// What is counted over all requests.
typedef struct kin__guard {
    const char *token;
    kin__rate wrong_tokens, requests;
    uint64_t refused_until; // requests without a right token get 429 until then
} kin__guard;

typedef struct kin__request_line {
    const char *method, *path;
    size_t url_size; // with the query
    bool has_nul;    // %00, behind which `path` ends
} kin__request_line;

typedef struct kin__http_refusal {
    unsigned status; // of HTTP, or 0 if it is not refused
    const char *sentence;
} kin__http_refusal;

// Returns the file of the page that the request is for, which needs no token; else NULL.
const kin__page_file *kin__check_page(const kin__request_line *line);

// Returns the report that the request is for, or NULL.
const kin__report *kin__check_report(const kin__request_line *line);

// Returns why the request is refused, if it is.
kin__http_refusal kin__check_request(kin__guard *guard, struct MHD_Connection *connection,
                                     const kin__request_line *line, uint64_t now);

// Reads the header Kin-Viewer into `name`, which stays as it is without one.
kin__http_refusal kin__check_viewer(struct MHD_Connection *connection, char name[KIN__VIEWER_NAME]);

// ---- connections

// What is known of each, and its deadlines. A request is there whole within 5 s, an answer is read within
// 5 s, an idle connection is kept 30 s (INS-27, INS-30). libmicrohttpd's own timeout is one of inactivity, so sockets
// whose time is up are shut down here.

enum { KIN__MAX_CONNECTIONS = 16 };

typedef enum kin__phase {
    KIN__PHASE_NONE,
    KIN__PHASE_READ,
    KIN__PHASE_WAIT,
    KIN__PHASE_WRITE,
    KIN__PHASE_IDLE
} kin__phase;

typedef struct kin__connection {
    struct MHD_Connection *connection; // or NULL while the place is free
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

// ---- requests that wait

// Requests whose tasks wait for their worlds, and streams.
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
    const kin__report *report;  // that it asks for, or NULL
    const kin__page_file *page; // that it asks for, or NULL
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

// ---- requests

// Requests of HTTP from their first line to their answer. These are the functions that libmicrohttpd calls;
// `user` is the kin__waiting.

// Called when the first line of a request was read. Returns the request.
void *kin__handle_line(void *user, const char *line, struct MHD_Connection *connection);

// Called with the headers, then with each part of the body, then at its end, and when the connection was resumed.
enum MHD_Result kin__handle(void *user, struct MHD_Connection *connection, const char *url, const char *method,
                            const char *version, const char *data, size_t *size, void **state);

// Called when the request has ended.
void kin__handle_completed(void *user, struct MHD_Connection *connection, void **state,
                           enum MHD_RequestTerminationCode code);

// Called when a connection begins and when it ends.
void kin__handle_connection(void *user, struct MHD_Connection *connection, void **socket,
                            enum MHD_ConnectionNotificationCode code);

// ---- the file by which games are found

// The one file that an inspector writes, by which kin-inspect finds the game (INS-31):
// inspect-PID-N.json in the first folder of kin__folder_open that can be used, readable by its owner alone.

typedef struct kin__notice {
    int folder; // or -1 if nothing was written
    char name[64];
} kin__notice;

// Writes the file. A folder or file that another one has made is left alone.
kin__notice kin__notice_write(const kin__json *json);

// Removes the file.
void kin__notice_remove(kin__notice *notice);

#endif
