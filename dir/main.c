// dir: a cat and a dog go for a walk. `make` builds and runs it.
#include "dir/dir.h"

#include <stdio.h>
#include <stdlib.h>

static game_entity add_animal(game_context *game, const char *name, Velocity velocity)
{
    game_entity animal = game_create_entity(game);
    game_add_name(game, animal, (Name){.value = name});
    game_add_position(game, animal, position_default());
    game_add_velocity(game, animal, velocity);
    return animal;
}

// Goes over the group `moving` of the schema. Each turn of the outer loop is a run of values that lie side by side.
static void move(game_context *game, float seconds)
{
    game_moving_iter it = game_moving_iterate(game);
    while (game_moving_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            it.position[i].x += it.velocity[i].x * seconds;
            it.position[i].y += it.velocity[i].y * seconds;
        }
}

static void print_place(game_context *game, const char *name)
{
    game_entity animal = game_entity_with_name_value(game, name);
    const Position *position = game_get_position(game, animal);
    if (position == NULL)
        printf("there is no %s\n", name);
    else
        printf("the %s is at %g, %g%s\n", name, position->x, position->y,
               game_is_asleep(game, animal) ? " and sleeps" : "");
}

int main(void)
{
    game_context *game = game_context_create(NULL);
    if (game == NULL)
        return EXIT_FAILURE;
    add_animal(game, "cat", (Velocity){.x = 2, .y = 1});
    game_entity dog = add_animal(game, "dog", (Velocity){.x = 3});

    move(game, 1);
    game_set_asleep(game, dog, true);
    move(game, 1);

    print_place(game, "cat");
    print_place(game, "dog");
    game_context_destroy(game);
    return EXIT_SUCCESS;
}
