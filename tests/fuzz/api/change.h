// Change: one component of one entity, changed by a generated function or by its id.
#ifndef KIN_TESTS_FUZZ_API_CHANGE_H
#define KIN_TESTS_FUZZ_API_CHANGE_H

#include "parts.h"

typedef enum change_kind { ADD, REPLACE, REMOVE, READD, SWITCH_ON, SWITCH_OFF } change_kind;

typedef struct change {
    change_kind kind;
    const part *part;
    game_entity entity;
    uint32_t package;
    bool is_by_id;
} change;

// Draws a kind that the generated functions of the part have.
change_kind take_change_kind(const part *part);

// Makes the change, and compares its status with the one that the mirror predicts.
void change_component(const change *change, game_context *game);

#endif
