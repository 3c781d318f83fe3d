// Scan: a query as tokens, one after the other, and the first mistake in it.
#ifndef KIN_INSPECT_SCAN_H
#define KIN_INSPECT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum kin__token_kind {
    KIN__TOKEN_END,
    KIN__TOKEN_NAME,   // also in back quotes
    KIN__TOKEN_NUMBER, // with a point or an exponent: not an integer
    KIN__TOKEN_INTEGER,
    KIN__TOKEN_STRING,
    KIN__TOKEN_MARK // one or two characters
} kin__token_kind;

typedef struct kin__token {
    kin__token_kind kind;
    bool is_quoted; // a name in back quotes, which is no word of the grammar
    uint32_t at, length;
} kin__token;

enum { KIN__MEANT = 3, KIN__QUERY_SIZE = 1024, KIN__QUERY_OPERATORS = 64, KIN__QUERY_LEVELS = 16 };

// A mistake: where, and what it is. `code` is that of the protocol; 0: none.
typedef struct kin__mistake {
    int code;
    uint32_t at, length;
    char message[512];
    const char *meant[KIN__MEANT]; // names of the schema
} kin__mistake;

typedef struct kin__scan {
    const char *text;
    uint32_t size;
    kin__token token; // the current one
    kin__mistake *mistake;
} kin__scan;

// Begins with the first token. `text` is terminated by a NUL and outlives the scan.
kin__scan kin__scan_begin(const char *text, kin__mistake *mistake);

// Moves to the next token.
void kin__scan_next(kin__scan *scan);

// Returns whether the current token is this mark or this word of the grammar.
bool kin__scan_is(const kin__scan *scan, const char *word);

// Moves behind the token if it is this mark or word.
bool kin__scan_accept(kin__scan *scan, const char *word);

// The same, but what else is there is a mistake.
bool kin__scan_expect(kin__scan *scan, const char *word);

// Returns what to write in place of the current token, as the end of a message: of other languages' `and`, `or` and
// single quotes. "": nothing is known.
const char *kin__scan_hint(const kin__scan *scan);

// Copies the text of the current token, without quotes; a string with its escapes replaced.
void kin__scan_copy(const kin__scan *scan, char *text, size_t size);

// Reports a mistake at the current token, or at a given one; only the first mistake is kept. Returns false.
bool kin__scan_fail(kin__scan *scan, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool kin__scan_fail_at(kin__scan *scan, kin__token token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
