// Client: an editor that talks to `kin lsp`, which runs as a process of its own.
//
// A test starts it in its set-up and ends it in its tear-down; only one exists at a time. What it returns is in its
// arena, valid until then. Paths are relative to the working directory.
#ifndef KIN_TESTS_CLIENT_H
#define KIN_TESTS_CLIENT_H

#include "generator/base/base.h"
#include "generator/save/save.h"

#include <stddef.h>

// Starts the server. `initialize` has the parameters of its first request; NULL: without capabilities.
void client_start(const char *initialize);

// Shuts the server down. Returns its exit status.
int client_end(void);

// Closes the server's input without that. Returns its exit status; `messages` is what it wrote to standard error.
int client_abandon(const char **messages);

arena *client_arena(void);

// Forgets all that was returned, for tests that ask often.
void client_forget(void);

// Sends bytes as they are.
void client_send(const char *bytes, size_t size);

// Sends a request and returns the whole answer. The parameters are JSON.
const json_node *client_ask(const char *method, const char *parameters);
void client_note(const char *method, const char *parameters);

void client_open(const char *path, const char *text, size_t size);
void client_change(const char *path, const char *text, size_t size);
void client_close(const char *path);

const char *client_uri(const char *path);

// Returns the newest diagnostics of the document, a list; NULL if none were sent.
const json_node *client_diagnostics(const char *path);

// Returns the number of lists of diagnostics that the server has sent.
size_t client_published(void);

// Returns the result of a question about a place: the offset of ASCII text. `more` has further parameters: `, "a": 1`.
const json_node *client_question(const char *method, const char *path, const char *text, size_t offset,
                                 const char *more);

// Returns the answer in the same way, which may be an error.
const json_node *client_answer(const char *method, const char *path, const char *text, size_t offset, const char *more);

// Returns what a path of keys leads to; NULL if it is missing. A number is the index of an item.
const json_node *client_find(const json_node *node, const char *path);
const char *client_text(const json_node *node, const char *path); // NULL unless it is a string or a number

// Returns the text after the edits, a list; the text if it is NULL.
const char *client_apply(const json_node *edits, const char *text);

// Returns the offset of a position in ASCII text.
size_t client_offset(const char *text, const json_node *position);

// Returns JSON of the text as a string.
const char *client_quoted(const char *text, size_t size);

#endif
