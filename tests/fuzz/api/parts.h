// Parts: the generated functions of each component of `game` in one table, so that one operation serves all.
#ifndef KIN_TESTS_FUZZ_API_PARTS_H
#define KIN_TESTS_FUZZ_API_PARTS_H

#include "values.h"

enum { PART_SIZE = 512 }; // no value is larger

typedef union part_value {
    max_align_t alignment;
    char bytes[PART_SIZE];
} part_value;

// A flag has `set`, any other component has the rest; a function that a component lacks is NULL.
typedef struct part {
    kin_component_id id;
    void (*make)(void *value);
    void (*drop)(const void *value);
    kin_status (*add)(game_context *game, game_entity entity, const void *value);
    kin_status (*replace)(game_context *game, game_entity entity, const void *value);
    kin_status (*readd)(game_context *game, game_entity entity, const void *value);
    kin_status (*remove)(game_context *game, game_entity entity);
    kin_status (*set)(game_context *game, game_entity entity, bool on);
    kin_status (*stash)(game_context *game, game_entity entity);
    kin_status (*restore)(game_context *game, game_entity entity);
    bool (*has_stashed)(const game_context *game, game_entity entity);
    kin_status (*restore_or_add)(game_context *game, game_entity entity, const void *value);
} part;

// The parts of the first inputs, then those of COMPONENTS_GIVEN.
enum { FIRST_PARTS = 22, PARTS = 25, FIRST_STASHED_PARTS = 6, STASHED_PARTS = 8 };

extern const part parts[PARTS], stashed_parts[STASHED_PARTS];

// What describes a value, and that of an entity's component: equal for equal values. 0 if the entity has none.
uint64_t hash_value(const game_context *game, kin_component_id id, const void *value);
uint64_t hash_shown(const game_context *game, kin_entity entity, kin_component_id id);

#endif
