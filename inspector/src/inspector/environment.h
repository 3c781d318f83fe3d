// Environment: what KIN_INSPECT says, a list with commas of off, read and port=N. It restricts each inspector.
#ifndef KIN_INSPECT_ENVIRONMENT_H
#define KIN_INSPECT_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct kin__environment {
    bool is_off, is_read_only;
    bool is_wrong; // it has another word: one with a typo would allow more than was meant
    uint16_t port; // 0: not given
} kin__environment;

kin__environment kin__environment_read(void);

#endif
