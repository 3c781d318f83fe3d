#include "pieces.h"

static void fall_from(game_context *game, Position from)
{
    game_entity piece = game_entity_with_cell(game, from.x, from.y);
    if (!game_is_movable(game, piece))
        return;
    Position to = landing(game, from);
    if (to.y != from.y)
        game_replace_position(game, piece, to);
}

// Goes upward in each column, so that the pieces below have already fallen.
void fall_execute(match_one_world *world, const game_entity *taken, uint32_t count)
{
    (void)taken, (void)count;
    game_context *game = world->contexts->game;
    Board board = *game_get_unique_board(game);
    for (int32_t x = 0; x < board.columns; x++)
        for (int32_t y = 1; y < board.rows; y++)
            fall_from(game, (Position){x, y});
}
