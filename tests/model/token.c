#include "token.h"

#include <stdbool.h>
#include <string.h>

enum { TOKENS = 4096 };

static bool there[TOKENS];
static uint32_t count, faults, next;

void model_tokens_begin(void)
{
    memset(there, 0, sizeof there);
    count = faults = next = 0;
}

struct model_token model_token_make(int32_t tag)
{
    do
        next = next % (TOKENS - 1) + 1;
    while (there[next]);
    there[next] = true;
    count++;
    return (struct model_token){next, tag};
}

bool model_token_is_there(struct model_token token)
{
    return token.number != 0 && token.number < TOKENS && there[token.number];
}

void model_token_drop(struct model_token token)
{
    if (!model_token_is_there(token)) {
        faults++;
        return;
    }
    there[token.number] = false;
    count--;
}

uint32_t model_tokens_count(void)
{
    return count;
}

uint32_t model_tokens_faults(void)
{
    return faults;
}
