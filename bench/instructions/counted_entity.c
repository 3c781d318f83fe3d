// Counted operations on entities: creating, destroying, iterating.

#include "town.h"

void counted_create(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        town->entities[i] = game_create_entity(town->game);
}

void counted_create_two(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++) {
        town->entities[i] = game_create_entity(town->game);
        game_add_position(town->game, town->entities[i], (Position){1, 2, 3});
        game_add_velocity(town->game, town->entities[i], (Velocity){1, 1, 1});
    }
}

void counted_destroy(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        game_destroy_entity(town->game, town->entities[i]);
}

void counted_destroy_group(town *town)
{
    kin_group_destroy_entities(game_movers_group(town->game));
}

void counted_clone(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        town->sum += game_clone_entity(town->game, town->entities[0]).id;
}

void counted_spawn(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        town->sum += game_spawn_prefab(town->game).id;
}

void counted_spawn_with(town *town)
{
    game_prefab_value value = {.given = {.position = true, .velocity = true}};
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++) {
        value.position.x = value.velocity.y = (float)i;
        town->sum += game_spawn_prefab_with(town->game, value).id;
    }
}

void counted_spawn_many(town *town)
{
    game_spawn_many_prefab(town->game, TOWN_ENTITIES, town->entities);
}

void counted_iterate_runs(town *town)
{
    game_movers_iter it = game_movers_iterate(town->game);
    while (game_movers_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            it.position[i].x += it.velocity[i].x;
}

void counted_iterate_blocks(town *town)
{
    game_movers_iter it = game_movers_iterate(town->game);
    while (game_movers_next_block(&it))
        KIN_EACH_BIT(i, it.mask)
    it.position[i].x += it.velocity[i].x;
}

void counted_group_count(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        town->sum += kin_group_count(game_movers_group(town->game));
}

void counted_group_count_changed(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++) {
        game_remove_velocity(town->game, town->entities[i]);
        town->sum += kin_group_count(game_movers_group(town->game));
    }
}

void counted_group_entities(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++) {
        uint32_t count = 0;
        town->sum += game_movers_entities(town->game, &count)[0].id;
    }
}

void counted_group_entities_changed(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES - 1; i++) {
        uint32_t count = 0;
        game_remove_velocity(town->game, town->entities[i]);
        town->sum += game_movers_entities(town->game, &count)[0].id;
    }
}
