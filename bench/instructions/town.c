// Town: the settings in which operations run.

#include "town.h"

#include <stdio.h>
#include <string.h>

void town_empty(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        town->entities[i] = game_create_entity(town->game);
}

void town_used(town *town)
{
    town_moving(town);
    game_destroy_all_entities(town->game);
}

void town_moving(town *town)
{
    town_empty(town);
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++) {
        game_add_position(town->game, town->entities[i], (Position){(float)i, 0, 0});
        game_add_velocity(town->game, town->entities[i], (Velocity){1, 1, 1});
    }
}

void town_whole(town *town)
{
    town_moving(town);
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++) {
        game_add_health(town->game, town->entities[i], (Health){(int32_t)i});
        game_add_data(town->game, town->entities[i], (Data){1});
    }
}

void town_spawned(town *town)
{
    game_spawn_many_prefab(town->game, TOWN_ENTITIES, NULL);
    game_destroy_all_entities(town->game);
}

static void on_change(const kin_change *change, void *user)
{
    town *town = user;
    town->sum += change->entity;
}

void town_aside(town *town)
{
    town_spawned(town);
    kin_group_subscribe(game_group(town->game, KIN_MATCHER(KIN_ALL(GAME_POSITION, GAME_FROZEN))), KIN_ADDED_OR_REMOVED,
                        on_change, town);
}

void town_warned(town *town)
{
    town_moving(town);
    kin_context_subscribe(&town->game->base, KIN_ENTITY_WILL_BE_DESTROYED, on_change, town);
}

void town_ragged(town *town)
{
    town_moving(town);
    for (uint32_t i = 1; i < TOWN_ENTITIES; i += 2)
        game_remove_velocity(town->game, town->entities[i]);
}

void town_flagged(town *town)
{
    town_moving(town);
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        game_set_frozen(town->game, town->entities[i], true);
}

void town_named(town *town)
{
    town_empty(town);
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++) {
        Name name = name_default();
        snprintf(town->names[i], sizeof(town_name), "person_%08x", i * 2654435761u);
        memcpy(name.value, town->names[i], sizeof(town_name));
        game_add_number(town->game, town->entities[i], (Number){i * 2654435761u});
        game_add_name(town->game, town->entities[i], name);
        game_add_title(town->game, town->entities[i], (Title){town->names[i]});
    }
}

void town_notified(town *town)
{
    town_whole(town);
    kin_group_subscribe(game_living_group(town->game), KIN_MODIFIED, on_change, town);
}

void town_collected(town *town)
{
    town_whole(town);
    town->collector = kin_collector_create(&(kin_trigger){game_living_group(town->game), KIN_MODIFIED}, 1);
}

void town_full(town *town)
{
    town_collected(town);
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        game_touch_health(town->game, town->entities[i]);
}

static kin_group *group_of(town *town, uint32_t flags)
{
    kin_matcher matcher = KIN_MATCHER(KIN_ALL(GAME_HEALTH));
    kin_rule *all = &matcher.rules[0];
    for (uint32_t b = 0; b < 5; b++)
        if ((flags >> b & 1) != 0)
            all->ids[all->count++] = (kin_component_id)(GAME_F0 + b);
    return game_group(town->game, matcher);
}

static void set_flags(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++) {
        game_set_f0(town->game, town->entities[i], (i & 1) != 0);
        game_set_f1(town->game, town->entities[i], (i & 2) != 0);
        game_set_f2(town->game, town->entities[i], (i & 4) != 0);
    }
}

void town_watched(town *town)
{
    town_moving(town);
    set_flags(town);
    for (uint32_t flags = 0; flags < TOWN_GROUPS; flags++)
        group_of(town, flags);
}

void town_subscribed(town *town)
{
    town_moving(town);
    set_flags(town);
    for (uint32_t flags = 0; flags < TOWN_GROUPS; flags++)
        kin_group_subscribe(group_of(town, flags), KIN_ADDED_OR_REMOVED, on_change, town);
}

void town_tree(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++) {
        town->nodes[i] = scene_create_entity(town->scene);
        scene_add_place(town->scene, town->nodes[i], (Place){(float)i, 0, 0});
        scene_add_child_of(town->scene, town->nodes[i], (ChildOf){i == 0 ? SCENE_NO_ENTITY : town->nodes[(i - 1) / 4]});
    }
}

void town_apart(town *town)
{
    town_tree(town);
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        scene_remove_child_of(town->scene, town->nodes[i]);
}

void town_create(town *town, town_setting *setting)
{
    *town = (struct town){.game = game_context_create(&(kin_context_options){.hash_seed = 1})};
    town->scene = scene_context_create(&(kin_context_options){.hash_seed = 1});
    town->health = kin_component_find(&game_info, "Health");
    setting(town);
}

void town_destroy(town *town)
{
    kin_collector_destroy(town->collector);
    game_context_destroy(town->game);
    scene_context_destroy(town->scene);
}
