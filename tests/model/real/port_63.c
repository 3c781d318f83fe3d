// The generated functions of package model63, as a port (port.h).

#include <model63/model63.h>

#define CONTEXT m63
#define INFO    M63
#define PORT    model_port_63

#include "port_values.h"

#include "port_indices.h"

#include "port_define.inc"

// The functions that give keys, for all packages: their components are alike.
uint32_t model_give_claim(const Big *big, int32_t keys[KIN_INDEX_KEYS])
{
    int32_t tag = big->values[0];
    keys[0] = tag % 24;
    keys[1] = 24 + tag % 7;
    return tag % 4 == 0 ? 2 : 0;
}

uint32_t model_give_near(const Plain *plain, const Link *link, int32_t keys[KIN_INDEX_KEYS])
{
    keys[0] = (plain->tag + link->tag) % 9;
    keys[1] = (5 * plain->tag + link->tag) % 9;
    return (uint32_t)plain->tag % 3;
}
