#include "build.h"

#include "level.h"

#include <defense/defense_content.h>

enum { MOST_BARRELS = 4 };

game_entity build_find(const game_context *game, Position at)
{
    game_entity tower = GAME_NO_ENTITY;
    game_sites_nearest(game, at.x, at.y, 1, 0.5, &tower);
    return tower;
}

// Returns the value of a component of a prefab, before it is spawned.
static const void *value_of(const game_context *game, const char *prefab, kin_component_id component)
{
    kin_prefab number = kin_prefab_find(kin_content_of(&game->base), prefab);
    return kin_prefab_value(&game->base, number, 0, component);
}

static const Tower *tower_of(const game_context *game, const char *prefab)
{
    return value_of(game, prefab, GAME_TOWER);
}

static const Barrel *barrel_of(const game_context *game, const char *prefab)
{
    return value_of(game, prefab, GAME_BARREL);
}

int32_t build_tower_price(const game_context *game, const char *prefab)
{
    return tower_of(game, prefab)->price;
}

int32_t build_barrel_price(const game_context *game, const char *tower_prefab)
{
    return barrel_of(game, tower_of(game, tower_prefab)->barrel)->price;
}

static bool pay(game_context *game, int32_t price)
{
    Purse *purse = game_edit_unique_purse(game);
    bool can_pay = purse->gold >= price;
    purse->gold -= can_pay ? price : 0;
    return can_pay;
}

const char *build_tower(game_context *game, const char *prefab, Position at)
{
    int32_t price = build_tower_price(game, prefab);
    if (level_is_lane(game, (uint32_t)at.x, (uint32_t)at.y) || game_entity_is_alive(game, build_find(game, at)))
        return "there is no room";
    if (!pay(game, price))
        return "too dear";
    game_tower_parts parts;
    game_entity tower =
        game_spawn_named_tower(game, prefab, (game_tower_value){.position = at, .given = {.position = true}}, &parts);
    game_replace_position(game, parts.turret.entity, at);
    game_edit_tower(game, tower)->worth = price;
    return NULL;
}

const char *build_barrel(game_context *game, Position at)
{
    game_entity tower = build_find(game, at);
    if (!game_entity_is_alive(game, tower))
        return "there is no tower";
    game_entity turret = game_parts_first(game, tower);
    if (game_parts_count(game, turret) == MOST_BARRELS)
        return "there is no room for one more barrel";
    const char *prefab = game_get_tower(game, tower)->barrel;
    int32_t price = barrel_of(game, prefab)->price;
    if (!pay(game, price))
        return "too dear";
    game_entity barrel = game_spawn_named(game, prefab, NULL);
    game_add_part_of(game, barrel, (PartOf){turret});
    game_set_off(game, barrel, game_is_off(game, tower)); // a jammed tower gets a barrel that is off, too
    game_edit_tower(game, tower)->worth += price;
    return NULL;
}

const char *build_sell(game_context *game, Position at)
{
    game_entity tower = build_find(game, at);
    if (!game_entity_is_alive(game, tower))
        return "there is no tower";
    if (game_is_off(game, tower))
        return "nobody buys a jammed tower";
    game_edit_unique_purse(game)->gold += game_get_tower(game, tower)->worth / 2;
    game_destroy_entity(game, tower); // with its parts
    return NULL;
}
