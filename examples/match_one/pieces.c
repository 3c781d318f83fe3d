#include "pieces.h"

#include "random.h"

game_entity create_piece(match_one_contexts *contexts, Position at)
{
    game_context *game = contexts->game;
    game_entity piece = game_create_entity(game);
    game_add_piece(game, piece, (Piece){(Kind)chance(contexts, KIND_BLOCKER)});
    game_set_movable(game, piece, true);
    game_set_interactive(game, piece, true);
    game_add_position(game, piece, at);
    return piece;
}

game_entity create_blocker(match_one_contexts *contexts, Position at)
{
    game_context *game = contexts->game;
    game_entity blocker = game_create_entity(game);
    game_add_piece(game, blocker, (Piece){KIND_BLOCKER});
    game_add_position(game, blocker, at);
    return blocker;
}

uint32_t chance(match_one_contexts *contexts, uint32_t end)
{
    Random random = *state_get_unique_random(contexts->state);
    uint32_t drawn = random_below(&random.value, end);
    state_replace_unique_random(contexts->state, random);
    return drawn;
}

static bool is_free(game_context *game, int32_t x, int32_t y)
{
    return game_entity_equals(game_entity_with_cell(game, x, y), GAME_NO_ENTITY);
}

Position landing(game_context *game, Position from)
{
    while (from.y > 0 && is_free(game, from.x, from.y - 1))
        from.y--;
    return from;
}
