// The features that Entitas is known for, in Kin: systems react to changes, events notify the screen, cleanup ends the
// frame.

#include "entitas/entitas.h"

#include <stdio.h>

// ---- systems, as the schema declares them

// A replaced Health counts as added to the group, too. Only entities that were hit in this frame pass.
bool hurt_filter(entitas_world *world, game_entity entity)
{
    return game_has_damage(world->contexts->game, entity);
}

void hurt_execute(entitas_world *world, const game_entity *hit, uint32_t count)
{
    game_context *game = world->contexts->game;
    for (uint32_t i = 0; i < count; i++) {
        int32_t left = game_get_health(game, hit[i])->points - game_get_damage(game, hit[i])->points;
        game_replace_health(game, hit[i], (Health){left < 0 ? 0 : left});
        game_set_dead(game, hit[i], left <= 0);
    }
}

void count_dead_initialize(entitas_world *world)
{
    game_set_unique_score(world->contexts->game, (Score){0});
}

void count_dead_execute(entitas_world *world, const game_entity *dead, uint32_t count)
{
    (void)dead;
    game_context *game = world->contexts->game;
    game_replace_unique_score(game, (Score){game_get_unique_score(game)->value + 10 * (int32_t)count});
}

// ---- the screen: its listeners are called once a frame

static void show_health(game_context *game, game_entity entity, const Health *health, void *user)
{
    (void)user;
    printf("  %s has %d left\n", game_get_name(game, entity)->value, (int)health->points);
}

static void show_dead(game_context *game, game_entity entity, void *user)
{
    (void)user;
    printf("  %s is dead\n", game_get_name(game, entity)->value);
}

static void show_score(game_context *game, game_entity entity, const Score *score, void *user)
{
    (void)game, (void)entity, (void)user;
    printf("  score %d\n", (int)score->value);
}

// ---- the game

static void add(game_context *game, game_entity entity, const char *name)
{
    game_add_name(game, entity, (Name){name});
    game_add_health_listener(game, entity, show_health, NULL);
}

static void strike(game_context *game, const char *name, int32_t points)
{
    game_entity entity = game_entity_with_name_value(game, name);
    if (game_entity_is_alive(game, entity))
        game_replace_damage(game, entity, (Damage){points});
    else
        printf("  there is no %s to strike\n", name);
}

int main(void)
{
    static const struct {
        const char *name;
        int32_t points;
    } strikes[] = {{"Grok", 20}, {"Bert", 50}, {"Grok", 20}, {"Grok", 20}, {"Bert", 50}};
    entitas_world *world = entitas_world_create(NULL, NULL);
    if (world == NULL)
        return 1;
    game_context *game = world->contexts->game;
    game_entity screen = game_create_entity(game);
    game_add_any_dead_listener(game, screen, show_dead, NULL);
    game_add_any_score_listener(game, screen, show_score, NULL);
    add(game, game_spawn_orc(game), "Grok");
    add(game, game_spawn_troll(game), "Bert");
    for (uint32_t i = 0; i < sizeof strikes / sizeof *strikes; i++) {
        printf("strike %s\n", strikes[i].name);
        strike(game, strikes[i].name, strikes[i].points);
        entitas_world_update(world, 1);
    }
    entitas_world_destroy(world);
    return 0;
}
