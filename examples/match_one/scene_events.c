#include "scene_events.h"

static Panel *edit_panel(scene_context *scene)
{
    return scene_edit_panel(scene, scene_unique_panel_entity(scene));
}

static void on_position(game_context *game, game_entity piece, const Position *position, void *user)
{
    (void)game;
    scene_context *scene = user;
    scene_entity sprite = scene_entity_with_sprite_piece(scene, piece);
    const Falling *falling = scene_get_falling(scene, sprite);
    float speed = falling == NULL ? 0 : falling->speed;
    scene_replace_falling(scene, sprite, (Falling){(float)position->y, speed});
}

static void on_destroyed(game_context *game, game_entity piece, void *user)
{
    (void)game;
    scene_context *scene = user;
    scene_add_fading(scene, scene_entity_with_sprite_piece(scene, piece), fading_default());
}

static void on_score(state_context *state, state_entity entity, const Score *score, void *user)
{
    (void)state, (void)entity;
    edit_panel(user)->points = score->points;
}

static void on_burst(input_context *input, input_entity entity, void *user)
{
    (void)input, (void)entity;
    edit_panel(user)->burst = true;
}

static void on_burst_removed(input_context *input, input_entity entity, void *user)
{
    (void)input, (void)entity;
    edit_panel(user)->burst = false;
}

// Also destroys the sprites of pieces that a smaller board removed.
static void on_board(game_context *game, game_entity entity, const Board *board, void *user)
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

void listen_to_game(match_one_contexts *contexts)
{
    scene_context *scene = contexts->scene;
    game_add_any_board_listener(contexts->game, game_create_entity(contexts->game), on_board, scene);
    state_add_any_score_listener(contexts->state, state_create_entity(contexts->state), on_score, scene);
    input_entity player = input_create_entity(contexts->input);
    input_add_any_burst_listener(contexts->input, player, on_burst, scene);
    input_add_any_burst_removed_listener(contexts->input, player, on_burst_removed, scene);
}

void listen_to_piece(match_one_contexts *contexts, game_entity piece)
{
    game_add_position_listener(contexts->game, piece, on_position, contexts->scene);
    game_add_destroyed_listener(contexts->game, piece, on_destroyed, contexts->scene);
}
