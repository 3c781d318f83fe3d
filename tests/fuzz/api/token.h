// The opaque value of ordeal.yaml: a number and a heap block that has the same number.
//
// The context drops each token exactly once; a token that is not dropped, or is dropped twice, fails the run.
#ifndef KIN_TESTS_FUZZ_API_TOKEN_H
#define KIN_TESTS_FUZZ_API_TOKEN_H

#include <stdint.h>

struct ordeal_token {
    intptr_t number; // without padding: a replace compares bytes, and a copy of a struct may leave padding out
    void *block;     // NULL: an empty token, which owns nothing
};

void ordeal_token_drop(struct ordeal_token token);

#endif
