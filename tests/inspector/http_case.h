// HTTP case: a world with twenty houses that is updated by a thread of its own, and an inspector that listens.
#ifndef KIN_TESTS_INSPECTOR_HTTP_CASE_H
#define KIN_TESTS_INSPECTOR_HTTP_CASE_H

#include "inspect_case.h"
#include "shell.h"

#include "runtime/support/support.h"
#include "runtime/support/town_case.h"

#include <stdatomic.h>

#define TOKEN "0123456789abcdef0123456789abcdef"

enum { RESPONSE_SIZE = 256 * 1024 };

extern const char *http_token; // TOKEN at first
extern uint16_t http_port;
extern atomic_bool game_stands; // the world is not updated
extern arena http_memory;       // of requests

// Begins with these options, and ends the world with its inspector.
void http_begin_with(kin_inspector_options options);
void http_begin(void);
void http_end(void);

// Starts and stops the thread that updates the world.
void game_start(void);
void game_stop(void);

// Nanoseconds since a fixed moment; and a pause.
uint64_t now(void);
void wait_for(uint64_t milliseconds);

// Waits until it holds, however slow the machine is.
#define wait_until(condition)                                                                                          \
    while (!(condition))                                                                                               \
    wait_for(2)

// Waits until the game has updated so often since the call.
void wait_for_updates(uint32_t count);

// A connection to the inspector. `receive` reads until it ends, and closes it.
int connect_to(void);
void send_bytes(int connection, const char *bytes, size_t size);
const char *receive(int connection);

// Sends a whole request. Returns all that comes back, valid until the next call.
const char *exchange(const char *request);
int status_of(const char *response);

// A request with these headers, and this body.
const char *request_of(const char *line, const char *headers, const char *body);

#define HOST   "Host: 127.0.0.1\r\n"
#define BEARER "Authorization: Bearer " TOKEN "\r\n"
#define TYPE   "Content-Type: application/json\r\n"
#define POST   "POST /rpc HTTP/1.1"
#define HELLO  "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"kin.hello\"}"
#define QUERY                                                                                                          \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"entities.query\",\"params\":{\"context\":\"houses\",\"query\":\"Roof " \
    "where "                                                                                                           \
    "tiles > 17\"}}"

#endif
