// Tokens: opaque values that have an owner. Each is dropped exactly once (CMP-13); the counts show those that are not.
#ifndef KIN_TESTS_MODEL_TOKEN_H
#define KIN_TESTS_MODEL_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

struct model_token {
    uint32_t number; // 0: no token
    int32_t tag;
};

struct model_token model_token_make(int32_t tag);
void model_token_drop(struct model_token token);

bool model_token_is_there(struct model_token token);

// The number of tokens that are not dropped yet, and the number of drops of a token that did not exist.
uint32_t model_tokens_count(void);
uint32_t model_tokens_faults(void);
void model_tokens_begin(void);

#endif
