#include "scene_events.h"

static Panel *edit_panel(scene_context *scene)
{
    return scene_edit_panel(scene, scene_unique_panel_entity(scene));
}

static void hear_position(game_context *game, game_entity piece, const Position *position, void *user)
{
    (void)game;
    scene_context *scene = user;
    scene_entity sprite = scene_entity_with_sprite_piece(scene, piece);
    const Falling *falling = scene_get_falling(scene, sprite);
    float speed = falling == NULL ? 0 : falling->speed;
    scene_replace_falling(scene, sprite, (Falling){(float)position->y, speed});
}

static void hear_destroyed(game_context *game, game_entity piece, void *user)
{
    (void)game;
    scene_context *scene = user;
    scene_add_fading(scene, scene_entity_with_sprite_piece(scene, piece), fading_default());
}

static void hear_score(state_context *state, state_entity entity, const Score *score, void *user)
{
    (void)state, (void)entity;
    edit_panel(user)->points = score->points;
}

static void hear_burst(input_context *input, input_entity entity, void *user)
{
    (void)input, (void)entity;
    edit_panel(user)->burst = true;
}

static void hear_burst_removed(input_context *input, input_entity entity, void *user)
{
    (void)input, (void)entity;
    edit_panel(user)->burst = false;
}

// What a smaller board has cleared away is not shown any longer.
static void hear_board(game_context *game, game_entity entity, const Board *board, void *user)
{
    (void)entity;
    scene_context *scene = user;
    edit_panel(scene)->columns = board->columns;
    edit_panel(scene)->rows = board->rows;
    uint32_t count = 0;
    const scene_entity *sprites = scene_sprites_entities(scene, &count);
    for (uint32_t i = 0; i < count; i++)
        if (!game_entity_is_alive(game, scene_get_sprite(scene, sprites[i])->piece))
            scene_destroy_entity(scene, sprites[i]);
}

void hear_of_game(match_one_contexts *contexts)
{
    scene_context *scene = contexts->scene;
    game_add_any_board_listener(contexts->game, game_create_entity(contexts->game), hear_board, scene);
    state_add_any_score_listener(contexts->state, state_create_entity(contexts->state), hear_score, scene);
    input_entity player = input_create_entity(contexts->input);
    input_add_any_burst_listener(contexts->input, player, hear_burst, scene);
    input_add_any_burst_removed_listener(contexts->input, player, hear_burst_removed, scene);
}

void hear_of_piece(match_one_contexts *contexts, game_entity piece)
{
    game_add_position_listener(contexts->game, piece, hear_position, contexts->scene);
    game_add_destroyed_listener(contexts->game, piece, hear_destroyed, contexts->scene);
}
