#include "scene.h"

#include "scene_events.h"

static const float gravity = 60; // rows a second, each second

void show_initialize(match_one_world *world)
{
    scene_set_unique_panel(world->contexts->scene, panel_default());
    listen_to_game(world->contexts);
}

// ---- new pieces

// Returns a height above the board and above all tiles of the column.
static float height_of_new(scene_context *scene, int32_t column, int32_t rows)
{
    float height = (float)rows;
    scene_tiles_iter it = scene_tiles_iterate(scene);
    while (scene_tiles_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            if (it.tile[i].column == column && it.tile[i].height + 1 > height)
                height = it.tile[i].height + 1;
    return height;
}

// A falling piece is collected, too: only pieces without a sprite are new.
bool show_filter(match_one_world *world, game_entity piece)
{
    scene_entity sprite = scene_entity_with_sprite_piece(world->contexts->scene, piece);
    return scene_entity_equals(sprite, SCENE_NO_ENTITY);
}

static void create_sprite(match_one_contexts *contexts, game_entity piece)
{
    scene_context *scene = contexts->scene;
    int32_t column = game_get_position(contexts->game, piece)->x;
    int32_t rows = game_get_unique_board(contexts->game)->rows;
    Kind kind = game_get_piece(contexts->game, piece)->kind;
    scene_entity sprite = scene_create_entity(scene);
    scene_add_sprite(scene, sprite, (Sprite){piece});
    scene_add_tile(scene, sprite, (Tile){kind, column, height_of_new(scene, column, rows)});
}

void show_execute(match_one_world *world, const game_entity *pieces, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        create_sprite(world->contexts, pieces[i]);
        listen_to_piece(world->contexts, pieces[i]);
    }
}

// ---- moving

void drop_update(match_one_world *world, drop_iter *it, const kin_tick *tick)
{
    float seconds = (float)tick->delta;
    while (drop_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->falling[i].speed += gravity * seconds;
            it->tile[i].height -= it->falling[i].speed * seconds;
            if (it->tile[i].height > it->falling[i].to)
                continue;
            it->tile[i].height = it->falling[i].to;
            scene_remove_falling(world->contexts->scene, drop_at(it, i));
        }
}

void fade_update(match_one_world *world, fade_iter *it, const kin_tick *tick)
{
    while (fade_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->fading[i].left -= (float)tick->delta;
            if (it->fading[i].left <= 0)
                scene_destroy_entity(world->contexts->scene, fade_at(it, i));
        }
}

bool is_scene_moving(scene_context *scene)
{
    return kin_group_count(scene_falling_group(scene)) + kin_group_count(scene_fading_group(scene)) > 0;
}
