// Ledger: what a listener of KIN_COMPONENT_CHANGED is told of a game context (CTX-12), compared with what the context
// shows.
//
// Like the mirror it follows operations during which no callback performs another: after any other its balance is
// unknown until the next operation, as calls for an entity that a callback destroyed are skipped (DSP-07).
#ifndef KIN_TESTS_FUZZ_API_LEDGER_H
#define KIN_TESTS_FUZZ_API_LEDGER_H

#include "harness.h"

// Opens the ledger of the context if it is closed, and closes it if it is open.
void do_ledger(const place *at);

// Call when a restore has changed components, of which nobody is notified.
void ledger_lose(uint32_t package);

// Call when the context has ended.
void ledger_forget(const kin_context *context);

// Call after each operation outside of callbacks: for each component the additions without the removals are what the
// number of its entities has grown by.
void ledger_end_operation(void);

// Call before and after an operation: an open ledger has received the expected calls since the mark. Nothing is
// compared if a callback performed operations.
ledger_mark ledger_begin(uint32_t package);
void ledger_compare(uint32_t package, const attempt *attempt, ledger_mark mark, ledger_mark expected);

#endif
