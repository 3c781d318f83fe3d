#include "pieces.h"

void board_initialize(match_one_world *world)
{
    match_one_contexts *contexts = world->contexts;
    Rules rules = *config_get_unique_rules(contexts->config);
    game_set_unique_board(contexts->game, (Board){rules.columns, rules.rows});
    for (int32_t y = 0; y < rules.rows; y++)
        for (int32_t x = 0; x < rules.columns; x++)
            if (chance(contexts, 100) < rules.blockers)
                create_blocker(contexts, (Position){x, y});
            else
                create_piece(contexts, (Position){x, y});
}

// Destroys pieces outside of the board without taking them, so that they do not count as points. The array of the group
// stays unchanged while its entities leave.
void board_execute(match_one_world *world, const game_entity *boards, uint32_t count)
{
    (void)boards, (void)count; // the board is unique
    game_context *game = world->contexts->game;
    Board board = *game_get_unique_board(game);
    uint32_t piece_count = 0;
    const game_entity *pieces = game_pieces_entities(game, &piece_count);
    for (uint32_t i = 0; i < piece_count; i++) {
        const Position *at = game_get_position(game, pieces[i]);
        if (at->x >= board.columns || at->y >= board.rows)
            game_destroy_entity(game, pieces[i]);
    }
}
