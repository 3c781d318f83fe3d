// Environment: numbers that a user gives to tests.
//
//   KIN_STEPS        how many random steps each suite of relations, trees, lists and shared values plays
//   KIN_MODEL_SEED   which ones; 0 unless given
#ifndef KIN_TESTS_RUNTIME_ENVIRONMENT_H
#define KIN_TESTS_RUNTIME_ENVIRONMENT_H

#include <stdint.h>
#include <stdlib.h>

static inline uint64_t environment_number(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text != NULL && *text != '\0' ? strtoull(text, NULL, 10) : otherwise;
}

// Returns the number of steps of one of the games of a suite.
static inline uint64_t environment_steps(uint64_t otherwise, uint32_t games)
{
    return environment_number("KIN_STEPS", otherwise) / games;
}

// Returns a seed for one of the games of a suite.
static inline uint64_t environment_seed(uint32_t game, uint32_t games)
{
    return environment_number("KIN_MODEL_SEED", 0) * games + game;
}

#endif
