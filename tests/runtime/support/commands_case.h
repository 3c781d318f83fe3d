// Commands case: two equal contexts of package army. What a buffer plays in one, direct calls do in the other.
#ifndef KIN_TESTS_RUNTIME_COMMANDS_CASE_H
#define KIN_TESTS_RUNTIME_COMMANDS_CASE_H

#include "support.h"

#include <army/army.h>

enum { CASE_SOLDIERS = 12 };

typedef struct commands_case {
    army_context *army, *other; // played, and called directly
    army_commands *commands;
    army_entity soldiers[CASE_SOLDIERS]; // of both: their handles are equal. All have Post, every third one Mood
    error_log errors, other_errors;
    guard memory;
} commands_case;

extern commands_case fixture;

void commands_case_begin(void);
// Checks both contexts and that all memory is free.
void commands_case_end(void);

// Fails unless both contexts have equal entities and values, and the same events and errors since the last call.
void commands_case_compare(void);
// Notes an event of a context in its list.
void commands_case_watch(void);

#endif
