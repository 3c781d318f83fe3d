// Exchange: one request of JSON-RPC 2.0, or a batch of them, and its answer.
//
// A request without an `id` is a notification: it is done, and has no answer.
#ifndef KIN_INSPECT_EXCHANGE_H
#define KIN_INSPECT_EXCHANGE_H

#include "host/host.h"

enum { KIN__MAX_BATCH = 16, KIN__MAX_BODY = 64 * 1024, KIN__MAX_JSON_DEPTH = 32, KIN__MAX_ANSWER = 4 * 1024 * 1024 };

// Bytes of an answer that are kept free for the errors of calls with an answer that does not fit, and their ids.
enum { KIN__ERROR_ROOM = 128 * 1024 };

typedef struct kin__rpc_call {
    json_t *id;      // NULL: a notification
    kin__task *task; // NULL: it has a mistake
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

#endif
