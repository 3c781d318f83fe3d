// The opaque value of ordeal.yaml: a number and a heap block that has the same number.
//
// The context drops each token exactly once; a token that is not dropped, or is dropped twice, fails the run.
#ifndef KIN_TESTS_FUZZ_API_TOKEN_H
#define KIN_TESTS_FUZZ_API_TOKEN_H

struct ordeal_token {
    int number;
    void *block; // NULL: an empty token, which owns nothing
};

void ordeal_token_drop(struct ordeal_token token);

#endif
