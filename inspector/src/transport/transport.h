// transport: requests and streams over HTTP, on 127.0.0.1
//
//   exchange    one request of JSON-RPC 2.0 or a batch, and its tasks
//   report      what GET gives of a game, beside the page
//   page        the constant files of the browser's page, which the build embeds
//   transport   the thread that reads requests and writes answers
//
// All of libmicrohttpd is called by this thread. The thread of a game calls nothing of this room but `done` of tasks,
// which appends to a list and writes to an event. The thread waits for sockets, for tasks that are done and for the
// time when a stream asks again. It is of batch priority, so that waking it does not take the core from the game.
//
// Invariants:
//   1. nothing of a request is read before its first line and its headers were checked (INS-21 to INS-23, INS-27)
//   2. every answer has the headers of INS-24
//   3. one event of a stream is under way: what happens meanwhile is in the next one (INS-50)
//   4. `waiting` of a request is the number of its tasks at hosts or in `done`, and `waiting_count` is their sum
#ifndef KIN_SRC_INSPECT_TRANSPORT_H
#define KIN_SRC_INSPECT_TRANSPORT_H

#include "feature/feature.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- requests

// An exchange is one request of JSON-RPC 2.0, or a batch of them, and its answer. A request without an `id` is a
// notification: it is done, and has no answer.

enum { KIN__MAX_BATCH = 16, KIN__MAX_BODY = 64 * 1024, KIN__MAX_JSON_DEPTH = 32, KIN__MAX_ANSWER = 4 * 1024 * 1024 };

// Bytes of an answer that are kept free for the errors of calls with an answer that does not fit, and their ids.
enum { KIN__ERROR_ROOM = 128 * 1024 };

typedef struct kin__rpc_call {
    json_t *id;      // NULL for a notification
    kin__task *task; // NULL if it has a mistake
    kin__mistake mistake;
} kin__rpc_call;

typedef struct kin__exchange {
    kin__service *service;
    json_t *document;
    bool is_batch;
    kin__mistake mistake; // of the whole
    uint32_t count;
    kin__rpc_call calls[KIN__MAX_BATCH];
} kin__exchange;

// Returns whether a text is small and flat enough to be read as JSON.
bool kin__exchange_check(const char *text, size_t size, kin__mistake *mistake);

// Reads a request and makes its tasks. NULL when out of memory.
kin__exchange *kin__exchange_create(kin__service *service, const char *text, size_t size);

// Sets the viewer that asks, before the tasks are queued. The name must outlive the exchange.
void kin__exchange_set_viewer(kin__exchange *exchange, const char *viewer);

// Destroys the exchange with its tasks, none of which waits for its host.
void kin__exchange_destroy(kin__exchange *exchange);

// Writes the answer, when all tasks are done; nothing for notifications alone. Without memory for an error, `is_full`
// is set.
void kin__exchange_show(const kin__exchange *exchange, kin__json *json);

// Writes an answer that is one error, to a request of which the id is not known.
void kin__exchange_show_error(kin__json *json, int code, const char *message);

// ---- reports

// What GET gives beside the page, made of one task for each world.

typedef struct kin__report {
    const char *path, *type; // of HTTP
    const kin__method *method;
    const char *begin, *end; // around what the tasks show
} kin__report;

// Returns the report with the path, or NULL.
const kin__report *kin__report_find(const char *path);

// Makes the tasks. NULL when out of memory.
kin__exchange *kin__report_create(const kin__report *report, kin__service *service);

// Writes the text, when all tasks are done. Returns the mistake of the first task if all have one, else NULL.
const kin__mistake *kin__report_show(const kin__report *report, const kin__exchange *exchange, kin__json *json);

// ---- the page

// The constant files of the browser's page. They contain nothing of a game, so they need no token.
//
//   inspector/page/*  ── embed.sh ──→  build/inspector-page/files.c  ──→  kin__page_files

typedef struct kin__page_file {
    const char *path;           // of the URL, such as "/main.js"; that of index.html is "/"
    const char *type;           // Content-Type
    const char *tag;            // ETag, which changes with the bytes
    const unsigned char *bytes; // compressed by gzip
    size_t size;
} kin__page_file;

