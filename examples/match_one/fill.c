#include "pieces.h"

static void fill_column(match_one_contexts *contexts, int32_t x, int32_t rows)
{
    Position at = landing(contexts->game, (Position){x, rows});
    for (; at.y < rows; at.y++)
        create_piece(contexts, at);
}

void fill_execute(match_one_world *world, const game_entity *changed, uint32_t count)
{
    (void)changed, (void)count;
    Board board = *game_get_unique_board(world->contexts->game);
    for (int32_t x = 0; x < board.columns; x++)
        fill_column(world->contexts, x, board.rows);
}
