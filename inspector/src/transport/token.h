// Token: the secret that a viewer shows with each request (INS-21).
#ifndef KIN_INSPECT_TOKEN_H
#define KIN_INSPECT_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