// All files; the last one has no path. Generated.
extern const kin__page_file kin__page_files[];

// Returns the file with this path, or NULL.
const kin__page_file *kin__page_find(const char *path);

// ---- tokens

// The secret that a viewer shows with each request (INS-21).

enum { KIN__TOKEN_LEAST = 32, KIN__TOKEN_MOST = 128, KIN__WRONG_TOKENS = 20, KIN__REQUESTS_A_SECOND = 200 };

// Events of the current second.
typedef struct kin__rate {
    uint64_t second;
    uint32_t count;
} kin__rate;

// Counts an event. Returns whether there are at most `most` in this second.
bool kin__rate_allows(kin__rate *rate, uint64_t now, uint32_t most);

// Returns whether a text may be a token.
bool kin__token_is_valid(const char *token);

// Writes 128 random bits as text. Returns false when the system gives none.
bool kin__token_make(char token[KIN__TOKEN_MOST + 1]);

// Returns whether the value of the header Authorization has the token. The time does not depend on where they differ.
bool kin__token_matches(const char *token, const char *header);

// ---- streams

// Answers of methods that look, asked for again and again, and pushed as server-sent events.
//
//   subscription   method, parameters, period → a task each period → an event, if its result is another one than before
//
// The first event of a subscription is whole, and says so: "whole": true. Later ones have the difference from the last
// one that was sent. An event is whole again after an error or one that was left out, and when a
// difference would not be shorter.
//
// One event of a stream is under way: what happens meanwhile is in the next one (INS-50). A viewer that does not read
// gets none, and costs no tasks.

enum {
    KIN__MAX_SUBSCRIPTIONS = 8,
    KIN__MAX_STREAMS = 4,
    KIN__LEAST_PERIOD = 50,
    KIN__MOST_PERIOD = 60000,
    KIN__PERIOD = 200
};

typedef struct kin__subscription {
    const kin__method *method;
    json_t *id, *parameters;
    uint64_t period, due; // nanoseconds
    kin__task *task;      // that waits or is done, or NULL
    kin__json last;       // the result that was sent last, whole
    bool begins_anew;     // an event was left out: the next one is whole
} kin__subscription;

typedef struct kin__stream {
    kin__service *service;
    json_t *document;
    const char *viewer; // that reads it
    uint32_t count;
    kin__subscription subscriptions[KIN__MAX_SUBSCRIPTIONS];
    kin__json out; // events that are to be sent
    size_t sent;
    uint64_t events, written; // how many, and when the last one was written
    uint64_t dropped;         // that were due while the viewer did not read or the world did not update
} kin__stream;

// Reads a request for a stream. Returns NULL, and what is wrong, when it is none.
kin__stream *kin__stream_create(kin__service *service, const char *text, size_t size, kin__mistake *mistake);

// Destroys a stream, none of whose tasks waits.
void kin__stream_destroy(kin__stream *stream);

// Makes the task of a subscription if it is due, none is under way, and no event is still to be sent; else returns
// NULL. Lowers `next` to the nanoseconds until one is due.
kin__task *kin__stream_ask(kin__stream *stream, uint32_t subscription, uint64_t now, uint64_t *next);

// Returns whether all events were sent.
bool kin__stream_is_sent(const kin__stream *stream);

// Writes a comment when nothing was written for ten seconds, so that a viewer that has gone is noticed.
void kin__stream_beat(kin__stream *stream, uint64_t now);

// Takes a task that is done, and writes its event.
void kin__stream_take(kin__stream *stream, kin__task *task);

// Copies what is to be sent. Returns 0 when that is nothing.
size_t kin__stream_read(kin__stream *stream, char *bytes, size_t size);

// ---- the thread

// The thread of an inspector, which reads requests and writes answers.
//
// It waits for sockets, for tasks that are done and for the time when a stream asks again. It is of batch priority, so
// that waking it does not take the core from the game.

typedef struct kin__transport kin__transport;

typedef struct kin__transport_options {
    uint16_t port;      // or 0 for the first free one of 5460 to 5475
    const char *token;  // or NULL for a random one
    const char *socket; // path of a Unix socket, or NULL
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
