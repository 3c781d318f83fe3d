// A real nats-server on loopback, on a free port, with a configuration of its own: permissions always, TLS if asked.
//
//   host    may do what a host of the world arena.square needs, and nothing else
//   standby may do what a host does, and follow its recording
//   tool    may list worlds and follow recordings, as kin-net does
//   player  may send as any peer, and see all of that world
//   ada     is peer 7, and may see zone 3 and what has no zone
//   admin   may do anything
//
// The password of each is the name. Without nats-server, server_begin prints that the test is skipped.
#ifndef KIN_TESTS_NATS_SERVER_H
#define KIN_TESTS_NATS_SERVER_H

#include "generator/base/base.h"
#include "runtime/support/support.h"

#include <kin/nats.h>

#include <stdbool.h>

// Makes the configuration, without starting the server. False if the machine has no nats-server, or with `has_tls` no
// openssl.
bool server_prepare(bool has_tls);

// Starts the server, and returns when it answers. What it had on disk is there again.
void server_start(void);

// Ends it at once, as kill -9 does.
void server_kill(void);

// Both of the first.
bool server_begin(bool has_tls);

// Ends it, and removes what it has written.
void server_end(void);

// Options for the world arena.square, by a user. They are valid until the next call.
const kin_nats_options *server_options(const char *user);

// The path of a file of the configuration, such as "ca.pem".
const char *server_file(const char *name);

// Connects as a user, and collects what is reported in `errors`. NULL if that is refused.
kin_transport *server_join(const char *user, error_log *errors);

// Waits, less than a second.
void server_rest(uint32_t milliseconds);

// Starts a server, and runs a script of the shell in an empty folder, with the program of an example in $program and
// the URL of an admin in $url. `has TEXT FILE` waits for a text, or ends the processes of $all and the script. Returns
// the output; NULL, with a word, if the machine lacks the server or the example was not built.
const char *server_play(arena *memory, const char *example, const char *script);

#endif
