// Tokens: opaque values that belong to somebody. Each is dropped exactly once (CMP-13); what is not is told by the
// counts.
#ifndef KIN_TESTS_MODEL_TOKEN_H
#define KIN_TESTS_MODEL_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

struct model_token {
    uint32_t number; // 0: none was ever made
    int32_t tag;
};

struct model_token model_token_make(int32_t tag);
void model_token_drop(struct model_token token);

bool model_token_is_there(struct model_token token);

// How many are not dropped yet, and how often one was dropped that was not there.
uint32_t model_tokens_count(void);
uint32_t model_tokens_faults(void);
void model_tokens_begin(void);

#endif
