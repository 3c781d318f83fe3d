// What the files of the systems of tests/golden/world.yaml include, as far as they use it.
#ifndef KIN_TESTS_SCAFFOLD_MEADOW_H
#define KIN_TESTS_SCAFFOLD_MEADOW_H

#include <stdbool.h>
#include <stdint.h>

typedef struct meadow_world meadow_world;
typedef struct kin_tick kin_tick;
typedef struct game_entity {
    uint64_t id;
} game_entity;
typedef struct input_entity {
    uint64_t id;
} input_entity;
typedef struct Position Position;
typedef struct Health Health;
typedef struct Damage Damage;
typedef struct Stormed Stormed;
typedef struct Over Over;

#define ITERATOR(name, member)                                                                                         \
    typedef struct name##_iter {                                                                                       \
        uint32_t count;                                                                                                \
        float *position, *member;                                                                                      \
    } name##_iter;                                                                                                     \
    bool name##_next(name##_iter *it);                                                                                 \
    game_entity name##_at(const name##_iter *it, uint32_t i);                                                          \
    void name##_update(meadow_world *world, name##_iter *it, const kin_tick *tick);

ITERATOR(fall, velocity)
ITERATOR(move, velocity)
ITERATOR(age, health)
ITERATOR(collide, health)

void input_initialize(meadow_world *world);
void input_execute(meadow_world *world, const kin_tick *tick);
void input_cleanup(meadow_world *world);
void input_tear_down(meadow_world *world);
void freeze_execute(meadow_world *world, const kin_tick *tick);
void thaw_execute(meadow_world *world, const kin_tick *tick);
void collide_first_update(meadow_world *world, const game_entity *entities, uint32_t count);
void collide_enter(meadow_world *world, const game_entity *entities, uint32_t count);
void collide_leave(meadow_world *world, const game_entity *entities, uint32_t count);
const Position *collide_left_position(const meadow_world *world, uint32_t i);
const Health *collide_left_health(const meadow_world *world, uint32_t i);
void combat_on_damage(meadow_world *world, const Damage *message);
void combat_on_stormed(meadow_world *world, const Stormed *message);
void count_execute_game(meadow_world *world, const game_entity *entities, uint32_t count);
void count_execute_input(meadow_world *world, const input_entity *entities, uint32_t count);
bool count_filter_game(meadow_world *world, game_entity entity);
bool count_filter_input(meadow_world *world, input_entity entity);
void storm_execute(meadow_world *world, const kin_tick *tick);
void storm_on_over(meadow_world *world, const Over *message);
void show_start(meadow_world *world);
void show_draw(meadow_world *world);
void show_dispose(meadow_world *world);

#endif
