#include "transport/token.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

bool kin__rate_allows(kin__rate *rate, uint64_t now, uint32_t most)
{
    uint64_t second = now / 1000000000u;
    if (second != rate->second)
        *rate = (kin__rate){second, 0};
    return ++rate->count <= most;
}

bool kin__token_is_valid(const char *token)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    size_t size = strlen(token);
    return size >= KIN__TOKEN_LEAST && size <= KIN__TOKEN_MOST && strspn(token, allowed) == size;
}

bool kin__token_make(char token[KIN__TOKEN_MOST + 1])
{
    unsigned char bits[16];
    if (getrandom(bits, sizeof bits, 0) != (ssize_t)sizeof bits)
        return false;
    for (size_t i = 0; i < sizeof bits; i++)
        snprintf(token + 2 * i, 3, "%02x", bits[i]);
    return true;
}

bool kin__token_matches(const char *token, const char *header)
{
    static const char scheme[] = "Bearer ";
    if (header == NULL || strncmp(header, scheme, sizeof scheme - 1) != 0)
        return false;
    const char *given = header + sizeof scheme - 1;
    size_t size = strlen(token), given_size = strlen(given);
    unsigned difference = size != given_size;
    for (size_t i = 0; i < size; i++)
        difference |= (unsigned char)token[i] ^ (unsigned char)given[given_size == 0 ? 0 : i % given_size];
    return difference == 0;
}
