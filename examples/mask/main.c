// The small ECS of the tutorials, in Kin: one system on one group, with every role that a group system can have.

#include "mask/mask.h"

#include <stdio.h>

static void print_each(const char *what, const game_entity *entities, uint32_t count)
{
    printf("  %s", what);
    for (uint32_t i = 0; i < count; i++)
        printf(" #%u", (unsigned)kin_entity_slot(entities[i].id));
    printf("\n");
}

// ---- the system

void move_first_update(mask_world *world, const game_entity *entities, uint32_t count)
{
    (void)world;
    print_each("first update with", entities, count);
}

void move_enter(mask_world *world, const game_entity *entities, uint32_t count)
{
    (void)world;
    print_each("enter", entities, count);
}

// Entities that were destroyed are here, too. The values are those that they had last.
void move_leave(mask_world *world, const game_entity *entities, uint32_t count)
{
    print_each("leave", entities, count);
    for (uint32_t i = 0; i < count; i++)
        printf("    it was at %d\n", (int)move_left_position(world, i)->x);
}

void move_update(mask_world *world, move_iter *it, const kin_tick *tick)
{
    (void)world;
    while (move_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->position[i].x += it->velocity[i].x * (int32_t)tick->delta;
}

void move_draw(mask_world *world, const game_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        printf("  draw #%u at %d\n", (unsigned)kin_entity_slot(entities[i].id),
               (int)game_get_position(world->contexts->game, entities[i])->x);
}

// ---- the game

static void turn(mask_world *world, const char *what)
{
    printf("%s\n", what);
    mask_world_update(world, 1);
    mask_world_draw(world);
}

static game_entity make(game_context *game, int32_t x, int32_t velocity)
{
    game_entity entity = game_create_entity(game);
    game_add_position(game, entity, (Position){x});
    game_add_velocity(game, entity, (Velocity){velocity});
    return entity;
}

int main(void)
{
    mask_world *world = mask_world_create(NULL, NULL);
    if (world == NULL)
        return 1;
    game_context *game = world->contexts->game;
    turn(world, "no entities: the update is skipped");
    game_entity one = make(game, 0, 1), two = make(game, 100, -10);
    turn(world, "two entities enter");
    game_set_asleep(game, one, true);
    game_set_asleep(game, one, false);
    turn(world, "one fell asleep and woke up: it never left");
    game_stash_velocity(game, two);
    turn(world, "the velocity of the other is stashed");
    game_restore_velocity(game, two);
    turn(world, "it is restored");
    kin_matcher resting = KIN_MATCHER(KIN_ALL(GAME_POSITION), KIN_NONE(GAME_VELOCITY));
    printf("is it resting? %s\n", kin_matches(&game->base, resting, two.id) ? "yes" : "no");
    kin_remove_components(&game->base, two.id, KIN_ALL(GAME_POSITION, GAME_VELOCITY));
    game_destroy_entity(game, one);
    turn(world, "one is destroyed, the other loses all");
    mask_world_destroy(world);
    return 0;
}
