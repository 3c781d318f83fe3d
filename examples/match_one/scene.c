#include "scene.h"

#include "scene_events.h"

static const float gravity = 60; // rows a second, each second

static void begin(void *self)
{
    match_one_contexts *contexts = self;
    scene_set_unique_panel(contexts->scene, panel_default());
    hear_of_game(contexts);
}

// ---- new pieces

// Above the board, and above all that is in this column already.
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

// What falls is collected as well.
static bool has_no_sprite(void *self, kin_context *context, kin_entity entity)
{
    (void)context;
    match_one_contexts *contexts = self;
    scene_entity sprite = scene_entity_with_sprite_piece(contexts->scene, game_entity_of(entity));
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

static void show(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)context;
    match_one_contexts *contexts = self;
    for (uint32_t i = 0; i < count; i++) {
        create_sprite(contexts, game_entity_of(entities[i]));
        hear_of_piece(contexts, game_entity_of(entities[i]));
    }
}

// ---- moving on

static void drop(void *self, const kin_tick *tick)
{
    match_one_contexts *contexts = self;
    float seconds = (float)tick->delta;
    scene_falling_iter it = scene_falling_iterate(contexts->scene);
    while (scene_falling_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            it.falling[i].speed += gravity * seconds;
            it.tile[i].height -= it.falling[i].speed * seconds;
            if (it.tile[i].height > it.falling[i].to)
                continue;
            it.tile[i].height = it.falling[i].to;
            scene_remove_falling(contexts->scene, scene_falling_at(&it, i));
        }
}

static void fade(void *self, const kin_tick *tick)
{
    match_one_contexts *contexts = self;
    scene_fading_iter it = scene_fading_iterate(contexts->scene);
    while (scene_fading_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            it.fading[i].left -= (float)tick->delta;
            if (it.fading[i].left <= 0)
                scene_destroy_entity(contexts->scene, scene_fading_at(&it, i));
        }
}

// ---- the whole

void add_scene_systems(kin_systems *systems, match_one_contexts *contexts)
{
    kin_trigger made = {game_pieces(contexts->game), KIN_ADDED};
    kin_systems_add(systems, (kin_system){.name = "drop", .execute = drop, .self = contexts});
    kin_systems_add(systems, (kin_system){.name = "fade", .execute = fade, .self = contexts});
    kin_systems_add_reactive(systems, (kin_reactive_system){.name = "show",
                                                            .triggers = &made,
                                                            .trigger_count = 1,
                                                            .filter = has_no_sprite,
                                                            .initialize = begin,
                                                            .execute = show,
                                                            .self = contexts});
}

bool is_scene_moving(scene_context *scene)
{
    return kin_group_count(scene_falling(scene)) + kin_group_count(scene_fading(scene)) > 0;
}
