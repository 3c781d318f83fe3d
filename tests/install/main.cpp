#include "town/town.h"
#include <cstdio>

int main()
{
    game_context *game = game_context_create(nullptr);
    game_entity cat = game_create_entity(game);
    game_add_position(game, cat, Position{1, 2});
    game_add_velocity(game, cat, Velocity{3, 0});
    game_walkers_iter it = game_walkers_iterate(game);
    while (game_walkers_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            it.position[i].x += it.velocity[i].x;
    std::printf("the cat is at %g, with Kin %s\n", game_get_position(game, cat)->x, kin_version());
    game_context_destroy(game);
}
