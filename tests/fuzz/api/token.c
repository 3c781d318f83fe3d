#include "values.h"

// A block is exactly as large as its token needs: the sanitizer detects a second drop and a read after the drop.
typedef struct token_block {
    int magic, number;
} token_block;

enum { TOKEN_MAGIC = 0x70c0 };

void check_token(Token token)
{
    const token_block *block = token.block;
    if (block != NULL)
        CHECK(block->magic == TOKEN_MAGIC && block->number == token.number);
}

void ordeal_token_drop(struct ordeal_token token)
{
    token_block *block = token.block;
    if (block == NULL)
        return;
    check_token(token);
    block->magic = 0;
    free(block);
    here->live_tokens--;
}

Token make_token(void)
{
    if (take_below(4) == 0)
        return (Token){0, NULL};
    token_block *block = malloc(sizeof *block);
    CHECK(block != NULL);
    *block = (token_block){TOKEN_MAGIC, ++here->last_token};
    here->live_tokens++;
    return (Token){block->number, block};
}
